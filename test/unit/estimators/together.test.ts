// Many classes, each against the rest, that begin together: the same proof as of classes that are fitted one by one, whoever runs them.

import { describe, expect, test } from "vitest";
import { certify, LinearSVC, LogisticRegression, matrix } from "../../../src/index.ts";
import { multiClassSet } from "../../problems/generate.ts";

const CLASSES = 21;
const set = multiClassSet(5500, 2600, 10, CLASSES, 5);
const x = matrix(set.x, { featureCount: set.featureCount });
const { y } = set;
/** Short rows, on which descent is soon done. */
const gentle = matrix(
  set.x.map(([indices, values]) => [indices, Array.from(values, (value) => value / 8)] as const),
  { featureCount: set.featureCount },
);
const TOGETHER = /with several classes at once$/;
const PROVEN = /, with several classes at once$/;

const whys = (model: LinearSVC | LogisticRegression): string[] =>
  model.report.run?.problems.map(({ stages }) => stages[0]?.why ?? "") ?? [];

for (const loss of ["hinge", "squared_hinge"] as const) {
  for (const bias of ["unregularised", "augmented", false] as const) {
    test(`${loss}, bias ${bias}: begun together, and every class is proven`, async () => {
      const model = await LinearSVC.fit(x, y, { loss, bias, tolerance: 1e-4, threads: 2 });
      expect(model.report.status).toBe("converged");
      for (const why of whys(model)) expect(why).toMatch(TOGETHER);
      for (const { certificate, stages } of model.report.run?.problems ?? []) {
        expect(certificate.relativeGap).toBeLessThanOrEqual(1e-4);
        expect(stages[0]?.iterations).toBeGreaterThan(1);
      }
      const audit = await certify(model, x, y, { C: 1 });
      expect(audit.relativeGap).toBeLessThanOrEqual(1e-4);
    });
  }
}

for (const loss of ["hinge", "squared_hinge"] as const) {
  for (const bias of ["unregularised", "augmented", false] as const) {
    test(`${loss}, bias ${bias}: proven where they were solved`, async () => {
      const model = await LinearSVC.fit(gentle, y, { loss, bias, biasScale: 0.3, tolerance: 1e-3 });
      for (const why of whys(model)) expect(why).toMatch(PROVEN);
      const audit = await certify(model, gentle, y, { C: 1 });
      expect(audit.relativeGap).toBeLessThanOrEqual(1e-3);
      expect(Math.abs(audit.primal - (model.report.certificate?.primal ?? 0))).toBeLessThanOrEqual(1e-12 * audit.primal);
    });
  }
}

for (const bias of ["augmented", false] as const) {
  test(`logistic regression, bias ${bias}: proven where it was solved, and the model that it is alone`, async () => {
    const options = { multiClass: "ovr", bias, tolerance: 1e-4 } as const;
    const model = await LogisticRegression.fit(gentle, y, options);
    for (const why of whys(model)) expect(why).toMatch(PROVEN);
    const audit = await certify(model, gentle, y, { C: 1 });
    expect(audit.relativeGap).toBeLessThanOrEqual(1e-4);
    const alone = await LogisticRegression.fit(gentle, y, { ...options, maxIterations: 999 });
    for (const why of whys(alone)) expect(why).not.toMatch(TOGETHER);
    // Both are within the tolerance of one optimum: 1/2 |w - w*|^2 <= P - P* <= tolerance P.
    const size = model.featureCount;
    model.report.run?.problems.forEach(({ certificate }, m) => {
      let distance = 0;
      for (let j = 0; j < size; j++) {
        distance += ((model.coefficients[m * size + j] as number) - (alone.coefficients[m * size + j] as number)) ** 2;
      }
      expect(distance).toBeLessThanOrEqual(8 * 1e-4 * certificate.primal);
    });
  });
}

test("steep logistic problems are solved one by one", async () => {
  const model = await LogisticRegression.fit(x, y, { multiClass: "ovr", bias: false, tolerance: 1e-2 });
  for (const why of whys(model)) expect(why).not.toMatch(TOGETHER);
});

test("rows of weight 0 have no dual variables, others theirs", async () => {
  const sampleWeight = Float64Array.from(y, (_, i) => (i % 3 === 0 ? 0 : 1 + (i % 2)));
  const model = await LinearSVC.fit(gentle, y, { sampleWeight, tolerance: 1e-3 });
  for (const why of whys(model)) expect(why).toMatch(PROVEN);
  const { dual } = model;
  expect(dual?.length).toBe(CLASSES * y.length);
  dual?.forEach((a, k) => {
    if ((k % y.length) % 3 === 0) expect(a).toBe(0);
  });
  const audit = await certify(model, gentle, y, { C: 1, sampleWeight });
  expect(audit.relativeGap).toBeLessThanOrEqual(1e-3);
});

test("the same bytes with 1, 2 and 7 threads", async () => {
  const models = await Promise.all([1, 2, 7].map((threads) => LinearSVC.fit(x, y, { loss: "hinge", bias: false, threads })));
  const [first, ...others] = models.map((model) => model.toBytes());
  for (const other of others) expect(Buffer.compare(other, first as Uint8Array)).toBe(0);
});

describe("one by one", () => {
  const options = { bias: false, tolerance: 1e-2 } as const;
  const few = Array.from(y, (label) => label % 7);
  for (const [name, labels, more] of [
    ["with seven classes", few, {}],
    ["with a limit of few passes", y, { maxIterations: 200 }],
    ["with the originals' rule", y, { stop: "violation" }],
    ["with costs that float32 has no digits for", y, { C: 1e9, maxIterations: 1000, timeLimitSeconds: 1 }],
  ] as const) {
    test(name, async () => {
      for (const why of whys(await LinearSVC.fit(x, labels, { ...options, ...more }))) expect(why).not.toMatch(TOGETHER);
    });
  }

  test("from a model", async () => {
    const model = await LinearSVC.fit(x, y, options);
    expect(whys(model)[0]).toMatch(TOGETHER);
    expect(whys(await LinearSVC.fit(x, y, { ...options, warmStart: model }))[0]).not.toMatch(TOGETHER);
  });
});

test("no time at all leaves a model and its gap", async () => {
  const model = await LinearSVC.fit(x, y, { bias: false, tolerance: 1e-5, timeLimitSeconds: 1e-3 });
  expect(model.report.status).toBe("time-limit");
  expect(model.report.certificate?.relativeGap).toBeLessThanOrEqual(1);
});

test("a limit leaves what the classes have come to, soon, and says so", async () => {
  const hard = { loss: "hinge", C: 10, bias: false, tolerance: 1e-5 } as const;
  const stop = new AbortController();
  const told: number[] = [];
  const onProgress = ({ relativeGap }: { relativeGap: number | null }): void => {
    told.push(relativeGap as number);
    // On a busy machine the first word may come before anything is better than the zero model.
    if ((relativeGap as number) < 0.1) stop.abort();
  };
  const started = performance.now();
  const model = await LinearSVC.fit(x, y, { ...hard, onProgress, signal: stop.signal });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(model.report.status).toBe("aborted");
  // Nobody says the tolerance before it is reached.
  for (const gap of told) expect(gap).toBeGreaterThan(1e-5);
  const problems = model.report.run?.problems ?? [];
  for (const { status, certificate, stages, history } of problems) {
    expect(status).toBe("aborted");
    expect(certificate.relativeGap).toBeLessThan(1);
    expect(history.at(-1)?.iterations).toBe(stages.reduce((sum, { iterations }) => sum + iterations, 0));
  }
  // The models are those of their dual variables, not nothing.
  expect(model.coefficients.filter((weight) => weight !== 0).length).toBeGreaterThan(CLASSES * 100);
  const audit = await certify(model, x, y, { C: 10 });
  expect(Math.abs(audit.primal - (model.report.certificate?.primal ?? 0))).toBeLessThanOrEqual(1e-12 * audit.primal);
});

test("passes made together count against the limit, and in the history", async () => {
  const model = await LinearSVC.fit(x, y, {
    loss: "hinge",
    bias: false,
    tolerance: 1e-5,
    C: 100,
    maxIterations: 1000,
    timeLimitSeconds: 20,
  });
  for (const { stages, history } of model.report.run?.problems ?? []) {
    const passes = stages.reduce((sum, { iterations }) => sum + iterations, 0);
    expect(passes).toBeLessThanOrEqual(1000);
    expect(history.at(-1)?.iterations).toBe(passes);
  }
});

test("progress is told, and a stop is heard", async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  const onProgress = ({ iterations }: { iterations: number }): void => {
    seen.push(iterations);
    stop.abort();
  };
  const model = await LinearSVC.fit(x, y, { loss: "hinge", C: 1e4, bias: false, tolerance: 1e-5, onProgress, signal: stop.signal });
  expect(model.report.status).toBe("aborted");
  expect(seen.length).toBeGreaterThan(0);
});
