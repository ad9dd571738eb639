// The bias that suits a linear SVM's weights best under the hinge loss, where it costs nothing: contenders are judged at the better of it
// and their own. Checked in test/unit/bench/best-bias.test.ts.

import { rowTimes } from "../src/certify/rows.ts";
import type { Matrix } from "../src/data/matrix.ts";

/**
 * The b that minimises sum_i max(0, 1 - y_i (w'x_i + b)). As a function of b it is piecewise linear with a bend at y_i - w'x_i for every
 * row; its slope is -(number of positive rows) before the first bend and rises by 1 at each, so it is zero after as many bends as there
 * are positive rows.
 */
export function bestBias(x: Matrix, signs: Float64Array, w: Float64Array): number {
  const bends = signs.map((sign, i) => sign - rowTimes(x, i, w)).sort();
  const positives = signs.reduce((count, sign) => count + (sign > 0 ? 1 : 0), 0);
  return bends[Math.max(0, positives - 1)] as number;
}
