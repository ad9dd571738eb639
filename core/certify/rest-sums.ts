// The judge's passes over rows for many classes at once, each against all others, in float64: a row is read once for all of them.
//
//   bounds    a into its box, and what it sums to: over the rows of the class, over the others, and signed
//   balance   a times a number for the class's own rows and one for the others
//   sum       w_m  = sum_i a_im y_im x_i
//   rows      P_m += sum_i C_i loss(y_im (w_m'x_i + b_m)),    D_m += sum_i h_i(a_im)            loss, h: src/certify/losses.ts
//
// Every sum of a class runs in the order of the rows, a product in the order of the row's values: the bits are those of src/certify/linear.ts for each class by itself.
// Shares no function with the solvers' rows. Checked against that judge in test/unit/certify/rest.test.ts, pass by pass in test/unit/core/rest-sums.test.ts.

import { RestJudged } from "../layout/rest-judged";
import { Loss, RowKind, Rows } from "../layout/rows";
import { exp, log, log1p } from "../math";
import { at, put } from "../memory";

/** Rows from `from` on; sums: f64[3][lanes], added to. */
export function judgeRestBounds(s: RestJudged, from: u32, count: u32, sums: usize): void {
  const width = (<usize>s.lanes) << 3;
  for (let k = from; k < from + count; k++) {
    const upper = s.loss == Loss.SquaredHinge ? Infinity : at<f64>(s.costs, k);
    const own = at<u32>(s.classIds, k);
    for (let m: u32 = 0; m < s.lanes; m++) {
      const place = alphaAt(s, k, m);
      const a = min(max<f64>(0, load<f64>(place)), upper);
      store<f64>(place, a);
      const side = sums + (own == m ? 0 : width);
      put<f64>(side, m, at<f64>(side, m) + a);
      put<f64>(sums + 2 * width, m, at<f64>(sums + 2 * width, m) + (own == m ? a : -a));
    }
  }
}

/** scales: f64[2][lanes], for the class's own rows and for the others. */
export function judgeRestBalance(s: RestJudged, from: u32, count: u32, scales: usize): void {
  const width = (<usize>s.lanes) << 3;
  for (let k = from; k < from + count; k++) {
    const own = at<u32>(s.classIds, k);
    for (let m: u32 = 0; m < s.lanes; m++) {
      const place = alphaAt(s, k, m);
      store<f64>(place, load<f64>(place) * at<f64>(scales + (own == m ? 0 : width), m));
    }
  }
}

/** Adds the rows from `from` on to w. */
export function judgeRestSum(s: RestJudged, from: u32, count: u32): void {
  const x = changetype<Rows>(s.rows);
  for (let k = from; k < from + count; k++) {
    const own = at<u32>(s.classIds, k);
    let some = f64x2.splat(0);
    for (let m: u32 = 0; m < s.lanes; m += 2) {
      const signed = f64x2.mul(v128.load(alphaAt(s, k, m)), signs(m, own));
      v128.store(s.scores + ((<usize>m) << 3), signed);
      some = v128.or(some, f64x2.ne(signed, f64x2.splat(0)));
    }
    if (v128.any_true(some)) addRow(s, x, at<u32>(s.rowIds, k));
  }
}

/** Adds the rows from `from` on to P and D. */
export function judgeRestRows(s: RestJudged, from: u32, count: u32): void {
  const x = changetype<Rows>(s.rows);
  for (let k = from; k < from + count; k++) {
    scoreRow(s, x, at<u32>(s.rowIds, k));
    if (s.loss == Loss.Logistic) addLogistic(s, k);
    else addHinges(s, k);
  }
}

/** A row's parts of P and D under the hinge or its square; its scores are known. */
function addHinges(s: RestJudged, k: u32): void {
  const isHinge = s.loss == Loss.Hinge;
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const own = at<u32>(s.classIds, k);
  const cost = f64x2.splat(at<f64>(s.costs, k));
  const fourfold = f64x2.mul(f64x2.splat(4), cost);
  for (let m: u32 = 0; m < s.lanes; m += 2) {
    const offset = (<usize>m) << 3;
    const margin = f64x2.mul(signs(m, own), f64x2.add(v128.load(s.scores + offset), v128.load(s.bias + offset)));
    const slack = f64x2.max(zero, f64x2.sub(one, margin));
    const loss = isHinge ? slack : f64x2.mul(slack, slack);
    v128.store(s.primal + offset, f64x2.add(v128.load(s.primal + offset), f64x2.mul(cost, loss)));
    const a = v128.load(alphaAt(s, k, m));
    const h = isHinge ? a : f64x2.sub(a, f64x2.div(f64x2.mul(a, a), fourfold));
    v128.store(s.dual + offset, f64x2.add(v128.load(s.dual + offset), h));
  }
}

/** The same under the logistic loss. */
function addLogistic(s: RestJudged, k: u32): void {
  const own = at<u32>(s.classIds, k);
  const cost = at<f64>(s.costs, k);
  for (let m: u32 = 0; m < s.lanes; m++) {
    const score = at<f64>(s.scores, m) + at<f64>(s.bias, m);
    const margin = own == m ? score : -score;
    // The larger of the two terms is taken out, so that nothing overflows.
    const loss = max<f64>(0, -margin) + log1p(exp(-abs(margin)));
    put<f64>(s.primal, m, at<f64>(s.primal, m) + cost * loss);
    const a = load<f64>(alphaAt(s, k, m));
    if (a > 0) put<f64>(s.dual, m, at<f64>(s.dual, m) + entropy(min(a, cost - a), cost));
  }
}

/** -a log(a / C) - (C - a) log(1 - a / C) for 0 <= a <= C / 2. */
function entropy(a: f64, C: f64): f64 {
  return a > 0 ? -a * log(a / C) - (C - a) * log1p(-a / C) : 0;
}

/** out[m] = |w_m|^2, f64[lanes]. */
export function judgeRestSquares(s: RestJudged, out: usize): void {
  const featureCount = changetype<Rows>(s.rows).featureCount;
  for (let m: u32 = 0; m < s.lanes; m += 2) {
    let sum = f64x2.splat(0);
    let place = s.w + ((<usize>m) << 3);
    for (let j: u32 = 0; j < featureCount; j++) {
      const own = v128.load(place);
      sum = f64x2.add(sum, f64x2.mul(own, own));
      place += (<usize>s.lanes) << 3;
    }
    v128.store(out + ((<usize>m) << 3), sum);
  }
}

/** out[k] = from[k][m] for a lane m, without negative zeros; from: f64[count][lanes]. */
export function judgeRestLane(from: usize, count: u32, lanes: u32, m: u32, out: usize): void {
  let place = from + ((<usize>m) << 3);
  for (let k: u32 = 0; k < count; k++) {
    put<f64>(out, k, load<f64>(place) + 0);
    place += (<usize>lanes) << 3;
  }
}

function alphaAt(s: RestJudged, k: u32, m: u32): usize {
  return s.alpha + ((<usize>k * s.lanes + m) << 3);
}

/** y of the lanes m and m + 1. */
function signs(m: u32, own: u32): v128 {
  return f64x2.replace_lane(f64x2.splat(select<f64>(1, -1, own == m)), 1, select<f64>(1, -1, own == m + 1));
}

/** scores[m] = x_i'w_m. */
function scoreRow(s: RestJudged, x: Rows, i: u32): void {
  const isDense = x.kind == RowKind.Dense;
  const start: u32 = isDense ? i * x.featureCount : at<u32>(x.starts, i);
  const end: u32 = isDense ? start + x.featureCount : at<u32>(x.starts, i + 1);
  const stride = (<usize>s.lanes) << 3;
  for (let m: u32 = 0; m < s.lanes; m += 4) {
    const w = s.w + ((<usize>m) << 3);
    let low = f64x2.splat(0);
    let high = f64x2.splat(0);
    for (let e = start; e < end; e++) {
      const place = w + <usize>(isDense ? e - start : at<u32>(x.indices, e)) * stride;
      const value = f64x2.splat(<f64>at<f32>(x.values, e));
      low = f64x2.add(low, f64x2.mul(value, v128.load(place)));
      high = f64x2.add(high, f64x2.mul(value, v128.load(place, 16)));
    }
    v128.store(s.scores + ((<usize>m) << 3), low);
    v128.store(s.scores + ((<usize>m) << 3), high, 16);
  }
}

/** w_m += scores[m] x_i. */
function addRow(s: RestJudged, x: Rows, i: u32): void {
  const isDense = x.kind == RowKind.Dense;
  const start: u32 = isDense ? i * x.featureCount : at<u32>(x.starts, i);
  const end: u32 = isDense ? start + x.featureCount : at<u32>(x.starts, i + 1);
  const stride = (<usize>s.lanes) << 3;
  for (let m: u32 = 0; m < s.lanes; m += 4) {
    const w = s.w + ((<usize>m) << 3);
    const low = v128.load(s.scores + ((<usize>m) << 3));
    const high = v128.load(s.scores + ((<usize>m) << 3), 16);
    for (let e = start; e < end; e++) {
      const place = w + <usize>(isDense ? e - start : at<u32>(x.indices, e)) * stride;
      const value = f64x2.splat(<f64>at<f32>(x.values, e));
      v128.store(place, f64x2.add(v128.load(place), f64x2.mul(low, value)));
      v128.store(place, f64x2.add(v128.load(place, 16), f64x2.mul(high, value)), 16);
    }
  }
}
