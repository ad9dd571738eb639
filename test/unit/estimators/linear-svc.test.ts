import { describe, expect, test } from "vitest";
import { type CertifiedReport, certify, HingeError, LinearSVC, load, matrix, type Progress, stopPool } from "../../../src/index.ts";
import { thePool } from "../../../src/runtime/runtime.ts";
import { endless, hard } from "../../problems/endless.ts";
import { denseRows, flatSet, sparseSet } from "../../problems/generate.ts";

const set = sparseSet(400, 30, 8, 21);
const small = {
  x: [
    [0, 1],
    [1, 0],
    [2, 2],
    [3, 1],
  ],
  y: ["cold", "cold", "warm", "warm"],
};

describe("fit", () => {
  test("takes rows, flat arrays and a Matrix alike, and leaves them as they were", async () => {
    const rows = denseRows(set);
    const data = Float32Array.from(rows.flat());
    const before = data.slice();
    const flat = { data, rowCount: rows.length, featureCount: set.featureCount };
    const models = await Promise.all([rows, flat, matrix(rows)].map((x) => LinearSVC.fit(x, set.y)));
    for (const model of models) expect(model.toBytes()).toEqual(models[0]?.toBytes());
    expect(data).toEqual(before);
    expect(rows).toEqual(denseRows(set));
  });

  test("keeps the labels' type and sorts the classes by code unit", async () => {
    const model = await LinearSVC.fit(small.x, ["b", "b", "B", "B"]);
    expect(model.classes).toEqual(["B", "b"]);
    expect(await model.predict(small.x)).toEqual(["b", "b", "B", "B"]);
    expect((await LinearSVC.fit(small.x, Int8Array.of(10, 10, 9, 9))).classes).toEqual([9, 10]);
  });

  test("reports what ran", async () => {
    const { report, dual } = await LinearSVC.fit(set.x, set.y, { loss: "hinge" });
    expect(report.status).toBe("converged");
    expect(report.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
    expect(report.run).toMatchObject({
      solver: "interior point",
      iterations: expect.any(Number),
      memoryBytes: expect.any(Number),
    });
    expect(report.run?.supportCount).toBe(dual?.filter((a) => a > 0).length);
    expect(report.run?.seconds.total).toBeGreaterThan(0);
  });

  test("gives the same bytes with 1, 2 and 7 threads, for predictions too", async () => {
    const big = flatSet(9001, 400, 8); // enough values for decision values in seven blocks
    const x = matrix(big.x);
    const models = await Promise.all([1, 2, 7].map((threads) => LinearSVC.fit(x, big.y, { threads, maxIterations: 3 })));
    for (const model of models) expect(model.toBytes()).toEqual(models[0]?.toBytes());
    const decisions = await Promise.all([1, 2, 7].map((threads) => (models[0] as LinearSVC).decision(x, { threads })));
    for (const decision of decisions) expect(decision).toEqual(decisions[0]);
  });

  test("several fits at once share the pool and do not disturb each other", async () => {
    stopPool();
    const larger = flatSet(3000, 100, 8); // too large for the calling thread, and with a memory of its own, in which fits are neighbours
    const x = matrix(larger.x);
    const Cs = [0.01, 0.1, 1, 10, 0.02, 0.2, 2];
    const alone: Uint8Array[] = [];
    for (const C of Cs) alone.push((await LinearSVC.fit(x, larger.y, { C })).toBytes());
    const together = await Promise.all(Cs.map((C, k) => LinearSVC.fit(k % 2 ? x : larger.x, larger.y, { C, threads: 3 })));
    together.forEach((model, k) => {
      expect(model.toBytes()).toEqual(alone[k]);
    });
    expect(thePool().workerCount).toBeGreaterThan(1);
  });
});

describe("limits are statuses", () => {
  test("iteration limit: the best model so far, with its true gap", async () => {
    const model = await LinearSVC.fit(hard.x, hard.y, { ...endless, maxIterations: 3 });
    expect(model.report.status).toBe("iteration-limit");
    expect(model.report.run?.iterations).toBe(3);
    expect(model.report.certificate).toEqual(await certify(model, hard.x, hard.y));
  });

  test("time limit", async () => {
    const model = await LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 0.2 });
    expect(model.report.status).toBe("time-limit");
    expect(model.report.run?.seconds.total).toBeGreaterThanOrEqual(0.2);
    expect(model.report.run?.seconds.total).toBeLessThan(5);
    expect(model.report.certificate.relativeGap).toBeLessThan(1);
  });

  test("abort under way", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const model = await LinearSVC.fit(hard.x, hard.y, { ...endless, signal: controller.signal });
    expect(model.report.status).toBe("aborted");
    expect(model.report.certificate.relativeGap).toBeLessThan(1); // the zero model's
  });

  test("abort before the start gives the zero model, whose gap is 1", async () => {
    const model = await LinearSVC.fit(hard.x, hard.y, { ...endless, signal: AbortSignal.abort() });
    expect(model.report.status).toBe("aborted");
    expect(model.coefficients.every((value) => value === 0)).toBe(true);
    expect(model.report.certificate.relativeGap).toBe(1);
  });

  test("progress comes at most ten times a second, and only forward", async () => {
    const seen: Progress[] = [];
    await LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 1, onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(seen.length).toBeLessThanOrEqual(11);
    seen.forEach((progress, k) => {
      expect(progress.iterations).toBeGreaterThanOrEqual(seen[k - 1]?.iterations ?? 0);
      expect(progress.seconds).toBeGreaterThan(seen[k - 1]?.seconds ?? 0);
      expect(progress.relativeGap).toBeGreaterThanOrEqual(0);
      expect(progress.relativeGap).toBeLessThanOrEqual(1);
    });
  });

  test("what onProgress throws is what fit throws, and the next fit is not harmed", async () => {
    const failing = LinearSVC.fit(hard.x, hard.y, {
      ...endless,
      onProgress: () => {
        throw new RangeError("mine");
      },
    });
    await expect(failing).rejects.toThrow(new RangeError("mine"));
    expect((await LinearSVC.fit(set.x, set.y)).report.status).toBe("converged");
  });
});

describe("LIBLINEAR's stopping rule", () => {
  test("ends when the projected gradients say so, looser with a larger tolerance, and the certificate tells the gap", async () => {
    const fits = [0.5, 1e-6].map((tolerance) => LinearSVC.fit(set.x, set.y, { stop: "violation", tolerance, loss: "hinge", bias: false }));
    const [loose, tight] = (await Promise.all(fits)).map(({ report }) => report) as [CertifiedReport, CertifiedReport];
    expect([loose.status, tight.status]).toEqual(["converged", "converged"]);
    expect(loose.certificate.relativeGap).toBeGreaterThan(tight.certificate.relativeGap);
    expect(tight.certificate.relativeGap).toBeLessThan(1e-5);
    expect(loose.run?.iterations).toBeLessThan(tight.run?.iterations ?? 0);
  });

  test("is not for the interior point, which LIBLINEAR has not", async () => {
    await expect(LinearSVC.fit(set.x, set.y, { loss: "hinge", solver: "interior-point", stop: "violation" })).rejects.toThrow(
      'LIBLINEAR has no rule for solver "interior-point"; use stop "gap"',
    );
  });

  test("an abort is still an abort", async () => {
    const model = await LinearSVC.fit(hard.x, hard.y, { ...endless, stop: "violation", tolerance: 1e-9, signal: AbortSignal.abort() });
    expect(model.report.status).toBe("aborted");
  });
});

describe("wrong input", () => {
  const notModel = 'not a model file: it must begin with "{" (hinge), "solver_type" (LIBLINEAR) or "svm_type" (LIBSVM), got';
  const wrong: [string, () => Promise<unknown>, string][] = [
    ["one class", () => LinearSVC.fit(small.x, [1, 1, 1, 1]), "y has one class only, 1; LinearSVC needs two"],
    ["labels missing", () => LinearSVC.fit(small.x, [1, 2]), "2 labels for 4 rows; there must be one a row"],
    [
      "unknown option",
      () => LinearSVC.fit(small.x, small.y, { tolerence: 1 } as object),
      'LinearSVC has no option "tolerence"; did you mean "tolerance"?',
    ],
    ["bad C", () => LinearSVC.fit(small.x, small.y, { C: -1 }), "C must be a finite number above 0, got -1"],
    [
      "more features than known",
      async () => (await LinearSVC.fit(small.x, small.y)).predict([[1, 2, 3]]),
      "x has 3 features, the model knows 2; remove what it was not fitted on",
    ],
    [
      "more features in one row",
      async () => (await LinearSVC.fit(small.x, small.y)).predictOne([1, 2, 3]),
      "x has 3 features, the model knows 2; remove what it was not fitted on",
    ],
    ["not a model", () => load(new TextEncoder().encode('{"estimator":"Forest"}')), 'no estimator is called "Forest"'],
    ["no model", () => load(Uint8Array.of(1, 2, 3)), `${notModel} "···"`],
  ];
  for (const [name, attempt, message] of wrong) {
    test(`${name}: ${message}`, async () => {
      const error = await attempt().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(HingeError);
      expect((error as HingeError).message).toBe(message);
    });
  }

  test("a test matrix may have fewer features: the rest are zero", async () => {
    const model = await LinearSVC.fit(small.x, small.y);
    expect(await model.decision([[2]])).toEqual(await model.decision([[2, 0]]));
    expect(model.decisionOne([2])).toEqual(model.decisionOne([2, 0]));
  });
});

describe("the audit", () => {
  test("agrees with the report", async () => {
    const model = await LinearSVC.fit(set.x, set.y, { tolerance: 1e-6 });
    expect(await certify(model, set.x, set.y)).toEqual(model.report.certificate);
  });

  test("of a loaded model fits a dual point of its own", async () => {
    const model = await LinearSVC.fit(set.x, set.y, { loss: "hinge", C: 0.5 });
    const loaded = await load(model.toBytes(), LinearSVC);
    const judged = await certify(loaded, set.x, set.y);
    expect(judged.primal).toBe(model.report.certificate.primal);
    expect(judged.dual).toBeGreaterThanOrEqual(model.report.certificate.dual);
    expect(judged.relativeGap).toBeLessThanOrEqual(1e-3);
  });

  test("asks for the weights that a model was fitted with", async () => {
    const weights = { classWeight: { "1": 3 } };
    const model = await LinearSVC.fit(set.x, set.y, weights);
    await expect(certify(model, set.x, set.y)).rejects.toThrow("the model was fitted with weights");
    expect(await certify(model, set.x, set.y, weights)).toEqual(model.report.certificate);
  });

  test("refuses other rows, features or classes", async () => {
    const model = await LinearSVC.fit(small.x, small.y);
    await expect(certify(model, small.x.slice(1), small.y.slice(1))).rejects.toThrow("x has 3 rows, the model was fitted on 4");
    await expect(
      certify(
        model,
        small.x.map(([a]) => [a as number]),
        small.y,
      ),
    ).rejects.toThrow("x has 1 features, the model 2");
    await expect(certify(model, small.x, ["a", "a", "b", "b"])).rejects.toThrow(
      'y has the classes "a" and "b", the model "cold" and "warm"',
    );
  });
});
