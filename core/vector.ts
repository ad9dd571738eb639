// Operations on vectors of doubles, and on one dense or sparse float32 row against a vector of doubles. Sums are float64.
// Strict SIMD only: the order of additions is fixed by the code, so every processor gives the same bits.
// Checked against plain loops in test/unit/core/vector.test.ts.

import { at, put } from "./memory";

/**
 * sum_k a[k] * b[k] for n doubles.
 *
 *              acc0            acc1
 *   step 0   | a0b0  | a1b1  | a2b2  | a3b3  |
 *   step 1   | +a4b4 | +a5b5 | +a6b6 | +a7b7 |
 *   fold     acc0 + acc1, then lane 0 + lane 1, then the n mod 4 tail in order
 *
 * Two accumulators, because one chain of f64x2.add waits on itself.
 */
export function dot(a: usize, b: usize, n: u32): f64 {
  let acc0 = f64x2.splat(0);
  let acc1 = f64x2.splat(0);
  const end = a + ((<usize>(n & ~3)) << 3);
  while (a < end) {
    acc0 = f64x2.add(acc0, f64x2.mul(v128.load(a), v128.load(b)));
    acc1 = f64x2.add(acc1, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
  }
  let sum = foldLanes(f64x2.add(acc0, acc1));
  for (let k: u32 = 0; k < (n & 3); k++) sum += at<f64>(a, k) * at<f64>(b, k);
  return sum;
}

/** b[k] += scale * a[k] for n doubles. */
export function axpy(b: usize, scale: f64, a: usize, n: u32): void {
  const s = f64x2.splat(scale);
  const end = a + ((<usize>(n & ~1)) << 3);
  while (a < end) {
    v128.store(b, f64x2.add(v128.load(b), f64x2.mul(s, v128.load(a))));
    a += 16;
    b += 16;
  }
  if (n & 1) put<f64>(b, 0, at<f64>(b, 0) + scale * at<f64>(a, 0));
}

/**
 * sum_j x[j] * w[j] for n float32 x and float64 w: four values are loaded at once and widened in pairs.
 *
 *   load     | x0 x1 x2 x3 |              float32
 *   acc0     | +x0w0 | +x1w1 |            promote_low
 *   acc1     | +x2w2 | +x3w3 |            promote_low of the upper half
 */
export function denseDot(x: usize, w: usize, n: u32): f64 {
  let acc0 = f64x2.splat(0);
  let acc1 = f64x2.splat(0);
  const end = x + ((<usize>(n & ~3)) << 2);
  while (x < end) {
    const low = f64x2.promote_low_f32x4(v128.load64_zero(x));
    const high = f64x2.promote_low_f32x4(v128.load64_zero(x, 8));
    acc0 = f64x2.add(acc0, f64x2.mul(low, v128.load(w)));
    acc1 = f64x2.add(acc1, f64x2.mul(high, v128.load(w, 16)));
    x += 16;
    w += 32;
  }
  let sum = foldLanes(f64x2.add(acc0, acc1));
  for (let k: u32 = 0; k < (n & 3); k++) sum += <f64>at<f32>(x, k) * at<f64>(w, k);
  return sum;
}

/** w[j] += scale * x[j] for n float32 x and float64 w. */
export function denseAxpy(w: usize, scale: f64, x: usize, n: u32): void {
  const s = f64x2.splat(scale);
  const end = x + ((<usize>(n & ~3)) << 2);
  while (x < end) {
    const low = f64x2.promote_low_f32x4(v128.load64_zero(x));
    const high = f64x2.promote_low_f32x4(v128.load64_zero(x, 8));
    v128.store(w, f64x2.add(v128.load(w), f64x2.mul(s, low)));
    v128.store(w, f64x2.add(v128.load(w, 16), f64x2.mul(s, high)), 16);
    x += 16;
    w += 32;
  }
  for (let k: u32 = 0; k < (n & 3); k++) put<f64>(w, k, at<f64>(w, k) + scale * <f64>at<f32>(x, k));
}

/**
 * sum_k values[k] * w[indices[k]] over the n stored values of a sparse row. Four sums, k mod 4 each, so that four
 * look-ups in w are under way at once; folded as (0 + 1) + (2 + 3), then the tail in order.
 */
export function sparseDot(values: usize, indices: usize, w: usize, n: u32): f64 {
  let sum0: f64 = 0;
  let sum1: f64 = 0;
  let sum2: f64 = 0;
  let sum3: f64 = 0;
  const end = values + ((<usize>(n & ~3)) << 2);
  while (values < end) {
    sum0 += <f64>load<f32>(values) * at<f64>(w, load<u32>(indices));
    sum1 += <f64>load<f32>(values, 4) * at<f64>(w, load<u32>(indices, 4));
    sum2 += <f64>load<f32>(values, 8) * at<f64>(w, load<u32>(indices, 8));
    sum3 += <f64>load<f32>(values, 12) * at<f64>(w, load<u32>(indices, 12));
    values += 16;
    indices += 16;
  }
  let sum = sum0 + sum1 + (sum2 + sum3);
  for (let k: u32 = 0; k < (n & 3); k++) sum += <f64>at<f32>(values, k) * at<f64>(w, at<u32>(indices, k));
  return sum;
}

/** w[indices[k]] += scale * values[k] over the n stored values of a sparse row; indices are distinct. */
export function sparseAxpy(w: usize, scale: f64, values: usize, indices: usize, n: u32): void {
  for (let k: u32 = 0; k < n; k++) {
    const j = at<u32>(indices, k);
    put<f64>(w, j, at<f64>(w, j) + scale * <f64>at<f32>(values, k));
  }
}

/** sum_k x[k]^2 for n float32 values, summed in float64. */
export function squaredNorm(x: usize, n: u32): f64 {
  let acc0 = f64x2.splat(0);
  let acc1 = f64x2.splat(0);
  const end = x + ((<usize>(n & ~3)) << 2);
  while (x < end) {
    const low = f64x2.promote_low_f32x4(v128.load64_zero(x));
    const high = f64x2.promote_low_f32x4(v128.load64_zero(x, 8));
    acc0 = f64x2.add(acc0, f64x2.mul(low, low));
    acc1 = f64x2.add(acc1, f64x2.mul(high, high));
    x += 16;
  }
  let sum = foldLanes(f64x2.add(acc0, acc1));
  for (let k: u32 = 0; k < (n & 3); k++) {
    const value = <f64>at<f32>(x, k);
    sum += value * value;
  }
  return sum;
}

export function foldLanes(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}
