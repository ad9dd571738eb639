// One row of a Crammer-Singer problem: its scores, its part of the gap, the exact step over its active classes, its shrinking, its start.
// The letters are those of crammer-singer.ts. Checked in test/unit/core/crammer-singer.test.ts.

import { CsRow, CsState } from "../layout/crammer-singer";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow, rowLength } from "../rows";
import { axpy } from "../vector";
import { addSome, scoreAll, scoreSome } from "./class-weights";
import { simplexLevel } from "./simplex";

/** Fills scores with g of the row's active classes, in the order of `classesOf`; returns the largest, G. */
export function scoreRow(s: CsState, x: Rows, r: CsRow): f64 {
  const classes = classesOf(s, r);
  const count = r.activeClasses;
  const values = rowValues(x, r.row);
  const features = rowFeatures(s, x, r.row);
  const n = rowLength(x, r.row);
  const bias = s.w + <usize>x.featureCount * s.stride;
  s.work += <f64>n * count;
  if (count == s.classCount) {
    const width = (count + 1) & ~1;
    scoreAll(s.scores, s.w, s.stride, width, values, features, n);
    if (s.biasScale != 0) axpy(s.scores, s.biasScale, bias, width);
  } else {
    scoreSome(s.scores, classes, count, s.w, s.stride, values, features, n);
    for (let q: u32 = 0; s.biasScale != 0 && q < count; q++) {
      put<f64>(s.scores, q, at<f64>(s.scores, q) + s.biasScale * at<f64>(bias, at<u32>(classes, q)));
    }
  }
  let best = -Infinity;
  for (let q: u32 = 0; q < count; q++) {
    let g = at<f64>(s.scores, q);
    if (at<u32>(classes, q) == r.classId) {
      g -= 1;
      put<f64>(s.scores, q, g);
    }
    best = max(best, g);
  }
  return best;
}

/** t_i = sum_m p_im (G_i - g_im). */
export function gapTerm(s: CsState, r: CsRow, best: f64): f64 {
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  let t: f64 = 0;
  for (let q: u32 = 0; q < r.activeClasses; q++) t += at<f64>(shares, at<u32>(classes, q)) * (best - at<f64>(s.scores, q));
  return t;
}

/** How far below the best the worst class with a share is: G_i - min g_im over p_im > 0. */
function violationOf(s: CsState, r: CsRow, best: f64): f64 {
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  let least = best;
  for (let q: u32 = 0; q < r.activeClasses; q++) {
    if (at<f64>(shares, at<u32>(classes, q)) > 0) least = min(least, at<f64>(s.scores, q));
  }
  return best - least;
}

/** Maximises the dual over the active classes of one row, and shrinks those that seem done. */
export function visitRow(s: CsState, x: Rows, r: CsRow): void {
  const best = scoreRow(s, x, r);
  const t = gapTerm(s, r, best);
  s.estimate += t;
  if (s.violation > 0 && r.curvature > 0) s.worst = max(s.worst, violationOf(s, r, best));
  if (t <= s.negligible * r.cost) {
    keepNear(s, r, best);
  } else if (r.curvature > 0) {
    const level = project(s, r, best);
    step(s, x, r, best, level);
    // Seen from the new point, a class without share is A (level - target) below the best.
    for (let q: u32 = 0; q < r.activeClasses; q++) put<f64>(s.scores, q, r.curvature * at<f64>(s.targets, q));
    keepNear(s, r, r.curvature * level);
  } else {
    // An empty row moves no weight, so all of its t can be had.
    s.dual += t;
    giveAll(s, r, best);
    keepNear(s, r, best);
  }
}

/**
 * Fills targets with p_m + (g_m - G) / A and returns the level theta to subtract: the new share is max(0, target - theta).
 * Taken from G, the targets that matter are of the size of C_i, however small A is.
 */
function project(s: CsState, r: CsRow, best: f64): f64 {
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  let most = -Infinity;
  for (let q: u32 = 0; q < r.activeClasses; q++) {
    const target = at<f64>(shares, at<u32>(classes, q)) + (at<f64>(s.scores, q) - best) / r.curvature;
    put<f64>(s.targets, q, target);
    most = max(most, target);
  }
  return simplexLevel(s.targets, r.activeClasses, most, s.scale * r.cost, s.kept);
}

/** Moves shares and weights to the projection, and counts what the dual gains by it. */
function step(s: CsState, x: Rows, r: CsRow, best: f64, level: f64): void {
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  const bias = s.w + <usize>x.featureCount * s.stride;
  let count: u32 = 0;
  for (let q: u32 = 0; q < r.activeClasses; q++) {
    const m = at<u32>(classes, q);
    const next = max(at<f64>(s.targets, q) - level, 0);
    const change = next - at<f64>(shares, m);
    if (change == 0) continue;
    put<f64>(shares, m, next);
    s.dual += change * (at<f64>(s.scores, q) - best - 0.5 * r.curvature * change);
    put<f64>(bias, m, at<f64>(bias, m) - s.biasScale * change);
    put<u32>(s.moved, count, m);
    put<f64>(s.steps, count, -change);
    count++;
  }
  const n = rowLength(x, r.row);
  s.work += <f64>n * count;
  addSome(s.w, s.stride, s.moved, s.steps, count, rowValues(x, r.row), rowFeatures(s, x, r.row), n);
}

/** All of C_i to the first class with the largest g. */
function giveAll(s: CsState, r: CsRow, best: f64): void {
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  let left = s.scale * r.cost;
  for (let q: u32 = 0; q < r.activeClasses; q++) {
    const wins = at<f64>(s.scores, q) == best;
    put<f64>(shares, at<u32>(classes, q), wins ? left : 0);
    if (wins) left = 0;
  }
}

/** Keeps active the classes that have a share or come within the margin of `best`, by what is in scores. */
export function keepNear(s: CsState, r: CsRow, best: f64): void {
  if (!s.shrinking) return;
  const classes = classesOf(s, r);
  const shares = sharesOf(r);
  const list = listOf(s, r);
  const least = best - s.margin;
  let kept: u32 = 0;
  for (let q: u32 = 0; q < r.activeClasses; q++) {
    const m = at<u32>(classes, q);
    if (at<f64>(s.scores, q) >= least || at<f64>(shares, m) > 0) put<u32>(list, kept++, m);
  }
  r.activeClasses = kept;
}

/** Moves the row's shares to the nearest point of their simplex and adds what they say to W: a_m x_i to class m, the rest of D to `dual`. */
export function rebuildRow(s: CsState, x: Rows, r: CsRow): void {
  const shares = sharesOf(r);
  const bias = s.w + <usize>x.featureCount * s.stride;
  let most = -Infinity;
  for (let m: u32 = 0; m < s.classCount; m++) {
    put<f64>(s.targets, m, at<f64>(shares, m));
    most = max(most, at<f64>(shares, m));
  }
  const level = simplexLevel(s.targets, s.classCount, most, r.cost, s.kept);
  let count: u32 = 0;
  for (let m: u32 = 0; m < s.classCount; m++) {
    const isOwn = m == r.classId;
    const share = max(at<f64>(s.targets, m) - level, 0);
    const alpha = (isOwn ? r.cost : 0) - share;
    put<f64>(shares, m, share);
    if (!isOwn) s.dual += share;
    if (alpha == 0) continue;
    put<f64>(bias, m, at<f64>(bias, m) + s.biasScale * alpha);
    put<u32>(s.moved, count, m);
    put<f64>(s.steps, count, alpha);
    count++;
  }
  const n = rowLength(x, r.row);
  s.work += <f64>n * count;
  addSome(s.w, s.stride, s.moved, s.steps, count, rowValues(x, r.row), rowFeatures(s, x, r.row), n);
}

export function recordAt(s: CsState, position: u32): CsRow {
  return changetype<CsRow>(s.table + <usize>position * s.recordBytes);
}

/** f64[k]: p_im. */
export function sharesOf(r: CsRow): usize {
  return changetype<usize>(r) + offsetof<CsRow>();
}

function listOf(s: CsState, r: CsRow): usize {
  return sharesOf(r) + ((<usize>s.classCount) << 3);
}

/** The row's active classes: its list, or simply all numbers while all are active. */
function classesOf(s: CsState, r: CsRow): usize {
  return r.activeClasses == s.classCount ? s.numbers : listOf(s, r);
}

function rowValues(x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? denseRow(x, row) : x.values + ((<usize>at<u32>(x.starts, row)) << 2);
}

function rowFeatures(s: CsState, x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? s.numbers : x.indices + ((<usize>at<u32>(x.starts, row)) << 2);
}
