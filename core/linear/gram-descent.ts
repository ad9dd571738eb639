// Minimises a quadratic model with an L1 term over the working set, H at hand:
//
//   min_u  M(u) = g'(u - v) + 1/2 (u - v)'H(u - v) + sum_k p_k |u_k|          q = g + H(u - v) is kept
//   step   along u_k: with h = H_kk, the minimum is where  q_k + h (t - u_k) + p_k sign(t) = 0,  or t = 0 between the two
//
// One sweep of coordinate steps costs size^2 and finds the signs; with the signs known, one Cholesky factor of H over the non-zero
// features finishes (src/solve/l1-gram.ts puts the two together). Checked in test/unit/core/l1.test.ts.

import { Gram } from "../layout/l1";
import { at, put } from "../memory";
import { axpy, dot } from "../vector";
import { gramLine } from "./gram";
import { softStep, violationAt } from "./soft-step";

/** One sweep over all features in order; returns the sum of the violations as they were met. */
export function gramSweep(g: Gram): f64 {
  let violation: f64 = 0;
  for (let k: u32 = 0; k < g.size; k++) {
    const h = at<f64>(gramLine(g, k), k);
    const u = at<f64>(g.point, k);
    const q = at<f64>(g.slope, k);
    const p = at<f64>(g.penalty, k);
    violation += violationAt(u, q, p);
    const next = softStep(u, q, p, h);
    if (next == u) continue;
    put<f64>(g.point, k, next);
    axpy(g.slope, next - u, gramLine(g, k), g.size);
  }
  return violation;
}

/**
 * Lines [from, to) of the Cholesky factor L of H + diag(ridge H_kk) over the `count` features of `chosen`; L: f64[count * count],
 * lower triangle. A pivot that rounding has eaten is taken for the ridge: its direction costs the model nothing, and the step along it is huge.
 */
export function factorLines(g: Gram, count: u32, ridge: f64, from: u32, to: u32): void {
  for (let a = from; a < to; a++) {
    const line = gramLine(g, at<u32>(g.chosen, a));
    const out = factorLine(g, count, a);
    for (let b: u32 = 0; b < a; b++) {
      const above = factorLine(g, count, b);
      put<f64>(out, b, (at<f64>(line, at<u32>(g.chosen, b)) - dot(out, above, b)) / at<f64>(above, b));
    }
    const diagonal = at<f64>(line, at<u32>(g.chosen, a));
    const pivot = diagonal * (1 + ridge) - dot(out, out, a);
    put<f64>(out, a, sqrt(max(pivot, 0.1 * ridge * diagonal)));
  }
}

/** step <- (L L')^-1 step, for `count` features. */
export function solveFactor(g: Gram, count: u32): void {
  for (let a: u32 = 0; a < count; a++) {
    const line = factorLine(g, count, a);
    put<f64>(g.step, a, (at<f64>(g.step, a) - dot(line, g.step, a)) / at<f64>(line, a));
  }
  for (let a = count; a-- > 0; ) {
    const line = factorLine(g, count, a);
    const value = at<f64>(g.step, a) / at<f64>(line, a);
    put<f64>(g.step, a, value);
    axpy(g.step, -value, line, a);
  }
}

/** Moves u_k to `next` and keeps q true. */
export function movePoint(g: Gram, k: u32, next: f64): void {
  axpy(g.slope, next - at<f64>(g.point, k), gramLine(g, k), g.size);
  put<f64>(g.point, k, next);
}

function factorLine(g: Gram, count: u32, a: u32): usize {
  return g.factor + ((<usize>a * count) << 3);
}
