// Every kernel problem by the machine: certified by the judge, whatever the kernel, the cache and the shrinking.

import { describe, expect, test } from "vitest";
import type { Matrix } from "../src/data/matrix.ts";
import { matrix } from "../src/index.ts";
import type { LibsvmType } from "../src/model/libsvm-file.ts";
import { offsetsOf, poseForm } from "../src/solve/kernel-forms.ts";
import { KernelMachine, kernelMachineBytes } from "../src/solve/kernel-machine.ts";
import type { KernelFunction, KernelProblem } from "../src/solve/kernel-problem.ts";
import { certifyKernel } from "./certify-kernel.ts";
import { sparseSet } from "./problems/generate.ts";
import { taskHere } from "./solve-here.ts";

const set = sparseSet(300, 12, 6, 3);
const x = matrix(set.x, { featureCount: set.featureCount });
// A line and a wave: no linear function meets them all, which would leave nu-SVR without a tube.
const targets = Float64Array.from(set.x, ([indices, values], i) => {
  const line = Array.from(indices, (j, k) => Math.sin(j) * (values[k] as number)).reduce((a, b) => a + b, 0);
  return line + Math.sin(3 * i);
});

const kernels: readonly (KernelFunction & { name: string })[] = [
  { name: "linear", kind: "linear", gamma: 1, coef0: 0, degree: 3 },
  { name: "rbf", kind: "rbf", gamma: 0.3, coef0: 0, degree: 3 },
  { name: "polynomial", kind: "polynomial", gamma: 0.3, coef0: 1, degree: 2 },
];

interface Settings {
  readonly form: LibsvmType;
  readonly kernel: KernelFunction;
  readonly C?: number;
  readonly nu?: number;
  readonly epsilon?: number;
  readonly weights?: readonly number[];
  readonly problem?: Partial<KernelProblem>;
  /** Looks at the caller after which it is told to stop. */
  readonly looks?: number;
}

async function solve(
  rows: Matrix,
  y: ArrayLike<number>,
  { form, kernel, C = 1, nu = form === "nu_svc" ? 0.6 : 0.3, epsilon = 0.1, weights, problem, looks = Infinity }: Settings,
) {
  const own = form === "one_class" || form === "nu_svc" ? 1 : C;
  const rowIds = Uint32Array.from({ length: rows.rowCount }, (_, i) => i).filter((i) => weights?.[i] !== 0);
  const costs = Float64Array.from(rowIds, (i) => own * (weights?.[i] ?? 1));
  const picked = Float64Array.from(rowIds, (i) => y[i] as number);
  const posed: KernelProblem = {
    ...{ kernel, rowIds, tolerance: 1e-6, stop: undefined, maxIterations: 1e6, shrinking: true, cacheBytes: 1e7 },
    ...poseForm({ form, targets: picked, costs, nu, epsilon, mostDiagonal: 10 }),
    ...problem,
  };
  let left = looks;
  const task = {
    ...taskHere(rows, kernelMachineBytes(posed, rows))(),
    checkpoint: async () => (left-- > 0 ? undefined : ("aborted" as const)),
  };
  const machine = new KernelMachine(task, posed);
  const status = await machine.solve();
  const solution = machine.solution();
  const judged = { form, kernel, rowIds, targets: picked, costs, nu, epsilon };
  const certificate = certifyKernel(rows, judged, { value: solution.value, dual: solution.point, ...offsetsOf(form, solution) });
  return { status, solution, certificate, size: Math.max(Math.abs(solution.dual), posed.floor) };
}

const targetsOf = (form: LibsvmType): ArrayLike<number> => (form.endsWith("svr") ? targets : set.y);

for (const form of ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"] as const) {
  for (const kernel of kernels) {
    describe(`${form}, ${kernel.name}`, () => {
      // Kernels of low rank at a large C take pair steps by the million: not here.
      for (const C of form === "one_class" || form === "nu_svc" ? [1] : form === "c_svc" ? [0.01, 1, 100] : [0.01, 1]) {
        test(`C ${C}: certified`, async () => {
          const { status, solution, certificate, size } = await solve(x, targetsOf(form), { form, kernel, C });
          expect(status).toBe("converged");
          expect(solution.relativeGap).toBeLessThanOrEqual(1e-6);
          // Kernel values in float32 are wrong by up to 1e-6, and with them the gap.
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-4);
          expect(Math.abs(certificate.primal - solution.primal)).toBeLessThanOrEqual(1e-4 * size);
        });
      }

      test("neither the cache nor shrinking changes the answer", async () => {
        const settings = { form, kernel, C: form === "c_svc" ? 10 : 1 };
        const y = targetsOf(form);
        const one = await solve(x, y, settings);
        const small = await solve(x, y, { ...settings, problem: { cacheBytes: 1 } });
        expect(small.solution.value).toEqual(one.solution.value);
        expect(small.solution.rho).toEqual(one.solution.rho);
        const whole = await solve(x, y, { ...settings, problem: { shrinking: false } });
        expect(Math.abs(whole.solution.dual - one.solution.dual)).toBeLessThanOrEqual(2e-6 * one.size);
      });

      test("weight 2 is the row twice, weight 0 the row absent", async () => {
        const y = targetsOf(form);
        const weights = set.y.map((_, i) => i % 3);
        const twice = set.x.flatMap((row, i) => new Array(weights[i]).fill(row));
        const labels = set.y.flatMap((_, i) => new Array<number>(weights[i] as number).fill(y[i] as number));
        const weighted = await solve(x, y, { form, kernel, weights });
        const repeated = await solve(matrix(twice, { featureCount: set.featureCount }), labels, { form, kernel });
        expect(Math.abs(weighted.solution.dual - repeated.solution.dual)).toBeLessThanOrEqual(3e-6 * repeated.size);
      });
    });
  }
}

test("LIBSVM's rule: no pair gains more than its epsilon", async () => {
  const kernel = kernels[1] as KernelFunction;
  const { status, solution } = await solve(x, set.y, { form: "c_svc", kernel, problem: { stop: { kind: "violation", epsilon: 1e-3 } } });
  expect(status).toBe("converged");
  expect(solution.violation).toBeLessThanOrEqual(1e-3);
});

test("a limit on pair steps is a status", async () => {
  const kernel = kernels[1] as KernelFunction;
  const { status, solution } = await solve(x, set.y, { form: "c_svc", kernel, problem: { maxIterations: 10 } });
  expect(status).toBe("iteration-limit");
  expect(solution.iterations).toBe(10);
});

test("stopped at any moment, the gap is that of the model as it stands", async () => {
  const kernel = kernels[1] as KernelFunction;
  for (const form of ["c_svc", "nu_svc", "nu_svr"] as const) {
    for (const looks of [0, 1, 7, 39, 45, 52, 60]) {
      const { status, solution, certificate, size } = await solve(x, targetsOf(form), { form, kernel, looks });
      if (status !== "converged") expect(status).toBe("aborted");
      // nu-SVC may be better off at rest, with P = 0.
      expect(Math.abs(certificate.dual - solution.dual)).toBeLessThanOrEqual(1e-4 * size);
      expect(Math.abs(certificate.primal - solution.primal)).toBeLessThanOrEqual(1e-4 * Math.max(size, Math.abs(certificate.primal)));
    }
  }
});

describe("many rows: blocks at the beginning, rows set aside and taken back", () => {
  const large = sparseSet(2400, 12, 6, 9);
  const rows = matrix(large.x, { featureCount: large.featureCount });
  const waves = large.y.map((label, i) => label + Math.sin(3 * i));
  for (const form of ["c_svc", "nu_svc", "epsilon_svr"] as const) {
    test(`${form}: certified; neither cache nor shrinking changes the answer`, async () => {
      const settings = { form, kernel: kernels[1] as KernelFunction, problem: { tolerance: 1e-4 } };
      const y = form === "epsilon_svr" ? waves : large.y;
      const one = await solve(rows, y, settings);
      expect(one.status).toBe("converged");
      expect(one.certificate.relativeGap).toBeLessThanOrEqual(2e-4);
      const small = await solve(rows, y, { ...settings, problem: { tolerance: 1e-4, cacheBytes: 1 } });
      expect(small.solution.value).toEqual(one.solution.value);
      expect(small.solution.kernelValues).toBeGreaterThan(one.solution.kernelValues);
      const whole = await solve(rows, y, { ...settings, problem: { tolerance: 1e-4, shrinking: false } });
      expect(Math.abs(whole.solution.dual - one.solution.dual)).toBeLessThanOrEqual(2e-4 * one.size);
    });
  }
});
