// Kernel values of rows whose values are whole multiples of a unit: pixels of 1/255, prices of 0.01, counts. Products of whole numbers are exact in 32 bits, and one instruction multiplies eight of them
// where it would multiply four of float32.
//
//   u'v = sum k_j l_j / p^2,   k_j = u_j p and l_j = v_j p rounded to whole numbers, p a whole number ("perOne")
//
//   record    features 2 i and 2 i + 1 of a row, unless it has neither   | i u16 | k i16 | k' i16 |, without gaps; of each row an even number, filled up with zeros
//   lanes     features 2 i and 2 i + 1                                   | l0 l0' | l1 l1' | ... | l7 l7' |, i16
//
// A row is "on the grid" if all its values are as near to multiples as `tolerance` and their own rounding to float32 allow and sum (k_j)^2 <= MOST, so that no product of two such rows is larger: neither the order of a sum nor who computes
// it changes any bit. Dot products become float32 by rounding once, and once more over p^2.
// Checked in test/unit/core/kernel-units.test.ts; src/solve/units.ts finds p, and has the same arithmetic one number at a time.

import { Kernel, Units } from "../layout/kernel";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { rowValues } from "../rows";

const MOST: f64 = 1073741823; // 2^30 - 1: each k_j has 16 bits, then, and every part of a sum of products 32
const RECORD: usize = 6;
/** What rounding to float32 may do to 1. */
const FLOAT_HALF: f64 = 1.0 / 16777216.0;

/** The first value of the rows `ids` that is not as near to a multiple of 1 / perOne as that; NaN if all are. */
export function misfit(x: Rows, ids: usize, count: u32, perOne: f64, tolerance: f64): f64 {
  for (let k: u32 = 0; k < count; k++) {
    const i = at<u32>(ids, k);
    const end = rowValues(x, i + 1);
    for (let p = rowValues(x, i); p < end; p += 4) {
      const value = <f64>load<f32>(p);
      if (!isNear(value, perOne, tolerance)) return value;
    }
  }
  return NaN;
}

export function isOnGrid(u: Units, x: Rows, i: u32): bool {
  const perOne = u.perOne;
  const tolerance = u.tolerance;
  const end = rowValues(x, i + 1);
  for (let p = rowValues(x, i); p < end; p += 4) if (!isNear(<f64>load<f32>(p), perOne, tolerance)) return false;
  return wholeSquare(x, i, perOne) <= MOST;
}

/** sum (k_j)^2 of row i. */
function wholeSquare(x: Rows, i: u32, perOne: f64): f64 {
  const end = rowValues(x, i + 1);
  let sum: f64 = 0;
  for (let p = rowValues(x, i); p < end; p += 4) {
    const whole = wholeOf(<f64>load<f32>(p), perOne);
    sum += whole * whole;
  }
  return sum;
}

/** Lays the records of these rows out, all of them on the grid. */
export function unitRows(u: Units, x: Rows, ids: usize, count: u32): void {
  let out = u.records;
  for (let k: u32 = 0; k < count; k++) {
    const i = at<u32>(ids, k);
    put<u32>(u.begins, i, <u32>out);
    out = x.kind == RowKind.Dense ? denseRecords(u, x, i, out) : sparseRecords(u, x, i, out);
    if ((out - at<u32>(u.begins, i)) % (2 * RECORD) != 0) out = record(out, 0, 0, 0);
    put<u32>(u.ends, i, <u32>out);
  }
}

function denseRecords(u: Units, x: Rows, i: u32, out: usize): usize {
  const values = rowValues(x, i);
  for (let j: u32 = 0; j < x.featureCount; j += 2) {
    const low = at<f32>(values, j);
    const high: f32 = j + 1 < x.featureCount ? at<f32>(values, j + 1) : 0;
    if (low != 0 || high != 0) out = record(out, j >> 1, <i32>wholeOf(low, u.perOne), <i32>wholeOf(high, u.perOne));
  }
  return out;
}

function sparseRecords(u: Units, x: Rows, i: u32, out: usize): usize {
  const end = at<u32>(x.starts, i + 1);
  for (let e = at<u32>(x.starts, i); e < end; e++) {
    const j = at<u32>(x.indices, e);
    let low = <i32>wholeOf(at<f32>(x.values, e), u.perOne);
    let high: i32 = 0;
    if (j & 1) {
      high = low;
      low = 0;
    } else if (e + 1 < end && at<u32>(x.indices, e + 1) == j + 1) high = <i32>wholeOf(at<f32>(x.values, ++e), u.perOne);
    out = record(out, j >> 1, low, high);
  }
  return out;
}

function record(out: usize, pair: u32, low: i32, high: i32): usize {
  store<u16>(out, <u16>pair);
  store<i16>(out, <i16>low, 2);
  store<i16>(out, <i16>high, 4);
  return out + RECORD;
}

/** Puts a value where feature j of a lane is. */
export function putUnit(k: Kernel, j: u32, lane: u32, value: f32): void {
  const place = k.lanes + ((<usize>(j >> 1)) << 5) + ((<usize>lane) << 2) + ((<usize>(j & 1)) << 1);
  store<i16>(place, <i16>(<i32>wholeOf(value, changetype<Units>(k.units).perOne)));
}

/** |u|^2 of row i, on the grid. */
export function unitNorm(u: Units, x: Rows, i: u32): f32 {
  return <f32>wholeSquare(x, i, u.perOne) / <f32>(u.perOne * u.perOne);
}

/** Dot products of the eight lanes with row c: f32[8]. */
export function unitDots(k: Kernel, c: u32, out: usize): void {
  const u = changetype<Units>(k.units);
  const lanes = k.lanes;
  const end = <usize>at<u32>(u.ends, c);
  let low = i32x4.splat(0);
  let high = low;
  for (let p = <usize>at<u32>(u.begins, c); p < end; p += 2 * RECORD) {
    const first = v128.load32_splat(p, 2);
    const firstLane = lanes + ((<usize>load<u16>(p)) << 5);
    const second = v128.load32_splat(p, 8);
    const secondLane = lanes + ((<usize>load<u16>(p, 6)) << 5);
    low = i32x4.add(low, i32x4.add(i32x4.dot_i16x8_s(first, v128.load(firstLane)), i32x4.dot_i16x8_s(second, v128.load(secondLane))));
    high = i32x4.add(
      high,
      i32x4.add(i32x4.dot_i16x8_s(first, v128.load(firstLane, 16)), i32x4.dot_i16x8_s(second, v128.load(secondLane, 16))),
    );
  }
  storeDots(u, low, high, out);
}

/** The same of two kernels' lanes: what is read of the row serves sixteen. */
export function unitDotsOfTwo(k: Kernel, other: Kernel, c: u32, out: usize, otherOut: usize): void {
  const u = changetype<Units>(k.units);
  const lanes = k.lanes;
  const otherLanes = other.lanes;
  const end = <usize>at<u32>(u.ends, c);
  let low = i32x4.splat(0);
  let high = low;
  let otherLow = low;
  let otherHigh = low;
  for (let p = <usize>at<u32>(u.begins, c); p < end; p += 2 * RECORD) {
    const first = v128.load32_splat(p, 2);
    const firstPlace = (<usize>load<u16>(p)) << 5;
    low = i32x4.add(low, i32x4.dot_i16x8_s(first, v128.load(lanes + firstPlace)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(first, v128.load(lanes + firstPlace, 16)));
    otherLow = i32x4.add(otherLow, i32x4.dot_i16x8_s(first, v128.load(otherLanes + firstPlace)));
    otherHigh = i32x4.add(otherHigh, i32x4.dot_i16x8_s(first, v128.load(otherLanes + firstPlace, 16)));
    const second = v128.load32_splat(p, 8);
    const secondPlace = (<usize>load<u16>(p, 6)) << 5;
    low = i32x4.add(low, i32x4.dot_i16x8_s(second, v128.load(lanes + secondPlace)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(second, v128.load(lanes + secondPlace, 16)));
    otherLow = i32x4.add(otherLow, i32x4.dot_i16x8_s(second, v128.load(otherLanes + secondPlace)));
    otherHigh = i32x4.add(otherHigh, i32x4.dot_i16x8_s(second, v128.load(otherLanes + secondPlace, 16)));
  }
  storeDots(u, low, high, out);
  storeDots(u, otherLow, otherHigh, otherOut);
}

/** Sums of whole numbers over p^2: f32[8]. */
function storeDots(u: Units, low: v128, high: v128, out: usize): void {
  const perSquare = f32x4.splat(<f32>(u.perOne * u.perOne));
  v128.store(out, f32x4.div(f32x4.convert_i32x4_s(low), perSquare));
  v128.store(out, f32x4.div(f32x4.convert_i32x4_s(high), perSquare), 16);
}

/** `value` p as a whole number. */
function wholeOf(value: f64, perOne: f64): f64 {
  return floor(value * perOne + 0.5);
}

function isNear(value: f64, perOne: f64, tolerance: f64): bool {
  return abs(value * perOne - wholeOf(value, perOne)) <= perOne * (tolerance + FLOAT_HALF * abs(value));
}
