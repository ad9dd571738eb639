// The gap of a smooth problem where a primal method stands: P(w) = 1/2 |w|^2 + L, L = sum C loss, against D at multiples of a_i = -C_i loss_i'.
//
//   u = sum a_i x_i,  g = w - u     P - D(a) = 1/2 |g|^2, Fenchel's inequality being an equality at (scores_i, a_i)
//   squared hinge and tube          D(t a) = t A - t^2 B,   A = 2 L + w'u,   B = L + 1/2 |u|^2;   best at t = A / (2 B)
//     P - A^2 / (4 B) = (2 L |g|^2 + G) / (4 B),   G = |w|^2 |g|^2 - (w'g)^2 = |w|^2 |u|^2 - (w'u)^2
//
// The last line is 4 P B - A^2 multiplied out: no term of it is larger than the gap but those of G, Gram's determinant, the same for u as for
// g = w - u. It is taken with the shorter of the two. Rounding then moves the gap by less than eps |w|^2 |u|^2 / (4 B) <= eps P; the
// difference P - D loses as much, but 1/2 |g|^2 less what the best t gains loses eps |g|^2, and |u| may be 1e10 times |w| where features are large.
// Checked against exact numbers in test/unit/solve/newton-gap.test.ts.

/** The sums that a gap is made of. */
export interface GapSums {
  /** L. */
  readonly losses: number;
  readonly weightSquare: number;
  readonly gradientSquare: number;
  readonly weightGradient: number;
  /** |u|^2 and w'u: summed by themselves, since as differences of the others they have no digits where u is short. */
  readonly dualSquare: number;
  readonly weightDual: number;
}

/** P - D at the best multiple of a, where D is quadratic along it. */
export function quadraticGap(sums: GapSums): number {
  const { losses, weightSquare, gradientSquare, weightGradient, dualSquare, weightDual } = sums;
  const four = 4 * losses + 2 * dualSquare;
  // Without any loss a = 0, and nothing is proved.
  if (!(four > 0)) return 0.5 * gradientSquare;
  const [square, product] = dualSquare < gradientSquare ? [dualSquare, weightDual] : [gradientSquare, weightGradient];
  // Divided first: the products may leave the doubles.
  const gram = weightSquare * (square / four) - product * (product / four);
  return 2 * losses * (gradientSquare / four) + Math.max(0, gram);
}
