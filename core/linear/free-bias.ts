// A bias that is not regularised, in dual coordinate descent.
//
//   primal   min_w,b  P(w, b) = 1/2 w'w + sum_i C_i loss(y_i (w'x_i + b))
//   dual     max_a    D(a) = sum_i a_i - 1/2 a'(Q + diag D_ii)a,   0 <= a_i <= U_i,   y'a = 0
//
// The equation forbids steps along one coordinate. The method of multipliers (Hestenes 1969, Powell 1969; on the primal the proximal
// point method of Rockafellar 1976, in b alone) takes it away again: with a centre c, which is the estimate of its multiplier b,
//
//   max_a  D(a) - c y'a - s^2/2 (y'a)^2        whose primal is        min_w,b  P(w, b) + (b - c)^2 / (2 s^2),   b = c + s^2 y'a
//
// is the augmented form with its offset moved to c. Its steps are those of dcd-svc.ts; after every epoch c <- c + s^2 y'a.
// Any s gives the same optimum. A larger one moves c faster, a much larger one makes the rows fight over b (see freeBiasWeight).
//
// Before a check `balance` takes what is left of y'a off some rows, so that a is feasible, and `leastLossBias` finds the b that is best
// for w: the gap P - D = sum_i t_i is then that of the problem itself.
// A regression has beta_i in the place of a_i y_i: the same equation, and targets in the place of y_i. Checked in test/unit/core/free-bias.test.ts and free-tube.test.ts.

import { DcdRow, DcdState, isTube, tableRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { at } from "../memory";
import { rowAxpy, rowSquaredNorm } from "../rows";
import { breakAt } from "./quantile";

// Rows whose mean square stands for that of all.
const SAMPLE: u32 = 256;

// s^2 in mean squared rows. Larger slows the steps, smaller the centre: docs/algorithms/dual-coordinate-descent.md has the figures.
const ROW_SHARE: f64 = 0.125;

// What is left of y'a is spread over this many rows where there are as many: the loss in D is quadratic in a row's share.
const SHARES: f64 = 32;

// Newton steps on a piecewise quadratic function end by themselves after a handful; halving a bracket ends within this.
const MOST_STEPS: u32 = 200;

/**
 * s^2: a share of what a row's features weigh in its curvature; but where costs are so small that all dual variables at their
 * bounds would hardly move b, enough to carry it as far as it may have to go in one epoch, which the host has put in biasSquare.
 */
export function freeBiasWeight(s: DcdState, curvature: f64): f64 {
  return max(ROW_SHARE * curvature, s.biasSquare);
}

/** The mean of x_i'x_i over some of the rows. */
export function meanSquare(s: DcdState): f64 {
  const x = changetype<Rows>(s.rows);
  const count = min(s.rowCount, SAMPLE);
  let sum: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    sum += rowSquaredNorm(x, tableRow(s, <u32>((<u64>k * s.rowCount) / count)).row);
  }
  return sum / count;
}

/** c <- c + s^2 y'a, after an epoch. */
export function moveCentre(s: DcdState): void {
  const step = s.bias - s.centre;
  s.centre += step;
  s.bias += step;
  s.dual -= (step * step) / s.biasSquare; // the term -c y'a of what the steps climb
}

/** Changes dual variables until y'a = 0: free ones a little each, then free ones at will, then any. b stays where it was. */
export function balance(s: DcdState): void {
  let excess = (s.bias - s.centre) / s.biasSquare;
  s.centre = s.bias;
  const share = abs(excess) / SHARES;
  if (excess != 0) excess = takeOff(s, excess, share, false);
  if (excess != 0) excess = takeOff(s, excess, Infinity, false);
  if (excess != 0) takeOff(s, excess, Infinity, true);
}

/**
 * Takes up to `share` a row off the excess of y'a (of a regression sum beta), from rows strictly inside their box, or from any. A free dual variable of
 * a regression does not cross its kink at 0. Returns what is left.
 */
function takeOff(s: DcdState, excess: f64, share: f64, fromAny: bool): f64 {
  const x = changetype<Rows>(s.rows);
  const tube = isTube(s);
  const bounded = s.loss == Loss.Hinge || s.loss == Loss.Tube;
  for (let k: u32 = 0; k < s.rowCount && excess != 0; k++) {
    const r = tableRow(s, at<u32>(s.order, k));
    const upper = bounded ? r.limit : Infinity;
    if (!fromAny && (r.alpha == 0 || abs(r.alpha) >= upper)) continue;
    const lowest = tube && (fromAny || r.alpha < 0) ? -upper : 0;
    const highest = !tube || fromAny || r.alpha > 0 ? upper : 0;
    const y = tube ? 1 : <f64>r.y;
    const wanted = max(-share, min(share, -y * excess));
    const next = min(max(r.alpha + wanted, lowest), highest);
    const step = next == r.alpha + wanted ? wanted : next - r.alpha;
    if (step == 0) continue;
    r.alpha = next;
    excess += y * step;
    rowAxpy(s.w, y * step, x, r.row);
  }
  return excess;
}

/**
 * The b that minimises the sum of the losses. A row of a classification loses where y_i (b - breaks_i) < 0: a positive row below its break, a negative
 * one above. One of a regression loses where |b - breaks_i| > epsilon. Changes `order`, or `ends`.
 */
export function leastLossBias(s: DcdState): f64 {
  if (s.loss == Loss.SquaredHinge || s.loss == Loss.SquaredTube) return leastSquaredBias(s);
  return isTube(s) ? leastTubeBias(s) : leastHingeBias(s);
}

/**
 * Hinge: the slope in b is -(cost of all positive rows) far to the left and rises by C_i at every break, whatever its row's
 * sign. So the minimum is where the costs of the breaks passed reach that of the positive rows. A one-class problem has N b besides.
 */
function leastHingeBias(s: DcdState): f64 {
  let wanted = -s.total;
  for (let k: u32 = 0; k < s.rowCount; k++) {
    const r = tableRow(s, k);
    if (r.y > 0) wanted += r.limit;
  }
  return breakAt(s, s.order, s.rowCount, wanted);
}

/** Tube: the slope in b is -sum C_i far to the left and rises by C_i at both ends of every tube. */
function leastTubeBias(s: DcdState): f64 {
  let wanted: f64 = 0;
  for (let k: u32 = 0; k < s.rowCount; k++) wanted += tableRow(s, k).limit;
  return breakAt(s, s.ends, 2 * s.rowCount, wanted);
}

/**
 * Squared losses: Newton's step, from b again and again until it stays; where a step would leave the bracket that the slopes' signs have drawn so
 * far, to the bracket's middle instead.
 */
function leastSquaredBias(s: DcdState): f64 {
  let low = -Infinity;
  let high: f64 = Infinity;
  let b = s.bias;
  for (let step: u32 = 0; step < MOST_STEPS; step++) {
    let cost: f64 = 0;
    let pull: f64 = 0; // minus half of the slope
    for (let k: u32 = 0; k < s.rowCount; k++) {
      const r = tableRow(s, k);
      const beyond = beyondBreak(s, r, at<f64>(s.breaks, k) - b);
      if (beyond == 0) continue;
      cost += 0.5 / r.limit;
      pull += (0.5 / r.limit) * beyond;
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

/** How far b would have to go for the row to lose nothing, its break being `away`; 0 where it does not lose. */
function beyondBreak(s: DcdState, r: DcdRow, away: f64): f64 {
  if (!isTube(s)) return <f64>r.y * away > 0 ? away : 0;
  const size = max(abs(away) - s.epsilon, 0);
  return away > 0 ? size : -size;
}
