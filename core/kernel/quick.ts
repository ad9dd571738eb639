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

/**
 * The best j of [from, to) for i, which gains `mostUp`, of those whose sum of gains is more than rounding: with rows like its own, and itself, where eta is 0, i would seem to gain most of
 * all.
 */
export function quickPartner(m: Smo, s: Side, i: u32, mostUp: f64, rowI: usize, from: u32, to: u32, part: Part): void {
  const gain = <f32>(mostUp - m.noise);
  const own = at<f32>(m.diagonal, i);
  const gains = f32x4.splat(gain);
  const owns = f32x4.splat(own);
  const tiny = f32x4.splat(<f32>TINY);
  const zero = f32x4.splat(0);
  const eight = i32x4.splat(8);
  let bests0 = zero;
  let bests1 = zero;
  let which0 = i32x4.splat(-1);
  let which1 = which0;
  let places0 = i32x4.add(i32x4.splat(from), i32x4(0, 1, 2, 3));
  let places1 = i32x4.add(places0, i32x4.splat(4));
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
    const decrease0 = f32x4.div(f32x4.mul(sum0, sum0), eta0);
    const decrease1 = f32x4.div(f32x4.mul(sum1, sum1), eta1);
    which0 = v128.bitselect(places0, which0, f32x4.gt(decrease0, bests0));
    which1 = v128.bitselect(places1, which1, f32x4.gt(decrease1, bests1));
    bests0 = f32x4.pmax(bests0, decrease0);
    bests1 = f32x4.pmax(bests1, decrease1);
    places0 = i32x4.add(places0, eight);
    places1 = i32x4.add(places1, eight);
    low += 32;
    drift += 32;
    row += 32;
    diagonal += step;
  }
  let most = mostOf(bests0, bests1);
  let which = firstWith(most, bests0, bests1, which0, which1);
  for (; t < to; t++) {
    const sum = gain + (at<f32>(s.lowGain, t) + at<f32>(m.drift, t));
    if (!(sum > 0)) continue;
    const k = at<f32>(rowI, t);
    const decrease = (sum * sum) / max(own + at<f32>(m.diagonal, t) - (k + k), <f32>TINY);
    if (decrease > most) {
      most = decrease;
      which = t;
    }
  }
  part.most = <f64>most;
  part.which = which;
}

/** F += delta (K_i - K_j) on [from, to), and its extremes there. */
export function quickMove(m: Smo, s: Side, rowI: usize, rowJ: usize, delta: f64, from: u32, to: u32, part: Part): void {
  const small = <f32>delta;
  const deltas = f32x4.splat(small);
  const eight = i32x4.splat(8);
  let lows0 = f32x4.splat(-Infinity);
  let lows1 = lows0;
  let mosts0 = lows0;
  let mosts1 = lows0;
  let which0 = i32x4.splat(-1);
  let which1 = which0;
  let places0 = i32x4.add(i32x4.splat(from), i32x4(0, 1, 2, 3));
  let places1 = i32x4.add(places0, i32x4.splat(4));
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
    const gains0 = f32x4.sub(v128.load(up), drift0);
    const gains1 = f32x4.sub(v128.load(up, 16), drift1);
    which0 = v128.bitselect(places0, which0, f32x4.gt(gains0, mosts0));
    which1 = v128.bitselect(places1, which1, f32x4.gt(gains1, mosts1));
    mosts0 = f32x4.pmax(mosts0, gains0);
    mosts1 = f32x4.pmax(mosts1, gains1);
    places0 = i32x4.add(places0, eight);
    places1 = i32x4.add(places1, eight);
    up += 32;
    low += 32;
    drift += 32;
    i += 32;
    j += 32;
  }
  let most = mostOf(mosts0, mosts1);
  let which = firstWith(most, mosts0, mosts1, which0, which1);
  let mostLow = mostOf(lows0, lows1);
  for (; t < to; t++) {
    const moved = at<f32>(m.drift, t) + small * (at<f32>(rowI, t) - at<f32>(rowJ, t));
    put<f32>(m.drift, t, moved);
    mostLow = max(mostLow, at<f32>(s.lowGain, t) + moved);
    const gain = at<f32>(s.upGain, t) - moved;
    if (gain > most) {
      most = gain;
      which = t;
    }
  }
  part.most = <f64>most;
  part.which = which;
  part.low = <f64>mostLow;
}

/** The largest of eight numbers, none of them NaN. */
function mostOf(low: v128, high: v128): f32 {
  const four = f32x4.pmax(low, high);
  const two = f32x4.pmax(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return max(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}

/** Of the places that go with eight numbers the first whose number is `most`. */
function firstWith(most: f32, low: v128, high: v128, lowPlaces: v128, highPlaces: v128): u32 {
  const mosts = f32x4.splat(most);
  const nowhere = i32x4.splat(-1);
  const four = i32x4.min_u(
    v128.bitselect(lowPlaces, nowhere, f32x4.eq(low, mosts)),
    v128.bitselect(highPlaces, nowhere, f32x4.eq(high, mosts)),
  );
  const two = i32x4.min_u(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return min(<u32>i32x4.extract_lane(two, 0), <u32>i32x4.extract_lane(two, 1));
}
