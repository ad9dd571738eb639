// The doctor: every kind of finding by a small file that has it and one that has not, broken text, forecasts, and audits of models whoever wrote them.

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { blocksOf } from "../src/formats/blocks.ts";
import { withSource } from "../src/formats/with-source.ts";
import {
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  type Loaded,
  LogisticRegression,
  load,
  matrix,
  NuSVC,
  OneClassSVM,
  pipeline,
  readSvmlight,
  StandardScaler,
  SVC,
  SVR,
} from "../src/index.ts";
import { type Diagnosis, examine, type Finding, type FindingKind, rowsNamed, withLines } from "../src/select/doctor.ts";
import { auditModel } from "../src/select/doctor-audit.ts";
import { mostNu } from "../src/select/doctor-labels.ts";
import { linesOfRows, readTolerantly } from "../src/select/doctor-lines.ts";
import { forecast } from "../src/select/forecast.ts";
import { multiClassSet, sparseSet } from "./problems/generate.ts";
import { rowsOf } from "./rows-of.ts";
import { rejected } from "./thrown.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const buffers = { take: (bytes: number) => new Uint8Array(bytes), give: () => undefined };
const blocks = <T>(source: string | Uint8Array, use: (cut: AsyncIterable<Uint8Array>) => Promise<T>, size = 4096): Promise<T> =>
  withSource(typeof source === "string" ? bytesOf(source) : source, "data", (opened) => use(blocksOf(opened, size, buffers)));

const tolerant = (source: string | Uint8Array, indexBase: 0 | 1 = 1, size = 4096) =>
  blocks(source, (cut) => readTolerantly(cut, indexBase), size);

async function diagnosed(source: string | Uint8Array, indexBase: 0 | 1 = 1): Promise<Diagnosis> {
  const read = await tolerant(source, indexBase);
  const diagnosis = await examine(read.x, read.y, { indexBase: read.indexBase, reading: read.findings });
  return withLines(diagnosis, await blocks(source, (cut) => linesOfRows(cut, rowsNamed(diagnosis))));
}

const kinds = ({ findings }: Diagnosis): Finding["kind"][] => findings.map(({ kind }) => kind);
const found = (diagnosis: Diagnosis, kind: FindingKind) => diagnosis.findings.find((finding) => finding.kind === kind);

/** Ten rows of two classes with three columns of about one scale, of which nobody can say anything. */
const healthy = Array.from(
  { length: 12 },
  (_, i) => `${i % 2 === 0 ? 1 : -1} 1:${((i * 7) % 12) / 12 - 0.4} 2:${((i * 5) % 12) / 10 - 0.45} 3:${((i * i) % 11) / 11 + 0.05}\n`,
).join("");

test("a healthy file has no finding", async () => {
  const diagnosis = await diagnosed(healthy);
  expect(diagnosis.findings).toEqual([]);
  expect(diagnosis).toMatchObject({ rowCount: 12, featureCount: 3, valueCount: 36, density: 1 });
  expect(diagnosis.labels).toEqual({
    kind: "classes",
    classes: [
      { label: -1, count: 6 },
      { label: 1, count: 6 },
    ],
  });
});

test("nor has a larger one, sparse, with as many rows as it takes to speak of rare columns and of density", async () => {
  const { x, y } = sparseSet(600, 20, 5, 6);
  const text = x.map(([indices, values], i) => `${y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}\n`).join("");
  expect((await diagnosed(text)).findings).toEqual([]);
});

/** `count` rows by a function of their number. */
const rows = (count: number, row: (i: number) => string): string => Array.from({ length: count }, (_, i) => `${row(i)}\n`).join("");
const sign = (i: number): number => (i % 2 === 0 ? 1 : -1);
const unit = (i: number): number => (((i * 37) % 101) + 1) / 101;

/** What makes a file ill, and how many of the things there are. All others are healthy in that respect. */
const ill: Readonly<Record<FindingKind, { readonly text: string | Uint8Array; readonly count: number; readonly severity?: string }>> = {
  "no-rows": { text: "# nothing\n\n", count: 1 },
  "damaged-file": { text: gzipSync(healthy.repeat(40)).subarray(0, 150), count: 1 },
  "bad-label": { text: `${healthy}spam 1:0.1\nham 1:0.2\n`, count: 2 },
  "bad-feature": { text: `${healthy}1 1:0.1 7 x:1 -2:1\n`, count: 3 },
  "bad-value": { text: `${healthy}1 1:0.1 2:0,5\n-1 1:\n`, count: 2 },
  "not-finite": { text: `${healthy}1 1:nan 2:Inf 3:-infinity\n`, count: 3 },
  "too-large": { text: `${healthy}1 1:1e39 2:-1e999\n`, count: 2 },
  "index-zero": { text: `${healthy}1 0:0.3 1:0.1\n`, count: 1 },
  "index-too-large": { text: `${healthy}1 1:0.1 2147483649:1 99999999999999999999:1\n`, count: 2 },
  "unsorted-indices": { text: `${healthy}1 3:0.3 2:0.2 1:0.1\n-1 2:1 1:0.4\n`, count: 2 },
  "repeated-indices": { text: `${healthy}1 1:0.3 1:0.2\n-1 1:0.5 2:0.1 1:0.2\n`, count: 2 },
  "mixed-queries": { text: `${healthy}1 qid:3 1:0.77\n`, count: 12 },
  "single-class": { text: rows(12, (i) => `1 1:${unit(i)}`), count: 12, severity: "problem" },
  "numbers-as-labels": { text: rows(12, (i) => `${unit(i)} 1:${unit(3 * i)}`), count: 1, severity: "note" },
  "unscaled-targets": { text: rows(12, (i) => `${1e4 * unit(i)} 1:${unit(3 * i)}`), count: 1, severity: "warning" },
  imbalance: { text: rows(100, (i) => `${i === 50 ? 1 : -1} 1:${unit(i)}`), count: 1, severity: "warning" },
  "small-classes": { text: `${healthy}3 1:0.11\n`, count: 1, severity: "warning" },
  "infeasible-nu": { text: rows(24, (i) => `${i % 8 === 0 ? 1 : -1} 1:${unit(i)}`), count: 1, severity: "warning" },
  "unscaled-columns": { text: rows(20, (i) => `${sign(i)} 1:${unit(i)} 2:${30_000 * unit(5 * i) - 9000}`), count: 1, severity: "warning" },
  "far-from-zero": { text: rows(20, (i) => `${sign(i)} 1:${unit(i)} 2:${2000 + unit(3 * i)}`), count: 1, severity: "warning" },
  "lost-digits": { text: rows(20, (i) => `${sign(i)} 1:${1.7e9 + 60 * i}`), count: 1, severity: "warning" },
  "constant-columns": { text: rows(12, (i) => `${sign(i)} 1:${unit(i)} 2:0.5`), count: 1, severity: "warning" },
  "unused-columns": { text: rows(12, (i) => `${sign(i)} 1:${unit(i)} 5:${unit(7 * i)}`), count: 3, severity: "note" },
  "rare-columns": { text: rows(300, (i) => `${sign(i)} 1:${unit(i)}${i % 150 === 0 ? " 2:0.5" : ""}`), count: 1, severity: "note" },
  "single-row-columns": { text: rows(12, (i) => `${sign(i)} 1:${unit(i)}${i === 7 ? " 2:1" : ""}`), count: 1, severity: "note" },
  "more-features-than-rows": {
    text: rows(10, (i) => `${sign(i)} ${rows(11, (j) => `${j + 1}:${unit(i + 10 * j)} `).replace(/\n/g, "")}`),
    count: 11,
  },
  "conflicting-rows": { text: `${healthy}1 1:0.5 3:1\n-1 1:0.5 3:1\n`, count: 2, severity: "warning" },
  "duplicate-rows": { text: `${healthy}1 1:0.5 3:1\n1 1:0.5 3:1\n`, count: 1, severity: "note" },
  "empty-rows": { text: `${healthy}1\n-1 # nothing\n`, count: 2, severity: "note" },
  "stored-zeros": { text: `${healthy}1 1:0 2:0.9\n-1 1:0.2 2:1e-60\n`, count: 2, severity: "note" },
  "dense-rows": { text: rows(600, (i) => `${sign(i)} 1:${(i * 7919) % 6007} 2:${(i * 104729) % 6011}`), count: 1200, severity: "note" },
};

describe("every kind of finding", () => {
  for (const [kind, { text, count, severity = kind === "more-features-than-rows" ? "note" : "problem" }] of Object.entries(ill)) {
    test(kind, async () => {
      const finding = found(await diagnosed(text), kind as FindingKind);
      expect(finding).toMatchObject({ kind, count, severity });
      expect([finding?.message.length, finding?.remedy.length].every((length) => (length ?? 0) > 10)).toBe(true);
      expect(finding?.places.length).toBeLessThanOrEqual(count);
    });
  }

  test("the most serious come first", async () => {
    const { findings } = await diagnosed(`${healthy}1 1:nan\n2 1:0.1\n2\n1 1:0.1\n`);
    const order = findings.map(({ severity }) => ["problem", "warning", "note"].indexOf(severity));
    expect(order).toEqual([...order].sort());
    expect(new Set(order)).toEqual(new Set([0, 1, 2]));
  });

  test("equal rows: how many a model must get wrong, and on which lines they stand", async () => {
    const text = `# a comment\n${healthy}\n1 1:0.5\n1 1:0.5\n-1 1:0.5\n`;
    const finding = found(await diagnosed(text), "conflicting-rows");
    expect(finding?.count).toBe(3);
    expect(finding?.message).toContain("at least 1 wrong");
    expect(finding?.places.map(({ line }) => line)).toEqual([15, 17]);
    expect(found(await diagnosed(text), "duplicate-rows")?.places.map(({ line }) => line)).toEqual([16, 17]);
  });

  test("empty rows contradict nobody, and targets of equal rows may differ", async () => {
    expect(kinds(await diagnosed(`${healthy}1\n-1\n`))).toEqual(["empty-rows"]);
    const targets = await diagnosed(rows(14, (i) => `${unit(i)} 1:${unit(i >> 1)}`));
    expect(kinds(targets)).toEqual(["numbers-as-labels", "duplicate-rows"]);
  });

  test("features are called what the file calls them", async () => {
    const text = rows(12, (i) => `${sign(i)} 0:${unit(i)} 1:0.5`);
    expect(found(await diagnosed(text, 0), "constant-columns")?.places).toEqual([{ feature: 1 }]);
    expect(kinds(await diagnosed(text, 0))).toEqual(["constant-columns"]);
    expect(found(await diagnosed(text, 1), "constant-columns")?.places).toEqual([{ feature: 1 }]);
  });

  test("numbers of features in the billions need no memory for those in between", async () => {
    const diagnosis = await diagnosed(rows(12, (i) => `${sign(i)} 1:${unit(i)} 2000000000:${unit(5 * i)}`));
    expect(diagnosis.featureCount).toBe(2_000_000_000);
    expect(found(diagnosis, "unused-columns")).toMatchObject({ severity: "warning", count: 1_999_999_998 });
  });

  test("whole numbers below 2^24 lose nothing, whatever they have in common", async () => {
    const text = rows(20, (i) => `${sign(i)} 1:${16_000_000 + i}`);
    expect(kinds(await diagnosed(text))).not.toContain("lost-digits");
  });

  test("many fractions, or a label a row, are numbers; many whole numbers that recur are classes", async () => {
    expect((await diagnosed(rows(200, (i) => `${(i % 20) + 0.5} 1:${unit(i)}`))).labels.kind).toBe("numbers");
    expect((await diagnosed(rows(6, (i) => `${900 + 100 * i} 1:${unit(i)}`))).labels.kind).toBe("numbers");
    expect((await diagnosed(rows(200, (i) => `${i % 40} 1:${unit(i)}`))).labels.kind).toBe("classes");
    expect((await diagnosed("1 1:1\n-1 1:2\n")).labels.kind).toBe("classes");
  });

  test("the largest nu is that of the worst pair, and nu-SVC agrees", async () => {
    const [most, y] = [mostNu([3, 9, 5].map((count, label) => ({ label, count }))), [..."00011111111122222"].map(Number)];
    expect(most).toBe(0.5);
    const x = y.map((label, i) => [label + unit(i), unit(3 * i)]);
    await NuSVC.fit(x, y, { nu: most });
    expect((await rejected(NuSVC.fit(x, y, { nu: most + 0.01 }))).message).toContain("nu must be at most 0.5");
  });
});

describe("tolerant reading", () => {
  test("text that the strict reader accepts gives the same rows and labels, however it is cut", async () => {
    const set = sparseSet(300, 40, 7, 3);
    const lines = set.x.map(([indices, values], i) => `${set.y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join("  ")}`);
    const text = `\ufeff# a comment\n\n${lines.join(" # why\r\n")}\t\n7 qid:1`;
    const strict = await readSvmlight(bytesOf(text.replace(" qid:1", "")));
    for (const size of [1, 64, 1 << 20]) {
      const read = await tolerant(text.replace(" qid:1", ""), 1, size);
      expect(read.findings).toEqual([]);
      expect(read.y).toEqual(strict.y);
      expect([read.x.values, read.x.indices, read.x.starts]).toEqual([strict.x.values, strict.x.indices, strict.x.starts]);
      expect(read.x.featureCount).toBe(strict.x.featureCount);
    }
  });

  test("goes on with what can be read: sorted, added up, left out, from feature 0", async () => {
    const read = await tolerant("1 3:3 1:1 2:2\n-1 2:1 2:0.5 1:nan\nfir 1:7 x 3:1e99\n-1 0:5\n");
    expect(rowsOf(read.x)).toEqual([
      [0, 1, 2, 3],
      [0, 0, 1.5, 0],
      [0, 7, 0, 0],
      [5, 0, 0, 0],
    ]);
    expect(Array.from(read.y)).toEqual([1, -1, Number.NaN, -1]);
    expect(read.indexBase).toBe(0);
    expect(read.findings.map(({ kind, places }) => [kind, places.map(({ line, column, text }) => `${line}:${column} ${text}`)])).toEqual([
      ["unsorted-indices", ["1:7 1:1"]],
      ["repeated-indices", ["2:8 2:0.5"]],
      ["not-finite", ["2:14 1:nan"]],
      ["bad-label", ["3:1 fir"]],
      ["bad-feature", ["3:9 x"]],
      ["too-large", ["3:11 3:1e99"]],
      ["index-zero", ["4:4 0:5"]],
    ]);
  });

  test("the first three places are shown, all are counted", async () => {
    const { findings } = await tolerant("1 1:nan\n".repeat(5000));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ kind: "not-finite", count: 5000 });
    expect(findings[0]?.places.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  test("a damaged packed file is read as far as it goes", async () => {
    const packed = gzipSync(bytesOf(rows(5000, (i) => `${sign(i)} 1:${unit(i)} 2:${unit(11 * i) / 3}`)), { level: 1 });
    const read = await tolerant(packed.subarray(0, packed.length - 1000));
    expect(read.findings.map(({ kind }) => kind)).toContain("damaged-file");
    expect(read.x.rowCount).toBeGreaterThan(100);
  });

  test("CSV, models and packed files are recognised", async () => {
    expect(found(await diagnosed("1,0.5,2\n-1,0.3,1\n"), "bad-label")?.remedy).toContain("CSV");
    expect(found(await diagnosed("solver_type L2R_LR\nnr_class 2\n"), "bad-label")?.remedy).toContain("looks like a model");
    const packed = Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]);
    expect(found(await diagnosed(packed), "bad-label")?.remedy).toContain("packed");
  });

  test("any bytes end in a diagnosis", async () => {
    const noise = Uint8Array.from({ length: 20_000 }, (_, k) => (k * k * 31 + k * 7) % 251);
    const { rowCount, findings } = await diagnosed(noise);
    expect(rowCount).toBeGreaterThan(0);
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe("forecasts", () => {
  const set = sparseSet(3000, 60, 12, 1);
  const x = matrix(set.x, { featureCount: set.featureCount });
  const y = Float64Array.from(set.y);

  /** Others may use this machine: a forecast that is far off is made and compared again. */
  async function isWithin(factor: number): Promise<boolean> {
    const { estimators } = await forecast(x, y, (await examine(x, y, { indexBase: 1 })).labels);
    expect(estimators.map(({ estimator }) => estimator)).toEqual(["linear-svc", "logistic-regression", "svc", "nu-svc"]);
    const fits = [LinearSVC, LogisticRegression, SVC, NuSVC] as const;
    const isGood: boolean[] = [];
    for (const [k, { seconds }] of estimators.entries()) {
      const started = performance.now();
      await fits[k]?.fit(x, set.y);
      const real = (performance.now() - started) / 1000;
      expect(seconds?.low).toBeLessThanOrEqual(seconds?.high ?? Infinity);
      isGood.push(real * factor >= (seconds?.low as number) && real <= factor * (seconds?.high as number));
    }
    return isGood.every(Boolean);
  }

  test("of all estimators hold within a factor of five", async () => {
    let isGood = false;
    for (let attempt = 0; attempt < 4 && !isGood; attempt++) isGood = await isWithin(5);
    expect(isGood).toBe(true);
  });

  test("suit the labels: numbers, one class, nothing", async () => {
    const names = async (labels: (i: number) => number): Promise<string[]> => {
      const own = y.map((_, i) => labels(i));
      return (await forecast(x, own, (await examine(x, own, { indexBase: 1 })).labels)).estimators.map(({ estimator }) => estimator);
    };
    expect(await names((i) => unit(i) + i)).toEqual(["linear-svr", "svr", "nu-svr"]);
    expect(await names(() => 1)).toEqual(["linear-one-class", "one-class-svm"]);
    expect(await names(() => Number.NaN)).toEqual([]);
  });

  test("memory: rows as they are stored, all kernel rows or the cache, a weight a feature", async () => {
    const { rows: bytes, estimators } = await forecast(x, y, {
      kind: "classes",
      classes: [-1, 1].map((label) => ({ label, count: 1500 })),
    });
    expect(bytes).toBe(8 * x.valueCount + 4 * 3001);
    expect(estimators[0]?.memory).toMatchObject({ cache: 0, model: 8 * 61 });
    expect(estimators[2]?.memory.cache).toBe(4 * 3000 ** 2);
  });

  test("small classes are in every sample, and nu is one that they can have", async () => {
    const own = y.map((_, i) => (i % 500 === 0 ? 5 : sign(i)));
    const { estimators } = await forecast(x, own, (await examine(x, own, { indexBase: 1 })).labels);
    const nu = estimators.find(({ estimator }) => estimator === "nu-svc");
    expect(nu?.reason).toBeUndefined();
    expect(nu?.settings.nu).toBeLessThan(0.01);
  });

  test("end soon where fits do not: columns of wildly different sizes, labels that mean nothing", async () => {
    const wild = matrix(set.x.map((_, i) => [1e6 * unit(i), 1e-6 * unit(3 * i), unit(7 * i), 1e30 * unit(11 * i)]));
    const own = y.map((_, i) => sign((i * 7919) % 1009));
    const started = performance.now();
    const { estimators } = await forecast(wild, own, (await examine(wild, own, { indexBase: 1 })).labels);
    expect((performance.now() - started) / 1000).toBeLessThan(10); // 0.7 s where nobody else is busy
    expect(estimators).toHaveLength(4);
  });
});

describe("audits", () => {
  const set = sparseSet(200, 12, 5, 2);
  const x = matrix(set.x, { featureCount: set.featureCount });
  const y = Float64Array.from(set.y);
  const targets = y.map((label, i) => label * unit(i));
  const saved = async (model: { toBytes(format: never): Uint8Array }, format: string): Promise<Loaded> =>
    load(model.toBytes(format as never));

  test("a linear classifier of hinge and in LIBLINEAR's file", async () => {
    const model = await LinearSVC.fit(x, set.y, { C: 2 });
    const own = await auditModel(await saved(model, "json"), x, y, {});
    expect(own).toMatchObject({ estimator: "LinearSVC", origin: "hinge" });
    expect(own.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
    expect(own.figures.accuracy).toBe(await model.score(x, set.y));
    const theirs = await saved(model, "liblinear");
    const lacking = await auditModel(theirs, x, y, {});
    expect(lacking).toMatchObject({ origin: "LIBLINEAR or LIBSVM", certificate: undefined, missing: ["C"], figures: own.figures });
    const given = await auditModel(theirs, x, y, { C: 2, bias: "unregularised" });
    expect(given.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
  });

  test("kernel machines of hinge and in LIBSVM's files", async () => {
    for (const [model, own, options] of [
      [await SVC.fit(x, set.y, { C: 2 }), y, { C: 2 }],
      [await NuSVC.fit(x, set.y, { nu: 0.3 }), y, { nu: 0.3 }],
      [await SVR.fit(x, targets, { C: 2, epsilon: 0.05 }), targets, { C: 2, epsilon: 0.05 }],
      [await OneClassSVM.fit(x, { nu: 0.3 }), y, { nu: 0.3 }],
    ] as const) {
      const json = await auditModel(await saved(model, "json"), x, own, {});
      expect(json.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
      const theirs = await saved(model, "libsvm");
      expect((await auditModel(theirs, x, own, {})).missing).toEqual(Object.keys(options));
      const given = await auditModel(theirs, x, own, options);
      expect(given.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
      // Their file holds 17 digits of a coefficient and 8 of a value.
      for (const [name, figure] of Object.entries(json.figures)) expect(given.figures[name as "r2"]).toBeCloseTo(figure, 6);
    }
  });

  test("a regression's error, a one-class model's share inside", async () => {
    const svr = await auditModel(await LinearSVR.fit(x, targets), x, targets, {});
    expect(svr.figures.meanSquaredError).toBeGreaterThan(0);
    const around = matrix(Array.from(y, (_, i) => [2 + unit(i), 3 + unit(7 * i)]));
    const usual = await auditModel(await LinearOneClassSVM.fit(around, { nu: 0.2 }), around, y, {});
    expect(usual.figures.inside).toBeGreaterThan(100);
    expect(usual.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
  });

  test("a pipeline is judged on what its stages make of the rows", async () => {
    const many = multiClassSet(200, 6, 6, 3, 1);
    const dense = many.x.map(([, values]) => Array.from(values, (value, j) => value * 10 ** j + 5));
    const fitted = await pipeline(StandardScaler, LogisticRegression).fit(dense, many.y);
    const audit = await auditModel(fitted as unknown as Loaded, matrix(dense), Float64Array.from(many.y), {});
    expect(audit).toMatchObject({ estimator: "LogisticRegression", origin: "hinge" });
    expect(audit.certificate?.relativeGap).toBeLessThanOrEqual(1.1e-3);
  });

  test("what cannot be audited says why", async () => {
    const scaler = await auditModel(await StandardScaler.fit(matrix([[1], [2]])), x, y, {});
    expect(scaler.reason).toBe("a StandardScaler solves no problem that could be judged");
    const weighted = await LinearSVC.fit(x, set.y, { classWeight: "balanced" });
    expect((await auditModel(weighted, x, y, {})).reason).toContain("fitted with weights");
    const other = await auditModel(await LinearSVC.fit([[1], [-1]], [1, -1]), x, y, {});
    expect(other).toMatchObject({ certificate: undefined, figures: {} });
    expect(other.reason).toContain("12 features");
    const classes = await auditModel(
      await LinearSVC.fit(
        x,
        set.y.map((label) => label + 5),
      ),
      x,
      y,
      {},
    );
    expect(classes.reason).toContain("classes");
    expect((await rejected(auditModel(weighted, x, y, { C: 3, classWeight: "balanced" }))).message).toContain("C must be the one");
  });
});
