// A start that the host gave may be anything inside the constraints, for example the dual variables of a hundred times smaller costs, all times
// a hundred. What a multiple t of it is worth, 0 <= t <= 1:
//
//   D(t a) >= t A - t^2 Q      A the part of D(a) that rewards, linear in a or concave and 0 at 0; Q = 1/2 |w|^2 and the like
//
// D(a) < 0 = D(0) means that a is worse than no start. Then the t at the top of the parabola is taken, A / (2 Q) < 1/2, where D >= A^2 / (4 Q) > 0:
// no start is worse than none. Where A < 0, which a regression's may be, t = 0. A better one stays as it is, because scaling would take every a_i off its bound.
// Checked in test/unit/core/warm-start.test.ts.

/** t of a start with these two parts of D. */
export function startScale(reward: f64, quadratic: f64): f64 {
  return reward < quadratic ? max<f64>(reward, 0) / (2 * quadratic) : 1;
}
