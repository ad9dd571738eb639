// The judge's two passes over rows, in float64:
//
//   out_k = x_i'w           i = ids[k]
//   u    += sum_k coefficients[k] x_i
//
// Every sum runs in the order of the row's values, u's in the order of the rows: the bits are those of the plain loops in src/certify/passes.ts, whatever the matrix
// is made of. Shares no function with the solvers' rows (core/rows.ts). Checked against the plain loops in test/unit/core/linear-sums.test.ts.

import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";

/** ids: u32[count]; w: f64[d]; out: f64[count]. */
export function judgeTimes(x: Rows, ids: usize, count: u32, w: usize, out: usize): void {
  const isDense = x.kind == RowKind.Dense;
  for (let k: u32 = 0; k < count; k++) {
    const i = at<u32>(ids, k);
    let sum: f64 = 0;
    if (isDense) {
      const row = x.values + ((<usize>i * x.featureCount) << 2);
      for (let j: u32 = 0; j < x.featureCount; j++) sum += <f64>at<f32>(row, j) * at<f64>(w, j);
    } else {
      const to = at<u32>(x.starts, i + 1);
      for (let e = at<u32>(x.starts, i); e < to; e++) sum += <f64>at<f32>(x.values, e) * at<f64>(w, at<u32>(x.indices, e));
    }
    put<f64>(out, k, sum);
  }
}

/** ids: u32[count]; coefficients: f64[count], rows of 0 are left out; u: f64[d]. */
export function judgeSum(x: Rows, ids: usize, coefficients: usize, count: u32, u: usize): void {
  const isDense = x.kind == RowKind.Dense;
  for (let k: u32 = 0; k < count; k++) {
    const c = at<f64>(coefficients, k);
    if (c == 0) continue;
    const i = at<u32>(ids, k);
    if (isDense) {
      const row = x.values + ((<usize>i * x.featureCount) << 2);
      for (let j: u32 = 0; j < x.featureCount; j++) put<f64>(u, j, at<f64>(u, j) + c * <f64>at<f32>(row, j));
    } else {
      const to = at<u32>(x.starts, i + 1);
      for (let e = at<u32>(x.starts, i); e < to; e++) {
        const j = at<u32>(x.indices, e);
        put<f64>(u, j, at<f64>(u, j) + c * <f64>at<f32>(x.values, e));
      }
    }
  }
}
