// The kernel machine with values that somebody else computes: judged in float64, stopped at any moment, never asking for more than it needs.

import { describe, expect, test } from "vitest";
import { exp } from "../../../src/base/math.ts";
import { denseRow } from "../../../src/data/dense-row.ts";
import { matrix } from "../../../src/index.ts";
import type { LibsvmType } from "../../../src/model/libsvm-file.ts";
import type { ValuesQuestion } from "../../../src/solve/custom-rows.ts";
import { offsetsOf, poseForm } from "../../../src/solve/kernel-forms.ts";
import { KernelMachine, kernelMachineBytes } from "../../../src/solve/kernel-machine.ts";
import type { KernelProblem } from "../../../src/solve/kernel-problem.ts";
import { certifyKernel } from "../../certify-kernel.ts";
import { sparseSet } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

const forms = ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"] as const;
const gamma = 0.3;
const [nu, epsilon] = [0.3, 0.1];

function problemSet(rowCount: number) {
  const set = sparseSet(rowCount, 12, 6, 3);
  const x = matrix(set.x, { featureCount: set.featureCount });
  const rows = set.x.map((_, i) => denseRow(x, i, new Float32Array(set.featureCount)));
  const waves = set.y.map((label, i) => label + Math.sin(3 * i));
  return { x, rows, y: set.y, waves };
}

function rbf(u: Float32Array, v: Float32Array): number {
  let square = 0;
  for (let j = 0; j < u.length; j++) square += ((u[j] as number) - (v[j] as number)) ** 2;
  return exp(-gamma * square);
}

interface Settings {
  readonly C?: number;
  readonly problem?: Partial<KernelProblem>;
  /** Looks at the caller after which it is told to stop. */
  readonly looks?: number;
  /** How many of the first questions get no answer. */
  readonly deaf?: number;
}

async function solve(set: ReturnType<typeof problemSet>, form: LibsvmType, { C = 1, problem, looks = Infinity, deaf = 0 }: Settings) {
  const { x, rows } = set;
  const targets = Float64Array.from(form.endsWith("svr") ? set.waves : set.y);
  const costs = new Float64Array(rows.length).fill(form === "one_class" || form === "nu_svc" ? 1 : C);
  const rowIds = Uint32Array.from(rows.keys());
  const posed: KernelProblem = {
    kernel: { kind: "custom", diagonal: new Float64Array(rows.length).fill(1) },
    ...{ rowIds, tolerance: 1e-6, stop: undefined, maxIterations: 1e6, shrinking: true, cacheBytes: 1e8 },
    ...poseForm({ form, targets, costs, nu, epsilon, mostDiagonal: 1 }),
    ...problem,
  };
  const asked = { values: 0, questions: 0, afterTheEnd: 0 };
  let left = looks;
  const machine = new KernelMachine(
    {
      ...taskHere(x, kernelMachineBytes(posed, x))(),
      checkpoint: async () => (left-- > 0 ? undefined : ("aborted" as const)),
      ask: async (about) => {
        const question = about as ValuesQuestion;
        if (left < 0) asked.afterTheEnd++;
        if (asked.questions++ < deaf) return undefined;
        asked.values += question.rows.length * question.columns.length;
        return Float64Array.from(
          Array.from(question.rows, (i) =>
            Array.from(question.columns, (j) => rbf(rows[i] as Float32Array, rows[j] as Float32Array)),
          ).flat(),
        );
      },
    },
    posed,
  );
  const status = await machine.solve();
  const solution = machine.solution();
  const judged = { form, kernel: { kind: "rbf", gamma, coef0: 0, degree: 0 }, rowIds, targets, costs, nu, epsilon } as const;
  const certificate = certifyKernel(x, judged, { value: solution.value, dual: solution.point, ...offsetsOf(form, solution) });
  return { status, solution, certificate, asked, size: Math.max(Math.abs(certificate.dual), posed.floor) };
}

/** What float64 sums of some hundred terms may be wrong by, relative to the objective. */
const ROUNDING = 1e-11;

describe("a few rows", () => {
  const set = problemSet(150);
  for (const form of forms) {
    for (const [tolerance, C] of [
      [1e-3, 1],
      [1e-6, 1],
      [1e-9, 1],
      [1e-6, 100],
    ] as const) {
      if (C !== 1 && form !== "c_svc" && form !== "epsilon_svr") continue;
      test(`${form}, tolerance ${tolerance}, C ${C}: the float64 judge finds no more than the machine says`, async () => {
        const { status, solution, certificate } = await solve(set, form, { C, problem: { tolerance } });
        expect(status).toBe("converged");
        expect(solution.relativeGap).toBeLessThanOrEqual(tolerance);
        expect(certificate.relativeGap).toBeLessThanOrEqual(solution.relativeGap + ROUNDING);
      });
    }

    test(`${form}: a question that gets no answer is asked again`, async () => {
      const once = await solve(set, form, {});
      const again = await solve(set, form, { deaf: 3 });
      expect(again.solution.value).toEqual(once.solution.value);
      expect(again.asked.questions).toBe(once.asked.questions + 3);
    });

    test(`${form}: stopped at any moment, it asks for nothing more, and the gap is a bound for the model as it stands`, async () => {
      const seen = new Set<string>();
      // 1e-9 is beyond float32 rows: F is made anew in float64 on the way.
      for (let looks = 0; looks < 400; looks += looks < 40 ? 1 : 17) {
        const { status, solution, certificate, asked, size } = await solve(set, form, { looks, problem: { tolerance: 1e-9 } });
        seen.add(status);
        expect(asked.afterTheEnd).toBe(0);
        expect(solution.relativeGap).toBeLessThanOrEqual(1);
        expect(certificate.primal).toBeLessThanOrEqual(solution.primal + ROUNDING * Math.max(size, Math.abs(solution.primal)));
        expect(certificate.dual).toBeGreaterThanOrEqual(solution.dual - ROUNDING * Math.max(size, Math.abs(solution.dual)) - 1e-6 * size);
      }
      expect(seen).toContain("aborted");
    });
  }
});

describe("many rows", () => {
  test("blocks at the beginning; K(u, v) is asked for once", async () => {
    const set = problemSet(2100);
    const { status, solution, certificate, asked } = await solve(set, "c_svc", { C: 0.1, problem: { tolerance: 1e-2 } });
    expect(status).toBe("converged");
    expect(certificate.relativeGap).toBeLessThanOrEqual(1e-2 + ROUNDING);
    // But for rows that are asked for together, eight at most.
    const n = set.rows.length;
    expect(asked.values).toBeLessThanOrEqual((n * (n + 1)) / 2 + 8 * n);
    expect(asked.values).toBe(solution.kernelValues);
    const small = await solve(set, "c_svc", { C: 0.1, problem: { tolerance: 1e-2, cacheBytes: 2e6 } });
    expect(small.solution.value).toEqual(solution.value);
    expect(small.asked.values).toBeGreaterThan(asked.values);
  });
});
