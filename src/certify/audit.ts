// Runs the judges on the pool, and puts what they found together.

import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { Certificate } from "../model/certificate.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import type { JudgedPoint, JudgedProblem } from "./linear.js";
import type { JudgedMultinomial, JudgedMultiPoint } from "./multinomial.js";
import type { JudgedOneClass, JudgedOneClassPoint } from "./one-class.js";
import type { JudgedRegression, JudgedRegressionPoint } from "./regression.js";
import { relativeGap } from "./rows.js";

/** Calls `use` with x packed where workers reach it, and with the seconds since then. */
export function onPackedRows<T>(x: RowsInput | Matrix, use: (packed: Matrix, seconds: () => number) => Promise<T>): Promise<T> {
  const { seconds } = beginCall({});
  return withMatrix(x, (packed) => use(packed, seconds));
}

/** Has a binary problem judged in a worker. */
export function auditBinary(x: Matrix, problem: JudgedProblem, point: JudgedPoint): Promise<Certificate> {
  return runTask<Certificate>({ task: "certify-linear-binary", matrix: x, regionBytes: 0, input: { problem, point } }, beginCall({}));
}

/** The joint problem of all classes, and what is to be judged of it. */
export interface JointAudit {
  readonly kind: "crammer_singer" | "multinomial";
  readonly problem: JudgedMultinomial;
  readonly point: JudgedMultiPoint;
}

/** Has the joint problem of all classes judged in a worker. */
export function auditJoint(x: Matrix, input: JointAudit): Promise<Certificate> {
  return runTask<Certificate>({ task: "certify-linear-joint", matrix: x, regionBytes: 0, input }, beginCall({}));
}

/** Has a regression judged in a worker. */
export function auditRegression(x: Matrix, problem: JudgedRegression, point: JudgedRegressionPoint): Promise<Certificate> {
  return runTask<Certificate>({ task: "certify-linear-regression", matrix: x, regionBytes: 0, input: { problem, point } }, beginCall({}));
}

/** Has a one-class problem judged in a worker. */
export function auditOneClass(x: Matrix, problem: JudgedOneClass, point: JudgedOneClassPoint): Promise<Certificate> {
  return runTask<Certificate>({ task: "certify-linear-one-class", matrix: x, regionBytes: 0, input: { problem, point } }, beginCall({}));
}

/** The certificate with `bound`, another lower bound on the same optimum, where it is the better one; `zero` is what the zero model costs. */
export function withBound({ primal, dual }: Certificate, bound: number, zero: number): Certificate {
  const best = Math.max(dual, bound);
  return { primal, dual: best, relativeGap: relativeGap(primal, best, zero) };
}
