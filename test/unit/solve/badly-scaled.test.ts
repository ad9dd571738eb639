// Small problems with a large C and columns of very different sizes: where sums of large numbers leave little, rounding must neither keep a
// method from its end nor let it run on for nothing. Effort is counted in checkpoints: each is a slice of work.

import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyCrammerSinger } from "../../../src/certify/crammer-singer.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { packRows } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { CrammerSingerInterior } from "../../../src/solve/crammer-singer-interior.ts";
import type { Ending } from "../../../src/solve/drive.ts";
import { L1Newton, l1NewtonBytes } from "../../../src/solve/l1-newton.ts";
import { solveProven } from "../../../src/solve/proven.ts";
import { problemOf } from "../../judged.ts";
import { normal } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

/** Rows whose columns have sizes over some eight powers of ten, and classes by the largest of as many random scores. */
function scaledSet(seed: number, classCount: number): { x: number[][]; y: number[] } {
  const random = new Random(seed);
  const [n, d] = [8 + random.below(30), 2 + random.below(7)];
  const scales = Array.from({ length: d }, () => 10 ** (2 * normal(random)));
  const w = Array.from({ length: classCount }, () => scales.map((scale) => normal(random) / scale));
  const noise = random.below(2);
  const x = Array.from({ length: n }, () => scales.map((scale) => Math.fround(scale * normal(random))));
  const y = x.map((row) => {
    const scores = w.map((weights) => noise * normal(random) + row.reduce((sum, value, j) => sum + value * (weights[j] as number), 0));
    return scores.indexOf(Math.max(...scores));
  });
  for (let m = 0; m < classCount; m++) if (!y.includes(m)) y[m] = m;
  return { x, y };
}

/** Checkpoints that say stop after so many. */
function atMost(count: number): () => Promise<"aborted" | undefined> {
  let seen = 0;
  return async () => (++seen > count ? "aborted" : undefined);
}

for (const loss of ["squared_hinge", "logistic"] as const) {
  test(`L1, ${loss}, C 1e6: a certified gap of 1e-6 with little work, or nearly that and an end`, async () => {
    const endings: string[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      const { x: rows, y } = scaledSet(seed, 2);
      const x = packRows(rows, allocatePlain);
      const problem = problemOf(
        y.map((label) => (label === 0 ? 1 : -1)),
        { loss, penalty: "l1", C: 1e6, bias: false, tolerance: 1e-6 },
      );
      const solver = new L1Newton({ ...taskHere(x, l1NewtonBytes(y.length, x))(), checkpoint: atMost(5000) }, problem);
      const { status, certificate } = await solveProven(solver, (solution) => certifyLinear(x, problem, solution), 1e-6);
      endings.push(status);
      expect(["converged", "precision-limit"], `seed ${seed}`).toContain(status);
      expect(certificate.relativeGap, `seed ${seed}`).toBeLessThan(1e-3);
    }
    expect(endings.filter((status) => status !== "converged").length).toBeLessThanOrEqual(3);
  });
}

test("L1: a feature whose rows all weigh next to nothing beside the others", async () => {
  const x = packRows(
    [
      [0, 1.06012, 0],
      [0, 1.11918, 1],
      [-3, 0, 0],
    ],
    allocatePlain,
  );
  const settings = { loss: "squared_hinge", penalty: "l1", bias: false, tolerance: 1e-6 } as const;
  const problem = problemOf([1, -1, -1], settings, [1, 0.5, 1000]);
  const solver = new L1Newton({ ...taskHere(x, l1NewtonBytes(3, x))(), checkpoint: atMost(1000) }, problem);
  expect((await solveProven(solver, (solution) => certifyLinear(x, problem, solution), 1e-6)).status).toBe("converged");
});

/** The interior point from a fresh start. */
async function interior(seed: number, tolerance: number, C: number): Promise<{ status: Ending; gap: number; iterations: number }> {
  const { x: rows, y } = scaledSet(seed, 3);
  const x = packRows(rows, allocatePlain);
  const problem = {
    ...{
      rowIds: Uint32Array.from(y, (_, i) => i),
      classIds: Uint32Array.from(y),
      classCount: 3,
      costs: new Float64Array(y.length).fill(C),
    },
    ...{ bias: false as const, biasScale: 1, tolerance, maxIterations: 500, shrinking: true, seed: 0 },
  };
  const solver = new CrammerSingerInterior(taskHere(x, 64)(), problem);
  const { status, certificate, solution } = await solveProven(solver, (point) => certifyCrammerSinger(x, problem, point), tolerance);
  return { status, gap: certificate.relativeGap, iterations: solution.iterations };
}

test("Crammer-Singer's interior point, C 1e6: a certified gap of 1e-6 in tens of iterations", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const { status, iterations } = await interior(seed, 1e-6, 1e6);
    expect(status, `seed ${seed}`).toBe("converged");
    expect(iterations, `seed ${seed}`).toBeLessThan(150);
  }
});

test("Crammer-Singer's interior point with a tolerance below all rounding: precision-limit, and the best point is given", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { status, gap, iterations } = await interior(seed, 1e-300, 1);
    expect(status === "precision-limit" || gap === 0, `seed ${seed}: ${status}`).toBe(true);
    expect(gap, `seed ${seed}`).toBeLessThan(1e-9);
    expect(iterations, `seed ${seed}`).toBeLessThan(500);
  }
});
