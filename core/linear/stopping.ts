// What the solvers here share about ending: what `advance` says, the relative gap, and how far an estimate of it is believed.
// Checked in test/unit/core/stopping.test.ts.

/** What `advance` returns. */
export const enum Progress {
  Running = 0,
  Converged = 1,
  IterationLimit = 2,
  PrecisionLimit = 3, // rounding leaves nothing to gain
}

// Floor of the gap's denominator, relative to P(0): design of the relative gap, docs/notation.md.
const FLOOR: f64 = 1e-12;

/** A check of the gap that fails means that the estimate runs ahead of the truth: it is believed this much less from then on. */
export const LESS_TRUST: f64 = 0.7;

/** gap / max(P, |D|, floor), zero being P of the zero model. */
export function relativeGap(gap: f64, primal: f64, dual: f64, zero: f64): f64 {
  return gap / max(primal, max(abs(dual), FLOOR * zero));
}
