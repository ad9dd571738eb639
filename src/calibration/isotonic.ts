// Isotonic regression: the rising steps that are nearest to what is given, by weighted squares; values between two steps are on the line between them. Neighbours that fall are pooled until none does
// (Ayer and others 1955). Checked in test/calibration.test.ts.

export interface Isotonic {
  /** Rising; `values` belong to them and never fall. */
  readonly scores: Float64Array;
  readonly values: Float64Array;
}

export function fitIsotonic(scores: ArrayLike<number>, targets: ArrayLike<number>, weights: ArrayLike<number>): Isotonic {
  const order = Array.from({ length: scores.length }, (_, i) => i)
    .filter((i) => (weights[i] as number) > 0)
    .sort((a, b) => (scores[a] as number) - (scores[b] as number));
  // Blocks: where they begin and end, their mean and weight. Rows of equal scores are one from the start.
  const blocks: { from: number; to: number; mean: number; weight: number }[] = [];
  for (const i of order) {
    const [score, weight] = [scores[i] as number, weights[i] as number];
    const last = blocks.at(-1);
    if (last !== undefined && last.from === last.to && last.to === score) join(last, targets[i] as number, weight);
    else blocks.push({ from: score, to: score, mean: targets[i] as number, weight });
  }
  const pooled: typeof blocks = [];
  for (const block of blocks) {
    pooled.push(block);
    while (pooled.length > 1) {
      const [before, own] = pooled.slice(-2) as [(typeof blocks)[0], (typeof blocks)[0]];
      if (before.mean < own.mean) break;
      join(before, own.mean, own.weight);
      before.to = own.to;
      pooled.pop();
    }
  }
  const ends = pooled.flatMap(
    ({ from, to, mean }) =>
      (from === to
        ? [[from, mean]]
        : [
            [from, mean],
            [to, mean],
          ]) as [number, number][],
  );
  return { scores: Float64Array.from(ends, ([score]) => score), values: Float64Array.from(ends, ([, mean]) => mean) };
}

/**
 * The same with ends that are never certain: where all of weight w are on one side, the value is that of one more on either, 1 / (w + 2) and (w + 1) / (w + 2), unless the next step is
 * nearer. Rows like those that were seen are not sure to be like them, and a log loss would be infinite.
 */
export function softened({ scores, values }: Isotonic, given: ArrayLike<number>, weights: ArrayLike<number>): Isotonic {
  const own = values.slice();
  const between = values.filter((value) => value > 0 && value < 1);
  const weightWhere = (isIn: (score: number) => boolean): number => {
    let sum = 0;
    for (let i = 0; i < given.length; i++) if (isIn(given[i] as number)) sum += weights[i] as number;
    return sum;
  };
  const [last, first] = [values.lastIndexOf(0), values.indexOf(1)];
  const low = last < 0 ? 0 : 1 / (weightWhere((score) => score <= (scores[last] as number)) + 2);
  const high = first < 0 ? 1 : 1 - 1 / (weightWhere((score) => score >= (scores[first] as number)) + 2);
  const [least, most] = [between[0] ?? high, between.at(-1) ?? low];
  own.fill(Math.min(low, least), 0, last + 1);
  if (first >= 0) own.fill(Math.max(high, most), first);
  return { scores, values: own };
}

function join(block: { mean: number; weight: number }, target: number, weight: number): void {
  const total = block.weight + weight;
  block.mean += (weight / total) * (target - block.mean);
  block.weight = total;
}

/** The value at a score: on the line between its neighbours, that of the nearest end beyond them. */
export function isotonicAt({ scores, values }: Isotonic, score: number): number {
  const last = scores.length - 1;
  if (!(score > (scores[0] as number))) return values[0] as number;
  if (score >= (scores[last] as number)) return values[last] as number;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((scores[middle] as number) <= score) low = middle;
    else high = middle;
  }
  const [x0, x1] = [scores[low] as number, scores[high] as number];
  const part = (score - x0) / (x1 - x0);
  return (values[low] as number) + part * ((values[high] as number) - (values[low] as number));
}
