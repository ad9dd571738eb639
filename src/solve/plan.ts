// Which method solves a problem, and which one takes over where it stalls.
//
// Coordinate descent is the fastest way to a gap of 1e-3 where there are more features than rows, and may need for ever where columns are
// badly scaled or C is large. Newton and interior point methods need a number of passes that hardly depends on either, and with few
// features each of theirs is cheap. What they would cost can be told beforehand; so descent is given about that much work, and if it is
// not done by then, the other one takes over from where it stands. Together they cost at most about twice the better of the two.
// The figures behind the choices: docs/algorithms/newton.md, interior-point.md and crammer-singer.md.

import type { Matrix } from "../data/matrix.js";
import { crammerSingerBytes } from "./crammer-singer.js";
import { INTERIOR_LIMIT, interiorWork } from "./crammer-singer-interior.js";
import { descentBytes } from "./descent.js";
import { interiorBytes, interiorPointWork } from "./interior-solver.js";
import { l1NewtonBytes } from "./l1-newton.js";
import { logisticDescentBytes } from "./logistic-descent.js";
import { multinomialNewtonBytes } from "./multinomial-newton.js";
import { MOST_INTERIOR_NU } from "./one-class-interior.js";
import type { BinaryProblem, MultiClassProblem, OneClassProblem, RegressionProblem } from "./problem.js";
import { smoothNewtonBytes } from "./smooth-newton.js";
import { tubeDescentBytes } from "./tube-descent.js";
import { tubeInteriorBytes } from "./tube-interior.js";

/** A method, as reports name it. */
export type SolverName =
  | "dual coordinate descent"
  | "Newton"
  | "interior point"
  | "proximal Newton"
  | "sequential dual method"
  | "decomposition";

/** What an estimator's option `solver` says. */
export type SolverChoice = "auto" | "dual" | "newton" | "interior-point";

/** One method of a plan. */
export interface Stage {
  readonly solver: SolverName;
  /** Why it was chosen, for the report. */
  readonly why: string;
  /** Passes over the rows after which the next stage takes over; Infinity: only where it has no digits left. */
  readonly passes: number;
  /** Whether it begins where the fit did, not where the stage before it ended: a point where digits end may be worth less than none. */
  readonly isAnew?: boolean;
  /** What the next stage is worth, in passes of this one; undefined where nobody knows beforehand. */
  readonly rival?: number;
}

export interface Plan {
  readonly stages: readonly Stage[];
  /** Work space for the largest of them. */
  readonly regionBytes: number;
}

// Newton's factor of a sample of rows, which makes it fast, is made up to this many features (core/linear/factor.ts).
const FACTORED_FEATURES = 1023;

// Passes that Newton needs on data that descent finds hard: a few hundred (docs/algorithms/newton.md).
const NEWTON_PASSES = 300;

// Features for which the interior point's matrix, 8 (d + 1)^2 bytes, is not worth having.
const MOST_INTERIOR_FEATURES = 4000;

// Sets that go to the interior point at once, since descent, where it is faster, is so by some milliseconds at most, and may take tens of times as long (docs/performance.md): those
// that it keeps as columns; and sparse ones with some rows for every feature, of so many operations.
const SMALL_WORK = 2e6;
const SMALL_ROWS = 4;

// Where the interior point has no digits left, descent has this many times as much work to find what it did not: rows that are large or far from 0 take it thousands of passes.
const LAST_RESORT = 20;

// A regression's interior point takes as long as 20 to 70 passes of descent, a third of what the counts say (docs/algorithms/linear-svr.md).
const TUBE_SHARE = 0.3;

// A step of descent touches every value of a row twice, and some forty more bytes.
const passWork = (values: number, rows: number): number => 2 * values + 8 * rows;

/** The plan for a binary problem. `isWarm`: there will be a point to start from, which only descent makes use of. */
export function planBinary(x: Matrix, problem: BinaryProblem, choice: SolverChoice, isWarm: boolean): Plan {
  const { loss, penalty } = problem;
  const rowCount = problem.rowIds.length;
  if (penalty === "l1") {
    return { stages: [unlimited("proximal Newton", "the method for the penalty l1")], regionBytes: l1NewtonBytes(rowCount, x) };
  }
  const stages = choice === "auto" ? automatic(x, problem, isWarm) : [unlimited(chosen[choice], "chosen by the caller")];
  const bytes: Readonly<Record<SolverName, () => number>> = {
    "dual coordinate descent": () => (loss === "logistic" ? logisticDescentBytes : descentBytes)(rowCount, x.featureCount),
    Newton: () => smoothNewtonBytes(rowCount, x),
    "interior point": () => interiorBytes(rowCount, x.featureCount),
    "proximal Newton": () => 0,
    "sequential dual method": () => 0,
    decomposition: () => 0,
  };
  return { stages, regionBytes: Math.max(...stages.map(({ solver }) => bytes[solver]())) };
}

const chosen: Readonly<Record<Exclude<SolverChoice, "auto">, SolverName>> = {
  dual: "dual coordinate descent",
  newton: "Newton",
  "interior-point": "interior point",
};

function automatic(x: Matrix, problem: BinaryProblem, isWarm: boolean): Stage[] {
  if (problem.stop !== undefined) return [problem.loss === "logistic" ? unlimited("Newton", BY_VIOLATION) : byViolation];
  if (problem.loss === "hinge" && !isWarm && isSmall(x, problem.rowIds)) {
    const why = "the hinge loss on a small set with few features";
    const passes = passesWorth(x, problem.rowIds, LAST_RESORT);
    const descent: Stage = { solver: "dual coordinate descent", why: "the interior point had no digits left", passes, isAnew: true };
    return [unlimited("interior point", why), descent];
  }
  if (problem.loss === "hinge") return kinked(x, problem.rowIds, "the hinge loss", 1);
  if (problem.loss === "logistic" && problem.bias === "unregularised") return [unlimited("Newton", "a smooth loss with a free bias")];
  return smooth(x, problem.rowIds.length);
}

const BY_VIOLATION = 'the method that stop "violation" is a rule of';
const byViolation = unlimited("dual coordinate descent", BY_VIOLATION);

function isSmall(x: Matrix, rowIds: Uint32Array): boolean {
  const { way, fit } = interiorPointWork(x, rowIds);
  return way === "columns" ? rowIds.length > x.featureCount : rowIds.length >= SMALL_ROWS * x.featureCount && fit <= SMALL_WORK;
}

/** Passes of descent that are `share` of an interior point's work. */
function passesWorth(x: Matrix, rowIds: Uint32Array, share: number): number {
  const values = (x.valueCount / Math.max(1, x.rowCount)) * rowIds.length;
  const passes = Math.ceil((share * interiorPointWork(x, rowIds).fit) / Math.max(1, passWork(values, rowIds.length)));
  return Math.max(LEAST_PASSES, passes);
}

/** A loss with a kink: descent, and with few features the interior point behind it. */
function kinked(x: Matrix, rowIds: Uint32Array, what: string, share: number): Stage[] {
  const descend = (why: string, passes: number): Stage => ({ solver: "dual coordinate descent", why, passes });
  if (x.featureCount > MOST_INTERIOR_FEATURES) return [descend(`${what} with many features`, Infinity)];
  const passes = passesWorth(x, rowIds, share);
  return [
    // With a share the interior point takes about half of what descent is given (docs/algorithms/linear-svr.md).
    { ...descend(what, passes), ...(share < 1 && { rival: passes / 2 }) },
    unlimited("interior point", "dual coordinate descent was not done after as much work as this takes"),
  ];
}

/**
 * A smooth loss: Newton and descent, with many features descent first. Which of them is slow on a set nobody knows beforehand, so each has what the other
 * would take on hard data; where both have used that up, Newton goes on, since its number of steps is finite, and what descent has cost
 * by then is no more than what Newton had.
 */
function smooth(x: Matrix, rowCount: number): Stage[] {
  const descend = (why: string): Stage => ({ solver: "dual coordinate descent", why, passes: NEWTON_PASSES });
  const notDone = (solver: SolverName) => `${solver} was not done after ${NEWTON_PASSES} passes`;
  if (x.featureCount <= FACTORED_FEATURES && rowCount > x.featureCount) {
    return [
      { solver: "Newton", why: "a smooth loss with few features", passes: NEWTON_PASSES },
      descend(`${notDone("Newton")}, or had no digits left`),
      unlimited("Newton", notDone("dual coordinate descent")),
    ];
  }
  return [descend("a smooth loss with many features"), unlimited("Newton", notDone("dual coordinate descent"))];
}

/** The plan for a regression. Newton is for the squared loss alone, the interior point for the plain one. */
export function planRegression(x: Matrix, problem: RegressionProblem, choice: SolverChoice): Plan {
  const { rowIds, loss } = problem;
  let stages: readonly Stage[] = [unlimited(chosen[choice === "auto" ? "dual" : choice], "chosen by the caller")];
  if (choice === "auto" && problem.stop !== undefined) stages = [byViolation];
  else if (choice === "auto") {
    stages = loss === "epsilon_insensitive" ? kinked(x, rowIds, "the epsilon-insensitive loss", TUBE_SHARE) : smooth(x, rowIds.length);
  }
  const bytes: Readonly<Partial<Record<SolverName, () => number>>> = {
    "dual coordinate descent": () => tubeDescentBytes(rowIds.length, x),
    Newton: () => smoothNewtonBytes(rowIds.length, x),
    "interior point": () => tubeInteriorBytes(rowIds.length, x),
  };
  return { stages, regionBytes: Math.max(...stages.map(({ solver }) => bytes[solver]?.() ?? 0)) };
}

export function planOneClass(x: Matrix, { rowIds, nu, stop }: OneClassProblem): Plan {
  const alone = stop !== undefined ? byViolation : unlimited("dual coordinate descent", "one class, nearly all rows of which are outliers");
  const stages = stop !== undefined || nu > MOST_INTERIOR_NU ? [alone] : kinked(x, rowIds, "the one-class problem", 1);
  const bytes = { "dual coordinate descent": descentBytes, "interior point": interiorBytes };
  const regionBytes = Math.max(...stages.map(({ solver }) => bytes[solver as keyof typeof bytes](rowIds.length, x.featureCount)));
  return { stages, regionBytes };
}

// Small problems are over sooner than their plan is worked out.
const LEAST_PASSES = 50;

function unlimited(solver: SolverName, why: string): Stage {
  return { solver, why, passes: Infinity };
}

/** The joint problem of all classes: Crammer and Singer's, or the multinomial one. */
export type JointKind = "crammer_singer" | "multinomial";

// Iterations that the interior point of Crammer and Singer needs, about.
const JOINT_ITERATIONS = 40;

export function planJoint(x: Matrix, kind: JointKind, problem: MultiClassProblem): Plan {
  const { rowIds, classCount } = problem;
  const rowCount = rowIds.length;
  if (kind === "multinomial") {
    const regionBytes = multinomialNewtonBytes(rowCount, x, classCount);
    return { stages: [unlimited("Newton", "the method for all probabilities at once")], regionBytes };
  }
  const regionBytes = crammerSingerBytes(rowCount, x.featureCount, classCount);
  const why = "the method for Crammer and Singer's problem";
  if (problem.stop !== undefined) return { stages: [unlimited("sequential dual method", BY_VIOLATION)], regionBytes };
  if ((x.featureCount + 1) * classCount > INTERIOR_LIMIT) return { stages: [unlimited("sequential dual method", why)], regionBytes };
  const values = (x.valueCount / Math.max(1, x.rowCount)) * rowCount;
  const passes = Math.ceil((JOINT_ITERATIONS * interiorWork(x, problem)) / Math.max(1, passWork(values, rowCount) * classCount));
  const stages: Stage[] = [
    { solver: "sequential dual method", why, passes: Math.max(LEAST_PASSES, passes) },
    unlimited("interior point", "the sequential dual method was not done after as much work as this takes"),
  ];
  return { stages, regionBytes };
}
