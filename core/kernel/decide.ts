// Decision values of a kernel model for eight rows at a time: sums over the support vectors, in their order, of coefficients times kernel values, in float64; kernel
// values in float32, or, where that is too little, in float64 as well. Every value is a plain sum in that order, so that one row alone (predictOne, in TypeScript)
// gives the same bits. Checked in test/unit/core/kernel-exact.test.ts.

import { Kernel, KernelKind } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { exp } from "../math";
import { at, put } from "../memory";
import { finishExact } from "./exact";
import { wideDots } from "./rows";

/**
 * sums[place][lane] += coefficient K(lane, v) for support vectors v in [from, to) and each of their coefficients that is not 0: those of v are in [starts[v], starts[v + 1])
 * of `coefficients`, f64[], and `places`, u32[]. The values K are what kernelRows left in the kernel's outs, vector `from` at position 0. sums: f64[][8].
 */
export function decideLanes(k: Kernel, starts: usize, places: usize, coefficients: usize, sums: usize, from: u32, to: u32): void {
  for (let v = from; v < to; v++) {
    const k0 = pairOf(k, 0, v - from);
    const k1 = pairOf(k, 2, v - from);
    const k2 = pairOf(k, 4, v - from);
    const k3 = pairOf(k, 6, v - from);
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

/** The values of two lanes at a position; lanes that are not in use have outs all the same. */
function pairOf(k: Kernel, lane: u32, position: u32): v128 {
  const a = <f64>at<f32>(<usize>at<u32>(k.outs, lane), position);
  return f64x2.replace_lane(f64x2.splat(a), 1, <f64>at<f32>(<usize>at<u32>(k.outs, lane + 1), position));
}
