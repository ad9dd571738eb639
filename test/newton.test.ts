// Primal Newton on everything, judged by src/certify alone.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newton } from "../reference/newton.ts";
import { certifyLinear } from "../src/certify/linear.ts";
import { certifyMultinomial } from "../src/certify/multinomial.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { packRows, type RowsInput } from "../src/data/pack.ts";
import { allocatePlain } from "../src/runtime/placement.ts";
import { BinaryNewton } from "../src/solve/binary-newton.ts";
import { MultinomialNewton, multinomialNewtonBytes } from "../src/solve/multinomial-newton.ts";
import type { BinaryProblem, BinarySolution, MultiClassProblem } from "../src/solve/problem.ts";
import { smoothNewtonBytes } from "../src/solve/smooth-newton.ts";
import { degenerate } from "./problems/degenerate.ts";
import { denseRows, sparseSet } from "./problems/generate.ts";
import { describeWith, hasProgram } from "./requires.ts";
import { taskHere } from "./solve-here.ts";

const losses = ["squared_hinge", "logistic"] as const;
const biases = ["unregularised", "augmented", false] as const;

const pack = (x: RowsInput): Matrix => packRows(x, allocatePlain);

function binary(y: readonly number[], more: Partial<BinaryProblem> & { C?: number }): BinaryProblem {
  const { C = 1, ...rest } = more;
  return {
    rowIds: Uint32Array.from(y, (_, i) => i),
    signs: Float32Array.from(y),
    costs: new Float64Array(y.length).fill(C),
    loss: "logistic",
    penalty: "l2",
    bias: "unregularised",
    biasScale: 1,
    tolerance: 1e-6,
    maxIterations: 10_000,
    shrinking: true,
    seed: 0,
    ...rest,
  };
}

async function solved(x: Matrix, problem: BinaryProblem, start?: BinarySolution): Promise<{ status: string; solution: BinarySolution }> {
  const solver = new BinaryNewton(taskHere(x, smoothNewtonBytes(problem.rowIds.length, x))(), problem, start);
  const status = await solver.solve();
  return { status, solution: solver.solution() };
}

describe("two classes", () => {
  const set = sparseSet(600, 60, 8, 1);
  const costs = Float64Array.from(set.y, (_, i) => 0.5 + (i % 3));
  for (const loss of losses) {
    for (const bias of biases) {
      for (const C of [0.01, 1, 100, 1e4]) {
        for (const form of ["csr", "dense"] as const) {
          test(`${loss}, bias ${bias}, C ${C}, weights, ${form}: certified 1e-6 and 1e-10`, async () => {
            const x = pack(form === "csr" ? set.x : denseRows(set));
            for (const tolerance of [1e-6, 1e-10]) {
              const problem = binary(set.y, { loss, bias, biasScale: 2, costs: costs.map((cost) => C * cost), tolerance });
              const { status, solution } = await solved(x, problem);
              expect(status).toBe("converged");
              // What the judge rounds: P and D are sums of 600 terms.
              expect(certifyLinear(x, problem, solution).relativeGap).toBeLessThanOrEqual(tolerance + 600 * Number.EPSILON);
            }
          });
        }
      }

      test(`${loss}, bias ${bias}: a column times 1e4, C 1e4, certified 1e-6`, async () => {
        const x = pack(denseRows(set).map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value))));
        const problem = binary(set.y, { loss, bias, C: 1e4 });
        const { status, solution } = await solved(x, problem);
        expect(status).toBe("converged");
        expect(certifyLinear(x, problem, solution).relativeGap).toBeLessThanOrEqual(1e-6);
      });

      for (const { name, x: rows, y, C = 1 } of degenerate) {
        test(`${name}, ${loss}, bias ${bias}: certified 1e-6`, async () => {
          const x = pack(rows);
          const problem = binary(y, { loss, bias, C });
          const { status, solution } = await solved(x, problem);
          expect(status).toBe("converged");
          expect(certifyLinear(x, problem, solution).relativeGap).toBeLessThanOrEqual(1e-6);
        });
      }
    }
  }

  test("some rows of a matrix: the others do not matter", async () => {
    const x = pack(set.x);
    const rowIds = Uint32Array.from({ length: 200 }, (_, k) => 3 * k);
    const y = Array.from(rowIds, (i) => set.y[i] as number);
    const some = await solved(x, { ...binary(y, {}), rowIds });
    const alone = await solved(pack(Array.from(rowIds, (i) => set.x[i] as (typeof set.x)[number])), binary(y, {}));
    expect(Array.from(some.solution.w)).toEqual(Array.from({ length: 60 }, (_, j) => alone.solution.w[j] ?? 0));
  });

  test("a start at the optimum ends at once", async () => {
    const x = pack(set.x);
    const problem = binary(set.y, { tolerance: 1e-9 });
    const cold = await solved(x, problem);
    const warm = await solved(x, { ...problem, tolerance: 1e-8 }, cold.solution);
    expect(warm.status).toBe("converged");
    expect(warm.solution.iterations).toBeLessThanOrEqual(2);
  });

  test("at an impossible tolerance rounding ends it, or the limit where that comes first", async () => {
    const x = pack(set.x);
    const end = await solved(x, binary(set.y, { tolerance: 1e-300, maxIterations: 300 }));
    expect(end.status).toBe("precision-limit");
    expect(end.solution.iterations).toBeLessThan(400);
    const early = await solved(x, binary(set.y, { tolerance: 1e-300, maxIterations: 5 }));
    expect(early.status).toBe("iteration-limit");
  });

  for (const loss of losses) {
    test(`${loss}: the textbook's optimum`, async () => {
      const small = sparseSet(80, 10, 4, 6);
      const rows = denseRows(small).map((row) => row.map(Math.fround));
      const steps = newton({ x: rows, y: small.y, costs: small.y.map(() => 1), loss });
      let last = steps.next().value;
      while (last.gap > 1e-12 * last.objective) last = steps.next().value;
      const problem = binary(small.y, { loss, bias: false, tolerance: 1e-12 });
      const { solution } = await solved(pack(rows), problem);
      // P is 1-strongly convex: |w - w*|^2 <= 2 gap, for either.
      const reach = 2 * Math.sqrt(2e-12 * last.objective);
      last.w.forEach((value, j) => {
        expect(Math.abs(value - (solution.w[j] as number))).toBeLessThan(reach);
      });
    });
  }

  test("an abort in the middle gives back what there is", async () => {
    const x = pack(set.x);
    const problem = binary(set.y, { tolerance: 1e-9 });
    const make = taskHere(x, smoothNewtonBytes(set.y.length, x));
    const solver = new BinaryNewton({ ...make(), checkpoint: async () => "aborted" }, problem);
    expect(await solver.solve()).toBe("aborted");
    expect(Array.from(solver.solution().w)).toEqual(new Array(60).fill(0));
  });
});

describe("many classes", () => {
  const set = sparseSet(500, 40, 8, 2);
  const classOf = (k: number) => Uint32Array.from(set.y, (label, i) => (label > 0 ? i % k : (i * 7) % k));
  const multi = (classIds: Uint32Array, classCount: number, more: Partial<MultiClassProblem> & { C?: number }): MultiClassProblem => {
    const { C = 1, ...rest } = more;
    return {
      rowIds: classIds.map((_, i) => i),
      classIds,
      classCount,
      costs: Float64Array.from(classIds, (_, i) => C * (0.5 + (i % 3))),
      bias: "unregularised",
      biasScale: 2,
      tolerance: 1e-6,
      maxIterations: 10_000,
      shrinking: true,
      seed: 0,
      ...rest,
    };
  };
  for (const bias of biases) {
    for (const classCount of [2, 3, 9]) {
      for (const C of [0.01, 1, 100]) {
        for (const form of ["csr", "dense"] as const) {
          test(`${classCount} classes, bias ${bias}, C ${C}, ${form}: certified 1e-6 and 1e-10`, async () => {
            const x = pack(form === "csr" ? set.x : denseRows(set));
            for (const tolerance of [1e-6, 1e-10]) {
              const problem = multi(classOf(classCount), classCount, { bias, C, tolerance });
              const solver = new MultinomialNewton(taskHere(x, multinomialNewtonBytes(500, x, classCount))(), problem);
              expect(await solver.solve()).toBe("converged");
              expect(certifyMultinomial(x, problem, solver.solution()).relativeGap).toBeLessThanOrEqual(tolerance + 2000 * Number.EPSILON);
            }
          });
        }
      }
    }
  }

  test("two classes jointly are the binary problem with both signs sharing the penalty", async () => {
    // w_1 = -w_0 = v / 2: the penalty is 1/4 v'v, so the binary problem with C has the optimum of the joint one with C / 2, halved.
    const x = pack(set.x);
    const classIds = Uint32Array.from(set.y, (label) => (label > 0 ? 1 : 0));
    const costs = new Float64Array(500).fill(2);
    const joint = multi(classIds, 2, { costs, tolerance: 1e-11 });
    const solver = new MultinomialNewton(taskHere(x, multinomialNewtonBytes(500, x, 2))(), joint);
    await solver.solve();
    const { solution } = await solved(x, binary(set.y, { C: 4, tolerance: 1e-11 }));
    const both = certifyMultinomial(x, joint, solver.solution()).primal;
    const one = certifyLinear(x, binary(set.y, { C: 4 }), solution).primal;
    expect(Math.abs(2 * both - one)).toBeLessThan(1e-10 * one);
  });
});

describeWith("liblinear-train", hasProgram("liblinear-train"), "LIBLINEAR, live", () => {
  const set = sparseSet(400, 50, 8, 4);
  const x = pack(set.x);
  for (const [loss, solver] of [
    ["logistic", 0],
    ["squared_hinge", 2],
  ] as const) {
    for (const [bias, flag] of [
      ["augmented", "1"],
      [false, "-1"],
    ] as const) {
      test(`-s ${solver} -B ${flag} -e 1e-8: the same objective within 1e-6`, async () => {
        const folder = mkdtempSync(join(tmpdir(), "hinge-newton-"));
        const rows = set.x.map(
          ([j, v], i) => `${set.y[i]} ${Array.from(j, (index, k) => `${index + 1}:${Math.fround(v[k] as number)}`).join(" ")}`,
        );
        writeFileSync(join(folder, "data"), `${rows.join("\n")}\n`);
        const args = ["-q", "-s", String(solver), "-B", flag, "-e", "1e-8", join(folder, "data"), join(folder, "model")];
        expect(spawnSync("liblinear-train", args).status).toBe(0);
        const [head = "", body = ""] = readFileSync(join(folder, "model"), "utf8").split(/^w$/m);
        rmSync(folder, { recursive: true });
        const turn = /^label -1 1$/m.test(head) ? -1 : 1;
        const numbers = body
          .trim()
          .split(/\s+/)
          .map((text) => turn * Number(text));
        const problem = binary(set.y, { loss, bias, tolerance: 1e-9 });
        const theirs = certifyLinear(x, problem, {
          w: Float64Array.from(numbers.slice(0, 50)),
          bias: bias ? (numbers[50] as number) : 0,
          alpha: undefined,
        });
        const { solution } = await solved(x, problem);
        const ours = certifyLinear(x, problem, solution);
        expect(Math.abs(ours.primal - theirs.primal)).toBeLessThan(1e-6 * ours.primal);
      });
    }
  }
});
