// Many classes, each against the rest, that begin together: the same proof as of classes that are fitted one by one, whoever runs them.

import { describe, expect, test } from "vitest";
import { certify, LinearSVC, matrix } from "../../../src/index.ts";
import { multiClassSet } from "../../problems/generate.ts";

const CLASSES = 21;
const set = multiClassSet(5500, 2600, 10, CLASSES, 5);
const x = matrix(set.x, { featureCount: set.featureCount });
const { y } = set;
const TOGETHER = /begun with several classes at once$/;

const whys = (model: LinearSVC): string[] => model.report.run?.problems.map(({ stages }) => stages[0]?.why ?? "") ?? [];

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
