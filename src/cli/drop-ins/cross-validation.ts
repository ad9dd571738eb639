// -v: every fold is predicted by a model of the others, and the program prints how well it went, as its original does.

import { inLanes } from "../../base/lanes.js";
import { Random } from "../../base/random.js";
import type { Matrix } from "../../data/matrix.js";
import { takeList } from "../../data/take-rows.js";
import { libsvmFolds, rowsOf } from "../../select/libsvm-estimates.js";
import { validated } from "./evaluation.js";
import { LANES, SEED } from "./program.js";

type Folds = ReturnType<typeof libsvmFolds>;

/** What becomes of the rows of one fold: predictions for those tested, and what the program prints of its fits. */
export interface FoldResult {
  readonly values: ArrayLike<number>;
  readonly told: string;
}

interface Wanted {
  readonly folds: number;
  readonly kind: "classes" | "numbers";
  /** Whether every fold shall have its part of every class, as svm-train has it. */
  readonly isStratified: boolean;
  /** Whether x holds kernel values. */
  readonly isPrecomputed: boolean;
  readonly warn: (text: string) => void;
}

/** How many folds there can be; says so where they are fewer than asked for. */
export function possibleFolds(wanted: number, rowCount: number, warn: (text: string) => void): number {
  if (wanted > rowCount) warn("WARNING: # folds > # data. Will use # folds = # data instead (i.e., leave-one-out cross validation)\n");
  return Math.min(wanted, rowCount);
}

/** Returns what is told of all fits, in the order of the folds, and the line about how well they predict. */
export async function crossValidated(
  x: Matrix,
  y: Float64Array,
  { folds, kind, isStratified, isPrecomputed, warn }: Wanted,
  fitAndPredict: (x: Matrix, y: Float64Array, tested: Matrix) => Promise<FoldResult>,
): Promise<{ told: string; result: string }> {
  const count = possibleFolds(folds, y.length, warn);
  const cut = isStratified && count < y.length ? classFolds(y, count) : libsvmFolds(y.length, count, new Random(SEED));
  const predicted = new Float64Array(y.length);
  const parts = await inLanes(cut.length, LANES, async (k) => {
    const { train, test } = cut[k] as Folds[number];
    const [own, tested] = [rowsOf(x, train, train, isPrecomputed), rowsOf(x, test, train, isPrecomputed)];
    const { values, told } = await fitAndPredict(own, takeList(y, train), tested);
    for (const [at, i] of test.entries()) predicted[i] = values[at] as number;
    return told;
  });
  return { told: parts.join(""), result: validated(kind, y, predicted) };
}

/** Folds with as many rows of every class as can be: LIBSVM's. */
function classFolds(y: Float64Array, count: number): Folds {
  const random = new Random(SEED);
  const foldOf = new Uint32Array(y.length);
  for (const label of new Set(y)) {
    const rows = Uint32Array.from([...y.keys()].filter((i) => y[i] === label));
    random.shuffle(rows);
    for (let k = 0; k < count; k++) {
      const [from, to] = [Math.floor((k * rows.length) / count), Math.floor(((k + 1) * rows.length) / count)];
      for (const i of rows.subarray(from, to)) foldOf[i] = k;
    }
  }
  const rowsWhere = (isIn: (fold: number) => boolean): Uint32Array =>
    Uint32Array.from([...foldOf.keys()].filter((i) => isIn(foldOf[i] as number)));
  return Array.from({ length: count }, (_, k) => ({ train: rowsWhere((fold) => fold !== k), test: rowsWhere((fold) => fold === k) }));
}
