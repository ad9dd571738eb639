// The worker's entry: which tasks there are. Built to text that the runtime starts workers from.

import type { Status } from "./base/status.js";
import { certifyLinearSvc, type JudgedPoint, type JudgedProblem } from "./certify/linear-svc.js";
import { parseSvmlightBlock } from "./formats/svmlight-block.js";
import type { Certificate } from "./model/certificate.js";
import { clock } from "./runtime/clock.js";
import { serve } from "./runtime/serve.js";
import type { Task } from "./runtime/task.js";
import { linearDecision } from "./solve/linear-decision.js";
import { type LinearSvcProblem, type LinearSvcSolution, LinearSvcSolver } from "./solve/linear-svc.js";

/** Solves, has the result judged, and goes on if the judge is not content. */
async function fitLinearSvc(
  task: Task,
  problem: LinearSvcProblem,
): Promise<LinearSvcSolution & { status: Status; certificate: Certificate; certifySeconds: number }> {
  const solver = new LinearSvcSolver(task, problem);
  for (;;) {
    const ending = await solver.solve();
    const solution = solver.solution();
    const before = clock();
    const certificate = certifyLinearSvc(task.matrix, problem, solution);
    const certifySeconds = (clock() - before) / 1000;
    const proven = certificate.relativeGap <= problem.tolerance;
    if (proven || ending !== "converged") {
      return { ...solution, status: proven ? "converged" : ending, certificate, certifySeconds };
    }
    solver.tighten();
  }
}

serve({
  "parse-svmlight": parseSvmlightBlock,
  "fit-linear-svc": fitLinearSvc,
  "linear-decision": linearDecision,
  "certify-linear-svc": (task: Task, { problem, point }: { problem: JudgedProblem; point: JudgedPoint }) =>
    certifyLinearSvc(task.matrix, problem, point),
});
