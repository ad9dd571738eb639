// Euclidean projection onto a simplex: the p >= 0 with sum_q p_q = total that is nearest to v.
//
//   p_q = max(0, v_q - theta),   theta = (sum_{q in S} v_q - total) / |S|,   S = {q : v_q > theta}
//
// S is found by Michelot's method (1986): begin with a set that holds S, compute theta, drop what is not above it, and repeat
// until nothing is dropped. Dropping only raises theta, so nothing that belongs to S is ever lost, and the end is exact after
// finitely many rounds. It begins with the v above max v - total: theta is at least that, since one class alone can carry all.
// Few remain in practice, so it costs one pass over v; k rounds of k at worst. Checked in test/unit/core/simplex.test.ts.

import { at, put } from "../memory";

/** theta for the count >= 1 doubles v, whose largest is `most`; kept: f64[count], scratch. */
export function simplexLevel(v: usize, count: u32, most: f64, total: f64, kept: usize): f64 {
  let sum: f64 = 0;
  let left: u32 = 0;
  for (let q: u32 = 0; q < count; q++) {
    const value = at<f64>(v, q);
    if (value <= most - total) continue;
    put<f64>(kept, left++, value);
    sum += value;
  }
  // Rounding may have left nothing: total below the spacing of the doubles at `most`.
  if (left == 0) return most - total;
  let theta = most - total;
  let before: u32;
  do {
    theta = (sum - total) / left;
    before = left;
    left = 0;
    sum = 0;
    for (let q: u32 = 0; q < before; q++) {
      const value = at<f64>(kept, q);
      if (value <= theta) continue;
      put<f64>(kept, left++, value);
      sum += value;
    }
  } while (left != before && left != 0);
  return theta;
}
