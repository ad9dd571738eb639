// Solving until the judge is content: what the solver takes for enough is only a proposal.

import type { Status } from "../base/status.js";
import type { Certificate } from "../model/certificate.js";
import type { Ending } from "./drive.js";

/** A solver that can be asked for more. */
export interface ProvableSolver<Solution> {
  solve(): Promise<Ending>;
  solution(): Solution;
  /** Asks for half the gap from now on. */
  tighten(): void;
}

/** Asked so often for half the gap, a solver has gone through all digits of a float64: what the judge still finds is rounding. */
const DIGITS = 53;

/** A solution, and what the judge says of it. */
export interface Judged<Solution> {
  readonly solution: Solution;
  readonly certificate: Certificate;
}

/**
 * Solves, has the result judged, and goes on while the judge finds more than the tolerance and nothing else says stop; of all that were judged the best
 * is returned. Without a tolerance the solver's own rule is the last word, and the judge only tells.
 */
export async function solveProven<Solution extends { readonly iterations: number }>(
  solver: ProvableSolver<Solution>,
  judge: (solution: Solution) => Certificate,
  tolerance: number | undefined,
): Promise<Judged<Solution> & { status: Status; iterations: number }> {
  let best: Judged<Solution> | undefined;
  for (let halvings = 0; ; halvings++) {
    const ending = await solver.solve();
    const solution = solver.solution();
    const { iterations } = solution;
    best = better({ solution, certificate: judge(solution) }, best);
    if (tolerance !== undefined && best.certificate.relativeGap <= tolerance) return { ...best, status: "converged", iterations };
    if (ending !== "converged" || tolerance === undefined) return { ...best, status: ending, iterations };
    if (halvings === DIGITS) return { ...best, status: "precision-limit", iterations };
    solver.tighten();
  }
}

/** The one with the smaller gap; the first if neither has. A gap that is not a number is the largest. */
export function better<Solution>(one: Judged<Solution>, other: Judged<Solution> | undefined): Judged<Solution> {
  if (other === undefined || Number.isNaN(other.certificate.relativeGap)) return one;
  return one.certificate.relativeGap <= other.certificate.relativeGap ? one : other;
}
