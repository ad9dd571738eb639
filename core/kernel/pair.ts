// One pair step: v_i is raised and v_j lowered by the same delta.
//
//   delta = sum / eta,  at most up to a bound or to the kink of |v| at 0;   sum: what the two gain,   eta = K_ii + K_jj - 2 K_ij
//   or (1 + beyond) times sum / eta where that is not so far,  0 <= beyond < 1: D rises by 1 - beyond^2 times what it would
//
// An eta that rounding or an indefinite kernel has made too small is taken for TINY: the step then ends at a bound.
// Checked in test/unit/core/kernel-block.test.ts.

import { at, put } from "../memory";
import { setGains } from "./side";

export const TINY: f64 = 1e-12;

/** Moves the two, of arrays by position as in Side, and sets what their gains lack; returns delta, 0 if rounding leaves nothing of the step. */
export function pairStep(
  value: usize,
  lo: usize,
  hi: usize,
  up: usize,
  low: usize,
  epsilon: f64,
  i: u32,
  j: u32,
  sum: f64,
  eta: f64,
  beyond: f64,
): f64 {
  const vi = at<f64>(value, i);
  const vj = at<f64>(value, j);
  const most = at<f64>(hi, i);
  const least = at<f64>(lo, j);
  const endI = epsilon > 0 && vi < 0 ? min<f64>(0, most) : most;
  const endJ = epsilon > 0 && vj > 0 ? max<f64>(0, least) : least;
  const end = min(endI - vi, vj - endJ);
  const best = sum / max(eta, TINY);
  const far = best + beyond * best;
  const delta = far < end ? far : min(best, end);
  // At the end of their way they are exactly there, so that nobody asks for the rest.
  const nextI = delta >= endI - vi ? endI : vi + delta;
  const nextJ = delta >= vj - endJ ? endJ : vj - delta;
  if (nextI == vi && nextJ == vj) return 0;
  put<f64>(value, i, nextI);
  put<f64>(value, j, nextJ);
  setGains(up, low, i, nextI, at<f64>(lo, i), most, epsilon);
  setGains(up, low, j, nextJ, least, at<f64>(hi, j), epsilon);
  return delta;
}

/** By how much the step raises D. */
export function pairGain(delta: f64, sum: f64, eta: f64): f64 {
  return delta * sum - 0.5 * delta * delta * eta;
}
