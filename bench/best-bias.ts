// The bias that suits a machine's weights best where it costs nothing: contenders are judged at the better of it and their own. Checked in
// test/unit/bench/best-bias.test.ts.

import { rowTimes } from "../src/certify/rows.ts";
import type { Matrix } from "../src/data/matrix.ts";

/** The best one of a linear SVM with these weights, under the hinge loss. */
export function bestBias(x: Matrix, signs: Float64Array, w: Float64Array): number {
  return bestHingeBias(
    signs.map((_, i) => rowTimes(x, i, w)),
    signs,
  );
}

/**
 * The b that minimises sum_i max(0, 1 - y_i (f_i + b)). As a function of b it is piecewise linear with a bend at y_i - f_i for every
 * row; its slope is -(number of positive rows) before the first bend and rises by 1 at each, so it is zero after as many bends as there
 * are positive rows.
 */
export function bestHingeBias(scores: Float64Array, signs: Float64Array): number {
  const bends = signs.map((sign, i) => sign - (scores[i] as number)).sort();
  const positives = signs.reduce((count, sign) => count + (sign > 0 ? 1 : 0), 0);
  return bends[Math.max(0, positives - 1)] as number;
}

/** The b that minimises sum_i max(0, |f_i + b - t_i| - epsilon): its slope is -n, and rises by 1 at each of the 2 n bends t_i - f_i -+ epsilon. */
export function bestTubeBias(scores: Float64Array, targets: Float64Array, epsilon: number): number {
  const n = scores.length;
  const bends = Float64Array.from({ length: 2 * n }, (_, k) => {
    const i = k % n;
    return (targets[i] as number) - (scores[i] as number) + (k < n ? -epsilon : epsilon);
  }).sort();
  return bends[Math.max(0, n - 1)] as number;
}
