// How far to go along a Newton direction. A value costs no pass over the rows, because what a full step does to the scores is known.
//
// phi(t) = P(w + t p) is convex with phi'(0) < 0. A full step is taken if phi'(1) <= 1/2 |phi'(0)| and phi fell; where phi'(1) <= 0 it
// surely fell. Otherwise it overshot: the minimum lies in (0, 1) and is found to a tenth of the slope by Newton's method on phi',
// halving where that leaves the bracket. Under the squared hinge phi' is piecewise linear, so a few values are enough.

export interface LinePoint {
  readonly value: number;
  readonly slope: number;
}

const FULL_STEP = 0.5;
const FOUND = 0.1;
const LEAST_FALL = 1e-4;
// Values are sums of many terms: below this share of them a difference means nothing and slopes decide alone.
const ROUNDING = 1e-13;
const MOST_VALUES = 40;

/** Whether a full step may be taken as it is. */
export function isGoodStep(before: LinePoint, after: LinePoint): boolean {
  if (after.slope <= 0) return true;
  return (
    after.slope <= -FULL_STEP * before.slope && after.value <= before.value + LEAST_FALL * before.slope + ROUNDING * Math.abs(before.value)
  );
}

/** A good t in (0, 1), knowing that 1 is too far; 0 if there is none that floating-point numbers can tell from 0. */
export async function searchLine(before: LinePoint, at: (t: number) => Promise<LinePoint & { bend: number }>): Promise<number> {
  let low = 0;
  let high = 1;
  let t = 1;
  for (let count = 0; count < MOST_VALUES; count++) {
    const { slope, bend } = await at(t);
    if (slope <= 0) low = t;
    else high = t;
    if (Math.abs(slope) <= -FOUND * before.slope) return t;
    const next = t - slope / bend;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return low;
}
