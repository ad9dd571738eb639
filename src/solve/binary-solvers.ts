// The solver behind each name of a plan, for binary problems.

import { DualDescent } from "./dual-descent.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";
import type { MakeSolver } from "./stages.js";

export function makeBinarySolver(problem: BinaryProblem): MakeSolver<BinarySolution> {
  return (task, solver, _start, passes) => {
    const limited = { ...problem, maxIterations: passes };
    switch (solver) {
      case "dual coordinate descent":
        return new DualDescent(task, limited);
    }
  };
}
