// The logistic loss in a descent of many classes at once (rest-descent.ts): the problem, the step and the gap of dcd-logistic.ts for four classes to an instruction.
//
//   kept     u = log(a / (C - a)) in the place of a; a = C sigma(u)
//   step     Newton on h(u) = u + m + Q_ii C (sigma(u) - sigma(u_old)): once, and once more where it began far off. h' is from 1 to 1 + Q_ii C / 4, so that for Q_ii C <= 2, which the host
//            sees to, every step leaves at most half of the distance
//   gap      t = C [L(-m) - L(u) + sigma(u) (m + u)],   L(v) = log(1 + e^v);   near u + m = 0, where that is all rounding, C sigma (1 - sigma) (u + m)^2 / 2
//
// Checked in test/unit/core/rest-logistic.test.ts.

import { RestState } from "../layout/rest";
import { Rows } from "../layout/rows";
import { at } from "../memory";
import { sigmoid, softplus } from "./quick-math";
import { addSteps, addWide, alphaAt, scoreRow, signs, vectorAt } from "./rest-rows";

// |h| from which on a second step of Newton's is made, from which on the estimate takes C |h|, which t never exceeds, and up to which t is taken to second order.
const FAR: f32 = 0.1;
const BEYOND: f32 = 1;
const NEAR: f32 = 0.03;

export function visitLogistic(s: RestState, x: Rows, k: u32): void {
  const row = at<u32>(s.rowIds, k);
  const own = at<u32>(s.classIds, k);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const cost = v128.load32_splat(s.limits + ((<usize>k) << 2));
  const bend = f32x4.mul(cost, v128.load32_splat(s.curvatures + ((<usize>k) << 2)));
  scoreRow(s, x, row);
  let moved = zero;
  for (let v: u32 = 0; v < s.vectors; v++) {
    const y = v128.bitselect(one, f32x4.neg(one), signs(v, own));
    const used = v128.load(vectorAt(s.used, v));
    const place = alphaAt(s, k, v);
    const u = v128.load(place);
    const m = f32x4.mul(y, f32x4.add(v128.load(vectorAt(s.scores, v)), v128.load(vectorAt(s.bias, v))));
    const sigma = sigmoid(u);
    const spread = f32x4.mul(sigma, f32x4.sub(one, sigma));
    const h = f32x4.add(u, m);
    const size = f32x4.abs(h);
    let next = f32x4.sub(u, f32x4.div(h, f32x4.add(one, f32x4.mul(bend, spread))));
    let after = sigmoid(next);
    if (v128.any_true(f32x4.gt(size, f32x4.splat(FAR)))) {
      const left = f32x4.add(f32x4.add(next, m), f32x4.mul(bend, f32x4.sub(after, sigma)));
      const slope = f32x4.add(one, f32x4.mul(bend, f32x4.mul(after, f32x4.sub(one, after))));
      next = f32x4.sub(next, f32x4.div(left, slope));
      after = sigmoid(next);
    }
    v128.store(place, next);
    const step = v128.and(used, f32x4.mul(cost, f32x4.sub(after, sigma)));
    v128.store(vectorAt(s.scores, v), f32x4.mul(step, y));
    moved = v128.or(moved, f32x4.ne(step, zero));
    const near = f32x4.mul(f32x4.mul(f32x4.splat(0.5), spread), f32x4.mul(h, h));
    const term = f32x4.mul(cost, v128.bitselect(size, near, f32x4.gt(size, f32x4.splat(BEYOND))));
    const estimate = vectorAt(s.estimates, v);
    v128.store(estimate, f32x4.add(v128.load(estimate), v128.and(used, term)));
    // D's slope is -h at the old point and nearly 0 at the new one.
    const reward = vectorAt(s.rewards, v);
    v128.store(reward, f32x4.sub(v128.load(reward), f32x4.mul(f32x4.splat(0.5), f32x4.mul(h, step))));
  }
  if (v128.any_true(moved)) addSteps(s, x, row);
}

export function checkLogistic(s: RestState, x: Rows, k: u32): void {
  const one = f32x4.splat(1);
  const cost = v128.load32_splat(s.limits + ((<usize>k) << 2));
  scoreRow(s, x, at<u32>(s.rowIds, k));
  for (let v: u32 = 0; v < s.vectors; v++) {
    const used = v128.load(vectorAt(s.used, v));
    const y = v128.bitselect(one, f32x4.neg(one), signs(v, at<u32>(s.classIds, k)));
    const m = f32x4.mul(y, f32x4.add(v128.load(vectorAt(s.scores, v)), v128.load(vectorAt(s.bias, v))));
    const u = v128.load(alphaAt(s, k, v));
    const sigma = sigmoid(u);
    const h = f32x4.add(u, m);
    const loss = softplus(f32x4.neg(m));
    const whole = f32x4.add(f32x4.sub(loss, softplus(u)), f32x4.mul(sigma, h));
    const near = f32x4.mul(f32x4.mul(f32x4.splat(0.5), f32x4.mul(sigma, f32x4.sub(one, sigma))), f32x4.mul(h, h));
    const term = v128.bitselect(near, whole, f32x4.lt(f32x4.abs(h), f32x4.splat(NEAR)));
    addWide(s.gaps, v, v128.and(used, f32x4.mul(cost, term)));
    addWide(s.losses, v, v128.and(used, f32x4.mul(cost, loss)));
  }
}

/** a = C sigma(u) of four classes. */
export function logisticDuals(s: RestState, k: u32, v: u32): v128 {
  const cost = v128.load32_splat(s.limits + ((<usize>k) << 2));
  return v128.and(v128.load(vectorAt(s.used, v)), f32x4.mul(cost, sigmoid(v128.load(alphaAt(s, k, v)))));
}
