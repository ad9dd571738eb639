// Solving until the judge is content: what the solver takes for enough is only a proposal.

import type { Status } from "../base/status.js";
import { type Certificate, type KernelCertificate, shortfall } from "../model/certificate.js";
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
export interface Judged<Solution, C extends KernelCertificate = Certificate> {
  readonly solution: Solution;
  readonly certificate: C;
}

/**
 * Solves, has the result judged, and goes on while the judge finds more than the tolerance and nothing else says stop; of all that were judged the best
 * is returned. Without a tolerance the solver's own rule is the last word, and the judge only tells.
 */
export async function solveProven<Solution extends { readonly iterations: number }, C extends KernelCertificate = Certificate>(
  solver: ProvableSolver<Solution>,
  judge: (solution: Solution) => C,
  tolerance: number | undefined,
): Promise<Judged<Solution, C> & { status: Status; iterations: number }> {
  let best: Judged<Solution, C> | undefined;
  for (let halvings = 0; ; halvings++) {
    const ending = await solver.solve();
    const solution = solver.solution();
    const { iterations } = solution;
    best = better({ solution, certificate: judge(solution) }, best);
    if (tolerance !== undefined && shortfall(best.certificate) <= tolerance) return { status: "converged", iterations, ...best };
    if (ending !== "converged" || tolerance === undefined) return { status: ending, iterations, ...best };
    if (halvings === DIGITS) return { status: "precision-limit", iterations, ...best };
    solver.tighten();
  }
}

/** The one with the smaller gap, or violation where there is none; the first if neither has. One that is not a number is the largest. */
export function better<Solution, C extends KernelCertificate>(
  one: Judged<Solution, C>,
  other: Judged<Solution, C> | undefined,
): Judged<Solution, C> {
  if (other === undefined || Number.isNaN(shortfall(other.certificate))) return one;
  return shortfall(one.certificate) <= shortfall(other.certificate) ? one : other;
}
