// What the variables of a side would choose, given an offset, and what follows from it.
//
//   choice     v*_t minimises c_t(v) = v e + epsilon |v| over [lo_t, hi_t], e = F_t - rho
//   offset     the gap sum_t c_t(v_t) - c_t(v*_t) is least at the rho where sum_t v*_t, which grows with rho, passes sum_t v_t
//   errors     if F_t may be wrong by d_t, the gap may be larger by |v_t - v*_t| d_t, and by what more it would be if the variable chose otherwise for that
//
// src/solve/gap-error.ts tells what errors there are. Checked against plain sums in test/unit/core/kernel-choice.test.ts.

import { Side } from "../layout/kernel";
import { at, put } from "../memory";

// Sums of the same numbers in another order differ by this part of all of them at most.
const ROUNDING: f64 = 1e-12;

/** Where |v| has its kink, or the bound next to it. */
function kinkOf(lo: f64, hi: f64): f64 {
  return min(max<f64>(lo, 0), hi);
}

/** What the variable at position t chooses; where several are as good, what it has. */
function chosen(s: Side, t: u32, e: f64): f64 {
  if (e == s.epsilon || e == -s.epsilon) return at<f64>(s.value, t);
  if (e > s.epsilon) return at<f64>(s.lo, t);
  return e < -s.epsilon ? at<f64>(s.hi, t) : kinkOf(at<f64>(s.lo, t), at<f64>(s.hi, t));
}

/** Its part of the gap. */
function loss(s: Side, t: u32, e: f64): f64 {
  const own = at<f64>(s.value, t);
  const other = chosen(s, t, e);
  return e * (own - other) + s.epsilon * (abs(own) - abs(other));
}

/** The best rho. `steps`: f64[4 size], scratch: where each variable changes its mind, and by how much. */
export function sideOffset(s: Side, steps: usize): f64 {
  let count: u32 = 0;
  let wanted: f64 = 0;
  let sizes: f64 = 0;
  for (let t: u32 = 0; t < s.size; t++) {
    const least = at<f64>(s.lo, t);
    const most = at<f64>(s.hi, t);
    if (least == most) continue;
    wanted += at<f64>(s.value, t) - least;
    // At rho below the break the variable would be at lo, above it at hi; with a tube between them at 0.
    const kink = kinkOf(least, most);
    if (kink > least) setStep(steps, count++, at<f64>(s.f, t) - s.epsilon, kink - least);
    if (most > kink) setStep(steps, count++, at<f64>(s.f, t) + s.epsilon, most - kink);
    sizes += most - least;
  }
  return stepAt(steps, count, wanted, ROUNDING * sizes);
}

/**
 * The break at which the jumps of all breaks up to it reach `wanted`, by quickselect; where they reach it exactly, but for `tie`, the middle of the way to the next
 * break. 0 where there are none.
 */
function stepAt(steps: usize, count: u32, wanted: f64, tie: f64): f64 {
  if (count == 0) return 0;
  let from: u32 = 0;
  let to = count;
  while (true) {
    const pivot = median(breakAt(steps, from), breakAt(steps, (from + to) >>> 1), breakAt(steps, to - 1));
    // [from, less) < pivot, [less, k) = pivot, [more, to) > pivot
    let less = from;
    let more = to;
    let lessSum: f64 = 0;
    let equalSum: f64 = 0;
    for (let k = from; k < more; ) {
      const value = breakAt(steps, k);
      if (value > pivot) {
        swap(steps, k, --more);
        continue;
      }
      if (value < pivot) {
        lessSum += jumpAt(steps, k);
        swap(steps, k, less++);
      } else equalSum += jumpAt(steps, k);
      k++;
    }
    if (less > from && lessSum >= wanted - tie) to = less;
    else if (more < to && lessSum + equalSum < wanted - tie) {
      wanted -= lessSum + equalSum;
      from = more;
    } else return abs(lessSum + equalSum - wanted) <= tie ? 0.5 * (pivot + next(steps, count, pivot)) : pivot;
  }
}

function breakAt(steps: usize, k: u32): f64 {
  return at<f64>(steps, 2 * k);
}

function jumpAt(steps: usize, k: u32): f64 {
  return at<f64>(steps, 2 * k + 1);
}

function setStep(steps: usize, k: u32, where: f64, jump: f64): void {
  put<f64>(steps, 2 * k, where);
  put<f64>(steps, 2 * k + 1, jump);
}

function swap(steps: usize, k: u32, l: u32): void {
  const a = steps + ((<usize>k) << 4);
  const b = steps + ((<usize>l) << 4);
  const kept = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, kept);
}

function median(a: f64, b: f64, c: f64): f64 {
  return max(min(a, b), min(max(a, b), c));
}

/** The smallest break above this one, or itself if it is the largest. */
function next(steps: usize, count: u32, value: f64): f64 {
  let least: f64 = Infinity;
  for (let k: u32 = 0; k < count; k++) {
    const other = breakAt(steps, k);
    if (other > value && other < least) least = other;
  }
  return least < Infinity ? least : value;
}

/** out[0] += sum_t |units_t v_t|, out[1] += sum_t units_t v_t, out[2] += sum_t (units_t v_t)^2. */
export function sideSizes(s: Side, units: usize, out: usize): void {
  let absolute: f64 = 0;
  let total: f64 = 0;
  let squares: f64 = 0;
  for (let t: u32 = 0; t < s.size; t++) {
    const own = at<f64>(units, t) * at<f64>(s.value, t);
    absolute += abs(own);
    total += own;
    squares += own * own;
  }
  put<f64>(out, 0, at<f64>(out, 0) + absolute);
  put<f64>(out, 1, at<f64>(out, 1) + total);
  put<f64>(out, 2, at<f64>(out, 2) + squares);
}

/** weights_t += units_t times how far the variable is at most from what it would choose, if F_t were off by up to `reach` units. Returns what was added, in all. */
export function sideReach(s: Side, rho: f64, units: usize, reach: f64, weights: usize): f64 {
  let total: f64 = 0;
  for (let t: u32 = 0; t < s.size; t++) {
    const unit = at<f64>(units, t);
    const e = at<f64>(s.f, t) - rho;
    const own = at<f64>(s.value, t);
    const farthest = max(abs(own - chosen(s, t, e - reach * unit)), abs(own - chosen(s, t, e + reach * unit)));
    put<f64>(weights, t, at<f64>(weights, t) + unit * farthest);
    total += unit * farthest;
  }
  return total;
}

/** By how much the gap may be larger, if errors of F are `usual` units, and none more than `most`. */
export function sideErrors(s: Side, rho: f64, units: usize, usual: f64, most: f64): f64 {
  let sum: f64 = 0;
  for (let t: u32 = 0; t < s.size; t++) {
    const unit = at<f64>(units, t);
    const e = at<f64>(s.f, t) - rho;
    const slope = abs(at<f64>(s.value, t) - chosen(s, t, e));
    const there = max(loss(s, t, e - most * unit), loss(s, t, e + most * unit));
    sum += unit * usual * slope + max<f64>(0, there - loss(s, t, e) - unit * most * slope);
  }
  return sum;
}

/** out_t = sqrt(|K_tt|). diagonal: f32[size]. */
export function diagonalRoots(diagonal: usize, size: u32, out: usize): void {
  for (let t: u32 = 0; t < size; t++) put<f64>(out, t, sqrt(abs(<f64>at<f32>(diagonal, t))));
}

/** Draws `count` positions at even distances along the sum of the weights, which is `total`: no luck in it. */
export function drawEvenly(weights: usize, size: u32, total: f64, places: usize, count: u32): void {
  let passed: f64 = 0;
  let drawn: u32 = 0;
  for (let t: u32 = 0; t < size; t++) {
    passed += at<f64>(weights, t);
    while (drawn < count && passed >= ((<f64>drawn + 0.5) * total) / <f64>count) put<u32>(places, drawn++, t);
  }
  const last = drawn > 0 ? at<u32>(places, drawn - 1) : 0;
  while (drawn < count) put<u32>(places, drawn++, last);
}
