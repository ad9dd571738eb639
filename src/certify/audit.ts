// Runs the judge on the pool.

import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { Certificate } from "../model/certificate.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import type { JudgedPoint, JudgedProblem } from "./linear.js";

/** Packs x, asks what is to be judged on it, and has that judged in a worker. */
export function auditLinearSvc(
  x: RowsInput | Matrix,
  pose: (packed: Matrix) => Promise<{ problem: JudgedProblem; point: JudgedPoint }>,
): Promise<Certificate> {
  return withMatrix(x, async (packed) =>
    runTask<Certificate>({ task: "certify-linear-svc", matrix: packed, regionBytes: 0, input: await pose(packed) }, beginCall({})),
  );
}
