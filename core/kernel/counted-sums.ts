// Decision values of rows of ones (counted.ts) by support vectors of ones, sixteen rows at a time.
//
//   lanes       feature j | u0_j u1_j ... u15_j |        0 or 1, in a byte each; and one feature more that nobody has
//   vector v    counts    +=  those of its features, sixteen rows an instruction: in bytes, which go to 16 bits before they could overflow
//   argument    as in counted.ts; sums look K up in its table, and it is never laid out
//
// The bits are those of decide.ts: sums of the same values in the same order. Which is checked in test/unit/core/kernel-counted.test.ts.

import { Decision, Kernel, KernelKind } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { tableOf } from "./counted";

const LANES: u32 = 16;
const TILE: u32 = 512; // arguments of sixteen lanes fill the kernel's tile
/** Bytes of the indices of 252 features: with three more, all that a byte can count. */
const CHUNK: usize = 252 << 2;

/** The sums of the rows `ids`, at most sixteen. */
export function sumCounted(d: Decision, k: Kernel, ids: usize, count: u32): void {
  mark(d, k, ids, count, 1);
  memory.fill(d.sums, 0, (<usize>d.outputCount) << 7);
  for (let from: u32 = 0; from < d.vectorCount; from += TILE) {
    const to = min(from + TILE, d.vectorCount);
    countedArguments(d, k, ids, count, from, to);
    if (d.places == 0) sumOnly(k, d, from, to);
    else sumPlaces(k, d, from, to);
  }
  mark(d, k, ids, count, 0);
}

/** Puts `value` into the lanes wherever these rows have a feature that the model knows. */
function mark(d: Decision, k: Kernel, ids: usize, count: u32, value: u8): void {
  const x = changetype<Rows>(d.rows);
  for (let lane: u32 = 0; lane < count; lane++) {
    const i = at<u32>(ids, lane);
    const end = at<u32>(x.starts, i + 1);
    for (let e = at<u32>(x.starts, i); e < end; e++) {
      const j = at<u32>(x.indices, e);
      if (j >= d.featureCount) break;
      put<u8>(k.lanes, j * LANES + lane, value);
    }
  }
}

/** The arguments of the lanes with the vectors [from, to) into the tile: u16[to - from][16]. Reads up to three indices behind those of a vector, and makes nothing of them. */
function countedArguments(d: Decision, k: Kernel, ids: usize, count: u32, from: u32, to: u32): void {
  const x = changetype<Rows>(k.rows);
  const lanes = k.lanes;
  const isRbf = k.kind == KernelKind.Rbf;
  putSizes(d, k, ids, count);
  const sizes0 = v128.load(k.dots);
  const sizes1 = v128.load(k.dots, 16);
  const none = x.featureCount;
  let out = k.tile;
  for (let v = from; v < to; v++) {
    const begin = at<u32>(x.starts, v);
    const size = at<u32>(x.starts, v + 1) - begin;
    let index = x.indices + ((<usize>begin) << 2);
    const end = index + ((<usize>(size & ~3)) << 2);
    let dots0 = i16x8.splat(0);
    let dots1 = dots0;
    let sum0 = dots0;
    let sum1 = dots0;
    for (;;) {
      const stop = min(end, index + CHUNK);
      for (; index < stop; index += 16) {
        sum0 = i8x16.add(sum0, v128.load(lanes + ((<usize>load<u32>(index)) << 4)));
        sum1 = i8x16.add(sum1, v128.load(lanes + ((<usize>load<u32>(index, 4)) << 4)));
        sum0 = i8x16.add(sum0, v128.load(lanes + ((<usize>load<u32>(index, 8)) << 4)));
        sum1 = i8x16.add(sum1, v128.load(lanes + ((<usize>load<u32>(index, 12)) << 4)));
      }
      if (index == end) break;
      sum0 = i8x16.add(sum0, sum1);
      dots0 = i16x8.add(dots0, i16x8.extend_low_i8x16_u(sum0));
      dots1 = i16x8.add(dots1, i16x8.extend_high_i8x16_u(sum0));
      sum0 = i16x8.splat(0);
      sum1 = sum0;
    }
    const left = size & 3;
    sum0 = i8x16.add(sum0, v128.load(lanes + ((<usize>select<u32>(load<u32>(index), none, left > 0)) << 4)));
    sum1 = i8x16.add(sum1, v128.load(lanes + ((<usize>select<u32>(load<u32>(index, 4), none, left > 1)) << 4)));
    sum0 = i8x16.add(sum0, v128.load(lanes + ((<usize>select<u32>(load<u32>(index, 8), none, left > 2)) << 4)));
    sum0 = i8x16.add(sum0, sum1);
    dots0 = i16x8.add(dots0, i16x8.extend_low_i8x16_u(sum0));
    dots1 = i16x8.add(dots1, i16x8.extend_high_i8x16_u(sum0));
    if (isRbf) {
      const own = i16x8.splat(<i16>size);
      dots0 = i16x8.sub(i16x8.add(sizes0, own), i16x8.add(dots0, dots0));
      dots1 = i16x8.sub(i16x8.add(sizes1, own), i16x8.add(dots1, dots1));
    }
    v128.store(out, dots0);
    v128.store(out, dots1, 16);
    out += 32;
  }
}

/** |u|^2 of the lanes, u16[16], into k.dots; what does not fit comes out right in the end, as the argument does. */
function putSizes(d: Decision, k: Kernel, ids: usize, count: u32): void {
  const x = changetype<Rows>(d.rows);
  for (let lane: u32 = 0; lane < LANES; lane++) {
    const i = at<u32>(ids, min(lane, count - 1));
    put<u16>(k.dots, lane, <u16>(at<u32>(x.starts, i + 1) - at<u32>(x.starts, i)));
  }
}

/** sums[place][lane] += coefficient K(lane, v) for the vectors v in [from, to) and their coefficients. */
function sumPlaces(k: Kernel, d: Decision, from: u32, to: u32): void {
  const table = tableOf(k);
  const starts = d.starts;
  const places = d.places;
  const coefficients = d.coefficients;
  const sums = d.sums;
  let arguments16 = k.tile;
  let m = at<u32>(starts, from);
  for (let v = from; v < to; v++, arguments16 += 32) {
    const end = at<u32>(starts, v + 1);
    if (m == end) continue;
    const k0 = pairOf(table, arguments16);
    const k1 = pairOf(table, arguments16 + 4);
    const k2 = pairOf(table, arguments16 + 8);
    const k3 = pairOf(table, arguments16 + 12);
    const k4 = pairOf(table, arguments16 + 16);
    const k5 = pairOf(table, arguments16 + 20);
    const k6 = pairOf(table, arguments16 + 24);
    const k7 = pairOf(table, arguments16 + 28);
    for (; m < end; m++) {
      const coefficient = v128.load64_splat(coefficients + ((<usize>m) << 3));
      const sum = sums + ((<usize>at<u32>(places, m)) << 7);
      v128.store(sum, f64x2.add(v128.load(sum), f64x2.mul(coefficient, k0)));
      v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.mul(coefficient, k1)), 16);
      v128.store(sum, f64x2.add(v128.load(sum, 32), f64x2.mul(coefficient, k2)), 32);
      v128.store(sum, f64x2.add(v128.load(sum, 48), f64x2.mul(coefficient, k3)), 48);
      v128.store(sum, f64x2.add(v128.load(sum, 64), f64x2.mul(coefficient, k4)), 64);
      v128.store(sum, f64x2.add(v128.load(sum, 80), f64x2.mul(coefficient, k5)), 80);
      v128.store(sum, f64x2.add(v128.load(sum, 96), f64x2.mul(coefficient, k6)), 96);
      v128.store(sum, f64x2.add(v128.load(sum, 112), f64x2.mul(coefficient, k7)), 112);
    }
  }
}

/** The same where there is one decision value and every vector has its coefficient: sums stay in registers. */
function sumOnly(k: Kernel, d: Decision, from: u32, to: u32): void {
  const table = tableOf(k);
  let arguments16 = k.tile;
  const sum = d.sums;
  let sum0 = v128.load(sum);
  let sum1 = v128.load(sum, 16);
  let sum2 = v128.load(sum, 32);
  let sum3 = v128.load(sum, 48);
  let sum4 = v128.load(sum, 64);
  let sum5 = v128.load(sum, 80);
  let sum6 = v128.load(sum, 96);
  let sum7 = v128.load(sum, 112);
  let coefficients = d.coefficients + ((<usize>at<u32>(d.starts, from)) << 3);
  const end = coefficients + ((<usize>(to - from)) << 3);
  for (; coefficients < end; coefficients += 8, arguments16 += 32) {
    const coefficient = v128.load64_splat(coefficients);
    sum0 = f64x2.add(sum0, f64x2.mul(coefficient, pairOf(table, arguments16)));
    sum1 = f64x2.add(sum1, f64x2.mul(coefficient, pairOf(table, arguments16 + 4)));
    sum2 = f64x2.add(sum2, f64x2.mul(coefficient, pairOf(table, arguments16 + 8)));
    sum3 = f64x2.add(sum3, f64x2.mul(coefficient, pairOf(table, arguments16 + 12)));
    sum4 = f64x2.add(sum4, f64x2.mul(coefficient, pairOf(table, arguments16 + 16)));
    sum5 = f64x2.add(sum5, f64x2.mul(coefficient, pairOf(table, arguments16 + 20)));
    sum6 = f64x2.add(sum6, f64x2.mul(coefficient, pairOf(table, arguments16 + 24)));
    sum7 = f64x2.add(sum7, f64x2.mul(coefficient, pairOf(table, arguments16 + 28)));
  }
  v128.store(sum, sum0);
  v128.store(sum, sum1, 16);
  v128.store(sum, sum2, 32);
  v128.store(sum, sum3, 48);
  v128.store(sum, sum4, 64);
  v128.store(sum, sum5, 80);
  v128.store(sum, sum6, 96);
  v128.store(sum, sum7, 112);
}

/** K of two lanes, in float64. */
function pairOf(table: usize, arguments2: usize): v128 {
  const one = v128.load_zero<f32>(table + ((<usize>load<u16>(arguments2)) << 2));
  return f64x2.promote_low_f32x4(v128.load_lane<f32>(table + ((<usize>load<u16>(arguments2, 2)) << 2), one, 1));
}
