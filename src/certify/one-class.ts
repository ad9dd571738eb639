// The judge of the linear one-class problem: objectives recomputed in float64 from raw rows and weights. Shares nothing with the solvers.
//
//   P(w, rho) = 1/2 w'w - N rho + sum_i c_i max(0, rho - w'x_i),      N = nu sum_i c_i
//   D(a)      = -1/2 u'u,   u = sum_i a_i x_i,   0 <= a_i <= c_i,   sum_i a_i = N
//
// This is LIBLINEAR's scaling (c_i = 1); dividing w, rho and a by N gives that of Schoelkopf et al. 2001. Weak duality: D(a) <= P* <= P(w, rho). A dual
// point is made feasible first: into the box, then scaled down, or moved towards the weights, until its sum is N.
//
// The zero model costs nothing, so the floor of the gap is set by what D would be if all rows pointed the same way: 1/2 N^2 (weighted mean of |x_i|^2).
// Checked on hand-solved problems and by perturbation in test/unit/certify/one-class.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import { plainPasses } from "./passes.js";
import { relativeGap, rowSquare, sumOfSquares } from "./rows.js";

/** The problem as the judge sees it. */
export interface JudgedOneClass {
  readonly rowIds: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly nu: number;
}

export interface JudgedOneClassPoint {
  readonly w: Float64Array;
  readonly rho: number;
  readonly alpha: ArrayLike<number>;
}

export function certifyOneClass(
  x: Matrix,
  { rowIds, weights, nu }: JudgedOneClass,
  { w, rho, alpha }: JudgedOneClassPoint,
  passes = plainPasses(x),
): Certificate {
  let total = 0;
  let squares = 0;
  for (let k = 0; k < rowIds.length; k++) {
    total += weights[k] as number;
    squares += (weights[k] as number) * rowSquare(x, rowIds[k] as number);
  }
  const wanted = nu * total;
  let primal = 0.5 * sumOfSquares(w) - wanted * rho;
  const products = passes.times(rowIds, w);
  for (let k = 0; k < rowIds.length; k++) primal += (weights[k] as number) * Math.max(0, rho - (products[k] as number));

  const feasible = madeFeasible(alpha, weights, wanted);
  const dual = -0.5 * sumOfSquares(passes.sum(rowIds, feasible));
  const size = total > 0 ? (0.5 * wanted * wanted * squares) / total : 0;
  return { primal, dual, relativeGap: relativeGap(primal, dual, size) };
}

/** Inside the box, with the sum that is wanted. */
function madeFeasible(alpha: ArrayLike<number>, weights: ArrayLike<number>, wanted: number): Float64Array {
  const feasible = Float64Array.from(alpha, (a, k) => Math.min(Math.max(0, a), weights[k] as number));
  let sum = 0;
  let room = 0;
  for (let k = 0; k < feasible.length; k++) {
    sum += feasible[k] as number;
    room += (weights[k] as number) - (feasible[k] as number);
  }
  if (sum > wanted) return feasible.map((a) => a * (wanted / sum));
  if (sum < wanted && room > 0) return feasible.map((a, k) => a + ((weights[k] as number) - a) * Math.min(1, (wanted - sum) / room));
  return feasible;
}
