// Where a sum of pieces that are linear up to a break and linear beyond it, C_i steeper there, has its minimum: a weighted quantile of the breaks.
// A row of a classification has one break; a tube of a regression has two, its ends, epsilon to the left and to the right of its middle.
// Checked through its caller, free-bias.ts, in test/unit/core/free-bias.test.ts and free-tube.test.ts, which try every break.

import { DcdState, tableRow } from "../layout/descent";
import { at, put } from "../memory";

/**
 * The break at which the costs of all up to it reach `wanted`, by quickselect. Where they reach it exactly, all of the way to the next
 * break is minimal, and its middle is taken. `order`: u32[count], any permutation of the breaks, which changes. Break k belongs to row k;
 * from rowCount on it is the right end of row k - rowCount.
 */
export function breakAt(s: DcdState, order: usize, count: u32, wanted: f64): f64 {
  let from: u32 = 0;
  let to = count;
  while (true) {
    const pivot = medianBreak(s, order, from, to);
    // order[from, less) < pivot, order[less, k) = pivot, order[more, to) > pivot
    let less = from;
    let more = to;
    let lessCost: f64 = 0;
    let equalCost: f64 = 0;
    for (let k = from; k < more; ) {
      const which = at<u32>(order, k);
      const value = breakOf(s, which);
      if (value > pivot) {
        swap(order, k, --more);
        continue;
      }
      const cost = tableRow(s, which < s.rowCount ? which : which - s.rowCount).limit;
      if (value < pivot) {
        lessCost += cost;
        swap(order, k, less++);
      } else {
        equalCost += cost;
      }
      k++;
    }
    if (less > from && lessCost >= wanted) {
      to = less;
    } else if (more < to && lessCost + equalCost < wanted) {
      wanted -= lessCost + equalCost;
      from = more;
    } else {
      return lessCost + equalCost == wanted ? 0.5 * (pivot + nextBreak(s, count, pivot)) : pivot;
    }
  }
}

function breakOf(s: DcdState, k: u32): f64 {
  return k < s.rowCount ? at<f64>(s.breaks, k) - s.epsilon : at<f64>(s.breaks, k - s.rowCount) + s.epsilon;
}

function medianBreak(s: DcdState, order: usize, from: u32, to: u32): f64 {
  const a = breakOf(s, at<u32>(order, from));
  const b = breakOf(s, at<u32>(order, (from + to) >>> 1));
  const c = breakOf(s, at<u32>(order, to - 1));
  return max(min(a, b), min(max(a, b), c));
}

/** The smallest break above this one, or itself if it is the largest. */
function nextBreak(s: DcdState, count: u32, value: f64): f64 {
  let next: f64 = Infinity;
  for (let k: u32 = 0; k < count; k++) {
    const other = breakOf(s, k);
    if (other > value) next = min(next, other);
  }
  return next < Infinity ? next : value;
}

function swap(order: usize, k: u32, l: u32): void {
  const kept = at<u32>(order, k);
  put<u32>(order, k, at<u32>(order, l));
  put<u32>(order, l, kept);
}
