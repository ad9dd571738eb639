import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cdn, objectives as cdnObjectives } from "../../../reference/cdn.ts";
import { glmnet, objectives as glmnetObjectives } from "../../../reference/glmnet.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import type { Matrix } from "../../../src/data/matrix.ts";
import { matrix, readSvmlight } from "../../../src/index.ts";
import { L1Newton, l1NewtonBytes } from "../../../src/solve/l1-newton.ts";
import type { BinaryProblem } from "../../../src/solve/problem.ts";
import { solveProven } from "../../../src/solve/proven.ts";
import { problemOf as smoothProblem } from "../../judged.ts";
import { degenerate } from "../../problems/degenerate.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";
import { describeWith, hasProgram, sharedFolder } from "../../requires.ts";
import { taskHere } from "../../solve-here.ts";

const losses = ["squared_hinge", "logistic"] as const;
const biases = ["unregularised", "augmented", false] as const;

type Settings = Partial<Omit<BinaryProblem, "rowIds" | "signs" | "costs">> & { C?: number; weights?: readonly number[] };

const problemOf = (y: ArrayLike<number>, { weights, ...settings }: Settings): BinaryProblem =>
  smoothProblem(y, { loss: "logistic", penalty: "l1", bias: false, ...settings }, weights);

async function solve(x: Matrix, y: ArrayLike<number>, settings: Settings = {}) {
  const problem = problemOf(y, settings);
  const solver = new L1Newton(taskHere(x, l1NewtonBytes(problem.rowIds.length, x))(), problem);
  return { problem, ...(await solveProven(solver, (solution) => certifyLinear(x, problem, solution), problem.tolerance)) };
}

/** Enough rows that the logistic loss begins with a sample of them; the last feature is only in rows that the sample leaves out. */
function tall(): ReturnType<typeof sparseSet> {
  const set = sparseSet(3000, 20, 6, 7);
  const x = set.x.map(([indices, values], i): (typeof set.x)[number] => {
    const kept = Array.from(indices, (j, k) => [j, values[k] as number] as const).filter(([j]) => j < 19);
    if (i % 8 === 3) kept.push([19, 1]);
    return [kept.map(([j]) => j), kept.map(([, value]) => value)];
  });
  return { ...set, x };
}

/** Short rows (H from the start), long rows, and more features than H is held for (columns). */
const sets = [
  { name: "short rows", set: sparseSet(800, 60, 10, 1) },
  { name: "many short rows", set: tall() },
  { name: "long rows", set: sparseSet(300, 90, 60, 2) },
  { name: "many features", set: sparseSet(1000, 1600, 8, 3) },
];

for (const { name, set } of sets) {
  const x = matrix(set.x, { featureCount: set.featureCount });
  const weights = set.y.map((_, i) => i % 4);
  for (const loss of losses) {
    describe(`${name}, ${loss}`, () => {
      // Separated rows and a large C make the squared hinge nearly a linear program (docs/algorithms/l1.md): minutes, not seconds.
      const isProgram = name === "many features" && loss === "squared_hinge";
      for (const C of isProgram ? [0.01, 1] : [0.01, 1, 100]) {
        for (const bias of biases) {
          test(`C ${C}, bias ${bias}: certified 1e-6`, async () => {
            const { certificate, status } = await solve(x, set.y, { loss, C, bias, biasScale: 3 });
            expect(status).toBe("converged");
            expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          });
        }
      }

      test("weights: 0 is no row, 2 is the row twice", async () => {
        const twice = set.x.flatMap((row, i) => new Array(weights[i]).fill(row));
        const labels = set.y.flatMap((label, i) => new Array(weights[i]).fill(label));
        const weighted = await solve(x, set.y, { loss, weights, tolerance: 1e-8 });
        const repeated = await solve(matrix(twice, { featureCount: set.featureCount }), labels, { loss, tolerance: 1e-8 });
        const { primal } = weighted.certificate;
        expect(Math.abs(primal - repeated.certificate.primal)).toBeLessThanOrEqual(1e-8 * primal);
      });

      test("shrinking and the seed change the path, dense rows the sums, none of them the answer", async () => {
        const one = await solve(x, set.y, { loss, tolerance: 1e-8 });
        const { primal } = one.certificate;
        const off = await solve(x, set.y, { loss, tolerance: 1e-8, shrinking: false, seed: 5 });
        expect(Math.abs(primal - off.certificate.primal)).toBeLessThanOrEqual(1e-8 * primal);
        const dense = await solve(matrix(denseRows(set)), set.y, { loss, tolerance: 1e-8 });
        expect(Math.abs(primal - dense.certificate.primal)).toBeLessThanOrEqual(1e-8 * primal);
        const again = await solve(x, set.y, { loss, tolerance: 1e-8 });
        expect(again.solution).toEqual(one.solution);
      });

      test("nothing is worth its price below the C at which the first feature enters", async () => {
        const slope = loss === "squared_hinge" ? 2 : 0.5;
        const sums = new Float64Array(set.featureCount);
        for (let i = 0; i < x.rowCount; i++)
          x.forEachInRow(i, (j, value) => (sums[j] = (sums[j] as number) + (set.y[i] as number) * value));
        const C = 1 / (slope * sums.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
        const below = await solve(x, set.y, { loss, C: C * (1 - 1e-6), tolerance: 1e-9 });
        expect(below.solution.w.every((value) => value === 0)).toBe(true);
        expect(below.certificate.relativeGap).toBe(0);
        const above = await solve(x, set.y, { loss, C: C * 1.1, tolerance: 1e-9 });
        expect(above.solution.w.some((value) => value !== 0)).toBe(true);
      });
    });
  }
}

describe("the degenerate zoo", () => {
  for (const problem of degenerate) {
    for (const loss of losses) {
      for (const bias of biases) {
        test(`${problem.name}, ${loss}, bias ${bias}: certified 1e-6`, async () => {
          const { certificate, status } = await solve(matrix(problem.x), problem.y, { loss, bias, C: problem.C ?? 1 });
          expect(status).toBe("converged");
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
        });
      }
    }
  }
});

describe("badly scaled and large C", () => {
  for (const loss of losses) {
    for (const { name, set } of sets.slice(0, 2)) {
      test(`${name}, ${loss}: a column times 1e4 and C 1e4 end certified 1e-6`, async () => {
        const rows = denseRows(set).map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value)));
        for (const C of [1, 1e4]) {
          const { certificate, status } = await solve(matrix(rows), set.y, { loss, C });
          expect(status).toBe("converged");
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
        }
      });
    }
  }
});

describe("the textbook's methods reach the same optimum", () => {
  const set = sparseSet(60, 9, 5, 42);
  const rows = denseRows(set).map((row) => row.map(Math.fround));
  const textbook = { x: rows, y: set.y, costs: set.y.map((_, i) => 1 + (i % 3)) };
  // P is flat at its minimum: a line search on P alone ends where P - P* is rounding, 1e-16, and the gap its root, 1e-8.
  const settings = { weights: textbook.costs, tolerance: 1e-7 };

  test("coordinate descent, squared hinge", async () => {
    const { certificate } = await solve(matrix(rows), set.y, { ...settings, loss: "squared_hinge" });
    const order = [...Array(9).keys()];
    for (const { w } of cdn(textbook, () => order)) {
      const { primal, dual } = cdnObjectives(textbook, w);
      if (primal - dual > 1e-7 * primal) continue;
      expect(Math.abs(primal - certificate.primal)).toBeLessThanOrEqual(1e-7 * primal);
      break;
    }
  });

  test("improved GLMNET, logistic", async () => {
    const { certificate } = await solve(matrix(rows), set.y, { ...settings, loss: "logistic" });
    for (const { w } of glmnet(textbook)) {
      const { primal, dual } = glmnetObjectives(textbook, w);
      if (primal - dual > 1e-7 * primal) continue;
      expect(Math.abs(primal - certificate.primal)).toBeLessThanOrEqual(1e-7 * primal);
      break;
    }
  });
});

test("limits: the best model so far and its true gap", async () => {
  const { set } = sets[2] as (typeof sets)[2];
  const x = matrix(set.x, { featureCount: set.featureCount });
  const { status, solution, certificate } = await solve(x, set.y, { maxIterations: 2, tolerance: 1e-9 });
  expect(status).toBe("iteration-limit");
  expect(solution.iterations).toBe(2);
  expect(certificate.relativeGap).toBeGreaterThan(1e-9);
});

describeWith("../shared and liblinear-train", sharedFolder !== undefined && hasProgram("liblinear-train"), "LIBLINEAR, live", () => {
  for (const [loss, solver] of [
    ["squared_hinge", "5"],
    ["logistic", "6"],
  ] as const) {
    for (const C of [0.01, 1, 100]) {
      for (const bias of ["augmented", false] as const) {
        test(`heart_scale, -s ${solver} -c ${C}, bias ${bias}: objectives equal within 1e-6`, async () => {
          const path = join(sharedFolder as string, "golden/heart_scale.svm");
          const { x, y } = await readSvmlight(path);
          const folder = mkdtempSync(join(tmpdir(), "hinge-l1-"));
          const model = join(folder, "model");
          const flags = ["-s", solver, "-c", String(C), "-e", "1e-8", "-B", bias === false ? "-1" : "1", "-q"];
          execFileSync("liblinear-train", [...flags, path, model]);
          const [head = "", body = ""] = readFileSync(model, "utf8").split(/^w$/m);
          rmSync(folder, { recursive: true });
          const turn = /^label -1 /m.test(head) ? -1 : 1;
          const weights = Float64Array.from(body.trim().split(/\s+/), (text) => turn * Number(text));
          const { problem, certificate } = await solve(x, y, { loss, C, bias, tolerance: 1e-8 });
          const theirs = certifyLinear(x, problem, {
            w: weights.slice(0, x.featureCount),
            bias: bias === false ? 0 : (weights[x.featureCount] as number),
            alpha: undefined,
          });
          expect(Math.abs(theirs.primal - certificate.primal)).toBeLessThanOrEqual(1e-6 * certificate.primal);
        });
      }
    }
  }
});
