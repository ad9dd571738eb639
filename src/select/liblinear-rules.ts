// The points that LIBLINEAR's own search goes through (its flag -C), as numbers: where C begins, how it grows, when it ends, and for a regression
// which tubes are tried.
//
//   C        c, 2c, 4c, ... up to 2^10 for a classifier and 2^20 for a regression; c is the power of 2 at or below
//              logistic loss         1 / (n q)                             n   sum of the sample weights s_i
//              squared hinge         1 / (2 n q)                           q   the largest |x_i|^2, the bias's constant feature included
//              squared tube          0.1^2 sum_i s_i max(|t_i| - epsilon, 0)^2 / (8 (sum_i s_i |t_i|)^2 q)
//            so small a C leaves w near 0 on any data: no smaller one can be better. Where it is not finite, the largest C is tried alone.
//   end      when w has not moved, in any fold, for 5 values of C in a row
//   epsilon  k / 20 of the largest |t_i|, k = 19, 18, ..., 0; each begins anew at its own c
//
// B.-Y. Chu, C.-H. Ho, C.-H. Tsai, C.-Y. Lin, C.-J. Lin: Warm Start for Parameter Selection of Linear Classifiers, KDD 2015.
// J.-Y. Hsia, C.-J. Lin: Parameter Selection for Linear Support Vector Regression, IEEE TNNLS 2020.
// t_i is the target y_i less its centre: the weighted mean where there is a bias, and nothing, as in LIBLINEAR, where there is none. Formulas checked against the
// program itself in test/parity/liblinear-search.test.ts.

export const LARGEST_C = { classification: 2 ** 10, regression: 2 ** 20 };
/** Values of C in a row for which w must stay as it is. */
export const UNMOVED = 5;
/** w is taken for the same if no further from the one before. */
export const SAME = 1e-15;

const TUBES = 20;
/** How far from its value at w = 0 a regression's loss may be at the smallest C, relatively. */
const CLOSENESS = 0.1;

/** What the first C depends on besides a regression's targets. */
export interface Scales {
  /** Of the sample weights. */
  readonly totalWeight: number;
  readonly largestSquare: number;
}

export function firstC(loss: "logistic" | "squared_hinge", { totalWeight, largestSquare }: Scales): number {
  const count = loss === "logistic" ? totalWeight : 2 * totalWeight;
  return Math.min(powerBelow(1 / (count * largestSquare)), LARGEST_C.classification);
}

/** distances: |t_i|; weights: s_i. */
export function firstRegressionC(distances: Float64Array, weights: Float64Array, epsilon: number, largestSquare: number): number {
  let sum = 0;
  let loss = 0;
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] as number;
    sum += (weights[i] as number) * distance;
    loss += (weights[i] as number) * Math.max(distance - epsilon, 0) ** 2;
  }
  const least = loss > 0 ? (CLOSENESS * CLOSENESS * loss) / (8 * sum * sum * largestSquare) : Infinity;
  return Math.min(powerBelow(least), LARGEST_C.regression);
}

/** The tubes, widest first; only those up to `start` if it is given. */
export function epsilons(largest: number, start: number | undefined): number[] {
  const widest = start === undefined || !(largest > 0) ? TUBES - 1 : Math.min(Math.floor(start / (largest / TUBES)), TUBES - 1);
  return Array.from({ length: largest > 0 ? widest + 1 : 1 }, (_, k) => ((largest > 0 ? widest - k : 0) * largest) / TUBES);
}

/** The power of 2 at or below a value above 0; exact, and the same everywhere. */
function powerBelow(value: number): number {
  if (!(value < Infinity)) return Infinity;
  let power = 1;
  while (power * 2 <= value) power *= 2;
  while (power > value) power /= 2;
  return power;
}
