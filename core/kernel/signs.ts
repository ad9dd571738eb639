// Signs of decision values, all that two classes want: of rbf kernels whose products have to be wide for values that can be relied on. Narrow ones, half as long to compute, decide wherever they are sure:
//
//   f~(u) = sum_v c_v K~_v + b,   K~ narrow and K wide          |f~ - f|  <=  (a + 2^-20 + n 2^-51) sum_v |c_v| K~_v + |b| 2^-51 + tiny,      n vectors
//   a = 1.02 gamma 2^-24 (2 m |u| reach + 6 (|u| + reach)^2)    what float32 may do to gamma |u - v|^2: m products and their sums, squares rounded once, and five roundings more
//
// e^x is within 2 ulp both times, which is the 2^-20. Sums of coefficients above and below 0 are apart, so that of their sizes is known for nothing. Rows that are nearer to the border than that, or
// whose numbers are beyond float32, are decided by wide products, so every sign is what `decideRows` says. Checked in test/unit/core/kernel-signs.test.ts.

import { Decision, Kernel } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { rowSquaredNorm } from "../rows";
import { decideList, decideOnly, TILE } from "./decide";
import { clearLanes, loadLanes, valuesByPosition } from "./rows";

const LANES: u32 = 8;
const HALF_ULP: f64 = 1.0 / 16777216.0;
/** 2^-20 and 2^-51. */
const FUNCTIONS: f64 = 1.0 / 1048576.0;
const SUMS: f64 = 1.0 / 2251799813685248.0;
/** Above what a kernel value below the normal float32 can add to a sum, coefficients of 1e15 with four thousand million vectors included. */
const TINY: f64 = 1e-12;
/** Where a is larger, e^a - 1 is not about a, which the 2 % are for. */
const MOST: f64 = 0.01;

/** out[] = numbers with the signs of the decision values of the first `count` rows of d.ids, which are neighbours; of one output. */
export function decideSigns(d: Decision, count: u32): void {
  const quick = changetype<Kernel>(d.quick);
  let doubtful = d.sorted;
  for (let first: u32 = 0; first < count; first += LANES)
    doubtful = signsOfEight(d, quick, d.ids + ((<usize>first) << 2), min(LANES, count - first), doubtful);
  decideList(d, changetype<Kernel>(d.kernel), d.sorted, <u32>((doubtful - d.sorted) >> 2));
}

/** Puts down what is sure, and the numbers of the other rows behind `doubtful`, whose new end is returned. */
function signsOfEight(d: Decision, k: Kernel, ids: usize, count: u32, doubtful: usize): usize {
  const rows = changetype<Rows>(d.rows);
  for (let lane: u32 = 0; lane < count; lane++) put<f32>(d.rowSquares, lane, <f32>rowSquaredNorm(rows, at<u32>(ids, lane)));
  loadLanes(k, rows, d.rowSquares - ((<usize>at<u32>(ids, 0)) << 2), ids, count, d.featureCount);
  memory.fill(d.sums, 0, 128);
  addTiles(d, k, 0, d.above, d.sums);
  addTiles(d, k, d.above, d.termCount, d.sums + 64);
  const bias = load<f64>(d.biases);
  for (let lane: u32 = 0; lane < count; lane++) {
    const id = at<u32>(ids, lane);
    const above = at<f64>(d.sums, lane);
    const below = at<f64>(d.sums, LANES + lane);
    const value = above + below + bias;
    // Not the other way round: NaN is doubtful.
    if (Math.abs(value) > doubt(d, k, lane, above - below) + SUMS * Math.abs(bias)) put<f64>(d.out, id - at<u32>(d.ids, 0), value);
    else {
      store<u32>(doubtful, id);
      doubtful += 4;
    }
  }
  clearLanes(k, rows, ids, d.featureCount);
  return doubtful;
}

/** sums[lane] += coefficient K~(lane, v) for the vectors [begin, end) of d.bySign. sums: f64[8]. */
function addTiles(d: Decision, k: Kernel, begin: u32, end: u32, sums: usize): void {
  for (let from = begin; from < end; from += TILE) {
    const to = min(from + TILE, end);
    valuesByPosition(k, d.bySign, from, to);
    decideOnly(d.weights + ((<usize>from) << 3), sums, to - from, k.tile);
  }
}

/** What the decision value of a lane may be off by, `size` being the sum of the sizes of what was summed. */
function doubt(d: Decision, k: Kernel, lane: u32, size: f64): f64 {
  const own = sqrt(<f64>at<f32>(k.laneSquares, lane)); // its rounding is in the 2 %
  const both = own + d.reach;
  const argument = 1.02 * k.gamma * HALF_ULP * (2 * <f64>d.terms * own * d.reach + 6 * both * both);
  return argument < MOST ? (argument + FUNCTIONS + SUMS * <f64>d.vectorCount) * size + TINY : Infinity;
}
