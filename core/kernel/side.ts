// Passes over all variables of a kernel problem: who gains most by moving, how far the objective is from its optimum, what a few changed
// variables do to F.
//
//   gain of raising v_t    up_t - F_t      (the derivative of the objective, turned round)
//   gain of lowering v_t   low_t + F_t     a pair, one raised and the other lowered, gains while the sum of the two is above 0
//   gap at rho             sum_t  c_t(v_t) - min over [lo_t, hi_t] of c_t,     c_t(v) = v (F_t - rho) + epsilon |v|
//                          = P - D, where P is the primal objective with the offset b = -rho
//   dual                   D = 1/2 sum_t v_t (z_t - F_t) - epsilon sum_t |v_t|
//
// Checked against plain sums in test/unit/core/kernel-side.test.ts.

import { Side } from "../layout/kernel";
import { at, put } from "../memory";

/** Sets what the gains of raising and lowering a variable lack, by where it stands. */
export function setGains(up: usize, low: usize, k: u32, value: f64, lo: f64, hi: f64, epsilon: f64): void {
  put<f64>(up, k, value >= hi ? -Infinity : value < 0 ? epsilon : -epsilon);
  put<f64>(low, k, value <= lo ? -Infinity : value > 0 ? epsilon : -epsilon);
}

/** The same for all positions of a side from `from` on. */
export function sideGains(s: Side, from: u32): void {
  for (let t = from; t < s.size; t++) setGains(s.up, s.low, t, at<f64>(s.value, t), at<f64>(s.lo, t), at<f64>(s.hi, t), s.epsilon);
}

/** The largest gains of raising and of lowering, and where the first of these is. */
export function sideExtremes(s: Side): void {
  let lows = f64x2.splat(-Infinity);
  let most: f64 = -Infinity;
  let mosts = lows;
  let which: u32 = 0;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const offset = (<usize>t) << 3;
    const f = v128.load(s.f + offset);
    lows = f64x2.pmax(lows, f64x2.add(v128.load(s.low + offset), f));
    const gains = f64x2.sub(v128.load(s.up + offset), f);
    if (!v128.any_true(f64x2.gt(gains, mosts))) continue;
    const a = f64x2.extract_lane(gains, 0);
    const b = f64x2.extract_lane(gains, 1);
    which = b > a ? t + 1 : t;
    most = max(a, b);
    mosts = f64x2.splat(most);
  }
  let low = max(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  if (s.size & 1) {
    low = max(low, at<f64>(s.low, even) + at<f64>(s.f, even));
    const gain = at<f64>(s.up, even) - at<f64>(s.f, even);
    if (gain > most) {
      most = gain;
      which = even;
    }
  }
  s.mostUp = most;
  s.mostLow = low;
  s.upPlace = which;
}

/**
 * The positions with the `count` largest gains, of raising (sign -1, addends up) or lowering (sign 1, addends low), but those for which `skip`, u32[size], is
 * not 0, if there is such a list; in no order. Returns how many there are. Of equal gains the first positions count. `drift`, f32[size], is what F lacks: quick.ts.
 */
export function sideLargest(s: Side, addends: usize, sign: f64, count: u32, skip: usize, drift: usize): u32 {
  const signs = f64x2.splat(sign);
  let held: u32 = 0;
  let least = -Infinity;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const offset = (<usize>t) << 3;
    const f = f64x2.add(v128.load(s.f + offset), f64x2.promote_low_f32x4(v128.load64_zero(drift + (offset >>> 1))));
    const gains = f64x2.add(v128.load(addends + offset), f64x2.mul(signs, f));
    if (!v128.any_true(f64x2.gt(gains, f64x2.splat(least)))) continue;
    for (let k: u32 = 0; k < 2; k++) {
      const gain = at<f64>(addends, t + k) + sign * (at<f64>(s.f, t + k) + <f64>at<f32>(drift, t + k));
      if (!(gain > least) || (skip != 0 && at<u32>(skip, t + k) != 0)) continue;
      held = insert(s, held, count, gain, t + k);
      if (held == count) least = at<f64>(s.scores, 0);
    }
  }
  if (s.size & 1) {
    const gain = at<f64>(addends, even) + sign * (at<f64>(s.f, even) + <f64>at<f32>(drift, even));
    if (gain > least && (skip == 0 || at<u32>(skip, even) == 0)) held = insert(s, held, count, gain, even);
  }
  return held;
}

/** Into a heap of at most `count`, the least gain on top; a full one loses that. Returns its size. */
function insert(s: Side, held: u32, count: u32, gain: f64, place: u32): u32 {
  if (held < count) {
    let k = held;
    while (k > 0) {
      const parent = (k - 1) >>> 1;
      if (!(at<f64>(s.scores, parent) > gain)) break;
      copyEntry(s, k, parent);
      k = parent;
    }
    setEntry(s, k, gain, place);
    return held + 1;
  }
  let k: u32 = 0;
  while (true) {
    let child: u32 = 2 * k + 1;
    if (child >= held) break;
    if (held > child + 1 && at<f64>(s.scores, child + 1) < at<f64>(s.scores, child)) child++;
    if (!(at<f64>(s.scores, child) < gain)) break;
    copyEntry(s, k, child);
    k = child;
  }
  setEntry(s, k, gain, place);
  return held;
}

function copyEntry(s: Side, to: u32, from: u32): void {
  setEntry(s, to, at<f64>(s.scores, from), at<u32>(s.places, from));
}

function setEntry(s: Side, k: u32, gain: f64, place: u32): void {
  put<f64>(s.scores, k, gain);
  put<u32>(s.places, k, place);
}

/** Marks in isKept, u8[size], the positions that gain with whoever gains most: those that raising gains `mostUp` for, lowering `mostLow`. */
export function markGaining(s: Side, mostUp: f64, mostLow: f64, isKept: usize): void {
  for (let t: u32 = 0; t < s.size; t++) {
    const f = at<f64>(s.f, t);
    if (at<f64>(s.up, t) - f + mostLow >= 0 || at<f64>(s.low, t) + f + mostUp >= 0) put<u8>(isKept, t, 1);
  }
}

/** The marked positions and then all others, each in their order; returns how many are marked. marks: u8[size]. */
export function markedFirst(marks: usize, size: u32, order: usize): u32 {
  let kept: u32 = 0;
  for (let t: u32 = 0; t < size; t++) kept += <u32>at<u8>(marks, t);
  let first: u32 = 0;
  let other = kept;
  for (let t: u32 = 0; t < size; t++) {
    if (at<u8>(marks, t) != 0) put<u32>(order, first++, t);
    else put<u32>(order, other++, t);
  }
  return kept;
}

/** How many variables of a side are not 0. */
export function countHolding(s: Side): u32 {
  let count: u32 = 0;
  for (let t: u32 = 0; t < s.size; t++) if (at<f64>(s.value, t) != 0) count++;
  return count;
}

/** Sums gap and dual over the positions in use. */
export function sideGap(s: Side, rho: f64): void {
  const rhos = f64x2.splat(rho);
  const epsilons = f64x2.splat(s.epsilon);
  const half = f64x2.splat(0.5);
  const zero = f64x2.splat(0);
  let gaps = zero;
  let duals = zero;
  let f = s.f;
  let value = s.value;
  let lo = s.lo;
  let hi = s.hi;
  let z = s.z;
  const even = s.size & ~1;
  for (let t: u32 = 0; t < even; t += 2) {
    const fs = v128.load(f);
    const v = v128.load(value);
    const least = v128.load(lo);
    const most = v128.load(hi);
    const e = f64x2.sub(fs, rhos);
    // The kink at 0 is inside, or the nearer bound stands for it.
    const kink = f64x2.pmin(f64x2.pmax(least, zero), most);
    const best = f64x2.pmin(f64x2.pmin(costs(least, e, epsilons), costs(most, e, epsilons)), costs(kink, e, epsilons));
    gaps = f64x2.add(gaps, f64x2.sub(costs(v, e, epsilons), best));
    const linear = f64x2.mul(f64x2.mul(half, v), f64x2.sub(v128.load(z), fs));
    duals = f64x2.add(duals, f64x2.sub(linear, f64x2.mul(epsilons, f64x2.abs(v))));
    f += 16;
    value += 16;
    lo += 16;
    hi += 16;
    z += 16;
  }
  let gap = f64x2.extract_lane(gaps, 0) + f64x2.extract_lane(gaps, 1);
  let dual = f64x2.extract_lane(duals, 0) + f64x2.extract_lane(duals, 1);
  if (s.size & 1) {
    const v = at<f64>(s.value, even);
    const least = at<f64>(s.lo, even);
    const most = at<f64>(s.hi, even);
    const e = at<f64>(s.f, even) - rho;
    const kink = min(max<f64>(least, 0), most);
    gap += cost(s, v, e) - min(min(cost(s, least, e), cost(s, most, e)), cost(s, kink, e));
    dual += 0.5 * v * (at<f64>(s.z, even) - at<f64>(s.f, even)) - s.epsilon * abs(v);
  }
  s.gap = gap;
  s.dual = dual;
}

function cost(s: Side, v: f64, e: f64): f64 {
  return v * e + s.epsilon * abs(v);
}

function costs(v: v128, e: v128, epsilons: v128): v128 {
  return f64x2.add(f64x2.mul(v, e), f64x2.mul(epsilons, f64x2.abs(v)));
}

// Positions at a time: F and four rows of them stay in the nearest cache.
const TILE: u32 = 512;

/** F_t += sum_k deltas[k] K_k,t for positions [from, to). rows: u32[count], where each row's float32 values are, by position. */
export function addRows(f: usize, rows: usize, deltas: usize, count: u32, from: u32, to: u32): void {
  for (let begin = from; begin < to; begin += TILE) {
    const end = min(begin + TILE, to);
    let k: u32 = 0;
    for (; k + 4 <= count; k += 4) addFour(f, rows + ((<usize>k) << 2), deltas + ((<usize>k) << 3), begin, end);
    for (; k < count; k++) addOne(f, <usize>at<u32>(rows, k), at<f64>(deltas, k), begin, end);
  }
}

function addFour(f: usize, rows: usize, deltas: usize, from: u32, to: u32): void {
  const r0 = <usize>at<u32>(rows, 0);
  const r1 = <usize>at<u32>(rows, 1);
  const r2 = <usize>at<u32>(rows, 2);
  const r3 = <usize>at<u32>(rows, 3);
  const d0 = f64x2.splat(at<f64>(deltas, 0));
  const d1 = f64x2.splat(at<f64>(deltas, 1));
  const d2 = f64x2.splat(at<f64>(deltas, 2));
  const d3 = f64x2.splat(at<f64>(deltas, 3));
  let t = from;
  for (; t + 2 <= to; t += 2) {
    const at4 = (<usize>t) << 2;
    const at8 = (<usize>t) << 3;
    const low = f64x2.add(
      f64x2.mul(d0, f64x2.promote_low_f32x4(v128.load64_zero(r0 + at4))),
      f64x2.mul(d1, f64x2.promote_low_f32x4(v128.load64_zero(r1 + at4))),
    );
    const high = f64x2.add(
      f64x2.mul(d2, f64x2.promote_low_f32x4(v128.load64_zero(r2 + at4))),
      f64x2.mul(d3, f64x2.promote_low_f32x4(v128.load64_zero(r3 + at4))),
    );
    v128.store(f + at8, f64x2.add(v128.load(f + at8), f64x2.add(low, high)));
  }
  if (t < to) {
    const low = at<f64>(deltas, 0) * <f64>at<f32>(r0, t) + at<f64>(deltas, 1) * <f64>at<f32>(r1, t);
    const high = at<f64>(deltas, 2) * <f64>at<f32>(r2, t) + at<f64>(deltas, 3) * <f64>at<f32>(r3, t);
    put<f64>(f, t, at<f64>(f, t) + (low + high));
  }
}

function addOne(f: usize, row: usize, delta: f64, from: u32, to: u32): void {
  for (let t = from; t < to; t++) put<f64>(f, t, at<f64>(f, t) + delta * <f64>at<f32>(row, t));
}

// Rows whose products are summed in float32 before they are added up in float64.
const ROUGH_ROWS: u32 = 64;

/**
 * sums[p][t - from] += sum_k coefficients[k][p] K_k,t for positions [from, to) and four points p, roughly: products and short sums are float32. rows: u32[count], where each
 * row is; coefficients: f32[count][4]; sums: f64[4][stride].
 */
export function addRough(rows: usize, coefficients: usize, count: u32, from: u32, to: u32, sums: usize, stride: u32): void {
  for (let first: u32 = 0; first < count; first += ROUGH_ROWS) {
    const last = min(first + ROUGH_ROWS, count);
    let t = from;
    for (; t + 8 <= to; t += 8) roughTile(rows, coefficients, first, last, t, sums + ((<usize>(t - from)) << 3), stride);
    for (; t < to; t++) roughOne(rows, coefficients, first, last, t, sums + ((<usize>(t - from)) << 3), stride);
  }
}

/** Eight positions and four points. */
function roughTile(rows: usize, coefficients: usize, first: u32, last: u32, t: u32, out: usize, stride: u32): void {
  const zero = f32x4.splat(0);
  let a0 = zero;
  let a1 = zero;
  let b0 = zero;
  let b1 = zero;
  let c0 = zero;
  let c1 = zero;
  let d0 = zero;
  let d1 = zero;
  const at4 = (<usize>t) << 2;
  let own = coefficients + ((<usize>first) << 4);
  for (let k = first; k < last; k++) {
    const row = <usize>at<u32>(rows, k) + at4;
    const k0 = v128.load(row);
    const k1 = v128.load(row, 16);
    const a = v128.load32_splat(own);
    const b = v128.load32_splat(own, 4);
    const c = v128.load32_splat(own, 8);
    const d = v128.load32_splat(own, 12);
    a0 = f32x4.add(a0, f32x4.mul(a, k0));
    a1 = f32x4.add(a1, f32x4.mul(a, k1));
    b0 = f32x4.add(b0, f32x4.mul(b, k0));
    b1 = f32x4.add(b1, f32x4.mul(b, k1));
    c0 = f32x4.add(c0, f32x4.mul(c, k0));
    c1 = f32x4.add(c1, f32x4.mul(c, k1));
    d0 = f32x4.add(d0, f32x4.mul(d, k0));
    d1 = f32x4.add(d1, f32x4.mul(d, k1));
    own += 16;
  }
  const next = (<usize>stride) << 3;
  addFloats(out, a0, a1);
  addFloats(out + next, b0, b1);
  addFloats(out + 2 * next, c0, c1);
  addFloats(out + 3 * next, d0, d1);
}

function addFloats(out: usize, low: v128, high: v128): void {
  v128.store(out, f64x2.add(v128.load(out), f64x2.promote_low_f32x4(low)));
  v128.store(out, f64x2.add(v128.load(out, 16), f64x2.promote_low_f32x4(v128.shuffle<i32>(low, low, 2, 3, 2, 3))), 16);
  v128.store(out, f64x2.add(v128.load(out, 32), f64x2.promote_low_f32x4(high)), 32);
  v128.store(out, f64x2.add(v128.load(out, 48), f64x2.promote_low_f32x4(v128.shuffle<i32>(high, high, 2, 3, 2, 3))), 48);
}

/** One position and four points, in the same order. */
function roughOne(rows: usize, coefficients: usize, first: u32, last: u32, t: u32, out: usize, stride: u32): void {
  for (let q: u32 = 0; q < 4; q++) {
    let sum: f32 = 0;
    for (let k = first; k < last; k++) sum += at<f32>(coefficients, 4 * k + q) * at<f32>(<usize>at<u32>(rows, k), t);
    put<f64>(out, q * stride, at<f64>(out, q * stride) + <f64>sum);
  }
}

/** Keeps of a float32 row the values at the `count` rising positions of `kept`. */
export function keepFloats(row: usize, kept: usize, count: u32): void {
  for (let k: u32 = 0; k < count; k++) put<f32>(row, k, at<f32>(row, at<u32>(kept, k)));
}

/** out[k] = row[places[k]], of float32 values. */
export function gatherFloats(row: usize, places: usize, count: u32, out: usize): void {
  for (let k: u32 = 0; k < count; k++) put<f32>(out, k, at<f32>(row, at<u32>(places, k)));
}

/** Puts the first `count` values of a float32 row into the order `order`, in which first `kept` positions and then all others rise. scratch: f32[count - kept]. */
export function reorderFloats(row: usize, order: usize, kept: u32, count: u32, scratch: usize): void {
  const others = count - kept;
  const start = (<usize>kept) << 2;
  gatherFloats(row, order + start, others, scratch);
  keepFloats(row, order, kept);
  memory.copy(row + start, scratch, (<usize>others) << 2);
}

/** Copies the parts of a float32 row that `runs` names, u32[2 runCount]: where each begins and how many values it has; one after the other. */
export function copyRuns(row: usize, runs: usize, runCount: u32, out: usize): void {
  let to = out;
  for (let k: u32 = 0; k < runCount; k++) {
    const bytes = (<usize>at<u32>(runs, 2 * k + 1)) << 2;
    memory.copy(to, row + ((<usize>at<u32>(runs, 2 * k)) << 2), bytes);
    to += bytes;
  }
}

/** Puts words of 32 bits in a new order: out[k] = from[order[k]]. */
export function gatherWords(from: usize, order: usize, count: u32, out: usize): void {
  for (let k: u32 = 0; k < count; k++) put<u32>(out, k, at<u32>(from, at<u32>(order, k)));
}

/** Puts doubles in a new order: out[k] = from[order[k]]. */
export function gatherDoubles(from: usize, order: usize, count: u32, out: usize): void {
  for (let k: u32 = 0; k < count; k++) put<f64>(out, k, at<f64>(from, at<u32>(order, k)));
}
