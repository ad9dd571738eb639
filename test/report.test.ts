// The training report: what the page says is what the library computes, whoever named things, and it needs nothing but itself.

import { beforeAll, describe, expect, test } from "vitest";
import { flowers, species } from "../data/iris.ts";
import { Random } from "../src/base/random.ts";
import {
  accuracy,
  balancedAccuracy,
  brierScore,
  calibrate,
  classReport,
  confusionMatrix,
  explain,
  LinearSVC,
  LinearSVR,
  logLoss,
  logRange,
  meanAbsoluteError,
  meanSquaredError,
  prCurve,
  r2,
  rocCurve,
  SVC,
  search,
} from "../src/index.ts";
import { binned } from "../src/report/histogram.ts";
import { thinned } from "../src/report/line-chart.ts";
import { type ClassTest, hardestRows, type NumberTest, type ReportInput, trainingReport } from "../src/report/report.ts";
import { bound, brief, counted, escaped, grouped, seconds, share } from "../src/report/text.ts";

const isHeldOut = (_: unknown, i: number): boolean => i % 3 === 2;
const isKept = (_: unknown, i: number): boolean => i % 3 !== 2;
const noise = new Random(5);
const points = Array.from({ length: 300 }, () => [noise.unit() - 0.5, noise.unit() - 0.5, noise.unit() - 0.5]);
const sides = points.map(([a = 0, b = 0]) => (a + b + 0.4 * (noise.unit() - 0.5) > 0 ? "right" : "left"));
const targets = points.map(([a = 0, b = 0, c = 0]) => 3 * a - 2 * b + 0.1 * c + 0.2 * noise.unit());

interface Fitted {
  readonly report: { readonly status: string; readonly certificate: unknown; readonly run: unknown };
}

/** What the command line would fill in. */
function factsOf(model: Fitted, estimator: string, options: object): ReportInput["model"] {
  const { status, certificate, run } = model.report as { status: string; certificate: never; run: ReportInput["model"] };
  return { ...run, estimator, status, certificate, options: Object.entries(options), versions: [["hinge", "0.1.0"]] };
}

/** The page as a reader sees it: no tags, blanks alike. */
function readable(html: string): string {
  const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return html
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] as string)
    .replace(/\s+/g, " ");
}

function sectionsOf(html: string): string[] {
  return [...html.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => String(id));
}

/** What a browser would have to mend. */
function complaints(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const single = new Set(["meta", "!doctype"]);
  for (const [, close, name = "", , self] of html
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .matchAll(/<(\/?)([!a-zA-Z][\w-]*)((?:[^>"]|"[^"]*")*?)(\/?)>/g)) {
    if (close === "/") {
      const last = open.pop();
      if (last !== name) found.push(`</${name}> closes <${last}>`);
    } else if (self !== "/" && !single.has(name.toLowerCase())) open.push(name);
  }
  found.push(...open.map((name) => `<${name}> is never closed`));
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  if (new Set(ids).size !== ids.length) found.push("an id occurs twice");
  for (const [, names = ""] of html.matchAll(/aria-labelledby="([^"]*)"/g)) {
    for (const name of names.split(" ")) if (!ids.includes(name)) found.push(`nothing has the id ${name}`);
  }
  for (const [, name] of html.matchAll(/href="#([^"]*)"/g)) if (!ids.includes(name)) found.push(`no part has the id ${name}`);
  for (const [svg] of html.matchAll(/<svg[^>]*>/g)) if (!svg.includes('role="img"')) found.push("a drawing without a role");
  for (const word of ["NaN", "undefined", "Infinity", "[object", "null"]) if (html.includes(word)) found.push(`the page says ${word}`);
  for (const [reference] of html.matchAll(/https?:|<script|<link|<iframe|src=|@import|url\(/gi))
    found.push(`the page refers to ${reference}`);
  return found;
}

const pages = new Map<string, { readonly input: ReportInput; readonly html: string }>();

function pageOf(name: string, input: ReportInput): void {
  pages.set(name, { input, html: trainingReport(input) });
}

beforeAll(async () => {
  const [x, y] = [points.filter(isKept), sides.filter(isKept)];
  const [heldX, heldY] = [points.filter(isHeldOut), sides.filter(isHeldOut)];
  const binary = await calibrate(LinearSVC, x, y, { C: 1 });
  const two: ClassTest = {
    kind: "classes",
    y: heldY,
    predicted: await binary.predict(heldX),
    classes: binary.classes,
    decision: await binary.decision(heldX),
    probabilities: await binary.probabilities(heldX),
  };
  const found = await search(SVC, x, y, { grid: { C: [0.1, 1, 10], gamma: [0.1, 1, 10, 100] }, folds: 3, refit: false });
  pageOf("binary", {
    title: "Left or right",
    data: {
      name: "points",
      rowCount: 200,
      featureCount: 3,
      classes: classReport(y, y).classes.map(({ label, support: count }) => ({ label, count })),
    },
    model: { ...factsOf(binary, "LinearSVC", { C: 1 }), tolerance: 1e-3 },
    test: two,
    search: { ...found, scoring: "accuracy" },
    weights: await explain(binary, { featureNames: ["east", "north", "height"] }),
    hardest: hardestRows(two, { count: 4, rowOf: (index) => 3 * index + 3, textOf: (index) => `point ${index}` }),
  });

  const iris = await LinearSVC.fit(flowers.filter(isKept), species.filter(isKept), { C: 1 });
  const heldFlowers = flowers.filter(isHeldOut);
  const three: ClassTest = {
    kind: "classes",
    y: species.filter(isHeldOut),
    predicted: await iris.predict(heldFlowers),
    classes: iris.classes,
    decision: await iris.decision(heldFlowers),
    scheme: iris.multiClass,
  };
  const alongC = await search(LinearSVC, flowers, species, { grid: { C: logRange(0.01, 100, 5) }, folds: 3, refit: false });
  pageOf("iris", {
    title: "Irises",
    data: { name: "irises", rowCount: 100, featureCount: 4 },
    model: factsOf(iris, "LinearSVC", { C: 1 }),
    test: three,
    search: alongC,
    weights: await explain(iris),
  });

  const pairs = await SVC.fit(flowers.filter(isKept), species.filter(isKept), { C: 1 });
  pageOf("pairs", {
    title: "Irises by pairs",
    data: { name: "irises", rowCount: 100, featureCount: 4 },
    model: factsOf(pairs, "SVC", { C: 1 }),
    test: { ...three, predicted: await pairs.predict(heldFlowers), decision: await pairs.decision(heldFlowers), scheme: pairs.multiClass },
  });

  const line = await LinearSVR.fit(x, targets.filter(isKept), { C: 10, epsilon: 0.05 });
  const numbers: NumberTest = { kind: "numbers", y: targets.filter(isHeldOut), predicted: await line.predict(heldX), epsilon: 0.05 };
  pageOf("regression", {
    title: "A plane",
    data: { name: "points", rowCount: 200, featureCount: 3 },
    model: factsOf(line, "LinearSVR", { C: 10, epsilon: 0.05 }),
    test: numbers,
    hardest: hardestRows(numbers, { count: 3 }),
  });
});

function page<K extends "classes" | "numbers">(name: string, kind: K) {
  const { input, html } = pages.get(name)!;
  const tested = input.test as Extract<ReportInput["test"], { kind: K }>;
  expect(tested.kind).toBe(kind);
  return { input, html, tested, text: readable(html) };
}

describe("pages of real fits", () => {
  for (const name of ["binary", "iris", "pairs", "regression"]) {
    test(`${name}: whole, accessible, alone, and the same again`, () => {
      const { input, html } = pages.get(name)!;
      expect(complaints(html)).toEqual([]);
      expect(trainingReport(structuredClone(input))).toBe(html);
      expect(html.length).toBeLessThan(150_000);
    });
  }

  test("two classes: the numbers are those of the metrics", () => {
    const { text, tested, input } = page("binary", "classes");
    const { y, predicted, classes } = tested;
    const right = accuracy(y, predicted);
    const gap = input.model.certificate?.relativeGap as number;
    expect(right).toBeLessThan(1);
    expect(text).toContain(
      `${share(right)} of 100 held-out rows right; proven within ${bound(gap)} of the optimum.`.replace(/\u00a0/g, " "),
    );
    expect(text).toContain(`${(100 * balancedAccuracy(y, predicted)).toFixed(1)} %`);
    const roc = rocCurve(y, tested.decision!, { positive: classes[1] });
    expect(text).toContain(`Area ${roc.area.toFixed(3)} .`);
    expect(text).toContain(`Average precision ${prCurve(y, tested.decision!, { positive: classes[1] }).averagePrecision.toFixed(3)} .`);
    const second = Array.from(tested.probabilities!).filter((_, k) => k % 2 === 1);
    expect(text).toContain(
      `Brier score ${brierScore(y, second, { positive: classes[1] }).toFixed(3)} , ` +
        `log loss ${logLoss(y, tested.probabilities!, { classes }).toFixed(3)}`,
    );
    const [first, other] = confusionMatrix(y, predicted).counts as [Float64Array, Float64Array];
    const sum = (row: Float64Array): number => row.reduce((a, b) => a + b, 0);
    const cells = (row: Float64Array): string => Array.from(row, (count) => `${count} ${share(count / sum(row))}`).join(" ");
    expect(text).toContain(`left ${cells(first)} right ${cells(other)}`.replace(/\u00a0/g, " "));
  });

  test("by class: precision, recall, F1 and rows, for two and for three classes", () => {
    for (const name of ["binary", "iris", "pairs"]) {
      const { text, tested } = page(name, "classes");
      for (const { label, precision, recall, f1 } of classReport(tested.y, tested.predicted).classes)
        expect(text).toContain(`${label} ${[precision, recall, f1].map((value) => value.toFixed(3)).join(" ")}`);
    }
  });

  test("three classes: each has its ROC curve, by decision values or by votes of pairs", () => {
    const { text, tested } = page("iris", "classes");
    tested.classes.forEach((positive, k) => {
      const own = Array.from(tested.decision!).filter((_, at) => at % 3 === k);
      expect(text).toContain(`${positive} area ${rocCurve(tested.y, own, { positive }).area.toFixed(3)}`);
    });
    const pairs = page("pairs", "classes");
    // Setosa wins both of its pairs wherever it is right, and no other row does.
    expect(pairs.text).toContain("setosa area 1.000");
    expect(pairs.html.match(/id="roc-\d-title"/g)).toHaveLength(3);
  });

  test("the certificate, and the gap over time of every problem", () => {
    const { text, html, input } = page("iris", "classes");
    const { primal, dual } = input.model.certificate!;
    expect(text).toContain(brief(primal, 7));
    expect(text).toContain(brief(dual, 7));
    expect(text).toContain("3; this is the one with the largest gap");
    expect(html).toContain("Relative gap over time");
    expect(html.match(/class="soft-line"/g)?.length).toBeGreaterThanOrEqual(2);
    for (const { stages } of input.model.problems ?? []) expect(text).toContain(stages?.[0]?.why);
  });

  test("a search over two options is a heat map with all scores, over one a curve; the best is named", () => {
    const { html, text, input } = page("binary", "classes");
    const best = input.search!.best!;
    expect(text).toContain(`Best: C ${best.point.C}, gamma ${best.point.gamma} , with accuracy ${(100 * best.score).toFixed(1)} %`);
    const cells = [...html.matchAll(/<title>C ([\d.,]+), gamma ([\d.,]+): ([\d.]+)\u00a0%/g)].map(
      ([, C, gamma, score]) => `${C} ${gamma} ${score}`,
    );
    expect(cells.sort()).toEqual(
      input.search!.points.map(({ point, score }) => `${point.C} ${point.gamma} ${(100 * score).toFixed(1)}`).sort(),
    );
    expect(html.match(/class="ring"/g)).toHaveLength(1);
    const iris = page("iris", "classes");
    expect(iris.text).toContain("Score by C");
    expect(iris.text).toContain(`score ${iris.input.search!.best!.score.toFixed(3)}`);
  });

  test("weights: by name or by number, the largest first", () => {
    const { text, html, input } = page("binary", "classes");
    const [{ up, down }] = input.weights as [NonNullable<ReportInput["weights"]>[number]];
    for (const { name, weight } of [...up, ...down]) expect(text).toContain(`${name} ${brief(weight, 3)}`);
    expect(html).toContain("speaks for right");
    expect(page("iris", "classes").text).toContain("feature 0");
  });

  test("a regression: errors, residuals and the rows that are furthest off", () => {
    const { text, tested, html, input } = page("regression", "numbers");
    const { y, predicted } = tested;
    expect(text).toContain(`${(100 * r2(y, predicted)).toFixed(1)} % of the variance of 100 held-out rows explained`);
    expect(text).toContain(`off by ${brief(meanAbsoluteError(y, predicted), 3)} on average`);
    expect(text).toContain(brief(Math.sqrt(meanSquaredError(y, predicted)), 3));
    const errors = Array.from(y, (value, i) => Math.abs((predicted[i] as number) - value)).sort((a, b) => a - b);
    expect(text).toContain(`half of the rows off by at most ${brief(errors[49] as number, 3)}`);
    expect(text).toContain(`within the tube ${share(errors.filter((error) => error <= 0.05).length / 100)}`.replace(/\u00a0/g, " "));
    expect(input.hardest?.map(({ residual }) => Math.abs(residual ?? 0))).toEqual(errors.slice(-3).reverse());
    // A dot a row, twice.
    expect([...html.matchAll(/class="points"[^>]* d="([^"]*)"/g)].map(([, d = ""]) => d.split("h0").length - 1)).toEqual([100, 100]);
    expect(sectionsOf(html)).toEqual(["result", "hardest", "training"]);
  });

  test("the hardest rows are those with the smallest margins", () => {
    const { tested, input, text } = page("binary", "classes");
    const margins = Array.from(tested.decision!, (value, i) => (tested.y[i] === tested.classes[1] ? value : -value));
    const order = margins.map((_, i) => i).sort((a, b) => (margins[a] as number) - (margins[b] as number));
    expect(input.hardest?.map(({ row }) => row)).toEqual(order.slice(0, 4).map((i) => 3 * i + 3));
    expect(input.hardest?.map(({ margin }) => margin)).toEqual(order.slice(0, 4).map((i) => margins[i]));
    expect(text).toContain(`point ${order[0]}`);
    const three = page("iris", "classes").tested;
    const [first] = hardestRows(three, { count: 1 });
    const place = (first?.row as number) - 1;
    const own = Array.from(three.decision!).slice(3 * place, 3 * place + 3);
    const label = three.classes.indexOf(three.y[place] as string);
    expect(first?.margin).toBe((own[label] as number) - Math.max(...own.filter((_, k) => k !== label)));
    expect(hardestRows({ kind: "classes", y: ["a"], predicted: ["b"], classes: ["a", "b"] })).toEqual([]);
  });
});

const least: ReportInput = {
  title: "Nothing more",
  data: { name: "rows", rowCount: 1, featureCount: 2 },
  model: { estimator: "LinearSVC" },
};

describe("what is not there", () => {
  test("only data and model: one section, and the headline says what was trained", () => {
    const html = trainingReport(least);
    expect(complaints(html)).toEqual([]);
    expect(sectionsOf(html)).toEqual(["training"]);
    expect(readable(html)).toContain("LinearSVC trained on 1 row.");
    expect(html).not.toContain("<svg");
  });

  test("empty parts are left out", () => {
    const test: ClassTest = { kind: "classes", y: [], predicted: [], classes: [], decision: [], probabilities: [] };
    const html = trainingReport({ ...least, test, search: { points: [] }, weights: [], hardest: [] });
    expect(sectionsOf(html)).toEqual(["training"]);
    expect(complaints(html)).toEqual([]);
    const numbers = trainingReport({ ...least, test: { kind: "numbers", y: [], predicted: [] } });
    expect(sectionsOf(numbers)).toEqual(["training"]);
  });

  test("labels without scores: a matrix and no curves", () => {
    const html = trainingReport({ ...least, test: { kind: "classes", y: [1, 2, 2], predicted: [1, 2, 1], classes: [1, 2] } });
    expect(sectionsOf(html)).toEqual(["result", "training"]);
    expect(readable(html)).toContain("66.7 % of 3 held-out rows right.");
    expect(complaints(html)).toEqual([]);
  });

  test("one class only among the rows: no ROC curve, no error", () => {
    const html = trainingReport({
      ...least,
      test: { kind: "classes", y: ["a", "a"], predicted: ["a", "a"], classes: ["a", "b"], decision: [-1, -2], probabilities: [1, 0, 1, 0] },
    });
    expect(readable(html)).toContain("All 2 held-out rows right.");
    expect(html).not.toContain("ROC");
    expect(complaints(html)).toEqual([]);
  });

  test("a fit that was stopped says so", () => {
    const certificate = { primal: 2, dual: 1, relativeGap: 0.5 };
    const headlineOf = (status: string): string => readable(trainingReport({ ...least, model: { estimator: "SVC", status, certificate } }));
    expect(headlineOf("time-limit")).toContain("trained on 1 row; proven within 50 % of the optimum, though stopped early.");
    expect(headlineOf("precision-limit")).toContain("proven within 50 % of the optimum.");
  });

  test("why there is no certificate, or no gap", () => {
    const none = readable(trainingReport({ ...least, model: { estimator: "SVC", noCertificate: "the model comes from LIBSVM's file" } }));
    expect(none).toContain("None: the model comes from LIBSVM's file.");
    const certificate = { primal: 2, dual: 1, relativeGap: null, violation: 1e-3, reason: "the kernel has negative eigenvalues" } as const;
    const gapless = readable(trainingReport({ ...least, model: { estimator: "SVC", certificate } }));
    expect(gapless).toContain("no proof of optimality");
    expect(gapless).toContain("There is no gap: the kernel has negative eigenvalues.");
  });
});

test("names that are markup stay text", () => {
  const evil = `<script>alert("x")</script> & 'y' <img src=x onerror="z">`;
  const { input } = page("binary", "classes");
  const rename = (label: unknown): string => `${evil} ${label}`;
  const tested = input.test as ClassTest;
  const html = trainingReport({
    title: evil,
    data: { name: evil, rowCount: 3, featureCount: 2, classes: [{ label: evil, count: 2 }], notes: [[evil, evil]] },
    model: {
      ...input.model,
      ...{ estimator: evil, pipeline: [evil], options: [[evil, evil]], status: evil, solver: evil, versions: [[evil, evil]] },
      problems: (input.model.problems ?? []).map((problem) => ({
        ...problem,
        positive: evil,
        negative: evil,
        stages: [{ solver: evil, why: evil, iterations: 1, relativeGap: 1 }],
      })),
    },
    test: {
      ...tested,
      y: Array.from(tested.y, rename),
      predicted: Array.from(tested.predicted, rename),
      classes: tested.classes.map(rename),
    },
    search: {
      scoring: evil,
      ending: evil,
      points: [1, 2, 3, 4].map((k) => ({ point: { [evil]: k % 2, [`${evil}2`]: k > 2 ? 1 : 0 }, score: k })),
    },
    weights: [
      { positive: evil, negative: evil, up: [{ feature: 1, name: evil, weight: 1 }], down: [{ feature: 2, name: evil, weight: -1 }] },
    ],
    hardest: [{ row: evil, label: evil, predicted: rename(1), margin: -1, text: evil }],
  });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img");
  expect(html).not.toMatch(/<[^>]*onerror="/);
  expect(complaints(html).filter((one) => !one.endsWith("src="))).toEqual([]);
  expect(html).toContain(escaped(evil));
  expect(readable(html)).toContain(evil);
});

test("numbers that are none never reach the page, and rows with them are left out and counted", () => {
  const { input } = page("binary", "classes");
  const tested = input.test as ClassTest;
  const decision = Float64Array.from(tested.decision!);
  const probabilities = Float64Array.from(tested.probabilities!);
  decision[3] = Number.NaN;
  probabilities[8] = Number.POSITIVE_INFINITY;
  const broken = Number.NaN;
  const html = trainingReport({
    ...input,
    data: { name: "points", rowCount: broken, featureCount: Infinity, classes: [{ label: broken, count: broken }] },
    model: {
      ...input.model,
      ...{ iterations: broken, supportCount: broken, seconds: { total: broken, certify: broken }, threads: broken, tolerance: broken },
      options: [["C", broken]],
      certificate: { primal: broken, dual: -Infinity, relativeGap: broken },
      problems: [
        {
          history: [
            { seconds: broken, relativeGap: 1 },
            { seconds: 1, relativeGap: broken },
            { seconds: 2, relativeGap: null },
          ],
        },
      ],
    },
    test: { ...tested, decision, probabilities },
    search: {
      points: [
        { point: { C: 1 }, score: broken },
        { point: { C: broken, gamma: 1 }, score: 0.5, deviation: broken },
      ],
    },
    weights: [{ up: [{ feature: 0, weight: broken }], down: [{ feature: 1, weight: -1 }] }],
    hardest: [{ row: broken, label: 1, predicted: 2, margin: broken }],
  });
  expect(complaints(html)).toEqual([]);
  const labels = trainingReport({ ...least, test: { kind: "classes", y: [1, 2, broken], predicted: [1, 1, 1], classes: [1, 2] } });
  expect(readable(labels)).toContain("50.0 % of 2 held-out rows right.");
  expect(readable(labels)).toContain("1 row is left out");
  const numbers = trainingReport({ ...least, test: { kind: "numbers", y: [1, 2, broken], predicted: [1, 1, 1] } });
  expect(complaints(numbers)).toEqual([]);
  const constant = trainingReport({ ...least, test: { kind: "numbers", y: [2, 2], predicted: [2, 2] } });
  expect(complaints(constant)).toEqual([]);
});

test("lists that do not fit each other are refused", () => {
  const tested = { kind: "classes", y: [1, 2], predicted: [1], classes: [1, 2] } as const;
  expect(() => trainingReport({ ...least, test: tested })).toThrow("1 predictions for 2 rows");
  expect(() => trainingReport({ ...least, test: { ...tested, predicted: [1, 2], decision: [1, 2, 3] } })).toThrow(
    "3 decision values for 2 rows and 2 classes",
  );
});

describe("many classes", () => {
  for (const count of [20, 150]) {
    test(`${count}: a map, the weakest classes, the most confused pairs, eight curves`, () => {
      const random = new Random(9);
      const classes = Array.from({ length: count }, (_, k) => `class ${String(k).padStart(3, "0")}`);
      const y = Array.from({ length: 10 * count }, (_, i) => classes[i % count] as string);
      const predicted = y.map((label, i) => (random.unit() < 0.1 ? (classes[(i + 1) % count] as string) : label));
      const decision = predicted.flatMap((label) => classes.map((one) => (one === label ? 1 : 0) + 0.5 * random.unit()));
      const html = trainingReport({ ...least, test: { kind: "classes", y, predicted, classes, decision } });
      expect(complaints(html)).toEqual([]);
      const text = readable(html);
      expect(text).toContain(`All ${count} classes`);
      expect(text).toContain(`The 8 of ${count} classes that are told from the rest worst`);
      const { counts } = confusionMatrix(y, predicted);
      let [most, from, to] = [0, 0, 0];
      counts.forEach((row, a) => {
        row.forEach((rows, b) => {
          if (a !== b && rows > most) [most, from, to] = [rows, a, b];
        });
      });
      expect(text).toContain(`of its class ${classes[from]} ${classes[to]} ${most}`);
      expect(html.length).toBeLessThan(400_000);
    });
  }
});

describe("texts", () => {
  test("shares never claim all or nothing that is not so; bounds are rounded up", () => {
    expect([1, 0.99999, 0.934, 0.00001, 0, Number.NaN].map((value) => share(value).replace("\u00a0", " "))).toEqual([
      "100 %",
      "99.9 %",
      "93.4 %",
      "0.1 %",
      "0 %",
      "–",
    ]);
    expect([0.0008, 0.000761, 0.5, 1.2, 0.123, 1e-12, 0].map((value) => bound(value).replace("\u00a0", " "))).toEqual([
      "0.08 %",
      "0.077 %",
      "50 %",
      "120 %",
      "13 %",
      "0.0001 %",
      "0 %",
    ]);
  });

  test("numbers without locale", () => {
    expect([0, 1, -1234.5, 0.00012, 1e-9, 123456, 2e7, 0.5].map((value) => brief(value).replace(/\u00a0/g, " "))).toEqual([
      "0",
      "1",
      "−1,235",
      "1.2 × 10⁻⁴",
      "10⁻⁹",
      "123,456",
      "2 × 10⁷",
      "0.5",
    ]);
    expect([grouped(1234567), counted(1, "class"), counted(2, "class"), counted(2, "row")]).toEqual([
      "1,234,567",
      "1 class",
      "2 classes",
      "2 rows",
    ]);
    expect([0.0123, 1.234, 34.56, 600, 10_000].map((value) => seconds(value).replace("\u00a0", " "))).toEqual([
      "12 ms",
      "1.23 s",
      "34.6 s",
      "10.0 min",
      "2.8 h",
    ]);
  });
});

describe("drawing", () => {
  test("bins hold every value once, the edges included", () => {
    const { edges, counts } = binned(
      [
        [0, 0.1, 0.5, 1],
        [1, 1],
      ],
      10,
    );
    expect([edges[0], edges.at(-1)]).toEqual([0, 1]);
    expect(counts.map((own) => own.reduce((a, b) => a + b, 0))).toEqual([4, 2]);
    expect(counts[1]?.at(-1)).toBe(2);
    expect(binned([[3, 3, 3]], 10).counts[0]?.reduce((a, b) => a + b, 0)).toBe(3);
  });

  test("curves are thinned to what a screen shows, their ends kept", () => {
    const many = Array.from({ length: 100_000 }, (_, k): [number, number] => [k / 1000, 50]);
    const few = thinned(many);
    expect(few.length).toBeLessThan(130);
    expect([few[0], few.at(-1)]).toEqual([many[0], many.at(-1)]);
  });
});
