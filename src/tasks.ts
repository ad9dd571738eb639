// The tasks: what workers do, and the calling thread of a command.

import type { Norm } from "./base/options/scalers.js";
import type { JointAudit, KernelJudgement } from "./certify/audit.js";
import { certifyCrammerSinger } from "./certify/crammer-singer.js";
import { judgeKernel } from "./certify/kernel.js";
import { kernelScores } from "./certify/kernel-scores.js";
import { certifyLinear, type JudgedPoint, type JudgedProblem } from "./certify/linear.js";
import { certifyMultinomial } from "./certify/multinomial.js";
import { certifyOneClass, type JudgedOneClass, type JudgedOneClassPoint } from "./certify/one-class.js";
import { corePasses, type Passes } from "./certify/passes.js";
import { certifyRegression, type JudgedRegression, type JudgedRegressionPoint } from "./certify/regression.js";
import { RestJudge } from "./certify/rest.js";
import { columnStatistics } from "./data/column-statistics.js";
import { type ColumnScale, normalizeRows, type RowBlock, scaleColumns } from "./data/scale.js";
import { PARSING } from "./formats/svmlight-block.js";
import { writeLines } from "./formats/write-lines.js";
import { writeVectorPart } from "./formats/write-vectors.js";
import type { Certificate } from "./model/certificate.js";
import type { Task, TaskTable } from "./runtime/task.js";
import { binaryAtRest, jointAtRest, regressionAtRest } from "./solve/at-rest.js";
import { equalRows } from "./solve/equal-rows.js";
import { withFewerRows } from "./solve/fewer-rows.js";
import { fitKernel } from "./solve/fit-kernel.js";
import { fitPairs } from "./solve/fit-pairs.js";
import { kernelDecision, kernelVotes } from "./solve/kernel-decision.js";
import { searchKernel } from "./solve/kernel-grid.js";
import { helpKernel } from "./solve/kernel-helper.js";
import type { KernelProblem } from "./solve/kernel-problem.js";
import { linearDecision } from "./solve/linear-decision.js";
import { searchLinear } from "./solve/linear-grid.js";
import { makeJointSolver, makeOneClassSolver, makeRegressionSolver } from "./solve/make-solver.js";
import type { JointKind, Stage } from "./solve/plan.js";
import type {
  BinaryProblem,
  BinarySolution,
  MultiClassProblem,
  MultiClassSolution,
  OneClassProblem,
  OneClassSolution,
  RegressionProblem,
  RegressionSolution,
} from "./solve/problem.js";
import { descendTogether, type RestGroup } from "./solve/rest-start.js";
import { type Outcome, solveStages } from "./solve/stages.js";
import { type CountedTexts, type CountingSettings, TextCounter } from "./text/count-texts.js";

/** What a fit of one binary problem is given. */
interface BinaryFit {
  readonly problem: BinaryProblem;
  readonly stages: readonly Stage[];
  readonly start: BinarySolution | undefined;
  /** Where rows of the matrix hold the same: for each the first one that does. */
  readonly firstOf: Uint32Array | undefined;
}

/** The judge's passes, and the task with what they leave of its work space. */
function withPasses(task: Task, { rowIds }: { readonly rowIds: ArrayLike<number> }): { passes: Passes; task: Task } {
  const passes = corePasses(task, rowIds.length);
  return { passes, task: { ...task, space: task.space.rest() } };
}

function fitBinary(whole: Task, { problem, stages, start, firstOf }: BinaryFit): Promise<Outcome<BinarySolution>> {
  const { passes, task: judged } = withPasses(whole, problem);
  const { task, make } = withFewerRows(judged, problem, firstOf);
  const judge = (point: BinarySolution) => certifyLinear(task.matrix, problem, point, problem.tolerance, passes);
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(task, stages, { ...problem, tolerance }, { make, judge, start, atRest: binaryAtRest });
}

/** What a fit of all classes at once is given. */
interface JointFit {
  readonly kind: JointKind;
  readonly problem: MultiClassProblem;
  readonly stages: readonly Stage[];
  readonly start: MultiClassSolution | undefined;
}

function fitJoint(task: Task, { kind, problem, stages, start }: JointFit): Promise<Outcome<MultiClassSolution>> {
  const judge = (point: MultiClassSolution) => certifyJoint(task, { kind, problem, point });
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(task, stages, { ...problem, tolerance }, { make: makeJointSolver(problem), judge, start, atRest: jointAtRest });
}

function certifyJoint({ matrix }: Task, { kind, problem, point }: JointAudit): Certificate {
  if (kind === "multinomial") return certifyMultinomial(matrix, problem, point);
  return certifyCrammerSinger(matrix, { ...problem, bias: problem.bias === "augmented" ? problem.bias : false }, point);
}

/** What a fit of a regression is given. */
interface RegressionFit {
  readonly problem: RegressionProblem;
  /** What was taken off the targets: the model predicts with it. */
  readonly centre: number;
  readonly stages: readonly Stage[];
  readonly start: RegressionSolution | undefined;
}

function fitRegression(whole: Task, { problem, centre, stages, start }: RegressionFit): Promise<Outcome<RegressionSolution>> {
  const { passes, task } = withPasses(whole, problem);
  const judge = (point: RegressionSolution) => {
    // The bias as the model has it: centre + bias, rounded.
    const bias = centre + point.bias - centre;
    return certifyRegression(task.matrix, problem, { ...point, bias }, passes);
  };
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(
    task,
    stages,
    { ...problem, tolerance },
    { make: makeRegressionSolver(problem), judge, start, atRest: regressionAtRest(problem) },
  );
}

/** What a fit of a one-class problem is given. */
interface OneClassFit {
  readonly problem: OneClassProblem;
  readonly stages: readonly Stage[];
  readonly start: OneClassSolution | undefined;
}

function fitOneClass(whole: Task, { problem, stages, start }: OneClassFit): Promise<Outcome<OneClassSolution>> {
  const { passes, task } = withPasses(whole, problem);
  const judge = (point: OneClassSolution) => certifyOneClass(task.matrix, problem, point, passes);
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(task, stages, { ...problem, tolerance }, { make: makeOneClassSolver(problem), judge, start });
}

/** Counts are not worth having in part: nothing stops them. */
async function countTexts(
  task: Task,
  { texts, settings }: { texts: readonly string[]; settings: CountingSettings },
): Promise<CountedTexts> {
  const counter = new TextCounter(texts.length, settings);
  for (const [k, text] of texts.entries()) {
    counter.add(text);
    if (k % 16 === 0) await task.checkpoint(() => ({ iterations: k, relativeGap: Infinity }));
  }
  return counter.finish();
}

export const tasks: TaskTable = {
  "count-texts": countTexts,
  "equal-rows": equalRows,
  ...PARSING,
  "write-numbers": writeLines,
  "write-vectors": writeVectorPart,
  "fit-linear-binary": fitBinary,
  "fit-linear-joint": fitJoint,
  "descend-together": (task: Task, group: RestGroup) => descendTogether(task, group, (own, problem) => new RestJudge(own, problem)),
  "linear-decision": linearDecision,
  "certify-linear-binary": (task: Task, { problem, point }: { problem: JudgedProblem; point: JudgedPoint }) =>
    certifyLinear(task.matrix, problem, point, 0, withPasses(task, problem).passes),
  "certify-linear-joint": certifyJoint,
  "fit-kernel": (task: Task, problem: KernelProblem) => fitKernel(task, problem),
  "fit-kernel-pairs": fitPairs,
  "help-kernel": helpKernel,
  "search-kernel": searchKernel,
  "search-linear": searchLinear,
  "kernel-decision": kernelDecision,
  "kernel-votes": kernelVotes,
  "certify-kernel-scores": kernelScores,
  "certify-kernel": ({ matrix }: Task, { problem, point, scores }: KernelJudgement) => judgeKernel(matrix, problem, point, scores),
  "fit-linear-regression": fitRegression,
  "fit-linear-one-class": fitOneClass,
  "certify-linear-regression": (task: Task, { problem, point }: { problem: JudgedRegression; point: JudgedRegressionPoint }) =>
    certifyRegression(task.matrix, problem, point, withPasses(task, problem).passes),
  "certify-linear-one-class": (task: Task, { problem, point }: { problem: JudgedOneClass; point: JudgedOneClassPoint }) =>
    certifyOneClass(task.matrix, problem, point, withPasses(task, problem).passes),
  "column-statistics": ({ matrix }: Task, { weights }: { weights: Float64Array }) => columnStatistics(matrix, weights),
  "scale-columns": ({ matrix }: Task, { block, how }: { block: RowBlock; how: ColumnScale & { inverse: boolean } }) => ({
    values: scaleColumns(matrix, block, how, how.inverse),
  }),
  "normalize-rows": ({ matrix }: Task, { block, how }: { block: RowBlock; how: { norm: Norm } }) => ({
    values: normalizeRows(matrix, block, how.norm),
  }),
};
