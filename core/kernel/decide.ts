// Decision values of a kernel model for eight rows at a time: sums over the support vectors, in their order, of coefficients times kernel values, in float64; kernel
// values in float32, or, where that is too little, in float64 as well. Every value is a plain sum in that order, so that one row alone (predictOne, in TypeScript)
// gives the same bits. Checked in test/unit/core/kernel-exact.test.ts.

import { Decision, Kernel, KernelKind } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { exp } from "../math";
import { at, put } from "../memory";
import { finishExact } from "./exact";
import { clearLanes, kernelRows, kernelSquares, loadLanes, wideDots } from "./rows";

const LANES: u32 = 8;
// As many support vectors as kernelRows finishes together.
const TILE: u32 = 512;

/** The decision values of the first `count` rows of d.ids. */
export function decideRows(d: Decision, count: u32): void {
  for (let first: u32 = 0; first < count; first += LANES) decideEight(d, first, min(LANES, count - first));
}

function decideEight(d: Decision, first: u32, count: u32): void {
  const k = changetype<Kernel>(d.kernel);
  const rows = changetype<Rows>(d.rows);
  const ids = d.ids + ((<usize>first) << 2);
  const outputs = d.outputCount;
  // Squares go to the number of their row, and rows follow each other: so the list begins that many numbers before.
  const squares = d.rowSquares - ((<usize>at<u32>(ids, 0)) << (k.isWide ? 3 : 2));
  kernelSquares(k, rows, squares, ids, count);
  loadLanes(k, rows, squares, ids, count, d.featureCount);
  memory.fill(d.sums, 0, (<usize>outputs) << 6);
  for (let from: u32 = 0; from < d.vectorCount; from += TILE) {
    const to = min(from + TILE, d.vectorCount);
    if (d.isExact) decideExact(k, d.starts, d.places, d.coefficients, d.sums, from, to);
    else {
      kernelRows(k, d.vectors + ((<usize>from) << 2), 0, to - from);
      decideLanes(k, d.starts, d.places, d.coefficients, d.sums, from, to);
    }
  }
  clearLanes(k, rows, ids, d.featureCount);
  for (let lane: u32 = 0; lane < count; lane++) {
    const out = d.out + ((<usize>((first + lane) * outputs)) << 3);
    for (let m: u32 = 0; m < outputs; m++) put<f64>(out, m, at<f64>(d.sums, m * LANES + lane) + at<f64>(d.biases, m));
  }
}

/**
 * sums[place][lane] += coefficient K(lane, v) for support vectors v in [from, to) and each of their coefficients that is not 0: those of v are in [starts[v], starts[v + 1])
 * of `coefficients`, f64[], and `places`, u32[]. The values K are what kernelRows left in the kernel's outs, vector `from` at position 0. sums: f64[][8].
 */
export function decideLanes(k: Kernel, starts: usize, places: usize, coefficients: usize, sums: usize, from: u32, to: u32): void {
  // Where the values of each lane are; lanes that are not in use have a place all the same.
  const out0 = <usize>at<u32>(k.outs, 0);
  const out1 = <usize>at<u32>(k.outs, 1);
  const out2 = <usize>at<u32>(k.outs, 2);
  const out3 = <usize>at<u32>(k.outs, 3);
  const out4 = <usize>at<u32>(k.outs, 4);
  const out5 = <usize>at<u32>(k.outs, 5);
  const out6 = <usize>at<u32>(k.outs, 6);
  const out7 = <usize>at<u32>(k.outs, 7);
  for (let v = from; v < to; v++) {
    const position = (<usize>(v - from)) << 2;
    const k0 = pairOf(out0 + position, out1 + position);
    const k1 = pairOf(out2 + position, out3 + position);
    const k2 = pairOf(out4 + position, out5 + position);
    const k3 = pairOf(out6 + position, out7 + position);
    addVector(starts, v, places, coefficients, sums, k0, k1, k2, k3);
  }
}

/** The same with values K in float64, computed here: the kernel is wide. */
export function decideExact(k: Kernel, starts: usize, places: usize, coefficients: usize, sums: usize, from: u32, to: u32): void {
  const x = changetype<Rows>(k.rows);
  const dots = k.dots;
  for (let v = from; v < to; v++) {
    wideDots(k, x, v, 0);
    finishExact(k, dots, v);
    // One by one, by the function that TypeScript has as well.
    if (k.kind == KernelKind.Rbf) for (let lane: u32 = 0; lane < 8; lane++) put<f64>(dots, lane, exp(at<f64>(dots, lane)));
    const k0 = v128.load(dots);
    const k1 = v128.load(dots, 16);
    const k2 = v128.load(dots, 32);
    const k3 = v128.load(dots, 48);
    addVector(starts, v, places, coefficients, sums, k0, k1, k2, k3);
  }
}

/** One support vector, its values with the eight rows in pairs. */
function addVector(starts: usize, v: u32, places: usize, coefficients: usize, sums: usize, k0: v128, k1: v128, k2: v128, k3: v128): void {
  const end = at<u32>(starts, v + 1);
  for (let m = at<u32>(starts, v); m < end; m++) {
    const coefficient = f64x2.splat(at<f64>(coefficients, m));
    const sum = sums + ((<usize>at<u32>(places, m)) << 6);
    v128.store(sum, f64x2.add(v128.load(sum), f64x2.mul(coefficient, k0)));
    v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.mul(coefficient, k1)), 16);
    v128.store(sum, f64x2.add(v128.load(sum, 32), f64x2.mul(coefficient, k2)), 32);
    v128.store(sum, f64x2.add(v128.load(sum, 48), f64x2.mul(coefficient, k3)), 48);
  }
}

/** The values of two lanes. */
function pairOf(one: usize, other: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load_lane<f32>(other, v128.load_zero<f32>(one), 1));
}
