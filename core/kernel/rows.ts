// Kernel values of up to eight rows with many others at a time. The eight lie side by side, feature by feature ("lanes"), so that every
// value of another row is multiplied with eight numbers that are next to each other, whatever features it has:
//
//   lanes       feature j | u0_j u1_j ... u7_j |
//   row v       dots      +=  v_j  *  that,   for its features j in rising order
//
// Four rows v at a time: their dot products are turned so that each lane's four lie side by side. What the kernel makes of them (exp and the like) is a
// second pass over a tile of them, lane by lane, in functions.ts. Sums of predictions want the values of a row v side by side instead: theirs are never turned (`valuesByPosition`).
//
// Every dot product is the plain sum of its products in the order of the features (a product that is zero changes no sum), so K(u, v) has one
// value: dense or sparse, u among the lanes or v, alone or among eight, in whichever thread.
// Rows whose values are all 1 have ways of their own, in counted.ts and bits.ts, and so have products of whole numbers of units, in units.ts.
// Checked against float64 in test/unit/core/kernel-rows.test.ts.

import { Kernel, KernelKind, Units } from "../layout/kernel";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow } from "../rows";
import { bitRows, setLaneBit } from "./bits";
import { countedRows } from "./counted";
import { finishAll, finishLane, MOST } from "./functions";
import { putUnit, unitDots, unitDotsOfTwo, unitNorm } from "./units";

const LANES: u32 = 8;

/** out[i] = |x_i|^2 for the rows i of `ids`, as the dot product below would sum it: |u - u|^2 is then exactly 0. out: F[rowCount]. */
export function kernelSquares(k: Kernel, x: Rows, out: usize, ids: usize, count: u32): void {
  for (let p: u32 = 0; p < count; p++) {
    const i = at<u32>(ids, p);
    if (k.units != 0) {
      put<f32>(out, i, unitNorm(changetype<Units>(k.units), x, i));
      continue;
    }
    let values = x.values + ((<usize>rowBegin(x, i)) << 2);
    const end = x.values + ((<usize>rowBegin(x, i + 1)) << 2);
    if (k.isWide) {
      let sum: f64 = 0;
      for (; values < end; values += 4) sum += <f64>load<f32>(values) * <f64>load<f32>(values);
      put<f64>(out, i, sum);
    } else {
      let sum: f32 = 0;
      for (; values < end; values += 4) sum += load<f32>(values) * load<f32>(values);
      put<f32>(out, i, sum);
    }
  }
}

function rowBegin(x: Rows, i: u32): u32 {
  return x.kind == RowKind.Dense ? i * x.featureCount : at<u32>(x.starts, i);
}

/** Lays `count` rows of x out in the lanes; `squares`: F[rowCount of x]. Features beyond `featureCount` are left out. */
export function loadLanes(k: Kernel, x: Rows, squares: usize, ids: usize, count: u32, featureCount: u32): void {
  k.laneCount = count;
  for (let lane: u32 = 0; lane < LANES; lane++) {
    const id = lane < count ? at<u32>(ids, lane) : 0;
    if (k.isWide) put<f64>(k.laneSquares, lane, lane < count ? at<f64>(squares, id) : 0);
    else put<f32>(k.laneSquares, lane, lane < count ? at<f32>(squares, id) : 0);
    if (lane < count) spread(k, x, id, lane, featureCount, true);
  }
}

/** Makes `own` what `other` is, lanes and all, but for its scratch: for another thread. */
export function shareLanes(own: Kernel, other: Kernel): void {
  const dots = own.dots;
  const tile = own.tile;
  const tileSquares = own.tileSquares;
  const constants = own.constants;
  memory.copy(changetype<usize>(own), changetype<usize>(other), offsetof<Kernel>());
  own.dots = dots;
  own.tile = tile;
  own.tileSquares = tileSquares;
  own.constants = constants;
}

/** Makes the lanes zero again where these rows have values. Dense rows will be overwritten as a whole. */
export function clearLanes(k: Kernel, x: Rows, ids: usize, featureCount: u32): void {
  if (x.kind == RowKind.Csr)
    for (let lane: u32 = 0; lane < k.laneCount; lane++) spread(k, x, at<u32>(ids, lane), lane, featureCount, false);
  k.laneCount = 0;
}

function spread(k: Kernel, x: Rows, id: u32, lane: u32, featureCount: u32, isIn: bool): void {
  const end = rowBegin(x, id + 1);
  const begin = rowBegin(x, id);
  for (let e = begin; e < end; e++) {
    const j = x.kind == RowKind.Dense ? e - begin : at<u32>(x.indices, e);
    if (j >= featureCount) break;
    const value: f32 = isIn ? at<f32>(x.values, e) : 0;
    if (k.isWide) put<f64>(k.lanes, j * LANES + lane, <f64>value);
    else if (k.bits != 0) setLaneBit(k, lane, j, isIn);
    else if (k.isCounted) put<u16>(k.lanes, j * LANES + lane, <u16>value);
    else if (k.units != 0) putUnit(k, j, lane, value);
    else put<f32>(k.lanes, j * LANES + lane, value);
  }
}

// Positions whose dot products are finished together: those of eight lanes stay in the first cache until they go where they belong, lane by lane. (Straight to
// eight places far from each other, four at a time, they would wait for memory: docs/performance.md.)
const TILE: u32 = 512;

/**
 * Kernel values of the lanes with the rows `columns[from, to)`, at the same positions of `outs`. Writes up to three positions more: the host leaves
 * room for them, and goes through positions in rising order.
 */
export function kernelRows(k: Kernel, columns: usize, from: u32, to: u32): void {
  if (k.isCounted) {
    if (k.bits != 0) bitRows(k, columns, from, to);
    else countedRows(k, columns, from, to);
    return;
  }
  for (let begin = from; begin < to; begin += TILE) {
    const end = min(begin + TILE, to);
    kernelDots(k, columns, begin, end, false);
    const isNarrow = k.kind == KernelKind.Rbf && !k.isWide;
    if (isNarrow) for (let p = begin; p < end; p++) put<f32>(k.tileSquares, p - begin, at<f32>(k.squares, at<u32>(columns, p)));
    for (let lane: u32 = 0; lane < k.laneCount; lane++) {
      const own: f32 = isNarrow ? at<f32>(k.laneSquares, lane) : 0;
      const out = <usize>at<u32>(k.outs, lane) + ((<usize>begin) << 2);
      finishLane(k, tileLane(k, lane), out, own, end - begin);
    }
  }
}

/** Kernel values of all eight lanes with the rows `columns[from, to)`, at most TILE, in the tile, position by position: f32[to - from][8], and up to three positions more. Not of counted rows. */
export function valuesByPosition(k: Kernel, columns: usize, from: u32, to: u32): void {
  kernelDots(k, columns, from, to, true);
  finishByPosition(k, columns + ((<usize>from) << 2), to - from);
}

/** The same of two kernels in units, for eight rows each. */
export function valuesOfTwo(k: Kernel, other: Kernel, columns: usize, from: u32, to: u32): void {
  for (let p = from; p < to; p++) {
    const out = (<usize>(p - from)) << 5;
    unitDotsOfTwo(k, other, at<u32>(columns, p), k.tile + out, other.tile + out);
  }
  finishByPosition(k, columns + ((<usize>from) << 2), to - from);
  finishByPosition(other, columns + ((<usize>from) << 2), to - from);
}

/** From dot products, or arguments of a wide kernel, of `count` positions in the tile to values. */
function finishByPosition(k: Kernel, columns: usize, count: u32): void {
  if (k.kind == KernelKind.Rbf && !k.isWide) distancesByPosition(k, columns, count);
  finishAll(k, k.tile, k.tile, LANES * count);
}

/** -gamma |u - v|^2, at most 88, from the dot products in the tile, as finishLane has it lane by lane. */
function distancesByPosition(k: Kernel, columns: usize, count: u32): void {
  const low = v128.load(k.laneSquares);
  const high = v128.load(k.laneSquares, 16);
  const factor = f32x4.splat(<f32>-k.gamma);
  const zero = f32x4.splat(0);
  const most = f32x4.splat(MOST);
  let values = k.tile;
  const end = columns + ((<usize>count) << 2);
  for (; columns < end; columns += 4, values += 32) {
    const square = v128.load32_splat(k.squares + ((<usize>load<u32>(columns)) << 2));
    const dots0 = v128.load(values);
    const dots1 = v128.load(values, 16);
    const sum0 = f32x4.sub(f32x4.add(low, square), f32x4.add(dots0, dots0));
    const sum1 = f32x4.sub(f32x4.add(high, square), f32x4.add(dots1, dots1));
    v128.store(values, f32x4.pmin(f32x4.mul(factor, f32x4.pmax(sum0, zero)), most));
    v128.store(values, f32x4.pmin(f32x4.mul(factor, f32x4.pmax(sum1, zero)), most), 16);
  }
}

function tileLane(k: Kernel, lane: u32): usize {
  return k.tile + ((<usize>(lane * TILE)) << 2);
}

/** The dot products of up to TILE positions, or, of a wide kernel, what the kernel is a function of, into the tile: lane by lane, or position by position. */
function kernelDots(k: Kernel, columns: usize, from: u32, to: u32, byPosition: bool): void {
  const x = changetype<Rows>(k.rows);
  let out = k.tile;
  const isPlain = x.kind == RowKind.Dense && !k.isWide && k.kind != KernelKind.Precomputed && k.units == 0 && !byPosition;
  const step: usize = byPosition ? 128 : 16;
  if (k.laneCount == 1 && isPlain) {
    for (let p = from; p < to; p += 4) {
      denseAlone(k, x, columns, p, to, out);
      out += 16;
    }
    return;
  }
  if (k.laneCount <= 4 && isPlain) {
    for (let p = from; p < to; p += 8) {
      denseEightLow(k, x, columns, p, to, out);
      out += 32;
    }
    return;
  }
  for (let p = from; p < to; p += 4) {
    const c0 = at<u32>(columns, p);
    const c1 = at<u32>(columns, min(p + 1, to - 1));
    const c2 = at<u32>(columns, min(p + 2, to - 1));
    const c3 = at<u32>(columns, min(p + 3, to - 1));
    if (k.kind == KernelKind.Precomputed) {
      precomputedFour(k, byPosition ? out : k.dots, c0, c1, c2, c3);
      if (!byPosition) storeDots(out, k.dots);
    } else if (k.isWide) wideFour(k, x, out, c0, c1, c2, c3, byPosition);
    else if (x.kind == RowKind.Dense && k.units == 0) denseFour(k, x, out, c0, c1, c2, c3, byPosition);
    else {
      const dots = byPosition ? out : k.dots;
      if (k.units != 0) unitFour(k, dots, c0, c1, c2, c3);
      else sparseFour(k, x, dots, c0, c1, c2, c3);
      if (!byPosition) storeDots(out, dots);
    }
    out += step;
  }
}

// From lane 0 to lane 4 in the tile.
const HIGH: usize = 16 * <usize>TILE;

/** The values of four places of the lanes: f32[4][8]. */
function precomputedFour(k: Kernel, dots: usize, c0: u32, c1: u32, c2: u32, c3: u32): void {
  memory.copy(dots, k.lanes + ((<usize>c0) << 5), 32);
  memory.copy(dots + 32, k.lanes + ((<usize>c1) << 5), 32);
  memory.copy(dots + 64, k.lanes + ((<usize>c2) << 5), 32);
  memory.copy(dots + 96, k.lanes + ((<usize>c3) << 5), 32);
}

/** Four dense rows with the eight lanes: what is loaded of the lanes serves four times. */
function denseFour(k: Kernel, x: Rows, out: usize, c0: u32, c1: u32, c2: u32, c3: u32, byPosition: bool): void {
  let v0 = denseRow(x, c0);
  let v1 = denseRow(x, c1);
  let v2 = denseRow(x, c2);
  let v3 = denseRow(x, c3);
  let low0 = f32x4.splat(0);
  let low1 = low0;
  let low2 = low0;
  let low3 = low0;
  let high0 = low0;
  let high1 = low0;
  let high2 = low0;
  let high3 = low0;
  let lane = k.lanes;
  const end = lane + ((<usize>x.featureCount) << 5);
  while (lane < end) {
    const low = v128.load(lane);
    const high = v128.load(lane, 16);
    let value = v128.load32_splat(v0);
    low0 = f32x4.add(low0, f32x4.mul(value, low));
    high0 = f32x4.add(high0, f32x4.mul(value, high));
    value = v128.load32_splat(v1);
    low1 = f32x4.add(low1, f32x4.mul(value, low));
    high1 = f32x4.add(high1, f32x4.mul(value, high));
    value = v128.load32_splat(v2);
    low2 = f32x4.add(low2, f32x4.mul(value, low));
    high2 = f32x4.add(high2, f32x4.mul(value, high));
    value = v128.load32_splat(v3);
    low3 = f32x4.add(low3, f32x4.mul(value, low));
    high3 = f32x4.add(high3, f32x4.mul(value, high));
    lane += 32;
    v0 += 4;
    v1 += 4;
    v2 += 4;
    v3 += 4;
  }
  if (byPosition) {
    v128.store(out, low0);
    v128.store(out, high0, 16);
    v128.store(out, low1, 32);
    v128.store(out, high1, 48);
    v128.store(out, low2, 64);
    v128.store(out, high2, 80);
    v128.store(out, low3, 96);
    v128.store(out, high3, 112);
    return;
  }
  storeFour(out, low0, low1, low2, low3);
  storeFour(out + HIGH, high0, high1, high2, high3);
}

/** Four sparse rows with the eight lanes, two at a time: f32[4][8]. */
function sparseFour(k: Kernel, x: Rows, dots: usize, c0: u32, c1: u32, c2: u32, c3: u32): void {
  sparsePair(k.lanes, x, c0, c1, dots);
  sparsePair(k.lanes, x, c2, c3, dots + 64);
}

/** Four rows in units with the eight lanes: f32[4][8]. */
function unitFour(k: Kernel, dots: usize, c0: u32, c1: u32, c2: u32, c3: u32): void {
  unitDots(k, c0, dots);
  unitDots(k, c1, dots + 32);
  unitDots(k, c2, dots + 64);
  unitDots(k, c3, dots + 96);
}

/** f32[4][8] into the tile, lane by lane. */
function storeDots(out: usize, dots: usize): void {
  storeFour(out, v128.load(dots), v128.load(dots, 32), v128.load(dots, 64), v128.load(dots, 96));
  storeFour(out + HIGH, v128.load(dots, 16), v128.load(dots, 48), v128.load(dots, 80), v128.load(dots, 112));
}

/** Two sparse rows side by side: four chains of additions, where two would wait on themselves. out: f32[2][8]. */
function sparsePair(lanes: usize, x: Rows, c0: u32, c1: u32, out: usize): void {
  const begin0 = at<u32>(x.starts, c0);
  const begin1 = at<u32>(x.starts, c1);
  const bytes0 = (<usize>(at<u32>(x.starts, c0 + 1) - begin0)) << 2;
  const bytes1 = (<usize>(at<u32>(x.starts, c1 + 1) - begin1)) << 2;
  const values0 = x.values + ((<usize>begin0) << 2);
  const values1 = x.values + ((<usize>begin1) << 2);
  const indices0 = x.indices + ((<usize>begin0) << 2);
  const indices1 = x.indices + ((<usize>begin1) << 2);
  let low0 = f32x4.splat(0);
  let low1 = low0;
  let high0 = low0;
  let high1 = low0;
  const both = min(bytes0, bytes1);
  let e: usize = 0;
  for (; e < both; e += 4) {
    const value0 = v128.load32_splat(values0 + e);
    const lane0 = lanes + ((<usize>load<u32>(indices0 + e)) << 5);
    const value1 = v128.load32_splat(values1 + e);
    const lane1 = lanes + ((<usize>load<u32>(indices1 + e)) << 5);
    low0 = f32x4.add(low0, f32x4.mul(value0, v128.load(lane0)));
    high0 = f32x4.add(high0, f32x4.mul(value0, v128.load(lane0, 16)));
    low1 = f32x4.add(low1, f32x4.mul(value1, v128.load(lane1)));
    high1 = f32x4.add(high1, f32x4.mul(value1, v128.load(lane1, 16)));
  }
  for (; e < bytes0; e += 4) {
    const value = v128.load32_splat(values0 + e);
    const lane = lanes + ((<usize>load<u32>(indices0 + e)) << 5);
    low0 = f32x4.add(low0, f32x4.mul(value, v128.load(lane)));
    high0 = f32x4.add(high0, f32x4.mul(value, v128.load(lane, 16)));
  }
  for (; e < bytes1; e += 4) {
    const value = v128.load32_splat(values1 + e);
    const lane = lanes + ((<usize>load<u32>(indices1 + e)) << 5);
    low1 = f32x4.add(low1, f32x4.mul(value, v128.load(lane)));
    high1 = f32x4.add(high1, f32x4.mul(value, v128.load(lane, 16)));
  }
  v128.store(out, low0);
  v128.store(out, high0, 16);
  v128.store(out, low1, 32);
  v128.store(out, high1, 48);
}

/**
 * Four dense rows, those at positions [p, p + 4) below `to`, with the first lane alone: four features of each at a time, turned, so that what is added up side by side is of four rows.
 */
function denseAlone(k: Kernel, x: Rows, columns: usize, p: u32, to: u32, out: usize): void {
  const last = to - 1;
  let v0 = denseRow(x, at<u32>(columns, p));
  let v1 = denseRow(x, at<u32>(columns, min(p + 1, last)));
  let v2 = denseRow(x, at<u32>(columns, min(p + 2, last)));
  let v3 = denseRow(x, at<u32>(columns, min(p + 3, last)));
  let sum = f32x4.splat(0);
  let lane = k.lanes;
  const fours = lane + ((<usize>(x.featureCount & ~3)) << 5);
  const end = lane + ((<usize>x.featureCount) << 5);
  for (; lane < fours; lane += 128) {
    const row0 = v128.load(v0);
    const row1 = v128.load(v1);
    const row2 = v128.load(v2);
    const row3 = v128.load(v3);
    const low01 = v128.shuffle<f32>(row0, row1, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(row0, row1, 2, 6, 3, 7);
    const low23 = v128.shuffle<f32>(row2, row3, 0, 4, 1, 5);
    const high23 = v128.shuffle<f32>(row2, row3, 2, 6, 3, 7);
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(lane), v128.shuffle<f32>(low01, low23, 0, 1, 4, 5)));
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(lane, 32), v128.shuffle<f32>(low01, low23, 2, 3, 6, 7)));
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(lane, 64), v128.shuffle<f32>(high01, high23, 0, 1, 4, 5)));
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(lane, 96), v128.shuffle<f32>(high01, high23, 2, 3, 6, 7)));
    v0 += 16;
    v1 += 16;
    v2 += 16;
    v3 += 16;
  }
  for (; lane < end; lane += 32) {
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(lane), f32x4(load<f32>(v0), load<f32>(v1), load<f32>(v2), load<f32>(v3))));
    v0 += 4;
    v1 += 4;
    v2 += 4;
    v3 += 4;
  }
  v128.store(out, sum);
}

/** Eight dense rows, those at positions [p, p + 8) below `to`, with the first four lanes: where no more lanes are in use. */
function denseEightLow(k: Kernel, x: Rows, columns: usize, p: u32, to: u32, out: usize): void {
  let v0 = denseRow(x, at<u32>(columns, p));
  let v1 = denseRow(x, at<u32>(columns, min(p + 1, to - 1)));
  let v2 = denseRow(x, at<u32>(columns, min(p + 2, to - 1)));
  let v3 = denseRow(x, at<u32>(columns, min(p + 3, to - 1)));
  let v4 = denseRow(x, at<u32>(columns, min(p + 4, to - 1)));
  let v5 = denseRow(x, at<u32>(columns, min(p + 5, to - 1)));
  let v6 = denseRow(x, at<u32>(columns, min(p + 6, to - 1)));
  let v7 = denseRow(x, at<u32>(columns, min(p + 7, to - 1)));
  let sum0 = f32x4.splat(0);
  let sum1 = sum0;
  let sum2 = sum0;
  let sum3 = sum0;
  let sum4 = sum0;
  let sum5 = sum0;
  let sum6 = sum0;
  let sum7 = sum0;
  let lane = k.lanes;
  const end = lane + ((<usize>x.featureCount) << 5);
  while (lane < end) {
    const low = v128.load(lane);
    sum0 = f32x4.add(sum0, f32x4.mul(v128.load32_splat(v0), low));
    sum1 = f32x4.add(sum1, f32x4.mul(v128.load32_splat(v1), low));
    sum2 = f32x4.add(sum2, f32x4.mul(v128.load32_splat(v2), low));
    sum3 = f32x4.add(sum3, f32x4.mul(v128.load32_splat(v3), low));
    sum4 = f32x4.add(sum4, f32x4.mul(v128.load32_splat(v4), low));
    sum5 = f32x4.add(sum5, f32x4.mul(v128.load32_splat(v5), low));
    sum6 = f32x4.add(sum6, f32x4.mul(v128.load32_splat(v6), low));
    sum7 = f32x4.add(sum7, f32x4.mul(v128.load32_splat(v7), low));
    lane += 32;
    v0 += 4;
    v1 += 4;
    v2 += 4;
    v3 += 4;
    v4 += 4;
    v5 += 4;
    v6 += 4;
    v7 += 4;
  }
  storeFour(out, sum0, sum1, sum2, sum3);
  storeFour(out + 16, sum4, sum5, sum6, sum7);
}

/** Turns the values of four lanes with four columns so that each lane's lie side by side in the tile. */
function storeFour(out: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  const low01 = v128.shuffle<f32>(v0, v1, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(v0, v1, 2, 6, 3, 7);
  const low23 = v128.shuffle<f32>(v2, v3, 0, 4, 1, 5);
  const high23 = v128.shuffle<f32>(v2, v3, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
  v128.store(out, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), 4 * TILE);
  v128.store(out, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), 8 * TILE);
  v128.store(out, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7), 12 * TILE);
}

/** Four rows with the eight lanes in float64, down to what the kernel is a function of. */
function wideFour(k: Kernel, x: Rows, out: usize, c0: u32, c1: u32, c2: u32, c3: u32, byPosition: bool): void {
  wideDots(k, x, c0, 0);
  wideDots(k, x, c1, 1);
  wideDots(k, x, c2, 2);
  wideDots(k, x, c3, 3);
  if (byPosition) {
    for (let lane: u32 = 0; lane < LANES; lane += 4, out += 16) {
      v128.store(out, wideArgument(k, 0, lane, c0));
      v128.store(out, wideArgument(k, 1, lane, c1), 32);
      v128.store(out, wideArgument(k, 2, lane, c2), 64);
      v128.store(out, wideArgument(k, 3, lane, c3), 96);
    }
    return;
  }
  for (let lane: u32 = 0; lane < k.laneCount; lane += 4) {
    const v0 = wideArgument(k, 0, lane, c0);
    const v1 = wideArgument(k, 1, lane, c1);
    const v2 = wideArgument(k, 2, lane, c2);
    storeFour(out + ((<usize>(lane * TILE)) << 2), v0, v1, v2, wideArgument(k, 3, lane, c3));
  }
}

/** One row with the eight lanes in float64. */
export function wideDots(k: Kernel, x: Rows, c: u32, place: u32): void {
  let value = x.values + ((<usize>rowBegin(x, c)) << 2);
  const end = x.values + ((<usize>rowBegin(x, c + 1)) << 2);
  let sum0 = f64x2.splat(0);
  let sum1 = sum0;
  let sum2 = sum0;
  let sum3 = sum0;
  let lane = k.lanes;
  let index = x.indices + (value - x.values);
  const isDense = x.kind == RowKind.Dense;
  while (value < end) {
    if (!isDense) lane = k.lanes + ((<usize>load<u32>(index)) << 6);
    const factor = f64x2.splat(<f64>load<f32>(value));
    sum0 = f64x2.add(sum0, f64x2.mul(factor, v128.load(lane)));
    sum1 = f64x2.add(sum1, f64x2.mul(factor, v128.load(lane, 16)));
    sum2 = f64x2.add(sum2, f64x2.mul(factor, v128.load(lane, 32)));
    sum3 = f64x2.add(sum3, f64x2.mul(factor, v128.load(lane, 48)));
    value += 4;
    index += 4;
    lane += 64;
  }
  const dots = k.dots + ((<usize>place) << 6);
  v128.store(dots, sum0);
  v128.store(dots, sum1, 16);
  v128.store(dots, sum2, 32);
  v128.store(dots, sum3, 48);
}

function wideArgument(k: Kernel, place: u32, lane: u32, c: u32): v128 {
  const dots = k.dots + ((<usize>(place * LANES + lane)) << 3);
  const low = wideHalf(k, v128.load(dots), lane, c);
  const high = wideHalf(k, v128.load(dots, 16), lane + 2, c);
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

function wideHalf(k: Kernel, dots: v128, lane: u32, c: u32): v128 {
  if (k.kind == KernelKind.Linear) return dots;
  const gamma = f64x2.splat(k.gamma);
  if (k.kind != KernelKind.Rbf) return f64x2.add(f64x2.mul(gamma, dots), f64x2.splat(k.coef0));
  const squares = f64x2.add(v128.load(k.laneSquares + ((<usize>lane) << 3)), f64x2.splat(at<f64>(k.squares, c)));
  const distance = f64x2.pmax(f64x2.sub(squares, f64x2.add(dots, dots)), f64x2.splat(0));
  return f64x2.pmin(f64x2.neg(f64x2.mul(gamma, distance)), f64x2.splat(<f64>MOST));
}
