// F in float64 throughout: what float32 kernel values have made of it is measured with this, and mended where it is too much.
// Checked in test/unit/core/kernel-exact.test.ts.

import { Kernel, KernelKind } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { exp } from "../math";
import { at, put } from "../memory";
import { wideDots } from "./rows";

/** F_t += sum over the lanes of deltas[lane] K(lane, columns[t]) for positions [from, to). The kernel is wide, unless it is precomputed. */
export function addExact(k: Kernel, columns: usize, f: usize, deltas: usize, from: u32, to: u32): void {
  const x = changetype<Rows>(k.rows);
  for (let t = from; t < to; t++) {
    const c = at<u32>(columns, t);
    const isGiven = k.kind == KernelKind.Precomputed;
    if (!isGiven) wideDots(k, x, c, 0);
    let sum: f64 = 0;
    for (let lane: u32 = 0; lane < k.laneCount; lane++) {
      const value = isGiven ? <f64>at<f32>(k.lanes, 8 * c + lane) : exactValue(k, at<f64>(k.dots, lane), lane, c);
      sum += at<f64>(deltas, lane) * value;
    }
    put<f64>(f, t, at<f64>(f, t) + sum);
  }
}

function exactValue(k: Kernel, dot: f64, lane: u32, c: u32): f64 {
  if (k.kind == KernelKind.Linear) return dot;
  if (k.kind == KernelKind.Rbf) return exp(-k.gamma * max<f64>(0, at<f64>(k.laneSquares, lane) + at<f64>(k.squares, c) - 2 * dot));
  const z = k.gamma * dot + k.coef0;
  if (k.kind == KernelKind.Sigmoid) return 1 - 2 / (exp(2 * z) + 1);
  let power: f64 = 1;
  for (let d: u32 = 0; d < k.degree; d++) power *= z;
  return power;
}
