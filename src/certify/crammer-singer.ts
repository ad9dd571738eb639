// The judge of Crammer-Singer problems: objectives recomputed in float64 from raw rows, classes and costs. Shares nothing with the solver.
//
//   P(W) = 1/2 sum_m (w_m'w_m + v_m^2) + sum_i C_i max_m (1 - [m = y_i] + s_im - s_iy_i)         s_im = w_m'x_i + b_m
//   D(a) = -1/2 sum_m (u_m'u_m + q_m^2) - sum_i sum_{m != y_i} a_im,     u_m = sum_i a_im x_i
//          sum_m a_im = 0,   a_iy_i <= C_i,   a_im <= 0 for m != y_i
//   bias   augmented: v_m = b_m / biasScale, q_m = biasScale sum_i a_im;   none: v_m = q_m = 0
//
// Weak duality: D(a) <= P* <= P(W) for every feasible a and every W. A dual point is made feasible first, so that the bound holds
// whatever it was: what the other classes have, -a_im >= 0, is scaled down where it is more than C_i, and a_iy_i is its sum. Then the best multiple t a, 0 <= t <= 1, is taken: a = 0 is feasible, so all of them are.
// Checked on hand-solved problems and by perturbation in test/unit/certify/crammer-singer.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import { addRow, forEachScores, relativeGap, sumOfSquares } from "./rows.js";

/** The problem as the judge sees it. */
export interface JudgedCrammerSinger {
  readonly rowIds: ArrayLike<number>;
  readonly classIds: ArrayLike<number>;
  readonly classCount: number;
  readonly costs: ArrayLike<number>;
  readonly bias: "augmented" | false;
  readonly biasScale: number;
}

/** What the judge is to judge. */
export interface JudgedClasses {
  /** f64[classCount * features], class by class. */
  readonly w: Float64Array;
  readonly bias: ArrayLike<number>;
  /** f64[rows of the problem * classCount], row by row; undefined: the bound is 0, that of a = 0. */
  readonly alpha: ArrayLike<number> | undefined;
}

export function certifyCrammerSinger(x: Matrix, problem: JudgedCrammerSinger, point: JudgedClasses): Certificate {
  const primal = primalObjective(x, problem, point);
  const dual = point.alpha === undefined ? 0 : bestDual(x, problem, feasible(problem, point.alpha));
  let zero = 0;
  for (let k = 0; k < problem.costs.length; k++) zero += problem.costs[k] as number;
  return { primal, dual, relativeGap: relativeGap(primal, dual, zero) };
}

function primalObjective(x: Matrix, problem: JudgedCrammerSinger, point: JudgedClasses): number {
  const { rowIds, classIds, classCount, costs } = problem;
  let objective = 0.5 * sumOfSquares(point.w);
  if (problem.bias === "augmented") {
    for (let m = 0; m < classCount; m++) objective += 0.5 * ((point.bias[m] as number) / problem.biasScale) ** 2;
  }
  forEachScores(x, rowIds, point, (scores, k) => {
    const own = scores[classIds[k] as number] as number;
    let loss = 0;
    for (let m = 0; m < classCount; m++) if (m !== classIds[k]) loss = Math.max(loss, 1 + (scores[m] as number) - own);
    objective += (costs[k] as number) * loss;
  });
  return objective;
}

/**
 * A point near `alpha` that keeps the dual's constraints: what the other classes have, at most C_i, the own class gives. C_i less the own
 * class's share would say the same, less exactly: by C_i times the rounding.
 */
function feasible({ classIds, classCount, costs }: JudgedCrammerSinger, alpha: ArrayLike<number>): Float64Array {
  const moved = new Float64Array(alpha.length);
  for (let k = 0; k < classIds.length; k++) {
    const first = k * classCount;
    const own = first + (classIds[k] as number);
    const cost = costs[k] as number;
    const shareOf = (at: number): number => (at === own ? 0 : Math.max(0, -(alpha[at] as number)));
    let total = 0;
    for (let at = first; at < first + classCount; at++) total += shareOf(at);
    // Not numbers: a = 0 stays, which is feasible.
    if (!(total < Infinity)) continue;
    const scale = total > cost ? cost / total : 1;
    let given = 0;
    for (let at = first; at < first + classCount; at++) {
      const share = shareOf(at) * scale;
      moved[at] = 0 - share;
      given += share;
    }
    moved[own] = given;
  }
  return moved;
}

/** max over 0 <= t <= 1 of D(t a) = t linear - t^2 quadratic. */
function bestDual(x: Matrix, problem: JudgedCrammerSinger, alpha: Float64Array): number {
  const { rowIds, classIds, classCount } = problem;
  const biasScale = problem.bias === "augmented" ? problem.biasScale : 0;
  let linear = 0;
  let quadratic = 0;
  for (let m = 0; m < classCount; m++) {
    const u = new Float64Array(x.featureCount);
    let q = 0;
    for (let k = 0; k < rowIds.length; k++) {
      const a = alpha[k * classCount + m] as number;
      if (a === 0) continue;
      addRow(u, a, x, rowIds[k] as number);
      q += a * biasScale;
      if (m !== classIds[k]) linear -= a;
    }
    quadratic += 0.5 * (sumOfSquares(u) + q * q);
  }
  const best = linear <= 0 ? 0 : linear < 2 * quadratic ? linear / (2 * quadratic) : 1;
  return best * (linear - best * quadratic);
}
