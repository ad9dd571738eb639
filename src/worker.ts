// The worker's entry: which tasks there are. Built to text that the runtime starts workers from.

import type { Norm } from "./base/options/scalers.js";
import { certifyLinear, type JudgedPoint, type JudgedProblem } from "./certify/linear.js";
import { columnStatistics } from "./data/column-statistics.js";
import { type ColumnScale, normalizeRows, type RowBlock, scaleColumns } from "./data/scale.js";
import { parseCopiedBlock, parsePlacedBlock } from "./formats/svmlight-block.js";
import { serve } from "./runtime/serve.js";
import type { Task } from "./runtime/task.js";
import { makeBinarySolver } from "./solve/binary-solvers.js";
import { linearDecision } from "./solve/linear-decision.js";
import type { Stage } from "./solve/plan.js";
import type { BinaryProblem, BinarySolution } from "./solve/problem.js";
import { type Outcome, solveStages } from "./solve/stages.js";

/** What a fit of one binary problem is given. */
interface BinaryFit {
  readonly problem: BinaryProblem;
  readonly stages: readonly Stage[];
  readonly start: BinarySolution | undefined;
}

function fitBinary(task: Task, { problem, stages, start }: BinaryFit): Promise<Outcome<BinarySolution>> {
  const judge = (point: BinarySolution) => certifyLinear(task.matrix, problem, point);
  return solveStages(task, stages, problem, { make: makeBinarySolver(problem), judge, start });
}

serve({
  "parse-svmlight-placed": parsePlacedBlock,
  "parse-svmlight-copied": parseCopiedBlock,
  "fit-linear-binary": fitBinary,
  "linear-decision": linearDecision,
  "certify-linear-binary": (task: Task, { problem, point }: { problem: JudgedProblem; point: JudgedPoint }) =>
    certifyLinear(task.matrix, problem, point),
  "column-statistics": ({ matrix }: Task, { weights }: { weights: Float64Array }) => columnStatistics(matrix, weights),
  "scale-columns": ({ matrix }: Task, { block, how }: { block: RowBlock; how: ColumnScale & { inverse: boolean } }) => ({
    values: scaleColumns(matrix, block, how, how.inverse),
  }),
  "normalize-rows": ({ matrix }: Task, { block, how }: { block: RowBlock; how: { norm: Norm } }) => ({
    values: normalizeRows(matrix, block, how.norm),
  }),
});
