// The worker's entry: which tasks there are. Built to text that the runtime starts workers from.

import type { Norm } from "./base/options/scalers.js";
import type { Status } from "./base/status.js";
import { certifyLinear, type JudgedPoint, type JudgedProblem } from "./certify/linear.js";
import { columnStatistics } from "./data/column-statistics.js";
import { type ColumnScale, normalizeRows, type RowBlock, scaleColumns } from "./data/scale.js";
import { parseCopiedBlock, parsePlacedBlock } from "./formats/svmlight-block.js";
import type { Certificate } from "./model/certificate.js";
import { clock } from "./runtime/clock.js";
import { serve } from "./runtime/serve.js";
import type { Task } from "./runtime/task.js";
import { DualDescent } from "./solve/dual-descent.js";
import { linearDecision } from "./solve/linear-decision.js";
import type { BinaryProblem, BinarySolution } from "./solve/problem.js";
import { solveProven } from "./solve/proven.js";

type LinearSvcFit = BinarySolution & { status: Status; certificate: Certificate; certifySeconds: number };

async function fitLinearSvc(task: Task, problem: BinaryProblem): Promise<LinearSvcFit> {
  let certifySeconds = 0;
  const judge = (point: BinarySolution): Certificate => {
    const started = clock();
    const certificate = certifyLinear(task.matrix, problem, point);
    certifySeconds += (clock() - started) / 1000;
    return certificate;
  };
  const { solution, certificate, status } = await solveProven(new DualDescent(task, problem), judge, problem.tolerance);
  return { ...solution, status, certificate, certifySeconds };
}

serve({
  "parse-svmlight-placed": parsePlacedBlock,
  "parse-svmlight-copied": parseCopiedBlock,
  "fit-linear-svc": fitLinearSvc,
  "linear-decision": linearDecision,
  "certify-linear-svc": (task: Task, { problem, point }: { problem: JudgedProblem; point: JudgedPoint }) =>
    certifyLinear(task.matrix, problem, point),
  "column-statistics": ({ matrix }: Task, { weights }: { weights: Float64Array }) => columnStatistics(matrix, weights),
  "scale-columns": ({ matrix }: Task, { block, how }: { block: RowBlock; how: ColumnScale & { inverse: boolean } }) => ({
    values: scaleColumns(matrix, block, how, how.inverse),
  }),
  "normalize-rows": ({ matrix }: Task, { block, how }: { block: RowBlock; how: { norm: Norm } }) => ({
    values: normalizeRows(matrix, block, how.norm),
  }),
});
