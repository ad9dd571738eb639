// Coordinate descent for a kernel problem without a sum constraint, that of a model without an offset: one variable after the other, over all rows in use, as
// long as its kernel row is at hand.
//
//   gain_t   max(up_t - F_t, low_t + F_t): of raising or of lowering v_t
//   t        the largest decrease, gain_t^2 / K_tt, among those that gain
//   step     gain_t / K_tt, at most up to a bound or to the kink of |v| at 0
//   F        += delta K_t; the same pass finds the next t
//
// Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008 have it for linear kernels, in random order, because there a look at all gains costs a pass over the data;
// with a kernel F is kept anyway. A K_tt that is not above TINY is taken for TINY: the step then ends at a bound. Uses of Smo only the first side.
// Checked in test/unit/core/kernel-descent.test.ts.

import { Side, Smo } from "../layout/kernel";
import { at, put } from "../memory";
import { setGains } from "./side";
import { SmoProgress } from "./smo";

const TINY: f64 = 1e-12;

/** Makes up to `count` steps. The variable to move must be known: descentLook. */
export function descentAdvance(m: Smo, count: u32): SmoProgress {
  const s = changetype<Side>(m.first);
  for (let left = count; left > 0; left--) {
    m.violation = max(s.mostUp, s.mostLow);
    if (!(m.violation > m.tolerance)) return SmoProgress.Converged;
    const t = s.upPlace;
    const isUp = at<f64>(s.up, t) - at<f64>(s.f, t) >= at<f64>(s.low, t) + at<f64>(s.f, t);
    const row = <usize>at<u32>(m.rowOf, t);
    if (row == 0) {
      m.wanted = t;
      m.wantedSide = 0;
      m.wantedUp = isUp ? 1 : 0;
      return SmoProgress.Wanted;
    }
    const delta = step(m, s, t, isUp);
    if (delta == 0) return SmoProgress.Stuck;
    m.steps += 1;
    put<u32>(m.stamps, t, <u32>m.steps);
    sweep(m, s, row, delta);
  }
  return SmoProgress.Running;
}

/** The largest gains, and the variable to move. */
export function descentLook(m: Smo): void {
  // Any row will do where nothing of it is added.
  sweep(m, changetype<Side>(m.first), m.diagonal, 0);
}

/** Moves the variable; returns by how much. */
function step(m: Smo, s: Side, t: u32, isUp: bool): f64 {
  const v = at<f64>(s.value, t);
  const lo = at<f64>(s.lo, t);
  const hi = at<f64>(s.hi, t);
  const own = <f64>at<f32>(m.diagonal, t);
  const gain = gainOf(s, t);
  if (!(gain > 0)) return 0;
  const endUp = s.epsilon > 0 && v < 0 ? min<f64>(0, hi) : hi;
  const endLow = s.epsilon > 0 && v > 0 ? max<f64>(0, lo) : lo;
  const room = isUp ? endUp - v : v - endLow;
  const length = gain / max(own, TINY);
  const next = length >= room ? (isUp ? endUp : endLow) : isUp ? v + length : v - length;
  const delta = next - v;
  if (delta == 0) return 0;
  put<f64>(s.value, t, next);
  setGains(s.up, s.low, t, next, lo, hi, s.epsilon);
  m.dual += abs(delta) * gain - 0.5 * delta * delta * own;
  return delta;
}

function gainOf(s: Side, t: u32): f64 {
  return max(at<f64>(s.up, t) - at<f64>(s.f, t), at<f64>(s.low, t) + at<f64>(s.f, t));
}

function decreaseOf(m: Smo, s: Side, t: u32): f64 {
  const gain = gainOf(s, t);
  return gain > 0 ? (gain * gain) / max(<f64>at<f32>(m.diagonal, t), TINY) : 0;
}

/** F += delta K_t, the largest gains, and the next variable to move. Without a division: gain^2 / K is larger than the best where gain^2 > best K. */
function sweep(m: Smo, s: Side, row: usize, delta: f64): void {
  const deltas = f64x2.splat(delta);
  const tiny = f64x2.splat(TINY);
  const zero = f64x2.splat(0);
  let ups = f64x2.splat(-Infinity);
  let lows = ups;
  let best: f64 = 0;
  let bests = zero;
  let which: u32 = 0;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const at4 = (<usize>t) << 2;
    const at8 = (<usize>t) << 3;
    const k = f64x2.promote_low_f32x4(v128.load64_zero(row + at4));
    const f = f64x2.add(v128.load(s.f + at8), f64x2.mul(deltas, k));
    v128.store(s.f + at8, f);
    const raised = f64x2.sub(v128.load(s.up + at8), f);
    const lowered = f64x2.add(v128.load(s.low + at8), f);
    ups = f64x2.pmax(ups, raised);
    lows = f64x2.pmax(lows, lowered);
    const own = f64x2.pmax(f64x2.promote_low_f32x4(v128.load64_zero(m.diagonal + at4)), tiny);
    const gains = f64x2.pmax(f64x2.pmax(raised, lowered), zero);
    if (!v128.any_true(f64x2.gt(f64x2.mul(gains, gains), f64x2.mul(bests, own)))) continue;
    for (let p = t; p < t + 2; p++) {
      const decrease = decreaseOf(m, s, p);
      if (decrease > best) {
        best = decrease;
        bests = f64x2.splat(best);
        which = p;
      }
    }
  }
  let up = max(f64x2.extract_lane(ups, 0), f64x2.extract_lane(ups, 1));
  let low = max(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  if (s.size & 1) {
    const f = at<f64>(s.f, even) + delta * <f64>at<f32>(row, even);
    put<f64>(s.f, even, f);
    up = max(up, at<f64>(s.up, even) - f);
    low = max(low, at<f64>(s.low, even) + f);
    if (decreaseOf(m, s, even) > best) which = even;
  }
  s.mostUp = up;
  s.mostLow = low;
  s.upPlace = which;
}
