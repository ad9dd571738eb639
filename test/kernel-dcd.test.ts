// SVC and SVR by dual coordinate descent: models without an intercept, against the judge, against the linear estimators, and in files.

import { describe, expect, test } from "vitest";
import { type KernelModel, LinearSVC, LinearSVR, load, matrix, SVC, SVR } from "../src/index.ts";
import { certifyKernel } from "./certify-kernel.ts";
import { denseRows, multiClassSet, sparseSet } from "./problems/generate.ts";

const two = sparseSet(200, 8, 4, 5);
const many = multiClassSet(240, 8, 4, 4, 7);
const rows = denseRows(two);
const x = matrix(rows);
const targets = rows.map((row, i) => row.reduce((sum, value, j) => sum + Math.cos(j) * value, 1) + 0.3 * Math.sin(3 * i));
const options = { solver: "dcd", tolerance: 1e-6 } as const;

const kernels = [{ kernel: "rbf", gamma: 0.2 }, { kernel: "linear" }, { kernel: "poly", gamma: 0.3, coef0: 1, degree: 2 }] as const;

/** The judge's certificate of a model of one problem. */
function judged(model: KernelModel, form: "c_svc" | "epsilon_svr", y: readonly number[], C: number, epsilon = 0) {
  const value = new Float64Array(rows.length);
  (model.supportIds as readonly number[]).forEach((row, i) => {
    value[row] = model.coefficients[i] as number;
  });
  const { kind, ...constants } = model.kernel;
  const kernel = { ...constants, kind: kind === "poly" ? "polynomial" : (kind as Exclude<typeof kind, "poly" | "custom">) } as const;
  const costs = y.map(() => C);
  const problem = { form, kernel, rowIds: rows.map((_, i) => i), targets: y, costs, nu: 0, epsilon, hasBias: false };
  return certifyKernel(x, problem, { value, bias: model.biases[0] as number, width: 0 });
}

describe("certified, without an intercept, in JSON and LIBSVM's files", () => {
  for (const kernel of kernels) {
    for (const C of [0.1, 1, 5]) {
      test(`${kernel.kernel}, C ${C}`, async () => {
        const fits = [
          { model: await SVC.fit(x, two.y, { ...options, ...kernel, C }), form: "c_svc", y: two.y, epsilon: 0 },
          { model: await SVR.fit(x, targets, { ...options, ...kernel, C, epsilon: 0.1 }), form: "epsilon_svr", y: targets, epsilon: 0.1 },
        ] as const;
        for (const { model, form, y, epsilon } of fits) {
          expect(model.report.status).toBe("converged");
          expect(model.report.run?.solver).toBe("dual coordinate descent");
          expect(Array.from(model.biases)).toEqual([0]);
          // Kernel values in float32 are wrong by up to 1e-6, and with them the gap.
          expect(judged(model, form, y, C, epsilon).relativeGap).toBeLessThanOrEqual(1e-4);
          expect(model.toJSON().problem.bias).toBe(false);
          expect(JSON.stringify(await load(model.toBytes("json")))).toBe(JSON.stringify(model));
          expect(new TextDecoder().decode(model.toBytes("libsvm"))).toMatch(/^rho -?0$/m);
        }
      });
    }
  }
});

test("with a linear kernel it is the linear problem without a bias", async () => {
  for (const C of [0.1, 2]) {
    const linear = { C, bias: false, tolerance: 1e-7 } as const;
    const kernel = { ...options, kernel: "linear", C } as const;
    const pairs = [
      [await SVC.fit(x, two.y, kernel), await LinearSVC.fit(x, two.y, { ...linear, loss: "hinge" })],
      [
        await SVR.fit(x, targets, { ...kernel, epsilon: 0.1 }),
        await LinearSVR.fit(x, targets, { ...linear, loss: "epsilon_insensitive", epsilon: 0.1 }),
      ],
    ] as const;
    for (const [a, b] of pairs) {
      const [one, other] = [a.report.certificate, b.report.certificate];
      // The optimum is the same, and lies between the dual of one and the primal of the other; kernel values in float32 move it by up to 1e-5.
      expect(one.dual).toBeLessThanOrEqual(other.primal * (1 + 1e-5));
      expect(other.dual).toBeLessThanOrEqual(one.primal * (1 + 1e-5));
    }
  }
});

test("an intercept is worth something: the problem with one has the smaller optimum", async () => {
  const free = await SVC.fit(x, two.y, { gamma: 0.2, tolerance: 1e-6 });
  const none = await SVC.fit(x, two.y, { ...options, gamma: 0.2 });
  expect(free.report.certificate.primal).toBeLessThan(none.report.certificate.dual);
  expect(free.toJSON().problem.bias).toBe("unregularised");
  expect(free.report.run?.solver).toBe("decomposition");
  const said = await SVC.fit(x, two.y, { gamma: 0.2, tolerance: 1e-6, solver: "smo" });
  expect(said.toBytes()).toEqual(free.toBytes());
});

test("several classes, in pairs and against the rest; the same bytes for any number of threads", async () => {
  for (const multiClass of ["ovo", "ovr"] as const) {
    const model = await SVC.fit(many.x, many.y, { ...options, multiClass, C: 5 });
    expect(model.report.status).toBe("converged");
    expect(model.biases.every((bias) => bias === 0)).toBe(true);
    expect(await model.score(many.x, many.y)).toBeGreaterThan(0.8);
    for (const threads of [1, 7])
      expect((await SVC.fit(many.x, many.y, { ...options, multiClass, C: 5, threads })).toBytes()).toEqual(model.toBytes());
  }
});

test("a file that says that there is no intercept must not have one; solver is one of three words", async () => {
  const json = (await SVC.fit(x, two.y, options)).toJSON();
  expect(() => SVC.fromJSON({ ...json, biases: [0.5] })).toThrow(/biases is missing or wrong/);
  await expect(SVC.fit(x, two.y, { solver: "dual" as never })).rejects.toThrow(/solver must be "auto", "smo" or "dcd"/);
});

test("equal rows with opposite labels, rows of zeros, one row: every fit ends, certified", async () => {
  const equal = [...rows.slice(0, 20), ...rows.slice(0, 20)];
  const labels = equal.map((_, i) => (i < 20 ? 1 : -1));
  for (const kernel of kernels) {
    // Nothing can be told apart: f = 0, and every row loses 1.
    const model = await SVC.fit(equal, labels, { ...options, ...kernel, C: 10 });
    expect(model.report.status).toBe("converged");
    expect(model.report.certificate.primal).toBeCloseTo(400, 3);
    const still = await SVC.fit([[0], [0], [1]], [1, -1, 1], { ...options, ...kernel });
    expect(still.report.status).toBe("converged");
    const alone = await SVR.fit([[1]], [3], { ...options, ...kernel, C: 10 });
    expect(alone.report.status).toBe("converged");
    expect(alone.predictOne([1])).toBeCloseTo(2.9, 5);
  }
});

test("a kernel that is not positive semidefinite: steps end", async () => {
  const model = await SVC.fit(x, two.y, { solver: "dcd", kernel: "sigmoid", gamma: 1, coef0: -1, C: 10 });
  expect(model.report.status).not.toBe("aborted");
  expect(Array.from(model.coefficients).every((v) => Math.abs(v) <= 10)).toBe(true);
});
