// Judges a kernel machine, whoever made it, by P - D_best: P of every problem, pair of classes by pair, in float64 from the model's support vectors and raw
// rows, plainly and apart from solvers and core. The bias is free: P is that of the better of the model's own and the best for its coefficients. K of a support
// vector and a row is computed once for all pairs, by threads of bench/kernel-sums.js. Only rbf, which is what the case "kernel" runs.
// Checked against src/certify/kernel.ts in test/unit/bench/kernel-judge.test.ts.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { rowsWhere } from "../src/base/rows-where.ts";
import { KernelModel, type LabelledRows, load } from "../src/index.ts";
import type { KernelModelData } from "../src/model/kernel-model.ts";
import { bestHingeBias, bestTubeBias } from "./best-bias.ts";

/** What a model file does not say. */
export interface JudgedConstants {
  readonly C: number;
  /** epsilon of a regression. */
  readonly tube?: number;
}

/** P of a problem with the model's own bias, and with the best for its coefficients. */
export interface Primal {
  readonly atOwnBias: number;
  readonly atBestBias: number;
}

/** By the two labels of a pair; a regression's one problem is called "". */
export type Primals = ReadonlyMap<string, Primal>;
export type Bounds = ReadonlyMap<string, number>;

/** The one door of this file: another judge of the same problems can stand in for it. */
export async function judge(model: string | KernelModel, rows: LabelledRows, constants: JudgedConstants): Promise<Primals> {
  return primalsOf(KernelModel.dataOf(typeof model === "string" ? await loadKernel(model) : model), rows, constants);
}

export async function loadKernel(path: string): Promise<KernelModel> {
  const model: unknown = await load(path);
  if (!(model instanceof KernelModel)) throw new Error(`${path} holds no kernel machine`);
  return model;
}

/** The dual values of a fit of ours: the bounds. To a small gap they are as good as the optimum. */
export function boundsOf({ report }: KernelModel): Bounds {
  if (report.run === undefined) throw new Error("a model from a file has no dual values");
  return new Map(report.run.problems.map(({ positive, negative, certificate }) => [keyOf([negative, positive]), certificate.dual]));
}

/** The largest (P - D_best) / P of all problems. */
export function worstGap(primals: Primals, bounds: Bounds): { gap: number; gapAtOwnBias: number } {
  const worst = (primalOf: (primal: Primal) => number): number =>
    Math.max(...[...primals].map(([key, primal]) => 1 - (bounds.get(key) ?? Number.NaN) / primalOf(primal)));
  return {
    gap: worst(({ atOwnBias, atBestBias }) => Math.min(atOwnBias, atBestBias)),
    gapAtOwnBias: worst(({ atOwnBias }) => atOwnBias),
  };
}

/** The same whichever of the two comes first. */
function keyOf(labels: readonly unknown[]): string {
  return labels.filter((label) => label !== undefined).length < 2
    ? ""
    : [...labels]
        .map(Number)
        .sort((a, b) => a - b)
        .join(" ");
}

interface SparseRows {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

async function primalsOf(data: KernelModelData, { x, y }: LabelledRows, { C, tube }: JudgedConstants): Promise<Primals> {
  const { scheme, classes, vectors, vectorCounts, coefficients, biases, kernel } = data;
  if (kernel.kind !== "rbf" || scheme === "ovr" || x.kind !== "csr") throw new Error("judged are rbf machines of pairs on sparse rows");
  const isPairs = scheme === "ovo";
  const columns = isPairs ? classes.length - 1 : 1;
  const place = new Map<unknown, number>(classes.map((label, m) => [label, m]));
  const ids = Uint32Array.from(y, (label) => place.get(label) ?? 0);
  const noClasses = new Uint32Array(Math.max(x.rowCount, vectors.count));
  const vectorIds = Array.from(vectorCounts).flatMap((count, m) => new Array<number>(count).fill(m));
  const machine = {
    gamma: kernel.gamma,
    vectors,
    coefficients,
    columns,
    ids: isPairs ? Uint32Array.from(vectorIds) : noClasses,
    width: Math.max(x.featureCount, data.featureCount),
  };
  const rows = { count: x.rowCount, starts: x.starts, indices: x.indices, values: x.values };
  const scores = await scoresAt(rows, isPairs ? ids : noClasses, machine);
  const own = await scoresAt(vectors, machine.ids, machine);

  const primal = (square: number, f: Float64Array, targets: Float64Array, bias: number): Primal => {
    const at = (b: number): number => 0.5 * square + C * lossOf(f, targets, b, tube);
    const best = tube === undefined ? bestHingeBias(f, targets) : bestTubeBias(f, targets, tube);
    return { atOwnBias: at(bias), atBestBias: at(best) };
  };
  if (!isPairs) {
    const square = own.reduce((sum, f, s) => sum + (coefficients[s] as number) * f, 0);
    const targets = tube === undefined ? Float64Array.from(ids, (m) => (m === 1 ? 1 : -1)) : y;
    return new Map([[tube === undefined ? keyOf(classes) : "", primal(square, scores, targets, biases[0] as number)]]);
  }
  const primals = new Map<string, Primal>();
  for (let a = 0, pair = 0; a < classes.length; a++) {
    for (let b = a + 1; b < classes.length; b++, pair++) {
      const slots = [slotOf(a, b), slotOf(b, a)] as const;
      const at = (id: number, i: number): number => i * columns + slots[id === a ? 0 : 1];
      const isIn = (id: number): boolean => id === a || id === b;
      const square = machine.ids.reduce(
        (sum, id, s) => (isIn(id) ? sum + (coefficients[at(id, s)] as number) * (own[at(id, s)] as number) : sum),
        0,
      );
      const rowIds = rowsWhere(x.rowCount, (i) => isIn(ids[i] as number));
      const f = Float64Array.from(rowIds, (i) => scores[at(ids[i] as number, i)] as number);
      const targets = Float64Array.from(rowIds, (i) => (ids[i] === b ? 1 : -1));
      primals.set(keyOf([classes[a], classes[b]]), primal(square, f, targets, biases[pair] as number));
    }
  }
  return primals;
}

/** sum_i max(0, 1 - y_i (f_i + b)), or of a regression sum_i max(0, |f_i + b - t_i| - tube). */
function lossOf(f: Float64Array, targets: Float64Array, b: number, tube: number | undefined): number {
  let sum = 0;
  for (let i = 0; i < f.length; i++) {
    const [score, target] = [(f[i] as number) + b, targets[i] as number];
    sum += Math.max(0, tube === undefined ? 1 - target * score : Math.abs(score - target) - tube);
  }
  return sum;
}

/** Where a row of class `own` keeps what belongs to its pair with `other`. */
function slotOf(own: number, other: number): number {
  return other < own ? other : other - 1;
}

interface Machine {
  readonly gamma: number;
  readonly vectors: SparseRows;
  readonly coefficients: Float64Array;
  readonly columns: number;
  readonly ids: Uint32Array;
  readonly width: number;
}

/** What a thread of bench/kernel-sums.js is given. */
export interface SumsInput {
  readonly points: SparseRows;
  readonly pointIds: Uint32Array;
  readonly machine: Machine;
  readonly from: number;
  readonly to: number;
}

/** sum_s v_s K(x_s, x) for each point, in each problem that the point's class has a part in; points are shared out to threads, which changes no sum. */
async function scoresAt(points: SparseRows, pointIds: Uint32Array, machine: Machine): Promise<Float64Array> {
  const threads = availableParallelism();
  const share = Math.ceil(points.count / threads);
  const shares = Array.from({ length: threads }, (_, k) => ({
    from: Math.min(points.count, k * share),
    to: Math.min(points.count, (k + 1) * share),
  }));
  const parts = await Promise.all(shares.map(({ from, to }) => sumsOf({ points, pointIds, machine, from, to })));
  const scores = new Float64Array(points.count * machine.columns);
  for (const [k, { from }] of shares.entries()) scores.set(parts[k] as Float64Array, from * machine.columns);
  return scores;
}

function sumsOf(input: SumsInput): Promise<Float64Array> {
  const worker = new Worker("./bench/kernel-sums.js", { workerData: input });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
