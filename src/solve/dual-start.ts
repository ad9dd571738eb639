// Dual variables to begin from, moved to where a solver may begin: whatever they are, and however few. Rows without one begin at 0.

/** Where to begin instead of at zero. */
export interface DualStart {
  /** One dual variable a row of the problem, or as many for each as there are classes; what lies outside its constraints is moved inside. */
  readonly alpha: ArrayLike<number>;
}

/** The dual variables of a solution, if it has any. */
export function dualStart(solution: { readonly alpha: Float64Array | undefined } | undefined): DualStart | undefined {
  return solution?.alpha && { alpha: solution.alpha };
}

/** The number at k as near as may be to what lies from `least` to `most`; 0, moved likewise, where there is none. */
export function within({ alpha }: DualStart, k: number, least: number, most: number): number {
  const value = alpha[k] ?? 0;
  return Math.min(Math.max(least, Number.isNaN(value) ? 0 : value), most);
}
