// M = L L' of a symmetric positive definite matrix, row by row in place, and the two triangular solves.
//
//   L_ij = (M_ij - sum_{k<j} L_ik L_jk) / L_jj          L_ii = sqrt(M_ii - sum_{k<i} L_ik^2)
//
// Rows of L are contiguous, so both sums are `dot` of the beginnings of two rows. The error of L L' in entry (i, j) is at most a few d ulps of
// sqrt(M_ii M_jj): it scales with the columns, so a column times 10^4 does no harm and scaling M by its diagonal first would change
// nothing. What is left of a pivot M_ii - sum L_ik^2 can be rounding alone; each pivot has a lower bound that the caller knows.
// Cost d^3 / 6 multiplications, d^2 a solve. Checked in test/unit/core/cholesky.test.ts.

import { at, put } from "../memory";
import { axpy, dot } from "../vector";

// Below this share of M_ii a pivot is nothing but the rounding of its own sum.
const NOISE: f64 = 1e-15;

/**
 * Overwrites row i of the lower triangle of M by that of L; rows before it are L's already. M: f64, `stride` doubles a row.
 * `least` is a lower bound of the exact pivot, 0 if none is known.
 */
export function factorRow(M: usize, stride: u32, i: u32, least: f64): void {
  const row = matrixRow(M, stride, i);
  for (let j: u32 = 0; j < i; j++) {
    const other = matrixRow(M, stride, j);
    put<f64>(row, j, (at<f64>(row, j) - dot(row, other, j)) / at<f64>(other, j));
  }
  const diagonal = at<f64>(row, i);
  put<f64>(row, i, sqrt(max(diagonal - dot(row, row, i), max(least, NOISE * diagonal))));
}

/** b <- (L L')^-1 b for n unknowns. */
export function solveFactored(b: usize, L: usize, stride: u32, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const row = matrixRow(L, stride, i);
    put<f64>(b, i, (at<f64>(b, i) - dot(row, b, i)) / at<f64>(row, i));
  }
  for (let i: u32 = n; i > 0; i--) {
    const row = matrixRow(L, stride, i - 1);
    const value = at<f64>(b, i - 1) / at<f64>(row, i - 1);
    put<f64>(b, i - 1, value);
    axpy(b, -value, row, i - 1);
  }
}

/** Address of row i. */
export function matrixRow(M: usize, stride: u32, i: u32): usize {
  return M + ((<usize>i * stride) << 3);
}
