// LIBSVM's own probability estimates (svm-train -b 1), for its files: numbers that stand beside a model and change none of its decision values.
//
//   classes      one sigmoid a pair: P(first) = 1 / (1 + e^(A f + B)), f the decision value for the first; pairs coupled
//   regression   the residuals z have the density e^(-|z| / s) / (2 s); s the mean |z|, once residuals beyond five standard deviations are gone
//   one class    ten marks that cut the training rows' decision values by density: five bins below 0 and five above, P(normal) from the bin
//
// f is as LIBSVM has it: above 0 for the first label of the file, or of the pair. Checked in test/libsvm-estimates.test.ts.

import { coupled } from "./coupling.js";
import { fitSigmoid } from "./sigmoid.js";
import { sigmoid } from "./sums.js";

/** LIBSVM takes no pair for more certain than this. */
const LEAST = 1e-7;
/** Where its coupling stops. */
const [ENOUGH, MOST_ROUNDS] = [0.005, 100];
const MARKS = 10;
/** P(normal) beyond the outer marks. */
const [HARDLY, SURELY] = [0.001, 0.999];

/** A and B of a pair, from decision values of rows that were held out. */
export function libsvmSigmoid(decisions: ArrayLike<number>, isFirst: ArrayLike<number>): { A: number; B: number } {
  const { slope, offset } = fitSigmoid(decisions, isFirst, new Float64Array(decisions.length).fill(1), { mayFall: true });
  return { A: 0 - slope, B: 0 - offset };
}

/** f64[rows][classes], in the order of the file's labels. `decisions`: f64[rows][pairs]. */
export function libsvmProbabilities(
  { probA, probB }: { readonly probA: ArrayLike<number>; readonly probB: ArrayLike<number> },
  classCount: number,
  decisions: ArrayLike<number>,
): Float64Array {
  const pairCount = probA.length;
  const rowCount = decisions.length / pairCount;
  const out = new Float64Array(rowCount * classCount);
  const ofFirst = new Float64Array(pairCount);
  for (let i = 0; i < rowCount; i++) {
    for (let m = 0; m < pairCount; m++) {
      const p = sigmoid(-((probA[m] as number) * (decisions[i * pairCount + m] as number) + (probB[m] as number)));
      ofFirst[m] = Math.min(Math.max(p, LEAST), 1 - LEAST);
    }
    const own =
      classCount === 2
        ? [ofFirst[0] as number, 1 - (ofFirst[0] as number)]
        : coupled(
            ofFirst.map((p) => 1 - p),
            classCount,
            ENOUGH,
            Math.max(MOST_ROUNDS, classCount),
          );
    out.set(own, i * classCount);
  }
  return out;
}

/** s of the residuals. */
export function laplaceScale(residuals: ArrayLike<number>): number {
  const sizes = Array.from(residuals, Math.abs);
  const mean = (list: readonly number[]): number => (list.length === 0 ? 0 : list.reduce((sum, size) => sum + size, 0) / list.length);
  // The standard deviation of that density.
  const deviation = Math.SQRT2 * mean(sizes);
  return mean(sizes.filter((size) => size <= 5 * deviation));
}

/** The marks of the training rows' decision values; undefined where fewer than five are below 0, or not below. */
export function densityMarks(decisions: ArrayLike<number>): Float64Array | undefined {
  const sorted = Float64Array.from(decisions).sort();
  const below = sorted.findIndex((value) => value >= 0);
  const half = MARKS / 2;
  const above = sorted.length - below;
  if (below < half || above < half) return undefined;
  const edges = Array.from({ length: MARKS + 1 }, (_, k) => {
    if (k === half) return 0;
    return (k < half ? sorted[Math.floor((k * below) / half)] : sorted[below - 1 + Math.floor(((k - half) * above) / half)]) as number;
  });
  return Float64Array.from({ length: MARKS }, (_, k) => ((edges[k] as number) + (edges[k + 1] as number)) / 2);
}

/** P(normal) of a decision value. */
export function normalProbability(marks: ArrayLike<number>, decision: number): number {
  if (decision < (marks[0] as number)) return HARDLY;
  if (decision > (marks[MARKS - 1] as number)) return SURELY;
  const bin = Array.from(marks).findIndex((mark, k) => k > 0 && decision < mark);
  // On the last mark itself LIBSVM has no bin.
  return bin < 0 ? 0 : bin / MARKS;
}
