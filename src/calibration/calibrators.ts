// From the decision values of a classifier to probabilities of its classes, by its scheme: one value of two classes, one a class, or one a pair.
//
//   binary      p of the second class, by its calibrator
//   one a class the calibrators' values, scaled to sum 1; by temperature the soft maximum
//   pairs       p of the second of each, by its calibrator, coupled
//
// Checked in test/calibration.test.ts.

import { pairs } from "../model/schemes.js";
import { coupled } from "./coupling.js";
import { fitIsotonic, type Isotonic, isotonicAt, softened } from "./isotonic.js";
import { fitSigmoid, type Sigmoid } from "./sigmoid.js";
import { sigmoid, softMaximum, toSumOne } from "./sums.js";
import { type Choice, fitTemperature } from "./temperature.js";

export type Method = "sigmoid" | "isotonic" | "temperature";
/** How decision values stand for classes. */
export type Shape = "two" | "each" | "pairs";

export type Calibrator =
  | ({ readonly kind: "sigmoid" } & Sigmoid)
  | ({ readonly kind: "isotonic" } & Isotonic)
  | { readonly kind: "temperature"; readonly factor: number };

/** What is known of rows that were held out. */
export interface HeldRows {
  /** f64[rows][outputs]; not a number where the model of a row's fold does not know the class. */
  readonly decisions: Float64Array;
  /** u32[rows]: their classes. */
  readonly classIds: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly classCount: number;
}

/** Probabilities of coupled pairs that differ by less are equal. */
const EQUAL = 1e-9;
const EVEN: Calibrator = { kind: "sigmoid", slope: 0, offset: 0 };

/** One a decision value; one for all by temperature. */
export function fitCalibrators(method: Method, shape: Shape, held: HeldRows): Calibrator[] {
  if (method === "temperature") return [{ kind: "temperature", factor: fitTemperature(choicesOf(shape, held)) }];
  const { decisions, classIds, weights, classCount } = held;
  const sides = sidesOf(shape, classCount);
  return sides.map(({ positive, negative }, m): Calibrator => {
    const rows = Array.from({ length: classIds.length }, (_, i) => i).filter(
      (i) =>
        (weights[i] as number) > 0 &&
        !Number.isNaN(decisions[i * sides.length + m]) &&
        (negative === undefined || classIds[i] === positive || classIds[i] === negative),
    );
    // Two classes whose rows no model of both was asked about: nothing is known.
    if (rows.length === 0)
      return method === "sigmoid" ? EVEN : { kind: "isotonic", scores: Float64Array.of(0), values: Float64Array.of(0.5) };
    const scores = Float64Array.from(rows, (i) => decisions[i * sides.length + m] as number);
    const isPositive = Uint8Array.from(rows, (i) => (classIds[i] === positive ? 1 : 0));
    const own = Float64Array.from(rows, (i) => weights[i] as number);
    return method === "sigmoid"
      ? { kind: "sigmoid", ...fitSigmoid(scores, isPositive, own) }
      : { kind: "isotonic", ...softened(fitIsotonic(scores, isPositive, own), scores, own) };
  });
}

/** Which class each decision value speaks for above 0, and which below; undefined where that is all others. */
function sidesOf(shape: Shape, classCount: number): { positive: number; negative: number | undefined }[] {
  if (shape === "two") return [{ positive: 1, negative: undefined }];
  if (shape === "each") return Array.from({ length: classCount }, (_, positive) => ({ positive, negative: undefined }));
  return pairs(classCount).map(([negative, positive]) => ({ positive, negative }));
}

function choicesOf(shape: Shape, { decisions, classIds, weights, classCount }: HeldRows): Choice[] {
  const sides = sidesOf(shape, classCount);
  return Array.from({ length: classIds.length }, (_, i): Choice[] => {
    const weight = weights[i] as number;
    const own = decisions.subarray(i * sides.length, (i + 1) * sides.length);
    if (weight === 0) return [];
    if (shape === "each") {
      const known = Array.from(own.keys()).filter((m) => !Number.isNaN(own[m]));
      const right = known.indexOf(classIds[i] as number);
      return right < 0 ? [] : [{ values: known.map((m) => own[m] as number), right, weight }];
    }
    return sides.flatMap(({ positive, negative = 0 }, m) =>
      (classIds[i] === positive || classIds[i] === negative) && !Number.isNaN(own[m])
        ? [{ values: [0, own[m] as number], right: classIds[i] === positive ? 1 : 0, weight }]
        : [],
    );
  }).flat();
}

/** Writes the probabilities of one row's classes, whose decision values begin at `from`, to `out` from `at` on. */
export function putProbabilities(
  calibrators: readonly Calibrator[],
  shape: Shape,
  classCount: number,
  decisions: ArrayLike<number>,
  from: number,
  out: Float64Array,
  at: number,
): void {
  const pAt = (m: number): number => probability(calibrators[m] ?? (calibrators[0] as Calibrator), decisions[from + m] as number);
  if (shape === "two") {
    const p = pAt(0);
    out[at] = 1 - p;
    out[at + 1] = p;
    return;
  }
  if (shape === "pairs") {
    const own = coupled(
      Float64Array.from({ length: (classCount * (classCount - 1)) / 2 }, (_, m) => pAt(m)),
      classCount,
    );
    level(own);
    out.set(own, at);
    return;
  }
  const [first] = calibrators;
  const own = out.subarray(at, at + classCount);
  for (let m = 0; m < classCount; m++) own[m] = first?.kind === "temperature" ? first.factor * (decisions[from + m] as number) : pAt(m);
  if (first?.kind === "temperature") softMaximum(own);
  else toSumOne(own);
}

/** Coupling is exact to some digits only: what agrees with the largest in these is as probable as it. */
function level(p: Float64Array): void {
  const most = p.reduce((largest, one) => Math.max(largest, one), 0);
  const isTied = (one: number): boolean => one > most - EQUAL;
  const tied = p.filter(isTied);
  if (tied.length < 2) return;
  const mean = tied.reduce((sum, one) => sum + one, 0) / tied.length;
  for (const [k, one] of p.entries()) if (isTied(one)) p[k] = mean;
}

function probability(calibrator: Calibrator, score: number): number {
  if (calibrator.kind === "sigmoid") return sigmoid(calibrator.slope * score + calibrator.offset);
  return calibrator.kind === "isotonic" ? isotonicAt(calibrator, score) : sigmoid(calibrator.factor * score);
}
