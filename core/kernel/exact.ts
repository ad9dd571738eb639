// F in float64 throughout: what float32 kernel values have made of it is measured with this, and mended where it is too much.
// Checked in test/unit/core/kernel-exact.test.ts.

import { exponentials, putExponentials } from "../exponentials";
import { Kernel, KernelKind } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { exp } from "../math";
import { at, put } from "../memory";
import { clearLanes, loadLanes, wideDots } from "./rows";

/** F_t += sum over the lanes of deltas[lane] K(lane, columns[t]) for positions [from, to). The kernel is wide, unless it is precomputed. */
export function addExact(k: Kernel, columns: usize, f: usize, deltas: usize, from: u32, to: u32): void {
  if (k.kind == KernelKind.Precomputed) {
    for (let t = from; t < to; t++) addLanes(k, f, t, deltas, k.lanes + ((<usize>at<u32>(columns, t)) << 5), true);
    return;
  }
  const x = changetype<Rows>(k.rows);
  putExponentials(k.constants);
  // Four rows at a time: what is in the scratch is finished together.
  for (let t = from; t < to; t += 4) {
    const count = min<u32>(4, to - t);
    for (let p: u32 = 0; p < count; p++) {
      const c = at<u32>(columns, t + p);
      wideDots(k, x, c, p);
      finishExact(k, k.dots + ((<usize>p) << 6), c);
    }
    if (k.kind == KernelKind.Rbf) exponentials(k.dots, k.dots + ((<usize>count) << 6), k.constants);
    for (let p: u32 = 0; p < count; p++) addLanes(k, f, t + p, deltas, k.dots + ((<usize>p) << 6), false);
  }
}

/**
 * F_t += sum_s values[s] K(ids[s], columns[t]) for positions t of [0, count) and s of [0, size), those left out whose value is 0, eight at a time. lanes: u32[8], deltas: f64[8], scratch.
 */
export function sumExact(
  k: Kernel,
  ids: usize,
  values: usize,
  size: u32,
  columns: usize,
  f: usize,
  count: u32,
  lanes: usize,
  deltas: usize,
): void {
  const x = changetype<Rows>(k.rows);
  let held: u32 = 0;
  for (let s: u32 = 0; s < size; s++) {
    const value = at<f64>(values, s);
    if (value != 0) {
      put<u32>(lanes, held, at<u32>(ids, s));
      put<f64>(deltas, held, value);
      held++;
    }
    if (held < 8 && (s + 1 < size || held == 0)) continue;
    loadLanes(k, x, k.squares, lanes, held, x.featureCount);
    addExact(k, columns, f, deltas, 0, count);
    clearLanes(k, x, lanes, x.featureCount);
    held = 0;
  }
}

/** From the eight dot products with row c to kernel values, or, of rbf, to their logarithms. */
export function finishExact(k: Kernel, dots: usize, c: u32): void {
  if (k.kind == KernelKind.Linear) return;
  for (let lane: u32 = 0; lane < 8; lane++) {
    const dot = at<f64>(dots, lane);
    if (k.kind == KernelKind.Rbf) {
      const distance = max<f64>(0, at<f64>(k.laneSquares, lane) + at<f64>(k.squares, c) - 2 * dot);
      put<f64>(dots, lane, -k.gamma * distance);
      continue;
    }
    const z = k.gamma * dot + k.coef0;
    if (k.kind == KernelKind.Sigmoid) put<f64>(dots, lane, 1 - 2 / (exp(2 * z) + 1));
    else {
      let power: f64 = 1;
      for (let d: u32 = 0; d < k.degree; d++) power *= z;
      put<f64>(dots, lane, power);
    }
  }
}

/** F_t += sum of deltas times values, which are float32 or float64, in the order of the lanes. */
function addLanes(k: Kernel, f: usize, t: u32, deltas: usize, values: usize, isNarrow: bool): void {
  let sum: f64 = 0;
  for (let lane: u32 = 0; lane < k.laneCount; lane++) {
    sum += at<f64>(deltas, lane) * (isNarrow ? <f64>at<f32>(values, lane) : at<f64>(values, lane));
  }
  put<f64>(f, t, at<f64>(f, t) + sum);
}
