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

/**
 * Solves, has the result judged, and goes on while the judge finds more than the tolerance and nothing else says stop. Without a
 * tolerance the solver's own rule is the last word, and the judge only tells.
 */
export async function solveProven<Solution>(
  solver: ProvableSolver<Solution>,
  judge: (solution: Solution) => Certificate,
  tolerance: number | undefined,
): Promise<{ solution: Solution; certificate: Certificate; status: Status }> {
  for (let halvings = 0; ; halvings++) {
    const ending = await solver.solve();
    const solution = solver.solution();
    const certificate = judge(solution);
    if (tolerance !== undefined && certificate.relativeGap <= tolerance) return { solution, certificate, status: "converged" };
    if (ending !== "converged" || tolerance === undefined) return { solution, certificate, status: ending };
    if (halvings === DIGITS) return { solution, certificate, status: "precision-limit" };
    solver.tighten();
  }
}
