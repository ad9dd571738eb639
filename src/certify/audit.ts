// Runs the judges on the pool, and puts what they found together.

import { inLanes } from "../base/lanes.js";
import type { CustomKernel } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { Certificate, KernelCertificate } from "../model/certificate.js";
import type { Work } from "../runtime/pool.js";
import { beginCall, runTask } from "../runtime/runtime.js";
import { customScores } from "./custom-scores.js";
import { type JudgedKernelPoint, type JudgedKernelProblem, type KernelPoints, kernelPoints } from "./kernel.js";
import { type KernelScoresInput, kernelScoresBytes } from "./kernel-scores.js";
import type { JudgedPoint, JudgedProblem } from "./linear.js";
import type { JudgedMultinomial, JudgedMultiPoint } from "./multinomial.js";
import type { JudgedOneClass, JudgedOneClassPoint } from "./one-class.js";
import { passesBytes } from "./passes.js";
import type { JudgedRegression, JudgedRegressionPoint } from "./regression.js";
import { relativeGap } from "./rows.js";

function judging(task: string, x: Matrix, problem: { readonly rowIds: ArrayLike<number> }, point: unknown): Work {
  return { task, matrix: x, regionBytes: passesBytes(problem.rowIds.length, x.featureCount), input: { problem, point } };
}

/** Has a binary problem judged in a worker. */
export function auditBinary(x: Matrix, problem: JudgedProblem, point: JudgedPoint): Promise<Certificate> {
  return runTask<Certificate>(judging("certify-linear-binary", x, problem, point), beginCall({}));
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
  return runTask<Certificate>(judging("certify-linear-regression", x, problem, point), beginCall({}));
}

/** Has a one-class problem judged in a worker. */
export function auditOneClass(x: Matrix, problem: JudgedOneClass, point: JudgedOneClassPoint): Promise<Certificate> {
  return runTask<Certificate>(judging("certify-linear-one-class", x, problem, point), beginCall({}));
}

/** What is judged of a kernel problem once f is known. */
export interface KernelJudgement {
  readonly problem: JudgedKernelProblem;
  readonly point: KernelPoints & Pick<JudgedKernelPoint, "bias" | "width">;
  readonly scores: KernelPoints;
}

/** Multiplications that are worth a task of their own, and how many tasks a thread gets at most: rows differ in length. */
const BLOCK_WORK = 2e7;
const BLOCKS_A_THREAD = 4;

/** A kernel problem, and what is to be judged of it. */
export interface KernelAudit {
  readonly problem: JudgedKernelProblem;
  readonly point: JudgedKernelPoint;
  /** The kernel, where it is a function of the user's. */
  readonly custom?: CustomKernel | undefined;
}

/** Has `count` kernel problems judged, each posed when it is its turn, on so many threads: several at once, a single one in blocks of rows. */
export function auditKernels(
  x: Matrix,
  count: number,
  pose: (index: number) => Promise<KernelAudit>,
  threads: number | undefined,
): Promise<KernelCertificate[]> {
  const call = beginCall({ threads });
  const lanes = Math.min(count, call.threads);
  const own = beginCall({ threads: Math.max(1, Math.floor(call.threads / lanes)) });
  return inLanes(count, lanes, async (index) => auditKernel(x, await pose(index), own));
}

/** f in blocks of rows, then what follows from it. */
async function auditKernel(x: Matrix, audit: KernelAudit, call: ReturnType<typeof beginCall>): Promise<KernelCertificate> {
  const { point, custom } = audit;
  const points = kernelPoints(audit.problem, point);
  const found = custom && (await customScores(x, custom, audit.problem.rowIds, points));
  const problem: JudgedKernelProblem =
    found === undefined ? audit.problem : { ...audit.problem, kernel: { kind: "custom", diagonal: found.diagonal } };
  const scores = found?.scores ?? (await scoresOf(x, problem, points, call));
  const input: KernelJudgement = { problem, point: { ...points, bias: point.bias, width: point.width }, scores };
  return runTask<KernelCertificate>({ task: "certify-kernel", matrix: x, regionBytes: 0, input }, call);
}

async function scoresOf(
  x: Matrix,
  { kernel, rowIds }: JudgedKernelProblem,
  { own, feasible }: KernelPoints,
  call: ReturnType<typeof beginCall>,
): Promise<KernelPoints> {
  const ids = Uint32Array.from(rowIds);
  const inUse = Uint32Array.from(own.keys()).filter((k) => own[k] !== 0 || feasible[k] !== 0);
  const points = own === feasible ? [own] : [own, feasible];
  if (kernel.kind === "custom") throw new RangeError("only the calling thread knows the function");
  const shared = {
    kernel,
    vectorIds: inUse.map((k) => ids[k] as number),
    coefficients: Float64Array.from(Array.from(inUse).flatMap((k) => points.map((point) => point[k] as number))),
    columns: points.length,
  };
  const work = ids.length * inUse.length * Math.max(1, x.valueCount / Math.max(1, x.rowCount));
  const blockCount = Math.max(1, Math.min(BLOCKS_A_THREAD * call.threads, Math.ceil(work / BLOCK_WORK), ids.length));
  const blockRows = Math.ceil(ids.length / blockCount);
  const scores = points.map(() => new Float64Array(ids.length));
  await inLanes(Math.ceil(ids.length / Math.max(1, blockRows)), call.threads, async (block) => {
    const from = block * blockRows;
    const input: KernelScoresInput = { ...shared, rowIds: ids.slice(from, from + blockRows) };
    const regionBytes = kernelScoresBytes(input, x.featureCount);
    const part = await runTask<{ scores: Float64Array }>({ task: "certify-kernel-scores", matrix: x, regionBytes, input }, call);
    const count = input.rowIds.length;
    for (const [c, column] of scores.entries()) column.set(part.scores.subarray(c * count, (c + 1) * count), from);
  });
  const first = scores[0] as Float64Array;
  return { own: first, feasible: scores[1] ?? first };
}

/** The certificate with `bound`, another lower bound on the same optimum, where it is the better one; `zero` is what the zero model costs. */
export function withBound({ primal, dual }: Certificate, bound: number, zero: number): Certificate {
  const best = Math.max(dual, bound);
  return { primal, dual: best, relativeGap: relativeGap(primal, best, zero) };
}
