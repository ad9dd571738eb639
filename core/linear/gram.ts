// The matrix H = sum_i c_i x_i x_i' over a few features (the working set), kept up to date as the c_i change.
//
//   place[j]   where feature j stands in the working set, or NOWHERE; places rise with j, the bias comes last
//   H          f64[size * size], symmetric; gramRows adds to the upper triangle, mirror copies it below
//   applied_i  the c_i that H holds now. A row is touched only if its c_i has moved far enough from it
//
// A row with k features in the working set costs k^2 / 2; long rows go four at a time. Far from the end a sample of the rows does as well:
//
//   H~         sum over every stride-th row of stride c_i x_i x_i', its diagonal raised to that of H: no feature is taken for flat
//
// Checked against plain sums in test/unit/core/l1.test.ts.

import { Gram, LossRows } from "../layout/l1";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow } from "../rows";

const NOWHERE: u32 = 0xffffffff;

/**
 * Brings H up to date with the curvatures of positions [from, to), where they differ from what it holds by more than `slack` times the
 * larger of the two and by more than `floor`.
 */
export function gramRows(g: Gram, s: LossRows, slack: f64, floor: f64, from: u32, to: u32): void {
  for (let k = from; k < to; k++) {
    const wanted = at<f64>(s.curvatures, k);
    const held = at<f64>(g.applied, k);
    const change = wanted - held;
    if (change == 0 || abs(change) <= max(floor, slack * max(wanted, held))) continue;
    put<f64>(g.applied, k, wanted);
    const count = gather(g, s, at<u32>(s.rowIds, k));
    if (count > g.size >> 1) stack(g, change, count);
    else addOuter(g, change, count);
  }
  addStacked(g);
}

/** Adds the sample's part of positions [from, to) to H~, and all of theirs to its squares. */
export function gramSample(g: Gram, s: LossRows, stride: u32, from: u32, to: u32): void {
  for (let k = from; k < to; k++) {
    const c = at<f64>(s.curvatures, k);
    if (c == 0) continue;
    const count = gather(g, s, at<u32>(s.rowIds, k));
    addSquares(g, c, count);
    if (k % stride != 0) continue;
    if (count > g.size >> 1) stack(g, <f64>stride * c, count);
    else addOuter(g, <f64>stride * c, count);
  }
  addStacked(g);
}

/** Adds c v_a^2 to the squares, v being what was gathered. */
function addSquares(g: Gram, c: f64, count: u32): void {
  const places = g.places;
  const values = g.values;
  const squares = g.squares;
  for (let a: u32 = 0; a < count; a++) {
    const place = at<u32>(places, a);
    const value = at<f64>(values, a);
    put<f64>(squares, place, at<f64>(squares, place) + c * value * value);
  }
}

/** Raises the diagonal of H~ to the squares. */
export function raiseDiagonal(g: Gram): void {
  for (let a: u32 = 0; a < g.size; a++) {
    const line = gramLine(g, a);
    put<f64>(line, a, max(at<f64>(line, a), at<f64>(g.squares, a)));
  }
}

/** Puts places and values of a row's features in the working set side by side; returns how many there are. */
function gather(g: Gram, s: LossRows, row: u32): u32 {
  const x = changetype<Rows>(s.rows);
  // Read once: what is read in the loop is read again in every turn of it, since the stores might change it.
  const featureCount = x.featureCount;
  const place = g.place;
  const places = g.places;
  const values = g.values;
  let count: u32 = 0;
  if (x.kind == RowKind.Dense) {
    const own = denseRow(x, row);
    for (let j: u32 = 0; j < featureCount; j++) {
      const value = at<f32>(own, j);
      if (at<u32>(place, j) == NOWHERE || value == 0) continue;
      put<u32>(places, count, at<u32>(place, j));
      put<f64>(values, count++, <f64>value);
    }
  } else {
    const end = at<u32>(x.starts, row + 1);
    const indices = x.indices;
    const own = x.values;
    for (let e = at<u32>(x.starts, row); e < end; e++) {
      const found = at<u32>(place, at<u32>(indices, e));
      put<u32>(places, count, found);
      put<f64>(values, count, <f64>at<f32>(own, e));
      if (found != NOWHERE) count++;
    }
  }
  if (at<u32>(place, featureCount) != NOWHERE) {
    put<u32>(places, count, at<u32>(place, featureCount));
    put<f64>(values, count++, s.constant);
  }
  return count;
}

/** Adds c v v' to the upper triangle, v being what was gathered. */
function addOuter(g: Gram, c: f64, count: u32): void {
  let place = g.places;
  let value = g.values;
  const lastPlace = place + ((<usize>count) << 2);
  for (; place < lastPlace; place += 4, value += 8) {
    const scale = c * load<f64>(value);
    const line = gramLine(g, load<u32>(place));
    let p = place;
    let v = value;
    for (; p + 8 <= lastPlace; p += 8, v += 16) {
      const one = line + ((<usize>load<u32>(p)) << 3);
      const other = line + ((<usize>load<u32>(p, 4)) << 3);
      const sum = load<f64>(one) + scale * load<f64>(v);
      const otherSum = load<f64>(other) + scale * load<f64>(v, 8);
      store<f64>(one, sum);
      store<f64>(other, otherSum);
    }
    if (p == lastPlace) continue;
    const entry = line + ((<usize>load<u32>(p)) << 3);
    store<f64>(entry, load<f64>(entry) + scale * load<f64>(v));
  }
}

/** Lays a long row out in full, and adds four of those at a time: one load and store of H serves four rows. */
function stack(g: Gram, c: f64, count: u32): void {
  const full = stacked(g, g.stackCount);
  memory.fill(full, 0, (<usize>g.size) << 3);
  for (let a: u32 = 0; a < count; a++) put<f64>(full, at<u32>(g.places, a), at<f64>(g.values, a));
  put<f64>(g.weights, g.stackCount++, c);
  if (g.stackCount == 4) addStacked(g);
}

function addStacked(g: Gram): void {
  if (g.stackCount == 0) return;
  for (let r = g.stackCount; r < 4; r++) {
    put<f64>(g.weights, r, 0);
    memory.fill(stacked(g, r), 0, (<usize>g.size) << 3);
  }
  g.stackCount = 0;
  for (let a: u32 = 0; a < g.size; a++) addFour(g, a);
}

/** Line a of H from the diagonal on: += sum over four rows of c_r v_ra v_r. */
function addFour(g: Gram, a: u32): void {
  let v0 = stacked(g, 0) + ((<usize>a) << 3);
  let v1 = stacked(g, 1) + ((<usize>a) << 3);
  let v2 = stacked(g, 2) + ((<usize>a) << 3);
  let v3 = stacked(g, 3) + ((<usize>a) << 3);
  const s0 = f64x2.splat(at<f64>(g.weights, 0) * load<f64>(v0));
  const s1 = f64x2.splat(at<f64>(g.weights, 1) * load<f64>(v1));
  const s2 = f64x2.splat(at<f64>(g.weights, 2) * load<f64>(v2));
  const s3 = f64x2.splat(at<f64>(g.weights, 3) * load<f64>(v3));
  let entry = gramLine(g, a) + ((<usize>a) << 3);
  const rest = g.size - a;
  const end = entry + ((<usize>(rest & ~1)) << 3);
  while (entry < end) {
    const low = f64x2.add(f64x2.mul(s0, v128.load(v0)), f64x2.mul(s1, v128.load(v1)));
    const high = f64x2.add(f64x2.mul(s2, v128.load(v2)), f64x2.mul(s3, v128.load(v3)));
    v128.store(entry, f64x2.add(v128.load(entry), f64x2.add(low, high)));
    entry += 16;
    v0 += 16;
    v1 += 16;
    v2 += 16;
    v3 += 16;
  }
  if (rest & 1) {
    const low = f64x2.extract_lane(s0, 0) * load<f64>(v0) + f64x2.extract_lane(s1, 0) * load<f64>(v1);
    const high = f64x2.extract_lane(s2, 0) * load<f64>(v2) + f64x2.extract_lane(s3, 0) * load<f64>(v3);
    store<f64>(entry, load<f64>(entry) + (low + high));
  }
}

function stacked(g: Gram, r: u32): usize {
  return g.stack + ((<usize>r * g.size) << 3);
}

/** Copies the upper triangle of H below the diagonal. */
export function mirror(g: Gram): void {
  for (let a: u32 = 0; a < g.size; a++) {
    for (let b = a + 1; b < g.size; b++) put<f64>(gramLine(g, b), a, at<f64>(gramLine(g, a), b));
  }
}

export function gramLine(g: Gram, a: u32): usize {
  return g.matrix + ((<usize>a * g.size) << 3);
}
