// Primal-dual interior point method for the hinge loss, the tube and the one-class problem with few features.
//
//   primal   min  1/2 t'R t + sum_i C_i xi_i,   y_i z_i't + xi_i - s_i = o_i,  xi, s >= 0      z_i = (x_i, biasScale), t = (w, v)
//   dual     max  sum_i o_i a_i - 1/2 w'R w,   a_i + r_i = C_i,  a, r >= 0,   R t = sum_i a_i y_i z_i
//            R = I; with a free bias R = 0 in its place, so that the last equation says y'a = 0
//            hinge: o_i = 1. A tube |z'w - t| <= epsilon has two sides, y = 1 with o = t - epsilon and y = -1 with o = -t - epsilon, and beta = a - a'
//            one-class: y_i = 1, o_i = 0, and P has one more term, N b, so that y'a = N: b is -rho
//   path     a_i s_i = r_i xi_i = mu for all i, mu -> 0: at mu the gap is 2 n mu
//   step     Newton on all these equations. a, s, xi go row by row, which leaves d + 1 unknowns:
//              M dt = sum_i y_i (a_i + theta_i q_i) z_i - R t          M = R + sum_i theta_i z_i z_i',   theta_i = 1 / (s_i/a_i + xi_i/r_i)
//              da_i = theta_i (q_i - y_i z_i'dt)                       ds_i = (e_i - s_i da_i) / a_i,    dxi_i = (f_i + xi_i da_i) / r_i
//              q_i  = residual_i + e_i/a_i - f_i/r_i                   e_i = target - a_i s_i - da_i ds_i,   f_i = target - r_i xi_i + da_i dxi_i
//   stop     P(t) - D(a) <= tolerance * max(P, D, 1e-12 P(0)),   P with max(0, o - y z't) for xi, D at sum a y z
//
// Mehrotra, SIAM J. Optim. 1992: a predictor (target 0, no products) tells how far one could go; target = sigma mu with sigma = (mu there / mu)^3,
// and the predictor's products da ds, da dxi enter the corrector, which needs no new factor. In this form for SVMs: Ferris and Munson, SIAM J. Optim.
// 2003. Differs: one step length for all variables, as a quadratic objective ties t to a; the gap instead of residuals decides.
//
// The two sides of a tube stand one after the other in the table and read their row together: M, n rows of it, costs what n rows of a hinge do.
//
// Where a few of many rows block every step (nearly separable data, duplicates), it goes over to centred rows: a, s, xi follow from the margin
// m = y z't - o and mu exactly (centreRow), nothing can block, and a step along dt minimises the smoothed objective
//   1/2 t'R t + sum_i phi(m_i),   phi'(m) = -a,   phi''(m) = theta        by a search over one number (search)
// What a row does by itself is in interior-row.ts; how a block of rows meets a vector in interior-block.ts.
//
// One iteration: M (n d^2 / 2, or half the sum of the squared row lengths), its Cholesky factor (d^3 / 6) and four passes over the rows, a block at a time.
// Formulas checked in test/unit/core/interior-point.test.ts.

import { InteriorState } from "../layout/interior-point";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { rowLength } from "../rows";
import { axpy, dot, foldLanes } from "../vector";
import { factorRow, matrixRow, solveFactored } from "./cholesky";
import { addColumnTiles, centreColumn, endEvenly, rightColumn, scaleColumns } from "./column-blocks";
import { addRows, blockRows, blockValues, columnsHere, fillColumns, multiply, rowAt, strideOf, unknowns, Way } from "./interior-block";
import {
  ALPHA,
  alphaChange,
  centreRow,
  difference,
  hindrance,
  larger,
  nextRow,
  opposite,
  PER_ALPHA,
  PER_SLACK,
  PRODUCT,
  pair,
  SLACK,
  setPair,
  slackChanges,
  tableRow,
} from "./interior-row";
import { addOuter, addTiles, packRow } from "./normal-matrix";
import { Progress, relativeGap } from "./stopping";

const enum Phase {
  Move = 0, // apply the last step, look at the gap
  Form = 1, // M and the right-hand sides
  Factor = 2,
  Predict = 3,
  Correct = 4,
  Search = 5, // only when centred, instead of Predict
}

// How much of the way to the boundary a step may take.
const BOUNDARY: f64 = 0.99;

// Iterations without a better gap before rounding is taken for the reason. Centring at a large C has gone a hundred without one: D is far below P until a
// step has brought the path near, then close at once.
const PATIENCE: u32 = 150;

// Steps below SHORT that are put up with before rows are centred: one or two a run on a9a and covtype, most of them on kdd99.
const SHORT: f64 = 0.3;
const SHORT_LIMIT: u32 = 5;

// Centred: mu falls by this factor when the gap is at most NEAR_PATH times what it is on the path.
const BARRIER_CUT: f64 = 0.1;
const NEAR_PATH: f64 = 2;

// Centred: a step is good when the slope there is this share of the first; the bracket's upper end; trials at most.
const GOOD_SLOPE: f64 = 0.1;
const LONGEST: f64 = 4;
const TRIALS: u32 = 12;

// A visit costs its row's stored values plus about this many more. Only the size of a slice depends on it.
const VISIT_COST: u32 = 16;

/** Works until about `budget` values were touched or a stopping rule holds. */
export function advance(s: InteriorState, budget: u32): Progress {
  const x = changetype<Rows>(s.rows);
  let left: i64 = budget;
  while (left > 0) {
    const size = s.phase == Phase.Factor ? unknowns(s) : s.rowCount;
    while (s.cursor < size && left > 0) left -= work(s, x);
    if (s.cursor < size) return Progress.Running;
    s.cursor = 0;
    if (s.phase == Phase.Move) {
      const progress = finishMove(s);
      if (progress != Progress.Running) {
        // Asked for more, it must not take the same step again.
        startNext(s);
        return progress;
      }
    }
    startNext(s);
  }
  return Progress.Running;
}

/** The next block of rows, or row of the factor, of the present phase; returns what it cost. */
function work(s: InteriorState, x: Rows): u32 {
  if (s.phase == Phase.Move) return move(s, x);
  if (s.phase == Phase.Form) return form(s, x);
  if (s.phase == Phase.Factor) return factor(s);
  if (s.phase == Phase.Predict) return predict(s, x);
  if (s.phase == Phase.Correct) return correct(s, x);
  return search(s);
}

/** Move, Form, Factor, Predict, Correct, Move ...; centred: Move, Form, Factor, Correct, Search, Search, ..., Move ... */
function startNext(s: InteriorState): void {
  if (s.phase == Phase.Move) {
    startForm(s);
    s.phase = Phase.Form;
  } else if (s.phase == Phase.Form) {
    s.phase = Phase.Factor;
  } else if (s.phase == Phase.Factor && !s.isCentred) {
    startPredict(s);
    s.phase = Phase.Predict;
  } else if (s.phase == Phase.Factor || s.phase == Phase.Predict) {
    startCorrect(s);
    s.phase = Phase.Correct;
  } else if (s.phase == Phase.Correct && s.isCentred) {
    startSearch(s);
    s.phase = Phase.Search;
  } else if (s.phase == Phase.Correct || finishTrial(s)) {
    startMove(s);
    s.phase = Phase.Move;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, the table and w. */
export function start(s: InteriorState): void {
  s.iterations = 0;
  s.stalls = 0;
  s.recentGap = 1;
  s.bestGap = Infinity;
  s.shortSteps = 0;
  s.isCentred = 0;
  s.phase = Phase.Move;
  s.cursor = 0;
  s.step = 0;
  s.trials = 0;
  if (s.way == Way.Columns) fillColumns(s);
  emptySums(s);
}

function startMove(s: InteriorState): void {
  if (!s.isCentred) {
    s.step = min<f64>(1, BOUNDARY / s.hindrance);
    if (s.step < SHORT && ++s.shortSteps > SHORT_LIMIT) {
      s.isCentred = 1;
      s.barrier = s.complementarity / (2.0 * <f64>s.rowCount);
    }
  }
  axpy(s.w, s.step, s.direction, unknowns(s));
  s.iterations++;
  emptySums(s);
}

function emptySums(s: InteriorState): void {
  const n = unknowns(s);
  zero(s.dualW, n);
  zero(s.right, n);
  put<f64>(s.dualW, n - 1, -s.total);
  s.quadratic = 0;
  s.complementarity = 0;
  s.alphaSum = 0;
  s.primal = 0;
}

/** Applies the step to a block of rows and adds it to the sums that say where we are. */
function move(s: InteriorState, x: Rows): u32 {
  const count = blockRows(s);
  multiply(s, x, count, s.w);
  // After a search the row has a no more: it was kept there.
  const isKept = s.stalls == 0 && s.trials == 0;
  const isCentred = s.isCentred != 0;
  const isMoved = s.step > 0 && !isCentred;
  const isBalanced = needsBalance(s);
  const step = f64x2.splat(s.step);
  const target = f64x2.splat(s.target);
  const products = s.products;
  const scales = s.scales;
  const others = s.others;
  const sides = s.sides;
  let complementarity = f64x2.splat(0);
  let alphaSum: f64 = 0;
  let primal: f64 = 0;
  let balanced: f64 = 0;
  let r = tableRow(s, s.cursor);
  for (let k: u32 = 0; k < count; k++) {
    const product = at<f64>(products, k);
    let signed: f64 = 0;
    let room: f64 = 0;
    for (let side: u32 = 0; side < sides; side++) {
      const y = <f64>r.y;
      const m = y * product - r.offset;
      if (isKept) r.kept = r.alpha;
      if (isMoved) {
        const changes = opposite(r.change);
        const ways = slackChanges(r, target, changes);
        setPair(r, ALPHA, f64x2.add(pair(r, ALPHA), f64x2.mul(step, changes)));
        setPair(r, SLACK, f64x2.add(pair(r, SLACK), f64x2.mul(step, ways)));
      }
      setPair(r, PRODUCT, f64x2.splat(0));
      if (isCentred) centreRow(r, m, s.barrier);
      const slacks = pair(r, SLACK);
      r.residual = difference(slacks) - m;
      complementarity = f64x2.add(complementarity, f64x2.mul(pair(r, ALPHA), slacks));
      alphaSum += r.offset * r.alpha;
      primal += r.cost * max<f64>(-m, 0);
      signed += y * r.alpha;
      if (isBalanced) {
        // What balancing would move: y_i a_i falls by a share of this.
        const free = r.alpha * (1 - r.alpha / r.cost);
        balanced += y * r.offset * free;
        room += free;
      }
      r = nextRow(r);
    }
    put<f64>(scales, k, signed);
    put<f64>(others, k, room);
  }
  s.complementarity += foldLanes(complementarity);
  s.alphaSum += alphaSum;
  s.primal += primal;
  s.quadratic += balanced;
  addRows(s, x, count, scales, s.dualW);
  if (isBalanced) addRows(s, x, count, others, s.right);
  return 2 * leave(s, x, count);
}

/** Goes on to the next block; returns what a pass over this one cost. */
function leave(s: InteriorState, x: Rows, count: u32): u32 {
  const values = blockValues(s, x, count);
  s.cursor += count * s.sides;
  return values + count * VISIT_COST;
}

/** The gap where the last step led, and whether that ends it. */
function finishMove(s: InteriorState): Progress {
  s.primal += 0.5 * penalty(s, s.w) + s.total * at<f64>(s.w, unknowns(s) - 1);
  s.dual = dualObjective(s);
  const gap = s.primal - s.dual;
  s.recentGap = relativeGap(gap, s.primal, s.dual, s.zeroPrimal);
  // The relative gap stays at 1 until D is positive. What is not better, not a number included, is counted.
  if (gap < s.bestGap) {
    s.bestGap = gap;
    s.stalls = 0;
    memory.copy(s.keptW, s.w, (<usize>unknowns(s)) << 3);
  } else {
    s.stalls++;
  }
  if (s.recentGap <= s.tolerance) return Progress.Converged;
  if (s.iterations >= s.iterationLimit) return Progress.IterationLimit;
  if (s.stalls > PATIENCE || s.recentGap != s.recentGap) return Progress.PrecisionLimit;
  return Progress.Running;
}

/**
 * D. With a free bias it is a bound only where y'a is its total, and rounding leaves y'a off by e: P - (D - b e) is then a sum of terms that are not negative.
 * Centred rows get there in the limit only: D of what the host makes of a (balance).
 */
function dualObjective(s: InteriorState): f64 {
  const n = unknowns(s);
  if (!needsBalance(s)) {
    const off = s.biasPenalty == 0 ? at<f64>(s.w, n - 1) * at<f64>(s.dualW, n - 1) : 0;
    return s.alphaSum - 0.5 * penalty(s, s.dualW) - off;
  }
  const off = at<f64>(s.dualW, n - 1);
  const share = off == 0 ? 0 : off / at<f64>(s.right, n - 1);
  if (share != share) return share;
  // Too far off to be balanced: nothing is known but D of a = 0, or about that of the first a of a one-class problem.
  if (!(abs(share) < 1)) return s.total > 0 ? -s.zeroPrimal : 0;
  axpy(s.dualW, -share, s.right, n);
  const dual = s.alphaSum - share * s.quadratic - 0.5 * penalty(s, s.dualW);
  axpy(s.dualW, share, s.right, n);
  return dual;
}

function needsBalance(s: InteriorState): bool {
  return s.isCentred != 0 && s.biasPenalty == 0;
}

/** M begins with R, the right-hand side with sum a y z - R t, which is zero up to rounding after the first full step. */
function startForm(s: InteriorState): void {
  const n = unknowns(s);
  const stride = strideOf(s);
  zero(s.matrix, stride * stride);
  for (let j: u32 = 0; j < n; j++) {
    const weight = j == n - 1 ? s.biasPenalty : 1;
    put<f64>(matrixRow(s.matrix, stride, j), j, weight);
    put<f64>(s.right, j, at<f64>(s.dualW, j) - weight * at<f64>(s.w, j));
  }
  zero(s.centre, n);
  s.panel = 0;
}

/** Adds a block of rows, or a part of it, to M and the right-hand sides. */
function form(s: InteriorState, x: Rows): u32 {
  const count = blockRows(s);
  if (s.panel == 0) {
    prepare(s, count);
    if (s.way == Way.Columns) return formColumns(s, count);
    addRows(s, x, count, s.scales, s.right);
    addRows(s, x, count, s.others, s.centre);
    if (s.way == Way.Rows) return formRows(s, x, count);
    for (let k: u32 = 0; k < count; k++) packRow(s.panels, k, at<f64>(s.products, k), s.biasScale, x, rowAt(s, k));
  }
  return formPanel(s, count);
}

function formColumns(s: InteriorState, count: u32): u32 {
  const n = unknowns(s);
  const even = endEvenly(s.products, count);
  scaleColumns(s.panels, columnsHere(s), s.products, n, even);
  addColumnTiles(s.matrix, s.right, s.centre, s.panels, columnsHere(s), n, strideOf(s), even);
  s.cursor += count * s.sides;
  return count * ((n * n) / 2 + 3 * n);
}

function formRows(s: InteriorState, x: Rows, count: u32): u32 {
  let work: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const row = rowAt(s, k);
    addOuter(s.matrix, at<f64>(s.products, k), s.biasScale, x, row);
    const length = rowLength(x, row);
    work += (length * length) / 2 + 3 * length + VISIT_COST;
  }
  s.cursor += count * s.sides;
  return work;
}

/** Adds the packed block's next panel of M. */
function formPanel(s: InteriorState, count: u32): u32 {
  const stride = strideOf(s);
  addTiles(s.matrix, stride, s.panels, count, s.panel++);
  const work = count * 4 * s.panel + (s.panel == 1 ? 3 * count * stride : 0);
  if (s.panel * 4 == stride) {
    s.panel = 0;
    s.cursor += count * s.sides;
  }
  return work;
}

/** theta of each row of a block, of all its sides together, and its parts of the right-hand sides: the predictor's, and what each unit of the target adds. */
function prepare(s: InteriorState, count: u32): void {
  const one = f64x2.splat(1);
  const products = s.products;
  const sides = s.sides;
  const isInColumns = s.way == Way.Columns;
  const rights = isInColumns ? rightColumn(s.panels, unknowns(s)) : s.scales;
  const centres = isInColumns ? centreColumn(s.panels, unknowns(s)) : s.others;
  let r = tableRow(s, s.cursor);
  for (let k: u32 = 0; k < count; k++) {
    let theta: f64 = 0;
    let right: f64 = 0;
    let centre: f64 = 0;
    for (let side: u32 = 0; side < sides; side++) {
      const slacks = pair(r, SLACK);
      const perAlpha = f64x2.div(one, pair(r, ALPHA));
      setPair(r, PER_ALPHA, perAlpha);
      setPair(r, PER_SLACK, f64x2.div(one, slacks));
      const own = 1 / foldLanes(f64x2.mul(slacks, perAlpha));
      r.theta = own;
      theta += own;
      right += <f64>r.y * own * (r.residual - difference(slacks));
      centre += <f64>r.y * own * difference(perAlpha);
      r = nextRow(r);
    }
    put<f64>(products, k, theta);
    put<f64>(rights, k, right);
    put<f64>(centres, k, centre);
  }
  if (!isInColumns) return;
  endEvenly(rights, count);
  endEvenly(centres, count);
}

/** One row of the Cholesky factor. M - R is positive semidefinite, so no pivot is below R's entry. */
function factor(s: InteriorState): u32 {
  const i = s.cursor++;
  const least = i == unknowns(s) - 1 ? s.biasPenalty : 1;
  factorRow(s.matrix, strideOf(s), i, least);
  return (i * i) / 2 + i + 1;
}

/** The predictor's direction. */
function startPredict(s: InteriorState): void {
  const n = unknowns(s);
  memory.copy(s.direction, s.right, (<usize>n) << 3);
  solveFactored(s.direction, s.matrix, strideOf(s), n);
  s.hindrance = 1;
  s.quadratic = 0;
  s.target = 0;
}

/** How far the predictor could go as far as a block of rows is concerned, what it would gain, and its second-order terms. */
function predict(s: InteriorState, x: Rows): u32 {
  const count = blockRows(s);
  multiply(s, x, count, s.direction);
  const target = f64x2.splat(0);
  const products = s.products;
  const scales = s.scales;
  const sides = s.sides;
  let most = f64x2.splat(0);
  let quadratic = f64x2.splat(0);
  let r = tableRow(s, s.cursor);
  for (let k: u32 = 0; k < count; k++) {
    const turn = at<f64>(products, k);
    let signed: f64 = 0;
    for (let side: u32 = 0; side < sides; side++) {
      const changes = opposite(alphaChange(r, target, turn));
      const ways = slackChanges(r, target, changes);
      most = hindrance(most, r, changes, ways);
      const both = f64x2.mul(changes, ways);
      quadratic = f64x2.add(quadratic, both);
      setPair(r, PRODUCT, both);
      signed -= <f64>r.y * r.theta * difference(f64x2.mul(both, pair(r, PER_ALPHA)));
      r = nextRow(r);
    }
    put<f64>(scales, k, signed);
  }
  s.hindrance = max(s.hindrance, larger(most));
  s.quadratic += foldLanes(quadratic);
  addRows(s, x, count, scales, s.right);
  return 2 * leave(s, x, count);
}

/** The corrector's direction: sigma from what the predictor would leave; centred, to a smaller mu if the path is near. */
function startCorrect(s: InteriorState): void {
  const n = unknowns(s);
  if (s.isCentred) {
    const onPath = 2.0 * <f64>s.rowCount * s.barrier;
    if (s.primal - s.dual <= NEAR_PATH * onPath) s.barrier *= BARRIER_CUT;
    s.target = s.barrier;
  } else {
    chooseTarget(s);
  }
  memory.copy(s.direction, s.right, (<usize>n) << 3);
  axpy(s.direction, s.target, s.centre, n);
  solveFactored(s.direction, s.matrix, strideOf(s), n);
  s.hindrance = 0;
}

function chooseTarget(s: InteriorState): void {
  // The predictor steers to 0, so to first order the products fall by the share of it that is taken.
  const reach = 1 / s.hindrance;
  const after = (1 - reach) * s.complementarity + reach * reach * s.quadratic;
  const ratio = max<f64>(after, 0) / s.complementarity;
  s.target = (ratio * ratio * ratio * s.complementarity) / (2.0 * <f64>s.rowCount);
}

/** The part of a block of rows of the final direction, and how far it could go. */
function correct(s: InteriorState, x: Rows): u32 {
  const count = blockRows(s);
  multiply(s, x, count, s.direction);
  const target = f64x2.splat(s.target);
  const isCentred = s.isCentred != 0;
  const products = s.products;
  const sides = s.sides;
  let most = f64x2.splat(0);
  let r = tableRow(s, s.cursor);
  for (let k: u32 = 0; k < count; k++) {
    const turn = at<f64>(products, k);
    for (let side: u32 = 0; side < sides; side++) {
      if (isCentred) r.change = <f64>r.y * turn;
      else {
        const change = alphaChange(r, target, turn);
        r.change = change;
        const changes = opposite(change);
        most = hindrance(most, r, changes, slackChanges(r, target, changes));
      }
      r = nextRow(r);
    }
  }
  s.hindrance = max(s.hindrance, larger(most));
  return leave(s, x, count);
}

/** The first trial is at step 0, for the slope there. */
function startSearch(s: InteriorState): void {
  s.trials = 0;
  s.low = 0;
  s.high = LONGEST;
  s.step = 0;
  startTrial(s);
}

/** Slope and second derivative of 1/2 t'R t + N b along the direction; the rows add theirs. */
function startTrial(s: InteriorState): void {
  const d = unknowns(s) - 1;
  const v = s.biasPenalty * at<f64>(s.direction, d);
  s.bend = dot(s.direction, s.direction, d) + v * at<f64>(s.direction, d);
  s.slope = dot(s.w, s.direction, d) + v * at<f64>(s.w, d) + s.step * s.bend + s.total * at<f64>(s.direction, d);
}

/** A row's part of the smoothed objective's slope at the step tried. Of the row only its margin and, if it is the best point so far, a are needed again. */
function search(s: InteriorState): u32 {
  const r = tableRow(s, s.cursor++);
  if (s.trials == 0) {
    r.residual = r.slack - r.excess;
    if (s.stalls == 0) r.kept = r.alpha;
  }
  centreRow(r, r.residual + s.step * r.change, s.barrier);
  s.slope -= r.alpha * r.change;
  s.bend += (s.barrier / (r.slack * r.slack + r.excess * r.excess)) * r.change * r.change;
  return VISIT_COST;
}

/** Takes the step tried, or chooses the next one to try: Newton's within the bracket, or its middle. */
function finishTrial(s: InteriorState): bool {
  if (s.trials++ == 0) {
    s.firstSlope = s.slope;
    s.step = 1;
  } else {
    if (abs(s.slope) <= GOOD_SLOPE * abs(s.firstSlope) || s.trials > TRIALS) return true;
    if (s.slope < 0) s.low = s.step;
    else s.high = s.step;
    const next = s.step - s.slope / s.bend;
    s.step = next > s.low && next < s.high ? next : 0.5 * (s.low + s.high);
  }
  startTrial(s);
  return false;
}

/** t'R t. */
function penalty(s: InteriorState, t: usize): f64 {
  const d = unknowns(s) - 1;
  const v = at<f64>(t, d);
  return dot(t, t, d) + s.biasPenalty * v * v;
}

function zero(array: usize, count: u32): void {
  memory.fill(array, 0, (<usize>count) << 3);
}
