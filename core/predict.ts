// Decision values of a linear model. Every value is the plain sum b' = ((x_0 w_0 + x_1 w_1) + x_2 w_2) + ... + b, in the
// order of the features and nothing else, so that a row gives the same bits dense or sparse, alone (predictOne, in
// TypeScript) or in a block: terms of absent features are zero and change no sum. Speed comes from several rows at a time.
// Checked in test/unit/core/predict.test.ts.

import { RowKind, Rows } from "./layout/rows";
import { at, put } from "./memory";
import { denseRow } from "./rows";
import { axpy } from "./vector";

/** out[i - from] = x_i'w + b for rows from <= i < to. w: f64[d] where d = min(features of x, features of the model). */
export function decisionRows(out: usize, x: Rows, from: u32, to: u32, w: usize, b: f64): void {
  let i = from;
  if (x.kind == RowKind.Dense) {
    for (; i + 4 <= to; i += 4) denseFour(out + ((<usize>(i - from)) << 3), x, i, w, b);
    for (; i < to; i++) put<f64>(out, i - from, denseOne(denseRow(x, i), w, x.featureCount) + b);
    return;
  }
  for (; i < to; i++) put<f64>(out, i - from, sparseOne(x, i, w) + b);
}

/** Four rows side by side: four chains of additions where one alone would wait on itself. */
function denseFour(out: usize, x: Rows, i: u32, w: usize, b: f64): void {
  const stride = (<usize>x.featureCount) << 2;
  let p = denseRow(x, i);
  const end = p + stride;
  let sum0: f64 = 0;
  let sum1: f64 = 0;
  let sum2: f64 = 0;
  let sum3: f64 = 0;
  while (p < end) {
    const wj = load<f64>(w);
    sum0 += <f64>load<f32>(p) * wj;
    sum1 += <f64>load<f32>(p + stride) * wj;
    sum2 += <f64>load<f32>(p + 2 * stride) * wj;
    sum3 += <f64>load<f32>(p + 3 * stride) * wj;
    p += 4;
    w += 8;
  }
  put<f64>(out, 0, sum0 + b);
  put<f64>(out, 1, sum1 + b);
  put<f64>(out, 2, sum2 + b);
  put<f64>(out, 3, sum3 + b);
}

function denseOne(p: usize, w: usize, n: u32): f64 {
  let sum: f64 = 0;
  for (let j: u32 = 0; j < n; j++) sum += <f64>at<f32>(p, j) * at<f64>(w, j);
  return sum;
}

function sparseOne(x: Rows, i: u32, w: usize): f64 {
  const end = at<u32>(x.starts, i + 1);
  let sum: f64 = 0;
  for (let k = at<u32>(x.starts, i); k < end; k++) sum += <f64>at<f32>(x.values, k) * at<f64>(w, at<u32>(x.indices, k));
  return sum;
}

/**
 * Several decision values a row: out[(i - from) * k + m] = x_i'w_m + b_m for rows from <= i < to. w: f64[d][k], the k weights of a
 * feature side by side, b: f64[k]. Each value is the same plain sum as above: lanes are different values, never parts of one.
 */
export function decisionRowsWide(out: usize, x: Rows, from: u32, to: u32, w: usize, b: usize, k: u32): void {
  const stride = (<usize>k) << 3;
  for (let i = from; i < to; i++, out += stride) {
    memory.fill(out, 0, stride);
    if (x.kind == RowKind.Dense) {
      const row = denseRow(x, i);
      for (let j: u32 = 0; j < x.featureCount; j++) axpy(out, <f64>at<f32>(row, j), w + <usize>j * stride, k);
    } else {
      const end = at<u32>(x.starts, i + 1);
      for (let p = at<u32>(x.starts, i); p < end; p++) {
        axpy(out, <f64>at<f32>(x.values, p), w + <usize>at<u32>(x.indices, p) * stride, k);
      }
    }
    axpy(out, 1, b, k);
  }
}
