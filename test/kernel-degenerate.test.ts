// Kernel machines on data that is not as one would wish: every fit ends, with a status and with a gap that the judge confirms, whatever the kernel and C from 1e-3
// to 1e6. Where pair steps would go on by the million, their limit ends them, and the gap is that of the model as it stands.

import { describe, expect, test } from "vitest";
import type { Matrix } from "../src/data/matrix.ts";
import { packRows } from "../src/data/pack.ts";
import { HingeError, NuSVC, OneClassSVM, SVC, SVR } from "../src/index.ts";
import type { LibsvmType } from "../src/model/libsvm-file.ts";
import { allocatePlain } from "../src/runtime/placement.ts";
import { mostNu } from "../src/solve/kernel-forms.ts";
import type { KernelFunction, KernelProblem } from "../src/solve/kernel-problem.ts";
import { type KernelAnswer, type KernelSettings, kernelOf, solveKernel } from "./kernel-here.ts";
import { type DegenerateKernelSet, degenerateKernelSets } from "./problems/degenerate-kernel.ts";

const TOLERANCE = 1e-5;
/** Pair steps. */
const LIMIT = 4000;
const decades = [1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6];

const kernels: Readonly<Record<string, KernelFunction>> = {
  linear: kernelOf("linear"),
  poly: kernelOf("polynomial", 0.5, 1, 3),
  rbf: kernelOf("rbf", 0.5),
  sigmoid: kernelOf("sigmoid", 0.1, -0.5),
};

const packed = (rows: DegenerateKernelSet["x"]) => packRows(rows as number[][], allocatePlain);

/** Bounds and sums hold, all numbers are numbers, and the gap that is reported is one that the judge confirms. */
function check(x: Matrix, { status, solution, certificate, posed, size }: KernelAnswer, isConvex: boolean, tolerance = TOLERANCE): void {
  expect(["converged", "precision-limit", "iteration-limit"]).toContain(status);
  for (const number of [solution.primal, solution.dual, solution.relativeGap, ...solution.rho, certificate.primal, certificate.dual])
    expect(number).not.toBeNaN();
  const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);
  const wanted = posed.sides.reduce((total, { start }) => total + sum(start), 0);
  // Every step rounds two variables, each no larger than its bounds.
  const most = Math.max(...posed.sides.flatMap(({ lo, hi }) => [...lo, ...hi].map(Math.abs)));
  expect(Math.abs(sum(solution.point) - wanted)).toBeLessThanOrEqual(
    2 ** -52 * most * (2 * solution.iterations + 2 * solution.point.length),
  );
  solution.point.forEach((value, k) => {
    const [lo, hi] = [sum(posed.sides.map((side) => side.lo[k] as number)), sum(posed.sides.map((side) => side.hi[k] as number))];
    expect(value >= lo && value <= hi).toBe(true);
  });
  if (status === "converged") expect(solution.relativeGap).toBeLessThanOrEqual(tolerance);
  else expect(solution.relativeGap).toBeGreaterThan(tolerance);
  // Where float32 leaves nothing of the objective itself, the report says so, and need not say by how much.
  if (!isConvex || solution.relativeGap > 0.5) return;
  // The judge's sums have n terms, whose rounding is all that is left of targets around a million; the float32 error in the report is measured on some rows.
  const terms = sum(solution.point.map((value, k) => Math.abs(value * (posed.z[k] as number))));
  const rounding = 1e-9 + (2 ** -52 * solution.point.length * terms + kernelRounding(x, posed, solution)) / (size || 1);
  const judged = (certificate.primal - certificate.dual) / (size || 1);
  expect(judged).toBeLessThanOrEqual(2 * solution.relativeGap + rounding);
  expect(judged).toBeGreaterThanOrEqual(-rounding);
}

/**
 * What rounding of kernel values in float64 can do to a gap: |u|^2 + |v|^2 - 2 u'v loses four roundings of the largest square where the judge sums differences, a power
 * some of its own. Each F is off by as much times sum |v|, and each variable may want to go all its way.
 */
function kernelRounding(x: Matrix, { kernel, sides }: KernelProblem, { point }: KernelAnswer["solution"]): number {
  let square = 0;
  for (let i = 0; i < x.rowCount; i++) {
    let own = 0;
    x.forEachInRow(i, (_, value) => {
      own += value * value;
    });
    square = Math.max(square, own);
  }
  const { kind, gamma, coef0, degree } = kernel as KernelFunction;
  const value = kind === "rbf" ? 4 * gamma * square : kind === "polynomial" ? 2 * degree * (gamma * square + coef0) ** degree : square;
  const size = point.reduce((sum, v) => sum + Math.abs(v), 0);
  const way = sides.reduce((sum, { lo, hi }) => sum + hi.reduce((own, most, k) => own + most - (lo[k] as number), 0), 0);
  return 2 ** -53 * value * size * way;
}

const settingsOf = (form: LibsvmType, y: readonly number[]): readonly Omit<KernelSettings, "kernel">[] => {
  if (form === "one_class") return [1e-3, 0.5, 1].map((nu) => ({ form, nu }));
  if (form === "nu_svc")
    return [1e-3, 0.5, 1].map((part) => ({
      form,
      nu:
        part *
        mostNu(
          y,
          y.map(() => 1),
        ),
    }));
  if (form === "nu_svr") return decades.filter((_, k) => k % 3 === 0).flatMap((C) => [1e-3, 0.5, 1].map((nu) => ({ form, C, nu })));
  if (form === "epsilon_svr") return decades.flatMap((C, k) => ({ form, C, epsilon: [0.1, 0, 1e7][k % 3] as number }));
  return decades.map((C) => ({ form, C }));
};

for (const form of ["c_svc", "nu_svc", "epsilon_svr", "nu_svr", "one_class"] as const) {
  describe(form, () => {
    for (const [name, kernel] of Object.entries(kernels)) {
      test(`${name}: every set, C by decades, ends with a gap that the judge confirms`, async () => {
        for (const set of degenerateKernelSets) {
          const x = packed(set.x);
          const y = form.endsWith("svr") ? set.targets : set.y;
          for (const settings of settingsOf(form, set.y)) {
            const answer = await solveKernel(x, y, { ...settings, kernel, problem: { tolerance: TOLERANCE, maxIterations: LIMIT } });
            try {
              check(x, answer, name !== "sigmoid");
            } catch (cause) {
              throw new Error(`${set.name}, ${JSON.stringify(settings)}: ${answer.status} after ${answer.solution.iterations}`, { cause });
            }
          }
        }
      });
    }
  });
}

test("pair steps never lose: the dual objective rises with their number, near-duplicates and both labels on one row or not", async () => {
  for (const set of degenerateKernelSets) {
    const x = packed(set.x);
    for (const [name, kernel] of Object.entries(kernels)) {
      // A constant of 1e4 in all rows: K_ii + K_jj - 2 K_ij is the difference of numbers of 1e8 and more, and nothing is left of it in float32.
      if (set.name === "features of 1e4" && name !== "rbf") continue;
      let last = -Infinity;
      for (const maxIterations of [1, 2, 3, 5, 8, 13, 30, 100, 1000]) {
        const { certificate, size, solution } = await solveKernel(x, set.y, { form: "c_svc", kernel, C: 100, problem: { maxIterations } });
        expect(solution.iterations).toBeLessThanOrEqual(maxIterations);
        // Steps are made with float32 values: what a step gains there may be less than nothing in float64, by as much as they are off.
        expect(certificate.dual, `${set.name}, ${name}, ${maxIterations}`).toBeGreaterThanOrEqual(last - 1e-6 * size);
        last = certificate.dual;
      }
    }
  }
});

test("2,100 rows of 21 points, with both labels on each: blocks whose rows are equal end, too", async () => {
  const x = packed(Array.from({ length: 2100 }, (_, i) => [i % 3, i % 7]));
  const y = Array.from({ length: 2100 }, (_, i) => ((i * i + (i >> 4)) % 5 < 2 + (i % 2) ? 1 : -1));
  const targets = y.map((label, i) => label + (i % 11) / 11);
  for (const form of ["c_svc", "nu_svr"] as const) {
    const problem = { tolerance: 1e-4, maxIterations: 30_000 };
    const answer = await solveKernel(x, form.endsWith("svr") ? targets : y, { form, kernel: kernelOf("rbf", 0.5), nu: 0.4, problem });
    expect(answer.status).toBe("converged");
    check(x, answer, true, 1e-4);
  }
});

test("gamma 0, tiny and huge: constant kernels and unit matrices", async () => {
  const set = degenerateKernelSets[0] as DegenerateKernelSet;
  const x = packed(set.x);
  for (const kind of ["rbf", "polynomial", "sigmoid"] as const) {
    for (const gamma of [0, 1e-300, 1e-12, 1e6, 1e30]) {
      // A cube of 1e30 is no float32.
      if (kind === "polynomial" && gamma > 1e6) continue;
      for (const form of ["c_svc", "nu_svc", "epsilon_svr", "nu_svr", "one_class"] as const) {
        const y = form.endsWith("svr") ? set.targets : set.y;
        const problem = { tolerance: TOLERANCE, maxIterations: LIMIT };
        const answer = await solveKernel(x, y, { form, kernel: kernelOf(kind, gamma, 0, 3), nu: 0.4, problem });
        try {
          check(x, answer, kind !== "sigmoid");
        } catch (cause) {
          throw new Error(`${kind}, gamma ${gamma}, ${form}: ${answer.status} after ${answer.solution.iterations}`, { cause });
        }
      }
    }
  }
});

test("a constant kernel tells nothing: the majority, or the middle of the targets", async () => {
  const y = [1, 1, 1, -1, -1];
  const x = y.map((_, i) => [i, i * i]);
  const model = await SVC.fit(x, y, { gamma: 0, tolerance: 1e-9 });
  expect(model.report.status).toBe("converged");
  // D = 4: both rows of the smaller class and as many of the other are at C, and w = 0.
  expect(model.report.certificate.dual).toBeCloseTo(4, 9);
  expect(await model.predict(x)).toEqual([1, 1, 1, 1, 1]);
  const targets = [0, 1, 2, 3, 40];
  const regression = await SVR.fit(x, targets, { gamma: 0, epsilon: 0, tolerance: 1e-9 });
  expect(regression.report.certificate.primal).toBeCloseTo(42, 9);
  for (const value of await regression.predict(x)) expect(value).toBeCloseTo(2, 9);
});

test("a unit matrix: every row by itself, the answer by hand", async () => {
  // K = I: C-SVC with n+ positives and n- negatives, C large: v_+ = 2 n- / n, v_- = -2 n+ / n, D = 1/2 sum |v|.
  const y = [1, 1, 1, -1, -1, -1, -1, -1];
  const x = y.map((_, i) => [10 * i]);
  const { report, coefficients } = await SVC.fit(x, y, { gamma: 100, C: 1e6, tolerance: 1e-9 });
  expect(report.status).toBe("converged");
  coefficients.forEach((value, i) => {
    expect(value).toBeCloseTo(y[i] === 1 ? 1.25 : -0.75, 6);
  });
  expect(report.certificate.dual).toBeCloseTo(3.75, 6);
});

test("one row, one class, nothing that counts", async () => {
  for (const kernel of ["linear", "poly", "rbf", "sigmoid"] as const) {
    const regression = await SVR.fit([[1, 2]], [3], { kernel, epsilon: 0 });
    expect(regression.report.status).toBe("converged");
    expect(regression.predictOne([1, 2])).toBe(3);
    const single = await OneClassSVM.fit([[1, 2]], { kernel, nu: 0.5 });
    expect(single.report.status).toBe("converged");
  }
  for (const Estimator of [SVC, NuSVC]) {
    await expect(Estimator.fit([[1], [2]], [5, 5])).rejects.toThrow(/y has one class only, 5; \w+ needs two/);
    await expect(Estimator.fit([[1], [2]], [5, 6], { sampleWeight: [1, 0] })).rejects.toThrow(/one class only/);
    await expect(Estimator.fit([[1], [2]], [5, 6], { sampleWeight: [0, 0] })).rejects.toThrow(HingeError);
  }
  await expect(SVR.fit([], [])).rejects.toThrow(HingeError);
  await expect(OneClassSVM.fit([[1]], { sampleWeight: [0] })).rejects.toThrow(/weight 0/);
});

test("a tube wider than all targets costs nothing and holds nothing up", async () => {
  const set = degenerateKernelSets[0] as DegenerateKernelSet;
  for (const kernel of ["linear", "rbf", "sigmoid"] as const) {
    const { report, coefficients, biases } = await SVR.fit(set.x as number[][], set.targets, { kernel, epsilon: 10 });
    expect(report.status).toBe("converged");
    expect(report.certificate.primal).toBe(0);
    expect(coefficients.length).toBe(0);
    expect(set.targets.every((target) => Math.abs(target - (biases[0] as number)) <= 10)).toBe(true);
  }
});

test("nu at its limits: all of the smaller class at the bound, or next to nothing", async () => {
  const set = degenerateKernelSets[0] as DegenerateKernelSet;
  const x = set.x as number[][];
  const y = set.y.map((_, i) => (i < 9 ? 1 : -1));
  const most = mostNu(
    y,
    y.map(() => 1),
  );
  expect(most).toBe(0.6);
  const full = await NuSVC.fit(x, y, { nu: most, tolerance: 1e-6 });
  expect(full.report.status).toBe("converged");
  // Scaled by 1 / r, all nine have the largest coefficient that there is.
  const above = Array.from(full.coefficients).filter((value) => value > 0);
  expect(above.length).toBe(9);
  for (const value of above) expect(value).toBeCloseTo(Math.max(...above), 9);
  await expect(NuSVC.fit(x, y, { nu: most + 1e-9 })).rejects.toThrow(/nu must be at most 0.6/);
  expect((await NuSVC.fit(x, y, { nu: 1e-9 })).report.status).toBe("converged");
  const all = await OneClassSVM.fit(x, { nu: 1 });
  expect(all.report.status).toBe("converged");
  expect(Array.from(all.coefficients)).toEqual(new Array(30).fill(1));
});

describe("kernel values of unscaled rows", () => {
  const base = (degenerateKernelSets[0] as DegenerateKernelSet).x.slice(0, 12);
  const kernel = { kernel: "rbf", gamma: 0.3 } as const;
  for (const size of [1e4, 1e5]) {
    test(`features of ${size} and of 1: right to 1e-5, in predictions and in fits`, async () => {
      const rows = base.map((row) => row.map((value, j) => Math.fround(j === 1 ? size + value : value)));
      const value = (u: readonly number[], v: readonly number[]): number =>
        Math.exp(-kernel.gamma * u.reduce((sum, own, j) => sum + (own - (v[j] as number)) ** 2, 0));
      for (const own of rows) {
        // One row, nu 1: f(x) = K(row, x) - rho.
        const model = await OneClassSVM.fit([own], { ...kernel, nu: 1 });
        (await model.decision(rows)).forEach((score, i) => {
          expect(Math.abs(score - (model.biases[0] as number) - value(own, rows[i] as number[]))).toBeLessThanOrEqual(1e-5);
        });
      }
      const y = rows.map((_, i) => (i % 3 ? 1 : -1));
      const model = await SVC.fit(rows, y, { ...kernel, C: 10, tolerance: 1e-6 });
      expect(model.report.status).toBe("converged");
      // All rows are support vectors or hold nothing: D from their coefficients, with |u - v|^2 as a sum of squares.
      const held = Array.from({ length: model.supportVectors.count }, (_, k) => {
        const { starts, indices, values } = model.supportVectors;
        const row = new Array<number>(3).fill(0);
        for (let e = starts[k] as number; e < (starts[k + 1] as number); e++) row[indices[e] as number] = values[e] as number;
        return { row, v: model.coefficients[k] as number };
      });
      const dual =
        held.reduce((sum, { v }) => sum + Math.abs(v), 0) -
        0.5 * held.reduce((sum, a) => sum + held.reduce((own, b) => own + a.v * b.v * value(a.row, b.row), 0), 0);
      const sum = held.reduce((total, { v }) => total + Math.abs(v), 0);
      expect(Math.abs(model.report.certificate.dual - dual)).toBeLessThanOrEqual(0.5e-5 * sum * sum);
    });
  }
});
