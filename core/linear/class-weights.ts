// One row against the weights of many classes. The weights lie feature by feature, so that one look-up serves all classes:
//
//   feature 0                    feature 1                          stride bytes from one feature to the next, a multiple of 16;
//   | w_00 w_01 ... w_0k | pad   | w_10 w_11 ... w_1k | pad  ...    the pad stays zero
//
// A row is n float32 values and their features; a dense row comes with the features 0, 1, 2, ... Sums are float64, in the order
// of the features for every class, whether it is scored alone or with others.
// Checked against plain loops in test/unit/core/class-weights.test.ts.

import { at, put } from "../memory";

/** out[m] = sum_k values[k] * w[indices[k]][m] for all m < width, which is even. */
export function scoreAll(out: usize, w: usize, stride: usize, width: u32, values: usize, indices: usize, n: u32): void {
  let m: u32 = 0;
  for (; m + 16 <= width; m += 16) scoreSixteen(out + ((<usize>m) << 3), w + ((<usize>m) << 3), stride, values, indices, n);
  for (; m + 4 <= width; m += 4) scoreFour(out + ((<usize>m) << 3), w + ((<usize>m) << 3), stride, values, indices, n);
  if (m < width) scoreTwo(out + ((<usize>m) << 3), w + ((<usize>m) << 3), stride, values, indices, n);
}

/** Eight sums of two lanes stay in registers while the row passes. */
function scoreSixteen(out: usize, w: usize, stride: usize, values: usize, indices: usize, n: u32): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let s4 = f64x2.splat(0);
  let s5 = f64x2.splat(0);
  let s6 = f64x2.splat(0);
  let s7 = f64x2.splat(0);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(indices, k) * stride;
    const x = f64x2.splat(<f64>at<f32>(values, k));
    s0 = f64x2.add(s0, f64x2.mul(x, v128.load(at0)));
    s1 = f64x2.add(s1, f64x2.mul(x, v128.load(at0, 16)));
    s2 = f64x2.add(s2, f64x2.mul(x, v128.load(at0, 32)));
    s3 = f64x2.add(s3, f64x2.mul(x, v128.load(at0, 48)));
    s4 = f64x2.add(s4, f64x2.mul(x, v128.load(at0, 64)));
    s5 = f64x2.add(s5, f64x2.mul(x, v128.load(at0, 80)));
    s6 = f64x2.add(s6, f64x2.mul(x, v128.load(at0, 96)));
    s7 = f64x2.add(s7, f64x2.mul(x, v128.load(at0, 112)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
  v128.store(out, s4, 64);
  v128.store(out, s5, 80);
  v128.store(out, s6, 96);
  v128.store(out, s7, 112);
}

function scoreFour(out: usize, w: usize, stride: usize, values: usize, indices: usize, n: u32): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(indices, k) * stride;
    const x = f64x2.splat(<f64>at<f32>(values, k));
    s0 = f64x2.add(s0, f64x2.mul(x, v128.load(at0)));
    s1 = f64x2.add(s1, f64x2.mul(x, v128.load(at0, 16)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
}

function scoreTwo(out: usize, w: usize, stride: usize, values: usize, indices: usize, n: u32): void {
  let sum = f64x2.splat(0);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(indices, k) * stride;
    sum = f64x2.add(sum, f64x2.mul(f64x2.splat(<f64>at<f32>(values, k)), v128.load(at0)));
  }
  v128.store(out, sum);
}

/** out[q] = sum_k values[k] * w[indices[k]][classes[q]] for q < count. */
export function scoreSome(out: usize, classes: usize, count: u32, w: usize, stride: usize, values: usize, indices: usize, n: u32): void {
  let q: u32 = 0;
  for (; q + 2 <= count; q += 2) {
    const w0 = w + ((<usize>at<u32>(classes, q)) << 3);
    const w1 = w + ((<usize>at<u32>(classes, q + 1)) << 3);
    let s0: f64 = 0;
    let s1: f64 = 0;
    for (let k: u32 = 0; k < n; k++) {
      const offset = <usize>at<u32>(indices, k) * stride;
      const x = <f64>at<f32>(values, k);
      s0 += x * load<f64>(w0 + offset);
      s1 += x * load<f64>(w1 + offset);
    }
    put<f64>(out, q, s0);
    put<f64>(out, q + 1, s1);
  }
  if (q < count) {
    const w0 = w + ((<usize>at<u32>(classes, q)) << 3);
    let sum: f64 = 0;
    for (let k: u32 = 0; k < n; k++) sum += <f64>at<f32>(values, k) * load<f64>(w0 + <usize>at<u32>(indices, k) * stride);
    put<f64>(out, q, sum);
  }
}

/** w[indices[k]][classes[q]] += values[k] * steps[q] for q < count; classes are distinct. */
export function addSome(w: usize, stride: usize, classes: usize, steps: usize, count: u32, values: usize, indices: usize, n: u32): void {
  let q: u32 = 0;
  for (; q + 2 <= count; q += 2) {
    const w0 = w + ((<usize>at<u32>(classes, q)) << 3);
    const w1 = w + ((<usize>at<u32>(classes, q + 1)) << 3);
    const d0 = at<f64>(steps, q);
    const d1 = at<f64>(steps, q + 1);
    for (let k: u32 = 0; k < n; k++) {
      const offset = <usize>at<u32>(indices, k) * stride;
      const x = <f64>at<f32>(values, k);
      store<f64>(w0 + offset, load<f64>(w0 + offset) + x * d0);
      store<f64>(w1 + offset, load<f64>(w1 + offset) + x * d1);
    }
  }
  if (q < count) {
    const w0 = w + ((<usize>at<u32>(classes, q)) << 3);
    const d0 = at<f64>(steps, q);
    for (let k: u32 = 0; k < n; k++) {
      const place = w0 + <usize>at<u32>(indices, k) * stride;
      store<f64>(place, load<f64>(place) + <f64>at<f32>(values, k) * d0);
    }
  }
}
