// Sequential minimal optimisation: one pair of variables after the other, over all rows in use, as long as their kernel rows are at hand.
//
//   i      the largest gain of raising, up_i - F_i
//   j      the pair (i, j) with the largest decrease: (gain_i + gain_j)^2 / eta,  eta = K_ii + K_jj - 2 K_ij,  over pairs that gain
//   step   delta = (gain_i + gain_j) / eta,  at most up to a bound or to the kink of |v| at 0;   v_i += delta,  v_j -= delta
//   F      += delta (K_i - K_j); the same pass finds the next i
//
// Second-order selection: Fan, Chen, Lin, JMLR 2005. An eta that rounding or an indefinite kernel has made too small is taken for TINY: the step then ends
// at a bound. Checked in test/unit/core/kernel-smo.test.ts.

import { Side, Smo } from "../layout/kernel";
import { at, put } from "../memory";
import { setGains, sideExtremes } from "./side";

/** What `smoAdvance` returns. */
export const enum SmoProgress {
  Running = 0, // made as many steps as it was to
  Converged = 1, // no pair gains more than the tolerance
  Wanted = 2, // needs the row of position `wanted`
  Stuck = 3, // rounding leaves nothing of the best step
}

const TINY: f64 = 1e-12;
const NONE: u32 = 0xffffffff;

/** Makes up to `count` pair steps. The extremes of all sides must be known: sideExtremes. */
export function smoAdvance(m: Smo, count: u32): SmoProgress {
  for (let left = count; left > 0; left--) {
    const first = changetype<Side>(m.first);
    const second = changetype<Side>(m.second);
    let s = first;
    if (m.second != 0 && second.mostUp + second.mostLow > first.mostUp + first.mostLow) s = second;
    m.violation = s.mostUp + s.mostLow;
    if (!(m.violation > m.tolerance)) return SmoProgress.Converged;
    const i = s.upPlace;
    const rowI = <usize>at<u32>(m.rowOf, i);
    if (rowI == 0) return want(m, s, i, true);
    const j = partnerOf(m, s, i, rowI);
    if (j == NONE) return SmoProgress.Stuck;
    const rowJ = <usize>at<u32>(m.rowOf, j);
    if (rowJ == 0) return want(m, s, j, false);
    const delta = step(m, s, i, j, rowI);
    if (delta == 0) return SmoProgress.Stuck;
    m.steps += 1;
    put<u32>(m.stamps, i, <u32>m.steps);
    put<u32>(m.stamps, j, <u32>m.steps);
    move(s, rowI, rowJ, delta);
    if (m.second != 0) sideExtremes(changetype<Side>(s == first ? m.second : m.first));
  }
  return SmoProgress.Running;
}

function want(m: Smo, s: Side, place: u32, isUp: bool): SmoProgress {
  m.wanted = place;
  m.wantedSide = s == changetype<Side>(m.first) ? 0 : 1;
  m.wantedUp = isUp ? 1 : 0;
  return SmoProgress.Wanted;
}

/** The j whose pair with i decreases the objective most. Without a division: sum^2 / eta is larger than the best where sum^2 > best eta. */
function partnerOf(m: Smo, s: Side, i: u32, rowI: usize): u32 {
  const gain = s.mostUp;
  const own = <f64>at<f32>(m.diagonal, i);
  const gains = f64x2.splat(gain);
  const owns = f64x2.splat(own);
  const tiny = f64x2.splat(TINY);
  const zero = f64x2.splat(0);
  let best: f64 = 0;
  let bests = zero;
  let which = NONE;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const at4 = (<usize>t) << 2;
    const at8 = (<usize>t) << 3;
    const sum = f64x2.add(gains, f64x2.add(v128.load(s.low + at8), v128.load(s.f + at8)));
    const k = f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4));
    const d = f64x2.promote_low_f32x4(v128.load64_zero(m.diagonal + at4));
    const eta = f64x2.pmax(f64x2.sub(f64x2.add(owns, d), f64x2.add(k, k)), tiny);
    // A sum below 0 has a square as well: only what is above 0 counts.
    const positive = f64x2.pmax(sum, zero);
    if (!v128.any_true(f64x2.gt(f64x2.mul(positive, positive), f64x2.mul(bests, eta)))) continue;
    for (let p = t; p < t + 2; p++) {
      const decrease = decreaseOf(m, s, p, rowI, gain, own);
      if (decrease > best) {
        best = decrease;
        bests = f64x2.splat(best);
        which = p;
      }
    }
  }
  if (s.size & 1 && decreaseOf(m, s, even, rowI, gain, own) > best) which = even;
  return which;
}

function decreaseOf(m: Smo, s: Side, t: u32, rowI: usize, gain: f64, own: f64): f64 {
  const sum = gain + (at<f64>(s.low, t) + at<f64>(s.f, t));
  if (!(sum > 0)) return 0;
  const eta = own + <f64>at<f32>(m.diagonal, t) - 2 * <f64>at<f32>(rowI, t);
  return (sum * sum) / max(eta, TINY);
}

/** Moves the two variables; returns by how much. */
function step(m: Smo, s: Side, i: u32, j: u32, rowI: usize): f64 {
  const vi = at<f64>(s.value, i);
  const vj = at<f64>(s.value, j);
  const hi = at<f64>(s.hi, i);
  const lo = at<f64>(s.lo, j);
  const endI = s.epsilon > 0 && vi < 0 ? min<f64>(0, hi) : hi;
  const endJ = s.epsilon > 0 && vj > 0 ? max<f64>(0, lo) : lo;
  const sum = s.mostUp + (at<f64>(s.low, j) + at<f64>(s.f, j));
  const eta = <f64>at<f32>(m.diagonal, i) + <f64>at<f32>(m.diagonal, j) - 2 * <f64>at<f32>(rowI, j);
  const delta = min(sum / max(eta, TINY), min(endI - vi, vj - endJ));
  // At the end of their way they are exactly there, so that nobody asks for the rest.
  const nextI = delta >= endI - vi ? endI : vi + delta;
  const nextJ = delta >= vj - endJ ? endJ : vj - delta;
  if (nextI == vi && nextJ == vj) return 0;
  put<f64>(s.value, i, nextI);
  put<f64>(s.value, j, nextJ);
  setGains(s.up, s.low, i, nextI, at<f64>(s.lo, i), hi, s.epsilon);
  setGains(s.up, s.low, j, nextJ, lo, at<f64>(s.hi, j), s.epsilon);
  m.dual += delta * sum - 0.5 * delta * delta * eta;
  return delta;
}

/** F += delta (K_i - K_j), and the extremes of the side. */
function move(s: Side, rowI: usize, rowJ: usize, delta: f64): void {
  const deltas = f64x2.splat(delta);
  let lows = f64x2.splat(-Infinity);
  let most: f64 = -Infinity;
  let mosts = lows;
  let which: u32 = 0;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const at4 = (<usize>t) << 2;
    const at8 = (<usize>t) << 3;
    const ki = f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4));
    const kj = f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at4));
    const f = f64x2.add(v128.load(s.f + at8), f64x2.mul(deltas, f64x2.sub(ki, kj)));
    v128.store(s.f + at8, f);
    lows = f64x2.pmax(lows, f64x2.add(v128.load(s.low + at8), f));
    const gains = f64x2.sub(v128.load(s.up + at8), f);
    if (!v128.any_true(f64x2.gt(gains, mosts))) continue;
    const a = f64x2.extract_lane(gains, 0);
    const b = f64x2.extract_lane(gains, 1);
    which = b > a ? t + 1 : t;
    most = max(a, b);
    mosts = f64x2.splat(most);
  }
  let low = max(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  if (s.size & 1) {
    const f = at<f64>(s.f, even) + delta * (<f64>at<f32>(rowI, even) - <f64>at<f32>(rowJ, even));
    put<f64>(s.f, even, f);
    low = max(low, at<f64>(s.low, even) + f);
    if (at<f64>(s.up, even) - f > most) {
      most = at<f64>(s.up, even) - f;
      which = even;
    }
  }
  s.mostUp = most;
  s.mostLow = low;
  s.upPlace = which;
}
