// The passes of pair steps (smo.ts) in float32, half the work of float64: F is `f` + `drift`, where drift is what the steps since the last fold did to it, and `near`
// is f in float32. Good for choosing pairs as long as what they gain stands out from the rounding of F, which the caller watches; steps themselves and f stay float64.
//
//   drift  += delta (K_i - K_j)          its rounding is of the kind that float32 kernel values have anyway
//   fold    f += drift, drift = 0, near = f
//
// Checked against the passes in float64 in test/unit/core/kernel-quick.test.ts.

import { Part, Side, Smo } from "../layout/kernel";
import { at, put } from "../memory";
import { TINY } from "./pair";

const NONE: u32 = 0xffffffff;
// A sum of two gains is made of some eight numbers, each rounded by up to 2^-24 of the largest |F| and epsilon; and F moves until the next fold.
const NOISE: f64 = 1.0 / 1048576.0;

/** F becomes what it is, in float64; its float32 copies and those of the gains with it, and what rounding these may do. Returns the largest |F|. */
export function smoFold(m: Smo): f64 {
  const s = changetype<Side>(m.first);
  const zero = f32x4.splat(0);
  const size = s.size;
  let f = s.f;
  let near = m.near;
  let drift = m.drift;
  let mosts = f64x2.splat(0);
  let t: u32 = 0;
  for (const end = size & ~3; t < end; t += 4) {
    const f0 = f64x2.add(v128.load(f), f64x2.promote_low_f32x4(v128.load64_zero(drift)));
    const f1 = f64x2.add(v128.load(f, 16), f64x2.promote_low_f32x4(v128.load64_zero(drift, 8)));
    v128.store(f, f0);
    v128.store(f, f1, 16);
    v128.store(near, halved(f0, f1));
    v128.store(drift, zero);
    mosts = f64x2.pmax(f64x2.pmax(mosts, f64x2.abs(f0)), f64x2.abs(f1));
    f += 32;
    near += 16;
    drift += 16;
  }
  let most = max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1));
  for (; t < size; t++) {
    const value = at<f64>(s.f, t) + <f64>at<f32>(m.drift, t);
    put<f64>(s.f, t, value);
    put<f32>(m.near, t, <f32>value);
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
    v128.store(s.upNear + at4, halved(v128.load(s.up + at8), v128.load(s.up + at8, 16)));
    v128.store(s.lowNear + at4, halved(v128.load(s.low + at8), v128.load(s.low + at8, 16)));
  }
  for (; t < s.size; t++) copyGain(s, t);
}

/** After a step. */
export function copyGain(s: Side, t: u32): void {
  put<f32>(s.upNear, t, <f32>at<f64>(s.up, t));
  put<f32>(s.lowNear, t, <f32>at<f64>(s.low, t));
}

/** F at a position. */
export function driftedF(m: Smo, s: Side, t: u32): f64 {
  return at<f64>(s.f, t) + <f64>at<f32>(m.drift, t);
}

/**
 * The best j of [from, to) for i, of those whose sum of gains is more than rounding: with rows like its own, and itself, where eta is 0, i would seem to gain most of
 * all.
 */
export function quickPartner(m: Smo, s: Side, i: u32, rowI: usize, from: u32, to: u32, part: Part): void {
  const gain = <f32>(s.mostUp - m.noise);
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
  let low = s.lowNear + offset;
  let near = m.near + offset;
  let drift = m.drift + offset;
  let row = rowI + offset;
  let diagonal = m.diagonal + offset;
  let t = from;
  for (const end = from + ((to - from) & ~7); t < end; t += 8) {
    const k0 = v128.load(row);
    const k1 = v128.load(row, 16);
    // A sum below 0 has a square as well: only what is above 0 counts.
    const sum0 = f32x4.pmax(zero, f32x4.add(gains, f32x4.add(v128.load(low), f32x4.add(v128.load(near), v128.load(drift)))));
    const sum1 = f32x4.pmax(zero, f32x4.add(gains, f32x4.add(v128.load(low, 16), f32x4.add(v128.load(near, 16), v128.load(drift, 16)))));
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
    near += 32;
    drift += 32;
    row += 32;
    diagonal += 32;
  }
  part.most = 0;
  part.which = NONE;
  keepBest(part, bests0, which0);
  keepBest(part, bests1, which1);
  for (; t < to; t++) {
    const sum = gain + (at<f32>(s.lowNear, t) + (at<f32>(m.near, t) + at<f32>(m.drift, t)));
    if (!(sum > 0)) continue;
    const k = at<f32>(rowI, t);
    const decrease = <f64>((sum * sum) / max(own + at<f32>(m.diagonal, t) - (k + k), <f32>TINY));
    if (decrease > part.most) {
      part.most = decrease;
      part.which = t;
    }
  }
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
  let up = s.upNear + offset;
  let low = s.lowNear + offset;
  let near = m.near + offset;
  let drift = m.drift + offset;
  let i = rowI + offset;
  let j = rowJ + offset;
  let t = from;
  for (const end = from + ((to - from) & ~7); t < end; t += 8) {
    const drift0 = f32x4.add(v128.load(drift), f32x4.mul(deltas, f32x4.sub(v128.load(i), v128.load(j))));
    const drift1 = f32x4.add(v128.load(drift, 16), f32x4.mul(deltas, f32x4.sub(v128.load(i, 16), v128.load(j, 16))));
    v128.store(drift, drift0);
    v128.store(drift, drift1, 16);
    const f0 = f32x4.add(v128.load(near), drift0);
    const f1 = f32x4.add(v128.load(near, 16), drift1);
    lows0 = f32x4.pmax(lows0, f32x4.add(v128.load(low), f0));
    lows1 = f32x4.pmax(lows1, f32x4.add(v128.load(low, 16), f1));
    const gains0 = f32x4.sub(v128.load(up), f0);
    const gains1 = f32x4.sub(v128.load(up, 16), f1);
    which0 = v128.bitselect(places0, which0, f32x4.gt(gains0, mosts0));
    which1 = v128.bitselect(places1, which1, f32x4.gt(gains1, mosts1));
    mosts0 = f32x4.pmax(mosts0, gains0);
    mosts1 = f32x4.pmax(mosts1, gains1);
    places0 = i32x4.add(places0, eight);
    places1 = i32x4.add(places1, eight);
    up += 32;
    low += 32;
    near += 32;
    drift += 32;
    i += 32;
    j += 32;
  }
  part.most = -Infinity;
  part.which = NONE;
  keepBest(part, mosts0, which0);
  keepBest(part, mosts1, which1);
  const lows = f32x4.pmax(lows0, lows1);
  let mostLow = max(
    max(f32x4.extract_lane(lows, 0), f32x4.extract_lane(lows, 1)),
    max(f32x4.extract_lane(lows, 2), f32x4.extract_lane(lows, 3)),
  );
  for (; t < to; t++) {
    const moved = at<f32>(m.drift, t) + small * (at<f32>(rowI, t) - at<f32>(rowJ, t));
    put<f32>(m.drift, t, moved);
    const f = at<f32>(m.near, t) + moved;
    mostLow = max(mostLow, at<f32>(s.lowNear, t) + f);
    const gain = <f64>(at<f32>(s.upNear, t) - f);
    if (gain > part.most) {
      part.most = gain;
      part.which = t;
    }
  }
  part.low = <f64>mostLow;
}

/** Of equal ones the first place counts. */
function keepBest(part: Part, values: v128, places: v128): void {
  keep(part, f32x4.extract_lane(values, 0), i32x4.extract_lane(places, 0));
  keep(part, f32x4.extract_lane(values, 1), i32x4.extract_lane(places, 1));
  keep(part, f32x4.extract_lane(values, 2), i32x4.extract_lane(places, 2));
  keep(part, f32x4.extract_lane(values, 3), i32x4.extract_lane(places, 3));
}

function keep(part: Part, value: f32, place: u32): void {
  if (<f64>value < part.most || (<f64>value == part.most && place >= part.which)) return;
  part.most = <f64>value;
  part.which = place;
}
