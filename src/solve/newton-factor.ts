// What a Cholesky factor as Newton's preconditioner takes (core/linear/factor.ts): how many rows it should see, and its work.

// The factor's sample: at least so many rows for each feature, and where rows are short as many as four Hessian products cost.
const SAMPLE_PER_FEATURE = 4;
const SAMPLE_PASSES = 16;

// A multiplication of the factor's, in stored values touched by a Hessian product.
const FACTOR_PRICE = 0.6;

export interface FactorPlan {
  /** A row that bends this much or more is surely in the sample. */
  readonly share: number;
  readonly sampleCount: number;
  /** In stored values touched; Infinity where there is no factor. */
  readonly work: number;
}

/** `order`: its rows, 0 for none; `bendSum`: how much all active rows bend together. */
export function factorPlan(order: number, activeCount: number, bendSum: number, valuesPerRow: number): FactorPlan {
  if (order === 0) return { share: 0, sampleCount: 0, work: Infinity };
  const wanted = Math.max(SAMPLE_PER_FEATURE * order, (SAMPLE_PASSES * activeCount) / Math.max(1, valuesPerRow));
  const sampleCount = Math.min(activeCount, wanted);
  const share = sampleCount < activeCount ? bendSum / sampleCount : 0;
  return { share, sampleCount, work: FACTOR_PRICE * ((sampleCount * valuesPerRow ** 2) / 2 + order ** 3 / 6) };
}
