// Rows against the weights of many classes at once, in float32, as descents of many classes (rest-descent.ts) go over them: four classes to an instruction.
// Checked with these in test/unit/core/rest-descent.test.ts.

import { RestState } from "../layout/rest";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { AHEAD, denseRow, rowLength, touchRowStart, touchRowValues } from "../rows";

export function vectorAt(base: usize, v: u32): usize {
  return base + ((<usize>v) << 4);
}

export function alphaAt(s: RestState, k: u32, v: u32): usize {
  return s.alpha + ((<usize>k * s.vectors + v) << 4);
}

/** All bits set in the lane that is a row's own class. */
export function signs(v: u32, own: u32): v128 {
  return i32x4.eq(i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(4 * v)), i32x4.splat(own));
}

/** Four float32 numbers onto f64[4] sums. */
export function addWide(sums: usize, v: u32, four: v128): void {
  const sum = sums + ((<usize>v) << 5);
  v128.store(sum, f64x2.add(v128.load(sum), f64x2.promote_low_f32x4(four)));
  v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.promote_low_f32x4(v128.shuffle<i32>(four, four, 2, 3, 2, 3))), 16);
}

/** As in descent.ts; what was read goes to a place that is written anew next. */
export function touchAhead(s: RestState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.rowCount) return;
  const far = at<u32>(s.rowIds, at<u32>(s.order, k + 3 * AHEAD));
  const middle = touchRowStart(x, at<u32>(s.rowIds, at<u32>(s.order, k + 2 * AHEAD)));
  const near = touchRowValues(x, at<u32>(s.rowIds, at<u32>(s.order, k + AHEAD)));
  put<u32>(s.scores, 0, far + middle + near);
}

function rowValues(x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? denseRow(x, row) : x.values + ((<usize>at<u32>(x.starts, row)) << 2);
}

function rowFeatures(s: RestState, x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? s.features : x.indices + ((<usize>at<u32>(x.starts, row)) << 2);
}

/** scores[m] = sum_j x_j w_jm, four vectors of lanes at a time while there are four, then two, then one. */
export function scoreRow(s: RestState, x: Rows, row: u32): void {
  const values = rowValues(x, row);
  const features = rowFeatures(s, x, row);
  const n = rowLength(x, row);
  const stride = (<usize>s.vectors) << 4;
  let v: u32 = 0;
  for (; v + 4 <= s.vectors; v += 4) scoreFour(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (v + 2 <= s.vectors) {
    scoreTwo(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
    v += 2;
  }
  if (v < s.vectors) scoreOne(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
}

function scoreFour(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(at0)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(at0, 16)));
    s2 = f32x4.add(s2, f32x4.mul(x, v128.load(at0, 32)));
    s3 = f32x4.add(s3, f32x4.mul(x, v128.load(at0, 48)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}

function scoreTwo(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(at0)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(at0, 16)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
}

function scoreOne(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let sum = f32x4.splat(0);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(values + ((<usize>k) << 2)), v128.load(at0)));
  }
  v128.store(out, sum);
}

/** w_jm += x_j steps[m], b_m += s^2 steps[m]; `steps` are where the scores were. */
export function addSteps(s: RestState, x: Rows, row: u32): void {
  const values = rowValues(x, row);
  const features = rowFeatures(s, x, row);
  const n = rowLength(x, row);
  const stride = (<usize>s.vectors) << 4;
  let v: u32 = 0;
  for (; v + 4 <= s.vectors; v += 4) addFour(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (v + 2 <= s.vectors) {
    addTwo(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
    v += 2;
  }
  if (v < s.vectors) addOne(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (s.biasSquare == 0) return;
  const square = f32x4.splat(s.biasSquare);
  for (v = 0; v < s.vectors; v++) {
    const bias = vectorAt(s.bias, v);
    v128.store(bias, f32x4.add(v128.load(bias), f32x4.mul(square, v128.load(vectorAt(s.scores, v)))));
  }
}

function addFour(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  const d1 = v128.load(steps, 16);
  const d2 = v128.load(steps, 32);
  const d3 = v128.load(steps, 48);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(x, d0)));
    v128.store(at0, f32x4.add(v128.load(at0, 16), f32x4.mul(x, d1)), 16);
    v128.store(at0, f32x4.add(v128.load(at0, 32), f32x4.mul(x, d2)), 32);
    v128.store(at0, f32x4.add(v128.load(at0, 48), f32x4.mul(x, d3)), 48);
  }
}

function addTwo(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  const d1 = v128.load(steps, 16);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(x, d0)));
    v128.store(at0, f32x4.add(v128.load(at0, 16), f32x4.mul(x, d1)), 16);
  }
}

function addOne(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(v128.load32_splat(values + ((<usize>k) << 2)), d0)));
  }
}
