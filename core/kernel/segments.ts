// Kernel rows of a one-vs-one problem, brought in without asking the host. A row of the problem of classes a and b has two segments, its values with the rows of a and with
// those of b:
//
//   own      with the rows of its own class: the same for every problem of that class, so it is kept, as long as there is room
//   other    with the rows of the other class: of use to this problem alone
//
// Up to eight rows at a time (company.ts). Which are computed together, and which are kept, changes the time, never a value.
// Checked in test/unit/solve/segment-rows.test.ts.

import { Company, Kernel, Segments, Side, Smo } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { cameAlong, companions } from "./company";
import { clearLanes, kernelRows, loadLanes } from "./rows";
import { sideLargest } from "./side";

const LANES: u32 = 8;
/** Values are written in fours: up to three too many. */
const PADDING: u32 = 3;

/**
 * The row that steps want, and with it, where company is of use, those that gain most of all that are missing, until eight are wanted or there is no more room for rows. False where there is none even
 * for the first.
 */
export function bringWanted(v: Segments, m: Smo): bool {
  const left = v.slotCount - v.fresh;
  if (left == 0) return false;
  const c = changetype<Company>(v.company);
  const room = min<u32>(1 + companions(c), left);
  const s = changetype<Side>(m.wantedSide == 0 ? m.first : m.other);
  const isUp = m.wantedUp != 0;
  let count: u32 = 0;
  take(v, m, m.wanted, count++);
  if (room > 1) {
    const held = sideLargest(s, isUp ? s.up : s.low, isUp ? -1 : 1, LANES, m.rowOf, m.drift);
    for (let k: u32 = 0; k < held && count < room; k++) {
      const place = at<u32>(s.places, k);
      if (place == m.wanted) continue;
      take(v, m, place, count++);
      cameAlong(c, m.stamps, place, <u32>m.steps);
    }
  }
  fillSegments(v, count);
  return true;
}

/** A slot that nobody has used for the row of a position, the k-th of those that are wanted now. */
function take(v: Segments, m: Smo, place: u32, k: u32): void {
  const slot = v.fresh++;
  const start = v.memory + ((<usize>slot * <usize>v.stride) << 2);
  put<u32>(v.slotOf, place, slot);
  put<u32>(v.placeOf, slot, place);
  put<u32>(v.filled, slot, v.size);
  put<u32>(m.rowOf, place, <u32>start);
  put<u32>(m.stamps, place, <u32>m.steps);
  put<u32>(v.places, k, place);
  put<u32>(v.starts, k, <u32>start);
}

/** Computes the rows of the first `count` positions of `places`, all their values, to where `starts` says. The segment of the first class first: what is written too much of it belongs to the other. */
export function fillSegments(v: Segments, count: u32): void {
  fillSegment(v, count, 0, v.split);
  fillSegment(v, count, v.split, v.size);
}

/** Values with the positions [from, to), which are those of a class. */
function fillSegment(v: Segments, count: u32, from: u32, to: u32): void {
  const k = changetype<Kernel>(v.kernel);
  const x = changetype<Rows>(v.rows);
  const size = to - from;
  const offset = (<usize>from) << 2;
  let missing: u32 = 0;
  for (let lane: u32 = 0; lane < count; lane++) {
    const place = at<u32>(v.places, lane);
    const row = at<u32>(v.columns, place);
    let out = at<u32>(v.starts, lane) + <u32>offset;
    if (isOwn(v, place, from)) {
      if (at<u32>(v.kept, row) != 0) continue;
      const kept = roomFor(v, row, size);
      if (kept != 0) out = kept;
    }
    put<u32>(v.ids, missing, row);
    put<u32>(k.outs, missing, out);
    missing++;
  }
  if (missing > 0) {
    loadLanes(k, x, k.squares, v.ids, missing, x.featureCount);
    kernelRows(k, v.columns + offset, 0, size);
    clearLanes(k, x, v.ids, x.featureCount);
    v.computed += <f64>missing * <f64>size;
  }
  for (let lane: u32 = 0; lane < count; lane++) {
    const place = at<u32>(v.places, lane);
    if (!isOwn(v, place, from)) continue;
    const kept = at<u32>(v.kept, at<u32>(v.columns, place));
    if (kept != 0) memory.copy(<usize>at<u32>(v.starts, lane) + offset, <usize>kept, (<usize>size) << 2);
  }
}

/** Whether a position is of the class whose positions begin at `from`. */
function isOwn(v: Segments, place: u32, from: u32): bool {
  return place < v.split == (from == 0);
}

/** Room for the own segment of a row, which is kept from now on; 0 if there is no more. */
function roomFor(v: Segments, row: u32, size: u32): u32 {
  const bytes = (((size + PADDING) << 2) + 15) & ~15;
  const next = at<u32>(v.room, 0);
  if (bytes > at<u32>(v.room, 1) - next) return 0;
  put<u32>(v.room, 0, next + bytes);
  put<u32>(v.kept, row, next);
  return next;
}
