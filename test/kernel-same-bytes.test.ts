// The same model, byte for byte, whatever the number of threads and the memory for kernel rows; the same within the tolerance with and without shrinking.

import { describe, expect, test } from "vitest";
import { packRows, type RowsInput } from "../src/data/pack.ts";
import { type KernelModel, matrix, NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../src/index.ts";
import { allocatePlain } from "../src/runtime/placement.ts";
import { kernelOf, solveKernel } from "./kernel-here.ts";
import { denseRows, multiClassSet, sparseSet } from "./problems/generate.ts";
import { watchShrinking } from "./watch-shrinking.ts";

const many = multiClassSet(520, 10, 5, 4, 71);
const two = sparseSet(400, 12, 6, 72);
const waves = two.x.map(([, values], i) => (values[0] as number) + Math.sin(3 * i));
const dense = denseRows(two);

const fits: Readonly<Record<string, (options: object) => Promise<KernelModel>>> = {
  "four classes": (options) => SVC.fit(many.x, many.y, { C: 5, gamma: 0.3, ...options }),
  "four classes, one against the rest": (options) => SVC.fit(many.x, many.y, { C: 5, gamma: 0.3, multiClass: "ovr", ...options }),
  "four classes, nu": (options) => NuSVC.fit(many.x, many.y, { nu: 0.3, gamma: 0.3, ...options }),
  regression: (options) => SVR.fit(dense, waves, { C: 5, gamma: 0.2, epsilon: 0.05, ...options }),
  "regression, nu": (options) => NuSVR.fit(two.x, waves, { C: 5, gamma: 0.2, nu: 0.5, ...options }),
  "one class": (options) => OneClassSVM.fit(two.x, { nu: 0.4, gamma: 0.3, ...options }),
  polynomial: (options) => SVC.fit(two.x, two.y, { kernel: "poly", gamma: 0.3, coef0: 1, ...options }),
};

/** From the least, at which rows are thrown out all the time, by way of half of what there is, to all. */
const budgets = [0, 60 * 4 * 260, 200 * 4 * 400, 200 * 2 ** 20];

for (const [name, train] of Object.entries(fits)) {
  test(`${name}: 1, 2 and 7 threads and any cacheBytes give the same bytes`, async () => {
    const model = await train({ tolerance: 1e-5 });
    expect(model.report.status).toBe("converged");
    const expected = new TextDecoder().decode(model.toBytes("json"));
    for (const threads of [1, 2, 7]) {
      for (const cacheBytes of threads === 2 ? budgets : [0, 200 * 2 ** 20]) {
        const other = await train({ tolerance: 1e-5, threads, cacheBytes });
        expect(new TextDecoder().decode(other.toBytes("json")), `${threads} threads, ${cacheBytes} bytes`).toBe(expected);
      }
    }
  });
}

describe("2,100 rows: blocks at the beginning, rows set aside and taken back", () => {
  const large = sparseSet(2100, 12, 6, 73);
  const targets = large.x.map(([, values], i) => (values[0] as number) + Math.sin(3 * i));
  const rows = packRows(large.x as RowsInput, allocatePlain, 12);
  const kernel = kernelOf("rbf", 0.3);
  for (const [form, y] of [
    ["c_svc", large.y],
    ["epsilon_svr", targets],
    ["one_class", large.y],
  ] as const) {
    test(`${form}: the cache changes no bit; shrinking changes the work and, within the tolerance, nothing else`, async () => {
      const problem = { tolerance: 1e-3, cacheBytes: 1e8 };
      const settings = { form, kernel, C: 3, nu: 0.3, epsilon: 0.1 };
      const { answer: one, shrinkings } = await watchShrinking(() => solveKernel(rows, y, { ...settings, problem }));
      expect(one.status).toBe("converged");
      for (const cacheBytes of [0, 4 * 2100 * 300]) {
        const small = await solveKernel(rows, y, { ...settings, problem: { ...problem, cacheBytes } });
        expect(small.solution.value).toEqual(one.solution.value);
        expect(small.solution.rho).toEqual(one.solution.rho);
        expect(small.solution.relativeGap).toBe(one.solution.relativeGap);
        // Rows were thrown out and computed again, or nothing is tested here.
        expect(small.solution.kernelValues).toBeGreaterThan(one.solution.kernelValues);
      }
      const whole = await solveKernel(rows, y, { ...settings, problem: { ...problem, shrinking: false } });
      expect(whole.status).toBe("converged");
      // Or nothing is tested here.
      if (form !== "one_class") expect(shrinkings.length).toBeGreaterThan(0);
      expect(Math.abs(whole.certificate.dual - one.certificate.dual)).toBeLessThanOrEqual(1e-3 * one.size);
      for (const { certificate, solution } of [one, whole])
        expect(certificate.relativeGap).toBeLessThanOrEqual(2 * solution.relativeGap + 1e-9);
    });
  }

  test("stopped after rows were set aside more than once: the objectives are those of the model as it stands", async () => {
    for (const maxIterations of [4000, 7000]) {
      const settings = { form: "epsilon_svr", kernel, C: 3, epsilon: 0.1 } as const;
      const { status, solution, certificate, size } = await solveKernel(rows, targets, {
        ...settings,
        problem: { tolerance: 1e-7, maxIterations },
      });
      expect(status).toBe("iteration-limit");
      // Sums over 2,100 rows of float32 kernel values, each off by 1e-7.
      expect(Math.abs(certificate.dual - solution.dual)).toBeLessThanOrEqual(1e-5 * size);
      expect(Math.abs(certificate.primal - solution.primal)).toBeLessThanOrEqual(1e-4 * size);
    }
  });
});

test("one problem of 4,000 rows, whose passes two threads share while that many are in use: the same bytes", async () => {
  const large = sparseSet(4000, 12, 6, 9);
  for (const shrinking of [true, false]) {
    const bytes = async (threads: number): Promise<string> => {
      const model = await SVC.fit(large.x, large.y, { C: 100, gamma: 0.3, tolerance: 1e-5, shrinking, threads });
      expect(model.report.status).toBe("converged");
      return new TextDecoder().decode(model.toBytes("json"));
    };
    const one = await bytes(1);
    // Whether a second thread comes in time is for the machine to say: it is given two chances.
    for (let turn = 0; turn < 2; turn++) expect(await bytes(2), `shrinking ${shrinking}`).toBe(one);
  }
});

test("rows given dense, sparse, as a matrix or in float64: the same bytes", async () => {
  const options = { C: 2, gamma: 0.2, tolerance: 1e-5 };
  const bytes = async (x: Parameters<typeof SVC.fit>[0]): Promise<string> =>
    new TextDecoder().decode((await SVC.fit(x, two.y, options)).toBytes());
  const expected = await bytes(two.x);
  expect(await bytes(matrix(two.x, { featureCount: 12 }))).toBe(expected);
  expect(await bytes(dense)).toBe(expected);
  expect(await bytes({ data: Float64Array.from(dense.flat()), rowCount: 400, featureCount: 12 })).toBe(expected);
});
