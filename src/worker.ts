// The worker's entry: which tasks there are. Built to text that the runtime starts workers from.

import type { Norm } from "./base/options/scalers.js";
import type { Status } from "./base/status.js";
import { certifyLinearSvc, type JudgedPoint, type JudgedProblem } from "./certify/linear-svc.js";
import { columnStatistics } from "./data/column-statistics.js";
import { type ColumnScale, normalizeRows, type RowBlock, scaleColumns } from "./data/scale.js";
import { parseSvmlightBlock } from "./formats/svmlight-block.js";
import type { Certificate } from "./model/certificate.js";
import { clock } from "./runtime/clock.js";
import { serve } from "./runtime/serve.js";
import type { Task } from "./runtime/task.js";
import { linearDecision } from "./solve/linear-decision.js";
import { type LinearSvcProblem, type LinearSvcSolution, LinearSvcSolver } from "./solve/linear-svc.js";
import { solveProven } from "./solve/proven.js";

type LinearSvcFit = LinearSvcSolution & { status: Status; certificate: Certificate; certifySeconds: number };

async function fitLinearSvc(task: Task, problem: LinearSvcProblem): Promise<LinearSvcFit> {
  let certifySeconds = 0;
  const judge = (point: LinearSvcSolution): Certificate => {
    const started = clock();
    const certificate = certifyLinearSvc(task.matrix, problem, point);
    certifySeconds += (clock() - started) / 1000;
    return certificate;
  };
  const { solution, certificate, status } = await solveProven(new LinearSvcSolver(task, problem), judge, problem.tolerance);
  return { ...solution, status, certificate, certifySeconds };
}

serve({
  "parse-svmlight": parseSvmlightBlock,
  "fit-linear-svc": fitLinearSvc,
  "linear-decision": linearDecision,
  "certify-linear-svc": (task: Task, { problem, point }: { problem: JudgedProblem; point: JudgedPoint }) =>
    certifyLinearSvc(task.matrix, problem, point),
  "column-statistics": ({ matrix }: Task, { weights }: { weights: Float64Array }) => columnStatistics(matrix, weights),
  "scale-columns": ({ matrix }: Task, { block, how }: { block: RowBlock; how: ColumnScale & { inverse: boolean } }) => ({
    values: scaleColumns(matrix, block, how, how.inverse),
  }),
  "normalize-rows": ({ matrix }: Task, { block, how }: { block: RowBlock; how: { norm: Norm } }) => ({
    values: normalizeRows(matrix, block, how.norm),
  }),
});
