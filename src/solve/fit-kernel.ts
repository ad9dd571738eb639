// A kernel problem in a worker: alone, or one of many pairs of classes (fit-pairs.ts).

import type { KernelCertificate } from "../model/certificate.js";
import type { Task } from "../runtime/task.js";
import { KernelMachine, type RowSources } from "./kernel-machine.js";
import type { KernelProblem, KernelSolution } from "./kernel-problem.js";
import type { Stage } from "./plan.js";
import { type Outcome, solveStages } from "./stages.js";

export type KernelOutcome = Outcome<KernelSolution, KernelCertificate>;

export function fitKernel(task: Task, problem: KernelProblem, sources?: RowSources): Promise<KernelOutcome> {
  // The gap from the solver's own F, with what float32 may have done to it; the independent judge costs as much as the fit and runs when it is asked for.
  const reason = problem.gapless;
  const judge = ({ primal, dual, relativeGap, violation }: KernelSolution): KernelCertificate =>
    reason === undefined ? { primal, dual, relativeGap } : { primal, dual, relativeGap: null, violation, reason };
  const method: Pick<Stage, "solver" | "why"> = problem.isFree
    ? { solver: "dual coordinate descent", why: "solver dcd: no intercept" }
    : { solver: "decomposition", why: "the method for kernels" };
  const stages: Stage[] = [{ ...method, passes: Infinity }];
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(task, stages, { ...problem, tolerance }, { make: (own) => new KernelMachine(own, problem, sources), judge });
}
