// The solver behind each name of a plan.

import { BinaryNewton } from "./binary-newton.js";
import { CrammerSinger } from "./crammer-singer.js";
import { CrammerSingerInterior } from "./crammer-singer-interior.js";
import { DualDescent } from "./dual-descent.js";
import { dualStart } from "./dual-start.js";
import { InteriorPoint } from "./interior-point.js";
import { L1Newton } from "./l1-newton.js";
import { LogisticDescent } from "./logistic-descent.js";
import { MultinomialNewton } from "./multinomial-newton.js";
import { OneClassDescent } from "./one-class-descent.js";
import { OneClassInterior } from "./one-class-interior.js";
import type {
  BinaryProblem,
  BinarySolution,
  MultiClassProblem,
  MultiClassSolution,
  OneClassProblem,
  OneClassSolution,
  RegressionProblem,
  RegressionSolution,
} from "./problem.js";
import type { MakeSolver } from "./stages.js";
import { TubeDescent } from "./tube-descent.js";
import { TubeInterior } from "./tube-interior.js";
import { TubeNewton } from "./tube-newton.js";

export function makeBinarySolver(problem: BinaryProblem): MakeSolver<BinarySolution> {
  return (task, { solver }, start, passes) => {
    const limited = { ...problem, maxIterations: passes };
    switch (solver) {
      case "dual coordinate descent":
        return new (problem.loss === "logistic" ? LogisticDescent : DualDescent)(task, limited, dualStart(start));
      case "Newton":
        return new BinaryNewton(task, limited, start);
      case "interior point":
        return new InteriorPoint(task, limited);
      case "proximal Newton":
        return new L1Newton(task, limited, start);
      default:
        throw new RangeError(`${solver} is not for two classes`);
    }
  };
}

export function makeRegressionSolver(problem: RegressionProblem): MakeSolver<RegressionSolution> {
  return (task, { solver, rival }, start, passes) => {
    const limited = { ...problem, maxIterations: passes };
    switch (solver) {
      case "dual coordinate descent":
        return new TubeDescent(task, limited, start?.beta && { alpha: start.beta }, rival);
      case "Newton":
        return new TubeNewton(task, limited, start);
      case "interior point":
        return new TubeInterior(task, limited);
      default:
        throw new RangeError(`${solver} is not for a regression`);
    }
  };
}

export function makeOneClassSolver(problem: OneClassProblem): MakeSolver<OneClassSolution> {
  return (task, { solver }, start, passes) => {
    const limited = { ...problem, maxIterations: passes };
    switch (solver) {
      case "dual coordinate descent":
        return new OneClassDescent(task, limited, start);
      case "interior point":
        return new OneClassInterior(task, limited);
      default:
        throw new RangeError(`${solver} is not for one class`);
    }
  };
}

export function makeJointSolver(problem: MultiClassProblem): MakeSolver<MultiClassSolution> {
  return (task, { solver }, start, passes) => {
    const limited = { ...problem, maxIterations: passes };
    switch (solver) {
      case "sequential dual method":
        return new CrammerSinger(task, limited, dualStart(start));
      case "interior point":
        return new CrammerSingerInterior(task, limited, start);
      case "Newton":
        return new MultinomialNewton(task, limited, start);
      default:
        throw new RangeError(`${solver} is not for all classes at once`);
    }
  };
}
