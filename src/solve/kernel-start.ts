// Where a kernel problem begins when something near its solution is known: inside its bounds, with the sums that it must have.
//
//   1  every variable goes to the nearest value that its bounds allow
//   2  what a sum then lacks, or has too much, is made up by the variables between their bounds, each in proportion to the way that it has left: those at a bound
//      mostly belong there, and moving them all would cost a step each to bring them back
//   3  where that is not enough, by the others, one after the other
//
// Checked in test/property/kernel-start.test.ts.

import { sumOf } from "../base/sums.js";
import type { KernelSide } from "./kernel-problem.js";

/** How near to its bound a variable is there. */
export const AT_BOUND = 1 - 1e-9;

/** Where a variable leads when bounds become `ratio` times as large, `cost` being the new one: from the bound to the bound; the others stay. */
export function movedAlong(value: number, ratio: number, cost: number): number {
  return Math.abs(value) * ratio >= AT_BOUND * cost ? Math.sign(value) * cost : value;
}

/** The sides, begun near `guess`, which is about the sum of their variables; without sums where `isFree`. */
export function begunNear(sides: readonly KernelSide[], guess: Float64Array, isFree: boolean): KernelSide[] {
  return sides.map(({ lo, hi, start: old }) => {
    const start = guess.map((v, k) => Math.min(Math.max(v, lo[k] as number), hi[k] as number) + 0);
    if (!isFree) mend(start, lo, hi, sumOf(old));
    return { lo, hi, start, cold: old };
  });
}

function mend(v: Float64Array, lo: Float64Array, hi: Float64Array, wanted: number): void {
  let left = wanted - sumOf(v);
  const ends = left > 0 ? hi : lo;
  const isBetween = v.map((value, k) => (value > (lo[k] as number) && value < (hi[k] as number) ? 1 : 0));
  const ways = v.map((value, k) => (isBetween[k] as number) * Math.abs((ends[k] as number) - value));
  const way = sumOf(ways);
  const part = way > Math.abs(left) ? left / way : Math.sign(left);
  for (let k = 0; k < v.length; k++) if (ways[k] !== 0) move(k, part * (ways[k] as number));
  // What rounding has left over, and what was more than they could take; once more, because the last one moved may have been rounded, too.
  for (const turn of [1, 0, 1, 0]) {
    left = wanted - sumOf(v);
    for (let k = 0; k < v.length && left !== 0; k++) if (isBetween[k] === turn) left -= move(k, left);
  }

  /** Moves a variable as far as it can; returns how far that was. */
  function move(k: number, way: number): number {
    const before = v[k] as number;
    v[k] = Math.min(Math.max(before + way, lo[k] as number), hi[k] as number);
    return (v[k] as number) - before;
  }
}
