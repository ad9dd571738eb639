// A bias that is not regularised, in dual coordinate descent for a regression: free-bias.ts for the tube.
//
//   primal   min_w,b  P(w, b) = 1/2 w'w + sum_i C_i loss(w'x_i + b - t_i)
//   dual     max_beta D(beta) = sum_i (t_i beta_i - epsilon |beta_i| - D_ii beta_i^2 / 2) - 1/2 w'w,   |beta_i| <= U_i,   sum_i beta_i = 0
//
// The method of multipliers as there: b = c + s^2 sum_i beta_i, and c <- b after every epoch. Before a check `balanceTube` takes what is left of
// sum_i beta_i off some rows and `leastTubeBias` finds the b that is best for w. Row i loses where |b - breaks_i| > epsilon.
// Checked in test/unit/core/free-tube.test.ts.

import { DcdState, TubeRow, tubeRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { at } from "../memory";
import { rowAxpy } from "../rows";
import { breakAt } from "./quantile";

// What is left of sum beta is spread over this many rows where there are as many: the loss in D is quadratic in a row's share.
const SHARES: f64 = 32;

// Newton steps on a piecewise quadratic function end by themselves after a handful; halving a bracket ends within this.
const MOST_STEPS: u32 = 200;

/** Changes dual variables until they sum to 0: free ones a little each, then free ones up to their bounds, then any. b stays where it was. */
export function balanceTube(s: DcdState): void {
  let excess = (s.bias - s.centre) / s.biasSquare;
  s.centre = s.bias;
  const share = abs(excess) / SHARES;
  if (excess != 0) excess = takeOff(s, excess, share, false);
  if (excess != 0) excess = takeOff(s, excess, Infinity, false);
  if (excess != 0) takeOff(s, excess, Infinity, true);
}

/** Takes up to `share` a row off the excess, from rows strictly between their kink at 0 and their bound, or from any. Returns what is left. */
function takeOff(s: DcdState, excess: f64, share: f64, fromAny: bool): f64 {
  const x = changetype<Rows>(s.rows);
  for (let k: u32 = 0; k < s.rowCount && excess != 0; k++) {
    const r = tubeRow(s, at<u32>(s.order, k));
    const upper = s.loss == Loss.Tube ? r.limit : Infinity;
    if (!fromAny && (r.beta == 0 || abs(r.beta) >= upper)) continue;
    const lowest = fromAny || r.beta < 0 ? -upper : 0;
    const highest = fromAny || r.beta > 0 ? upper : 0;
    const wanted = max(-share, min(share, -excess));
    const next = min(max(r.beta + wanted, lowest), highest);
    const step = next == r.beta + wanted ? wanted : next - r.beta;
    if (step == 0) continue;
    r.beta = next;
    excess += step;
    rowAxpy(s.w, step, x, r.row);
  }
  return excess;
}

/** The b that minimises sum_i C_i loss(w'x_i + b - t_i). Changes `ends`. */
export function leastTubeBias(s: DcdState): f64 {
  if (s.loss == Loss.SquaredTube) return leastSquaredBias(s);
  // The slope in b is -sum C_i far to the left and rises by C_i at both ends of every tube.
  let wanted: f64 = 0;
  for (let k: u32 = 0; k < s.rowCount; k++) wanted += tubeRow(s, k).limit;
  return breakAt(s, s.ends, 2 * s.rowCount, offsetof<TubeRow>(), wanted);
}

/** Newton's step, from b again and again until it stays; where it would leave the bracket that the slopes' signs have drawn, to its middle. */
function leastSquaredBias(s: DcdState): f64 {
  let low = -Infinity;
  let high: f64 = Infinity;
  let b = s.bias;
  for (let step: u32 = 0; step < MOST_STEPS; step++) {
    let cost: f64 = 0;
    let pull: f64 = 0; // minus half of the slope
    for (let k: u32 = 0; k < s.rowCount; k++) {
      const away = at<f64>(s.breaks, k) - b;
      const beyond = abs(away) - s.epsilon;
      if (beyond <= 0) continue;
      const C = 0.5 / tubeRow(s, k).limit;
      cost += C;
      pull += away > 0 ? C * beyond : -C * beyond;
    }
    if (pull > 0) low = b;
    else if (pull < 0) high = b;
    else return b;
    let next = b + pull / cost;
    if (next >= high || next <= low) next = 0.5 * (low + high);
    if (next == b || next == low || next == high) return b;
    b = next;
  }
  return b;
}
