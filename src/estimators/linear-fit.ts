// Fits the problems of a linear classifier on the pool, several at once, and puts their solutions together.

import { inLanes } from "../base/lanes.js";
import type { Progress } from "../base/options/fit.js";
import type { Status } from "../base/status.js";
import { judgedLosses } from "../certify/losses.js";
import { passesBytes } from "../certify/passes.js";
import { rowTimes } from "../certify/rows.js";
import type { Matrix } from "../data/matrix.js";
import type { Certificate, KernelCertificate } from "../model/certificate.js";
import type { RunOptions } from "../runtime/pool.js";
import { runTask, tasksAtOnce } from "../runtime/runtime.js";
import { fewerRowsBytes, WORTH } from "../solve/fewer-rows.js";
import { planBinary, planJoint, type SolverChoice } from "../solve/plan.js";
import type { BinaryProblem, BinarySolution, MultiClassSolution, PrimalStart } from "../solve/problem.js";
import type { GapPoint, Outcome, StageReport } from "../solve/stages.js";
import { equalRows } from "./equal-rows.js";
import type { PosedProblems, ProblemTitle } from "./linear-problems.js";
import type { LinearStart } from "./linear-start.js";
import { type Begun, beginTogether } from "./together.js";
import { Tracker } from "./tracker.js";

/** How one problem of a fit went. */
export interface ProblemReport<C extends KernelCertificate = Certificate> extends ProblemTitle {
  readonly status: Status;
  readonly certificate: C;
  /** The methods that ran, one after the other, and why. */
  readonly stages: readonly StageReport<C>[];
  /** The gap over time, as far as it was known on the way. */
  readonly history: readonly GapPoint<C>[];
}

/** Everything that came out of a fit. */
export interface LinearFit {
  /** f64[outputs][features]. */
  readonly coefficients: Float64Array;
  /** f64[outputs]. */
  readonly biases: Float64Array;
  /**
   * Problem after problem, f64[rows of the matrix] each, or f64[rows][classes] of a joint one; undefined where no method had any. Where some
   * problems were solved by a method that has none, theirs are those that their margins suggest.
   */
  readonly dual: Float64Array | undefined;
  /** Whether those that are not 0 are the support vectors. */
  readonly isSparse: boolean;
  readonly problems: readonly ProblemReport[];
  readonly certifySeconds: number;
}

export interface FitSettings {
  readonly solver: SolverChoice;
  readonly start: LinearStart | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export function fitLinear(x: Matrix, posed: PosedProblems, settings: FitSettings, call: RunOptions): Promise<LinearFit> {
  return posed.scheme === "crammer_singer" || posed.scheme === "multinomial"
    ? fitJoint(x, posed, settings, call)
    : fitEach(x, posed, settings, call);
}

/** Rows from which on it is worth a look which of them hold the same, if they are short; and bytes that what is left of them may take in all threads. */
const MANY_ROWS = 20_000;
const SHORT = 100;
const MOST_BYTES = 2 ** 29;

/** Pairs of classes have few rows each; LIBLINEAR's own rule counts single ones (solve/fewer-rows.ts). */
function isWorthLooking({ rowCount, valueCount }: Matrix, { scheme, isForGap }: PosedProblems): boolean {
  return isForGap && scheme !== "ovo" && rowCount >= MANY_ROWS && valueCount <= SHORT * rowCount;
}

interface EqualRows {
  readonly firstOf: Uint32Array | undefined;
  /** Work space that solvers of fewer rows need. */
  readonly bytes: number;
}

const NONE_EQUAL: EqualRows = { firstOf: undefined, bytes: 0 };

async function equalRowsFor(x: Matrix, { count }: PosedProblems, call: RunOptions): Promise<EqualRows> {
  const firstOf = await equalRows(x, call, WORTH * x.rowCount);
  if (firstOf === undefined) return NONE_EQUAL;
  const bytes = fewerRowsBytes(x, firstOf);
  // Each thread has its own.
  return bytes * Math.min(call.threads, count) <= MOST_BYTES ? { firstOf, bytes } : NONE_EQUAL;
}

async function fitEach(x: Matrix, posed: PosedProblems, settings: FitSettings, call: RunOptions): Promise<LinearFit> {
  const { rowCount, featureCount } = x;
  const { count } = posed;
  const coefficients = new Float64Array(count * featureCount);
  const biases = new Float64Array(count);
  const problems: ProblemReport[] = [];
  const tracker = new Tracker(count, settings.onProgress);
  const dual = new Float64Array(count * rowCount);
  const withoutDual: number[] = [];
  let isSparse = true;
  let certifySeconds = 0;
  const put = (index: number, { solution, ...outcome }: Outcome<BinarySolution>, rowIds: Uint32Array): void => {
    tracker.finish(index, outcome);
    coefficients.set(solution.w, index * featureCount);
    biases[index] = solution.bias;
    isSparse &&= solution.isSparse ?? true;
    if (solution.alpha === undefined) withoutDual.push(index);
    else spread(dual.subarray(index * rowCount, (index + 1) * rowCount), solution.alpha, rowIds, 1);
    problems[index] = reportOfProblem(posed.title(index), outcome);
    certifySeconds += outcome.certifySeconds;
  };
  const beginning = settings.start ? undefined : beginTogether(x, posed, settings.solver, call, { tracker, put });
  // Nothing to wait for: the first problem is handed over before the call has returned.
  const begun = beginning && (await beginning);
  const { firstOf, bytes: fewerBytes } = isWorthLooking(x, posed) ? await equalRowsFor(x, posed, call) : NONE_EQUAL;
  // What is left of each is a few passes.
  const isShort = begun !== undefined;

  const fitOne = async (index: number): Promise<void> => {
    const { start: begunAt, ...took } = begun?.[index] ?? {};
    const before = begunAt?.iterations ?? 0;
    const posedAlone = posed.binary(index);
    const problem = { ...posedAlone, maxIterations: posedAlone.maxIterations - before };
    const start = settings.start?.binary(index, problem) ?? begunAt;
    const { stages, regionBytes } = planBinary(x, problem, settings.solver, start !== undefined);
    const input = { problem, stages, start, firstOf };
    const bytes = passesBytes(problem.rowIds.length, featureCount) + fewerBytes + regionBytes;
    const work = { task: "fit-linear-binary", matrix: x, regionBytes: bytes, input, onlyReads: true, isShort };
    const ended = await runTask<Outcome<BinarySolution>>(work, { ...call, onProgress: tracker.watch(index, before) });
    put(index, begunAt === undefined ? ended : withBeginning(ended, before, took), problem.rowIds);
  };
  const left = Array.from({ length: count }, (_, index) => index).filter((index) => problems[index] === undefined);
  await inLanes(left.length, isShort ? tasksAtOnce(call.threads) : call.threads, (k) => fitOne(left[k] as number));
  if (withoutDual.length === count) return { coefficients, biases, dual: undefined, isSparse, problems, certifySeconds };
  for (const index of withoutDual) {
    const problem = posed.binary(index);
    const w = coefficients.subarray(index * featureCount, (index + 1) * featureCount);
    spread(
      dual.subarray(index * rowCount, (index + 1) * rowCount),
      suggestedDual(x, problem, { w, bias: biases[index] as number }),
      problem.rowIds,
      1,
    );
  }
  return { coefficients, biases, dual, isSparse, problems, certifySeconds };
}

/** An outcome with what was done before it for several classes at once. */
function withBeginning(
  ended: Outcome<BinarySolution>,
  passes: number,
  { seconds = 0, certifySeconds = 0 }: Partial<Omit<Begun, "start">>,
): Outcome<BinarySolution> {
  const [first, ...others] = ended.stages;
  const stages = first && [
    { ...first, why: `${first.why}, begun with several classes at once`, iterations: first.iterations + passes },
    ...others,
  ];
  const history = ended.history.map((point) => ({ ...point, seconds: point.seconds + seconds, iterations: point.iterations + passes }));
  return { ...ended, stages: stages ?? [], history, certifySeconds: ended.certifySeconds + certifySeconds };
}

/** The dual variables that the margins suggest, a_i = -C_i loss'(m_i). Zero, which is feasible, where the loss has a kink and they suggest none. */
function suggestedDual(x: Matrix, { rowIds, signs, costs, loss }: BinaryProblem, { w, bias }: PrimalStart): Float64Array {
  const { suggest } = judgedLosses[loss];
  return Float64Array.from(costs, (C, k) => suggest?.((signs[k] as number) * (rowTimes(x, rowIds[k] as number, w) + bias), C) ?? 0);
}

async function fitJoint(x: Matrix, posed: PosedProblems, settings: FitSettings, call: RunOptions): Promise<LinearFit> {
  const problem = posed.joint();
  const kind = posed.scheme === "multinomial" ? "multinomial" : "crammer_singer";
  const { stages, regionBytes } = planJoint(x, kind, problem);
  const tracker = new Tracker(1, settings.onProgress);
  const input = { kind, problem, stages, start: settings.start?.joint(problem) };
  const work = { task: "fit-linear-joint", matrix: x, regionBytes, input };
  const { solution, ...outcome } = await runTask<Outcome<MultiClassSolution>>(work, { ...call, onProgress: tracker.watch(0) });
  let dual: Float64Array | undefined;
  if (solution.alpha !== undefined) {
    dual = new Float64Array(x.rowCount * problem.classCount);
    spread(dual, solution.alpha, problem.rowIds, problem.classCount);
  }
  return {
    coefficients: solution.w,
    biases: solution.bias,
    dual,
    isSparse: solution.isSparse ?? true,
    problems: [reportOfProblem(posed.title(0), outcome)],
    certifySeconds: outcome.certifySeconds,
  };
}

export function reportOfProblem<C extends KernelCertificate>(
  title: ProblemTitle,
  { status, certificate, stages, history }: Omit<Outcome<never, C>, "solution">,
): ProblemReport<C> {
  return Object.freeze({ status, certificate: Object.freeze(certificate), stages, history, ...title });
}

/** Puts `columns` numbers for each row of the problem where the row stands in the matrix, which has as many rows as `into` has room for. */
function spread(into: Float64Array, alpha: Float64Array, rowIds: Uint32Array, columns: number): void {
  if (into.length === alpha.length) {
    into.set(alpha); // all rows, in their order
    return;
  }
  for (let k = 0; k < rowIds.length; k++) {
    const row = rowIds[k] as number;
    for (let m = 0; m < columns; m++) into[row * columns + m] = alpha[k * columns + m] as number;
  }
}
