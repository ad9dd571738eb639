// Where a sum of steps passes a height: a weighted quantile.

/** Sums of the same numbers in another order differ by this part of all of them at most. */
const ROUNDING = 1e-12;

/**
 * The break at which the jumps of all breaks up to it reach `wanted`, by quickselect; where they reach it exactly, the middle of the way to the next break.
 * 0 where there are none. Changes both arrays' order.
 */
export function stepAt(breaks: Float64Array, jumps: Float64Array, wanted: number): number {
  let from = 0;
  let to = breaks.length;
  if (to === 0) return 0;
  const tie = ROUNDING * jumps.reduce((sum, jump) => sum + Math.abs(jump), 0);
  for (;;) {
    const pivot = median(breaks[from] as number, breaks[(from + to) >>> 1] as number, breaks[to - 1] as number);
    // [from, less) < pivot, [less, k) = pivot, [more, to) > pivot
    let less = from;
    let more = to;
    let lessSum = 0;
    let equalSum = 0;
    for (let k = from; k < more; ) {
      const value = breaks[k] as number;
      if (value > pivot) {
        swap(breaks, jumps, k, --more);
        continue;
      }
      if (value < pivot) {
        lessSum += jumps[k] as number;
        swap(breaks, jumps, k, less++);
      } else equalSum += jumps[k] as number;
      k++;
    }
    if (less > from && lessSum >= wanted - tie) to = less;
    else if (more < to && lessSum + equalSum < wanted - tie) {
      wanted -= lessSum + equalSum;
      from = more;
    } else return Math.abs(lessSum + equalSum - wanted) <= tie ? 0.5 * (pivot + next(breaks, pivot)) : pivot;
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(breaks: Float64Array, jumps: Float64Array, k: number, l: number): void {
  const [b, j] = [breaks[k] as number, jumps[k] as number];
  breaks[k] = breaks[l] as number;
  jumps[k] = jumps[l] as number;
  breaks[l] = b;
  jumps[l] = j;
}

/** The smallest break above this one, or itself if it is the largest. */
function next(breaks: Float64Array, value: number): number {
  let least = Infinity;
  for (const other of breaks) if (other > value && other < least) least = other;
  return least < Infinity ? least : value;
}
