// Decision values of a kernel model for eight rows at a time: sums over the support vectors, in their order, of coefficients times kernel values, in float64; kernel
// values in float32, or, where that is too little, in float64 as well. Every value is a plain sum in that order, so that one row alone (predictOne, in TypeScript)
// gives the same bits. Checked in test/unit/core/kernel-exact.test.ts.

import { Decision, Kernel, KernelKind, Units } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { exp } from "../math";
import { at, put } from "../memory";
import { sumCounted } from "./counted-sums";
import { finishExact } from "./exact";
import { clearLanes, kernelSquares, loadLanes, valuesByPosition, valuesOfTwo, wideDots } from "./rows";
import { isOnGrid } from "./units";

const LANES: u32 = 8;
/** As many support vectors as are finished together. */
export const TILE: u32 = 512;

/** The decision values of the first `count` rows of d.ids, which are neighbours. */
export function decideRows(d: Decision, count: u32): void {
  const k = changetype<Kernel>(d.kernel);
  if (k.units == 0) {
    decideList(d, k, d.ids, count);
    return;
  }
  // First those on the grid, then the others, each in their order.
  let next = d.sorted;
  for (let turn: u32 = 0; turn < 2; turn++) {
    const begin = next;
    for (let p: u32 = 0; p < count; p++) {
      const id = at<u32>(d.ids, p);
      if (<u32>isOnGrid(changetype<Units>(k.units), changetype<Rows>(d.rows), id) == turn) continue;
      store<u32>(next, id);
      next += 4;
    }
    decideList(d, turn ? changetype<Kernel>(d.plain) : k, begin, <u32>((next - begin) >> 2));
  }
}

/** The decision values of `count` rows, at their numbers' places from the first of d.ids on. */
export function decideList(d: Decision, k: Kernel, ids: usize, count: u32): void {
  const step: u32 = k.isCounted != 0 || k.units != 0 ? 2 * LANES : LANES;
  for (let first: u32 = 0; first < count; first += step) {
    const own = ids + ((<usize>first) << 2);
    const size: u32 = min(step, count - first);
    if (k.isCounted) {
      sumCounted(d, k, own, size);
      putOut(d, own, size, d.sums, 2 * LANES);
    } else if (size > LANES) decideSixteen(d, k, own, size);
    else decideEight(d, k, own, size);
  }
}

function decideEight(d: Decision, k: Kernel, ids: usize, count: u32): void {
  const rows = changetype<Rows>(d.rows);
  putLanes(d, k, ids, count);
  memory.fill(d.sums, 0, (<usize>d.outputCount) << 6);
  for (let from: u32 = 0; from < d.vectorCount; from += TILE) {
    const to = min(from + TILE, d.vectorCount);
    if (d.isExact) decideExact(k, d.starts, d.places, d.coefficients, d.sums, from, to);
    else {
      valuesByPosition(k, d.vectors, from, to);
      decideTile(k, d.starts, d.places, d.coefficients, d.sums, from, to);
    }
  }
  clearLanes(k, rows, ids, d.featureCount);
  putOut(d, ids, count, d.sums, LANES);
}

/** More than eight rows in units: the second eight are another kernel's. */
function decideSixteen(d: Decision, k: Kernel, ids: usize, count: u32): void {
  const rows = changetype<Rows>(d.rows);
  const other = changetype<Kernel>(d.beside);
  const otherIds = ids + ((<usize>LANES) << 2);
  const otherSums = d.sums + ((<usize>d.outputCount) << 6);
  putLanes(d, k, ids, LANES);
  putLanes(d, other, otherIds, count - LANES);
  memory.fill(d.sums, 0, (<usize>d.outputCount) << 7);
  for (let from: u32 = 0; from < d.vectorCount; from += TILE / 2) {
    const to = min(from + TILE / 2, d.vectorCount);
    valuesOfTwo(k, other, d.vectors, from, to);
    decideTile(k, d.starts, d.places, d.coefficients, d.sums, from, to);
    decideTile(other, d.starts, d.places, d.coefficients, otherSums, from, to);
  }
  clearLanes(k, rows, ids, d.featureCount);
  clearLanes(other, rows, otherIds, d.featureCount);
  putOut(d, ids, LANES, d.sums, LANES);
  putOut(d, otherIds, count - LANES, otherSums, LANES);
}

function putLanes(d: Decision, k: Kernel, ids: usize, count: u32): void {
  const rows = changetype<Rows>(d.rows);
  // Squares go to the number of their row, and rows are near each other: so the list begins that many numbers before.
  const squares = d.rowSquares - ((<usize>at<u32>(ids, 0)) << (k.isWide ? 3 : 2));
  kernelSquares(k, rows, squares, ids, count);
  loadLanes(k, rows, squares, ids, count, d.featureCount);
}

/** Decision values of the rows `ids` from their sums, f64[outputCount][lanes]. */
function putOut(d: Decision, ids: usize, count: u32, sums: usize, lanes: u32): void {
  const outputs = d.outputCount;
  for (let lane: u32 = 0; lane < count; lane++) {
    const out = d.out + ((<usize>((at<u32>(ids, lane) - at<u32>(d.ids, 0)) * outputs)) << 3);
    for (let m: u32 = 0; m < outputs; m++) put<f64>(out, m, at<f64>(sums, m * lanes + lane) + at<f64>(d.biases, m));
  }
}

/**
 * sums[place][lane] += coefficient K(lane, v) for support vectors v in [from, to) and each of their coefficients that is not 0: those of v are in [starts[v], starts[v + 1])
 * of `coefficients`, f64[], and `places`, u32[], or 0 where there is one place and one coefficient each. sums: f64[][8]. The values K are what valuesByPosition left in the tile.
 */
export function decideTile(k: Kernel, starts: usize, places: usize, coefficients: usize, sums: usize, from: u32, to: u32): void {
  let values = k.tile;
  let m = at<u32>(starts, from);
  if (places == 0) {
    decideOnly(coefficients + ((<usize>m) << 3), sums, to - from, values);
    return;
  }
  for (let v = from; v < to; v++, values += 32) {
    const end = at<u32>(starts, v + 1);
    const k0 = pairAt(values);
    const k1 = pairAt(values + 8);
    const k2 = pairAt(values + 16);
    const k3 = pairAt(values + 24);
    for (; m < end; m++) {
      const coefficient = v128.load64_splat(coefficients + ((<usize>m) << 3));
      const sum = sums + ((<usize>at<u32>(places, m)) << 6);
      v128.store(sum, f64x2.add(v128.load(sum), f64x2.mul(coefficient, k0)));
      v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.mul(coefficient, k1)), 16);
      v128.store(sum, f64x2.add(v128.load(sum, 32), f64x2.mul(coefficient, k2)), 32);
      v128.store(sum, f64x2.add(v128.load(sum, 48), f64x2.mul(coefficient, k3)), 48);
    }
  }
}

/** The same where there is one decision value and every vector has its coefficient: sums stay in registers. */
export function decideOnly(coefficients: usize, sum: usize, count: u32, values: usize): void {
  let sum0 = v128.load(sum);
  let sum1 = v128.load(sum, 16);
  let sum2 = v128.load(sum, 32);
  let sum3 = v128.load(sum, 48);
  const end = coefficients + ((<usize>count) << 3);
  for (; coefficients < end; coefficients += 8, values += 32) {
    const coefficient = v128.load64_splat(coefficients);
    sum0 = f64x2.add(sum0, f64x2.mul(coefficient, pairAt(values)));
    sum1 = f64x2.add(sum1, f64x2.mul(coefficient, pairAt(values + 8)));
    sum2 = f64x2.add(sum2, f64x2.mul(coefficient, pairAt(values + 16)));
    sum3 = f64x2.add(sum3, f64x2.mul(coefficient, pairAt(values + 24)));
  }
  v128.store(sum, sum0);
  v128.store(sum, sum1, 16);
  v128.store(sum, sum2, 32);
  v128.store(sum, sum3, 48);
}

/** Two float32 numbers in float64. */
function pairAt(values: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(values));
}

/** The same with values K in float64, computed here: the kernel is wide. */
export function decideExact(k: Kernel, starts: usize, places: usize, coefficients: usize, sums: usize, from: u32, to: u32): void {
  const x = changetype<Rows>(k.rows);
  const dots = k.dots;
  for (let v = from; v < to; v++) {
    wideDots(k, x, v, 0);
    finishExact(k, dots, v);
    // One by one, by the function that TypeScript has as well.
    if (k.kind == KernelKind.Rbf) for (let lane: u32 = 0; lane < LANES; lane++) put<f64>(dots, lane, exp(at<f64>(dots, lane)));
    addVector(starts, places, coefficients, sums, v, dots);
  }
}

/** Support vector v with its values K, f64[8]. */
function addVector(starts: usize, places: usize, coefficients: usize, sums: usize, v: u32, values: usize): void {
  const end = at<u32>(starts, v + 1);
  for (let m = at<u32>(starts, v); m < end; m++) {
    const coefficient = v128.load64_splat(coefficients + ((<usize>m) << 3));
    const sum = sums + (places == 0 ? 0 : (<usize>at<u32>(places, m)) << 6);
    for (let pair: usize = 0; pair < 64; pair += 16)
      v128.store(sum + pair, f64x2.add(v128.load(sum + pair), f64x2.mul(coefficient, v128.load(values + pair))));
  }
}
