import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { packRows } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { Gram, gramBytes, runsOf } from "../../../src/solve/gram.ts";
import { KernelChain, kernelChainBytes } from "../../../src/solve/kernel-chain.ts";
import type { KernelSolution } from "../../../src/solve/kernel-problem.ts";
import { type KernelSettings, kernelOf, kernelTask, posedKernel, solveKernel } from "../../kernel-here.ts";

const random = new Random(3);
const n = 400;
const rows = Array.from({ length: n }, () => [2 * random.unit() - 1, 2 * random.unit() - 1, random.unit()]);
const labels = rows.map(([a = 0, b = 0]) => (a * b + 0.3 * (random.unit() - 0.5) > 0 ? 1 : -1));
const targets = rows.map(([a = 0, b = 0]) => Math.sin(3 * a) * b + 0.1 * random.unit());
const x = packRows(rows, allocatePlain);

function run<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The problem for one value of C after the other. */
function chain(y: readonly number[], settings: KernelSettings, Cs: readonly number[]): (KernelSolution | undefined)[] {
  const task = kernelTask(x, gramBytes(x, n) + kernelChainBytes(n));
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const gram = new Gram(task, order);
  run(gram.fill(settings.kernel, true));
  const solver = new KernelChain(task, n);
  return Cs.map((C, k) => {
    if (k === 0) solver.begin(posedKernel(x, y, { ...settings, C }).posed, gram.copier(order));
    else solver.raise(C / (Cs[k - 1] as number));
    return run(solver.solve());
  });
}

describe("a chain reaches what the machine proves, for every C", () => {
  for (const [name, y, form, more] of [
    ["two classes", labels, "c_svc", {}],
    ["a regression", targets, "epsilon_svr", { epsilon: 0.05 }],
    ["a tube of its own width", targets, "nu_svr", { nu: 0.4 }],
  ] as const) {
    test(name, async () => {
      const settings = { form, kernel: kernelOf("rbf", 1), ...more, problem: { tolerance: 1e-3, maxIterations: 1e7 } };
      // A tube of its own width takes long at a large C: that is for a machine.
      const Cs = form === "nu_svr" ? [0.03, 0.1, 1] : [0.03, 0.1, 1, 10, 100];
      const found = chain(y, settings, Cs);
      for (const [k, C] of Cs.entries()) {
        const best = await solveKernel(x, y, { ...settings, C, problem: { tolerance: 1e-7 } });
        const own = found[k] as KernelSolution;
        const size = Math.max(Math.abs(best.solution.primal), Math.abs(best.solution.dual));
        // Its gap is 1e-3 of the problem, or classes gain at most 1e-3 a pair; float32 does less than that at these C.
        expect(own.dual).toBeLessThanOrEqual(best.solution.primal + 1e-4 * size);
        expect(own.dual).toBeGreaterThanOrEqual(best.solution.dual - (own.relativeGap + 1e-4) * size);
        if (form !== "c_svc") expect(own.relativeGap).toBeLessThanOrEqual(1e-3);
        else expect(own.relativeGap <= 1e-3 || own.violation <= 1e-3).toBe(true);
        const sum = own.value.reduce((total, v) => total + v, 0);
        expect(Math.abs(sum)).toBeLessThanOrEqual(1e-12 * n * C);
        expect(own.value.every((v) => Math.abs(v) <= C)).toBe(true);
      }
    });
  }
});

test("a limit of steps: it gives up", () => {
  const settings = { form: "c_svc", kernel: kernelOf("rbf", 1), problem: { tolerance: 1e-9, maxIterations: 10 } } as const;
  expect(chain(labels, settings, [1000])).toEqual([undefined]);
});

test("runs of places", () => {
  expect(runsOf(Uint32Array.of(2, 3, 4, 7, 9, 10))).toEqual([
    { begin: 0, from: 2, to: 5 },
    { begin: 3, from: 7, to: 8 },
    { begin: 4, from: 9, to: 11 },
  ]);
  expect(runsOf(new Uint32Array())).toEqual([]);
});
