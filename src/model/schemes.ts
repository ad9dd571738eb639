// From decision values to a class, by the scheme of the model: docs at `Scheme`.

import type { Scheme } from "./linear-classifier.js";

/** Which class the decision values of a row mean. `tally` is written over: who asks for many rows makes one for all. */
export function classOf(scheme: Scheme, classCount: number, decision: ArrayLike<number>, at: number, tally?: Tally): number {
  if (scheme === "binary") return (decision[at] as number) > 0 ? 1 : 0;
  return scheme === "ovo" ? mostVotes(tally ?? tallyOf(classCount), decision, at) : largest(decision, at, classCount);
}

/** Votes of one-vs-one problems, and sums of their decision values, by class. */
interface Tally {
  readonly votes: Float64Array;
  readonly sums: Float64Array;
}

function tallyOf(classCount: number): Tally {
  return { votes: new Float64Array(classCount), sums: new Float64Array(classCount) };
}

/** What decision values of rows, one after the other, mean: a label a row. */
export function labelsOf<L>(scheme: Scheme, classes: readonly L[], decision: ArrayLike<number>, rowCount: number): L[] {
  const outputs = decision.length / rowCount;
  const labels = new Array<L>(rowCount);
  const tally = tallyOf(classes.length);
  for (let i = 0; i < rowCount; i++) labels[i] = classes[classOf(scheme, classes.length, decision, i * outputs, tally)] as L;
  return labels;
}

/** Position of the largest of `count` numbers, the first of equal ones. */
function largest(values: ArrayLike<number>, at: number, count: number): number {
  let best = 0;
  for (let m = 1; m < count; m++) if ((values[at + m] as number) > (values[at + best] as number)) best = m;
  return best;
}

function mostVotes({ votes, sums }: Tally, decision: ArrayLike<number>, at: number): number {
  const classCount = votes.length;
  votes.fill(0);
  sums.fill(0);
  let pair = at;
  for (let a = 0; a < classCount; a++) {
    for (let b = a + 1; b < classCount; b++) {
      const value = decision[pair++] as number;
      const winner = value > 0 ? b : a;
      votes[winner] = (votes[winner] as number) + 1;
      sums[b] = (sums[b] as number) + value;
      sums[a] = (sums[a] as number) - value;
    }
  }
  let best = 0;
  for (let m = 1; m < classCount; m++) {
    const ahead = (votes[m] as number) - (votes[best] as number);
    if (ahead > 0 || (ahead === 0 && (sums[m] as number) > (sums[best] as number))) best = m;
  }
  return best;
}

/** All pairs of classes (a, b) with a < b: (0, 1), (0, 2), …, (1, 2), … */
export function pairs(classCount: number): [number, number][] {
  return Array.from({ length: classCount }, (_, a) => a).flatMap((a) =>
    Array.from({ length: classCount - 1 - a }, (_, k): [number, number] => [a, a + 1 + k]),
  );
}

/** Where the pair (a, b), a < b, is in `pairs`: behind those of the classes before a, of which class m has classCount - 1 - m. */
export function pairPlace(a: number, b: number, classCount: number): number {
  return a * classCount - (a * (a + 1)) / 2 + b - a - 1;
}
