// A Cholesky factor as preconditioner of the primal Newton method, for few features: M = I + sum of weight_i x_i x_i' over a sample
// of the active rows that stands for the sum of bend_i x_i x_i' over all of them. M's lower triangle is gathered row after row
// into s.factor, D x D doubles with D = d + 1 (the constant feature last), and replaced by L, M = L L'.
// Where K > 1 all classes share the factor. Checked against plain loops in test/unit/core/newton-steps.test.ts and newton-rows.test.ts.

import { NewtonState } from "../layout/newton";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow } from "../rows";
import { axpy, denseAxpy, dot } from "../vector";

// A pivot that rounding made smaller than this share of its diagonal element is replaced by that element.
const LEAST_PIVOT: f64 = 1e-12;

/** The matrix without any row: the identity, but zero for a free bias. */
export function factorStart(s: NewtonState): void {
  const D = changetype<Rows>(s.rows).featureCount + 1;
  memory.fill(s.factor, 0, (<usize>D * D) << 3);
  for (let j: u32 = 0; j < D; j++) put<f64>(rowOf(s, D, j), j, j + 1 == D ? s.biasPenalty : 1);
}

/**
 * What a row that bends this much weighs in the sample; 0 if it is left out. A row at or above `share` stands for itself; of the others
 * one is taken whenever what they bend since the last one has come to `share`, and stands for those. `carry`: f64, from row to row.
 */
export function sampleWeight(carry: usize, bend: f64, share: f64): f64 {
  if (bend >= share) return bend;
  const sum = load<f64>(carry) + bend;
  store<f64>(carry, sum < share ? sum : sum - share);
  return sum < share ? 0 : share;
}

/** Adds row k of the problem, times `weight`, to the lower triangle. */
export function factorAdd(s: NewtonState, k: u32, weight: f64): void {
  const x = changetype<Rows>(s.rows);
  const d = x.featureCount;
  const i = at<u32>(s.rowIds, k);
  const last = rowOf(s, d + 1, d);
  put<f64>(last, d, at<f64>(last, d) + weight * s.biasScale * s.biasScale);
  if (x.kind == RowKind.Dense) {
    const values = denseRow(x, i);
    for (let j: u32 = 0; j < d; j++) denseAxpy(rowOf(s, d + 1, j), weight * <f64>at<f32>(values, j), values, j + 1);
    if (s.biasScale != 0) denseAxpy(last, weight * s.biasScale, values, d);
    return;
  }
  const start = at<u32>(x.starts, i);
  const n = at<u32>(x.starts, i + 1) - start;
  const values = x.values + ((<usize>start) << 2);
  const indices = x.indices + ((<usize>start) << 2);
  for (let a: u32 = 0; a < n; a++) scatter(rowOf(s, d + 1, at<u32>(indices, a)), weight * <f64>at<f32>(values, a), values, indices, a + 1);
  if (s.biasScale != 0) scatter(last, weight * s.biasScale, values, indices, n);
}

function scatter(out: usize, scale: f64, values: usize, indices: usize, n: u32): void {
  const end = values + ((<usize>n) << 2);
  while (values < end) {
    const cell = out + ((<usize>load<u32>(indices)) << 3);
    store<f64>(cell, load<f64>(cell) + scale * <f64>load<f32>(values));
    values += 4;
    indices += 4;
  }
}

/** Rows [from, to) of L, those before them being done: L_ij = (M_ij - L_i'L_j) / L_jj over the columns before j. */
export function factorRows(s: NewtonState, from: u32, to: u32): void {
  const D = changetype<Rows>(s.rows).featureCount + 1;
  for (let i = from; i < to; i++) {
    const row = rowOf(s, D, i);
    for (let j: u32 = 0; j < i; j++) {
      const other = rowOf(s, D, j);
      put<f64>(row, j, (at<f64>(row, j) - dot(row, other, j)) / at<f64>(other, j));
    }
    const diagonal = at<f64>(row, i);
    const pivot = diagonal - dot(row, row, i);
    put<f64>(row, i, sqrt<f64>(pivot > LEAST_PIVOT * diagonal ? pivot : diagonal > 0 ? diagonal : 1));
  }
}

/** solved = M^-1 residual, class by class. Returns residual'solved. */
export function factorSolve(s: NewtonState): f64 {
  const D = changetype<Rows>(s.rows).featureCount + 1;
  const K = s.width;
  let rho: f64 = 0;
  for (let m: u32 = 0; m < K; m++) {
    const z = s.column;
    for (let i: u32 = 0; i < D; i++) {
      const row = rowOf(s, D, i);
      put<f64>(z, i, (at<f64>(s.residual, i * K + m) - dot(row, z, i)) / at<f64>(row, i));
    }
    for (let i = D; i > 0; ) {
      i--;
      const row = rowOf(s, D, i);
      const value = at<f64>(z, i) / at<f64>(row, i);
      put<f64>(z, i, value);
      axpy(z, -value, row, i);
    }
    for (let i: u32 = 0; i < D; i++) {
      put<f64>(s.solved, i * K + m, at<f64>(z, i));
      rho += at<f64>(s.residual, i * K + m) * at<f64>(z, i);
    }
  }
  return rho;
}

function rowOf(s: NewtonState, D: u32, i: u32): usize {
  return s.factor + ((<usize>i * D) << 3);
}
