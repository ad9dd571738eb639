// The passes of pair steps (smo.ts) in float32, half the work of float64: F is `f` + `drift`, where drift is what the steps since the last fold did to it, and what each
// variable gains is kept as it would be without drift. Good for choosing pairs as long as what they gain stands out from the rounding of F, which the caller watches; steps themselves and f stay float64.
//
//   drift  += delta (K_i - K_j)          its rounding is of the kind that float32 kernel values have anyway
//   fold    f += drift, drift = 0
//   gains   of raising upGain - drift, of lowering lowGain + drift,      upGain = up - f and lowGain = low + f in float32, of the last fold or of a step since
//
// Checked against the passes in float64 in test/unit/core/kernel-quick.test.ts.

import { Part, Side, Smo } from "../layout/kernel";
import { at, put } from "../memory";
import { TINY } from "./pair";

const NONE: u32 = 0xffffffff;
// A sum of two gains is made of some eight numbers, each rounded by up to 2^-24 of the largest |F| and epsilon; and F moves until the next fold.
const NOISE: f64 = 1.0 / 1048576.0;

/** F becomes what it is, in float64; the gains in float32 with it, and what their rounding may do. Returns the largest |F|. */
export function smoFold(m: Smo): f64 {
  const s = changetype<Side>(m.first);
  const zero = f32x4.splat(0);
  const size = s.size;
  let f = s.f;
  let drift = m.drift;
  let mosts = f64x2.splat(0);
  let t: u32 = 0;
  for (const end = size & ~3; t < end; t += 4) {
    const f0 = f64x2.add(v128.load(f), f64x2.promote_low_f32x4(v128.load64_zero(drift)));
    const f1 = f64x2.add(v128.load(f, 16), f64x2.promote_low_f32x4(v128.load64_zero(drift, 8)));
    v128.store(f, f0);
    v128.store(f, f1, 16);
    v128.store(drift, zero);
    mosts = f64x2.pmax(f64x2.pmax(mosts, f64x2.abs(f0)), f64x2.abs(f1));
    f += 32;
    drift += 16;
  }
  let most = max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1));
  for (; t < size; t++) {
    const value = at<f64>(s.f, t) + <f64>at<f32>(m.drift, t);
    put<f64>(s.f, t, value);
    put<f32>(m.drift, t, 0);
    most = max(most, abs(value));
  }
  copyGains(s);
  if (m.other != 0) copyGains(changetype<Side>(m.other));
  m.noise = NOISE * (most + s.epsilon);
  return most;
}

/** Four numbers in float32. */
function halved(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

function copyGains(s: Side): void {
  let t: u32 = 0;
  for (const end = s.size & ~3; t < end; t += 4) {
    const at4 = (<usize>t) << 2;
    const at8 = (<usize>t) << 3;
    const f0 = v128.load(s.f + at8);
    const f1 = v128.load(s.f + at8, 16);
    v128.store(s.upGain + at4, halved(f64x2.sub(v128.load(s.up + at8), f0), f64x2.sub(v128.load(s.up + at8, 16), f1)));
    v128.store(s.lowGain + at4, halved(f64x2.add(v128.load(s.low + at8), f0), f64x2.add(v128.load(s.low + at8, 16), f1)));
  }
  for (; t < s.size; t++) copyGain(s, t);
}

/** After a step. */
export function copyGain(s: Side, t: u32): void {
  put<f32>(s.upGain, t, <f32>(at<f64>(s.up, t) - at<f64>(s.f, t)));
  put<f32>(s.lowGain, t, <f32>(at<f64>(s.low, t) + at<f64>(s.f, t)));
}

/** F at a position. */
export function driftedF(m: Smo, s: Side, t: u32): f64 {
  return at<f64>(s.f, t) + <f64>at<f32>(m.drift, t);
}

/** Positions of which only the largest number is kept at first, not where it is: that is looked up in those that had it. */
const STRETCH: u32 = 256;

/**
 * The best j of [from, to) for i, which gains `mostUp`, of those whose sum of gains is more than rounding: with rows like its own, and itself, where eta is 0, i would seem to gain most of
 * all.
 */
export function quickPartner(m: Smo, s: Side, i: u32, mostUp: f64, rowI: usize, from: u32, to: u32, part: Part): void {
  const gain = <f32>(mostUp - m.noise);
  const own = at<f32>(m.diagonal, i);
  let most: f32 = 0;
  let stretch = to;
  for (let begin = from; begin < to; begin += STRETCH) {
    const best = bestDecrease(m, s, gain, own, rowI, begin, min(begin + STRETCH, to));
    if (best > most) {
      most = best;
      stretch = begin;
    }
  }
  part.most = <f64>most;
  part.which = NONE;
  const end = min(stretch + STRETCH, to);
  let t = stretch;
  for (; t + 4 <= end; t += 4) if (v128.any_true(f32x4.eq(decreasesOf(m, s, gain, own, rowI, t), f32x4.splat(most)))) break;
  for (; t < end; t++) {
    if (decreaseOf(m, s, gain, own, rowI, t) != most) continue;
    part.which = t;
    return;
  }
}

/** Those of four positions. */
function decreasesOf(m: Smo, s: Side, gain: f32, own: f32, rowI: usize, t: u32): v128 {
  const at4 = (<usize>t) << 2;
  const k = v128.load(rowI + at4);
  const sum = f32x4.pmax(f32x4.splat(0), f32x4.add(f32x4.splat(gain), f32x4.add(v128.load(s.lowGain + at4), v128.load(m.drift + at4))));
  const eta = f32x4.sub(f32x4.add(f32x4.splat(own), v128.load(m.diagonal + at4)), f32x4.add(k, k));
  return f32x4.div(f32x4.mul(sum, sum), f32x4.pmax(f32x4.splat(<f32>TINY), eta));
}

/** The largest decrease with anybody of [from, to). */
function bestDecrease(m: Smo, s: Side, gain: f32, own: f32, rowI: usize, from: u32, to: u32): f32 {
  const gains = f32x4.splat(gain);
  const owns = f32x4.splat(own);
  const tiny = f32x4.splat(<f32>TINY);
  const zero = f32x4.splat(0);
  let bests0 = zero;
  let bests1 = zero;
  // Read once: what is read in the loop is read again in every turn of it.
  const offset = (<usize>from) << 2;
  let low = s.lowGain + offset;
  let drift = m.drift + offset;
  let row = rowI + offset;
  // Where all K_tt are the same the first ones stand for all, and are not fetched from afar.
  const step: usize = m.isEven != 0 ? 0 : 32;
  let diagonal = m.diagonal + (m.isEven != 0 ? 0 : offset);
  let t = from;
  for (const end = from + ((to - from) & ~7); t < end; t += 8) {
    const k0 = v128.load(row);
    const k1 = v128.load(row, 16);
    // A sum below 0 has a square as well: only what is above 0 counts.
    const sum0 = f32x4.pmax(zero, f32x4.add(gains, f32x4.add(v128.load(low), v128.load(drift))));
    const sum1 = f32x4.pmax(zero, f32x4.add(gains, f32x4.add(v128.load(low, 16), v128.load(drift, 16))));
    const eta0 = f32x4.pmax(tiny, f32x4.sub(f32x4.add(owns, v128.load(diagonal)), f32x4.add(k0, k0)));
    const eta1 = f32x4.pmax(tiny, f32x4.sub(f32x4.add(owns, v128.load(diagonal, 16)), f32x4.add(k1, k1)));
    bests0 = f32x4.pmax(bests0, f32x4.div(f32x4.mul(sum0, sum0), eta0));
    bests1 = f32x4.pmax(bests1, f32x4.div(f32x4.mul(sum1, sum1), eta1));
    low += 32;
    drift += 32;
    row += 32;
    diagonal += step;
  }
  let most = mostOf(bests0, bests1);
  for (; t < to; t++) most = max(most, decreaseOf(m, s, gain, own, rowI, t));
  return most;
}

/** The same bits for one position. */
function decreaseOf(m: Smo, s: Side, gain: f32, own: f32, rowI: usize, t: u32): f32 {
  const sum = max<f32>(0, gain + (at<f32>(s.lowGain, t) + at<f32>(m.drift, t)));
  const k = at<f32>(rowI, t);
  return (sum * sum) / max(own + at<f32>(m.diagonal, t) - (k + k), <f32>TINY);
}

/** F += delta (K_i - K_j) on [from, to), and its extremes there. */
export function quickMove(m: Smo, s: Side, rowI: usize, rowJ: usize, delta: f64, from: u32, to: u32, part: Part): void {
  let most: f32 = -Infinity;
  let low: f32 = -Infinity;
  let stretch = to;
  for (let begin = from; begin < to; begin += STRETCH) {
    const best = moveStretch(m, s, rowI, rowJ, <f32>delta, begin, min(begin + STRETCH, to), part);
    low = max(low, <f32>part.low);
    if (best > most) {
      most = best;
      stretch = begin;
    }
  }
  part.most = <f64>most;
  part.low = <f64>low;
  part.which = NONE;
  const end = min(stretch + STRETCH, to);
  let t = stretch;
  for (; t + 4 <= end; t += 4) {
    const at4 = (<usize>t) << 2;
    if (v128.any_true(f32x4.eq(f32x4.sub(v128.load(s.upGain + at4), v128.load(m.drift + at4)), f32x4.splat(most)))) break;
  }
  for (; t < end; t++) {
    if (at<f32>(s.upGain, t) - at<f32>(m.drift, t) != most) continue;
    part.which = t;
    return;
  }
}

/** Returns the largest gain of raising; that of lowering is in `part`. */
function moveStretch(m: Smo, s: Side, rowI: usize, rowJ: usize, delta: f32, from: u32, to: u32, part: Part): f32 {
  const deltas = f32x4.splat(delta);
  let lows0 = f32x4.splat(-Infinity);
  let lows1 = lows0;
  let mosts0 = lows0;
  let mosts1 = lows0;
  const offset = (<usize>from) << 2;
  let up = s.upGain + offset;
  let low = s.lowGain + offset;
  let drift = m.drift + offset;
  let i = rowI + offset;
  let j = rowJ + offset;
  let t = from;
  for (const end = from + ((to - from) & ~7); t < end; t += 8) {
    const drift0 = f32x4.add(v128.load(drift), f32x4.mul(deltas, f32x4.sub(v128.load(i), v128.load(j))));
    const drift1 = f32x4.add(v128.load(drift, 16), f32x4.mul(deltas, f32x4.sub(v128.load(i, 16), v128.load(j, 16))));
    v128.store(drift, drift0);
    v128.store(drift, drift1, 16);
    lows0 = f32x4.pmax(lows0, f32x4.add(v128.load(low), drift0));
    lows1 = f32x4.pmax(lows1, f32x4.add(v128.load(low, 16), drift1));
    mosts0 = f32x4.pmax(mosts0, f32x4.sub(v128.load(up), drift0));
    mosts1 = f32x4.pmax(mosts1, f32x4.sub(v128.load(up, 16), drift1));
    up += 32;
    low += 32;
    drift += 32;
    i += 32;
    j += 32;
  }
  let most = mostOf(mosts0, mosts1);
  let mostLow = mostOf(lows0, lows1);
  for (; t < to; t++) {
    const moved = at<f32>(m.drift, t) + delta * (at<f32>(rowI, t) - at<f32>(rowJ, t));
    put<f32>(m.drift, t, moved);
    mostLow = max(mostLow, at<f32>(s.lowGain, t) + moved);
    most = max(most, at<f32>(s.upGain, t) - moved);
  }
  part.low = <f64>mostLow;
  return most;
}

/** The largest of eight numbers, none of them NaN. */
function mostOf(low: v128, high: v128): f32 {
  const four = f32x4.pmax(low, high);
  const two = f32x4.pmax(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return max(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}
