// One row against a sheet (drawn in core/layout/newton.ts): its product with what the sheet holds as input, and its addition to what the
// sheet gathers as output. Passes do both while the row is in the cache. For one output the input and the output of a feature lie
// side by side, so that a sparse row's second walk finds in the cache what the first one fetched.
// Checked against plain loops in test/unit/core/newton-steps.test.ts.

import { NewtonState } from "../layout/newton";
import { RowKind, Rows } from "../layout/rows";
import { at } from "../memory";
import { denseRow } from "../rows";
import { denseAxpy, denseDot } from "../vector";

/** Address of a block's sheet. */
export function sheetOf(s: NewtonState, block: u32): usize {
  return s.sheets + ((<usize>block * s.sheetLength) << 3);
}

/** Address of a sheet's four sums of numbers. */
export function tailOf(s: NewtonState, sheet: usize): usize {
  const d = changetype<Rows>(s.rows).featureCount;
  return sheet + ((<usize>(d + 1) * 2 * s.width) << 3);
}

/** Address of a sheet's input of feature j; its output lies `reach` doubles behind. */
export function sheetAt(s: NewtonState, sheet: usize, j: u32): usize {
  return sheet + ((<usize>j * s.stride) << 3);
}

/** K = 1: in'x_i, the constant feature included. */
export function sheetDot(s: NewtonState, x: Rows, i: u32, sheet: usize): f64 {
  const d = x.featureCount;
  const constant = s.biasScale * load<f64>(sheetAt(s, sheet, d));
  if (s.first == d) return constant;
  if (x.kind == RowKind.Dense) return denseDot(denseRow(x, i), sheet, d) + constant;
  const start = at<u32>(x.starts, i);
  const offset = (<usize>start) << 2;
  return pairDot(x.values + offset, x.indices + offset, sheet, at<u32>(x.starts, i + 1) - start) + constant;
}

/** K = 1: out += scale x_i, the constant feature included. */
export function sheetAxpy(s: NewtonState, scale: f64, x: Rows, i: u32, sheet: usize): void {
  const d = x.featureCount;
  const out = sheet + ((<usize>s.reach) << 3);
  const constant = sheetAt(s, out, d);
  store<f64>(constant, load<f64>(constant) + scale * s.biasScale);
  if (s.first == d) return;
  if (x.kind == RowKind.Dense) {
    denseAxpy(out, scale, denseRow(x, i), d);
    return;
  }
  const start = at<u32>(x.starts, i);
  const offset = (<usize>start) << 2;
  pairAxpy(sheet, scale, x.values + offset, x.indices + offset, at<u32>(x.starts, i + 1) - start);
}

/** sum_k values[k] * in[indices[k]] over pairs {in, out}; four sums, folded as (0 + 1) + (2 + 3), then the tail in order. */
function pairDot(values: usize, indices: usize, pairs: usize, n: u32): f64 {
  let sum0: f64 = 0;
  let sum1: f64 = 0;
  let sum2: f64 = 0;
  let sum3: f64 = 0;
  const end = values + ((<usize>(n & ~3)) << 2);
  while (values < end) {
    sum0 += <f64>load<f32>(values) * load<f64>(pairs + ((<usize>load<u32>(indices)) << 4));
    sum1 += <f64>load<f32>(values, 4) * load<f64>(pairs + ((<usize>load<u32>(indices, 4)) << 4));
    sum2 += <f64>load<f32>(values, 8) * load<f64>(pairs + ((<usize>load<u32>(indices, 8)) << 4));
    sum3 += <f64>load<f32>(values, 12) * load<f64>(pairs + ((<usize>load<u32>(indices, 12)) << 4));
    values += 16;
    indices += 16;
  }
  let sum = sum0 + sum1 + (sum2 + sum3);
  for (let k: u32 = 0; k < (n & 3); k++) sum += <f64>at<f32>(values, k) * load<f64>(pairs + ((<usize>at<u32>(indices, k)) << 4));
  return sum;
}

/** out[indices[k]] += scale * values[k] over pairs {in, out}. */
function pairAxpy(pairs: usize, scale: f64, values: usize, indices: usize, n: u32): void {
  const end = values + ((<usize>n) << 2);
  while (values < end) {
    const pair = pairs + ((<usize>load<u32>(indices)) << 4);
    store<f64>(pair, load<f64>(pair, 8) + scale * <f64>load<f32>(values), 8);
    values += 4;
    indices += 4;
  }
}

/** K = 1: out += scale x_i^2, feature by feature, the constant one included. */
export function sheetSquares(s: NewtonState, scale: f64, x: Rows, i: u32, sheet: usize): void {
  const d = x.featureCount;
  const out = sheet + ((<usize>s.reach) << 3);
  const constant = sheetAt(s, out, d);
  store<f64>(constant, load<f64>(constant) + scale * s.biasScale * s.biasScale);
  if (s.first == d) return;
  const dense = x.kind == RowKind.Dense;
  const start = dense ? 0 : at<u32>(x.starts, i);
  const values = dense ? denseRow(x, i) : x.values + ((<usize>start) << 2);
  const n = dense ? d : at<u32>(x.starts, i + 1) - start;
  for (let k: u32 = 0; k < n; k++) {
    const value = <f64>at<f32>(values, k);
    const cell = sheetAt(s, out, dense ? k : at<u32>(x.indices, start + k));
    store<f64>(cell, load<f64>(cell) + scale * value * value);
  }
}
