// What the judge says of a kernel model on its training rows, whoever made it: problem by problem, its support vectors found again among the rows.

import type { JudgedKernelPoint, JudgedKernelProblem } from "../src/certify/kernel.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { KernelModel } from "../src/estimators/kernel-model.ts";
import { functionOf } from "../src/estimators/kernel-outputs.ts";
import type { Certificate } from "../src/model/certificate.ts";
import type { KernelModelData } from "../src/model/kernel-model.ts";
import type { LibsvmType } from "../src/model/libsvm-file.ts";
import { pairs } from "../src/model/schemes.ts";
import { provenKernel } from "./certify-kernel.ts";
import { KernelValues } from "./kernel-values.ts";

/** What a file of LIBSVM does not hold. */
export interface KernelProblemSettings {
  readonly C?: number;
  readonly nu?: number;
  readonly epsilon?: number;
  readonly weightOf?: (label: number) => number;
}

/** One problem of a model: a pair of classes, or all rows. */
export interface KernelPartJudged {
  /** The two labels, the smaller one first; empty where there are none. */
  readonly key: string;
  readonly problem: JudgedKernelProblem;
  readonly point: JudgedKernelPoint;
  readonly certificate: Certificate;
  /** Sizes of the variables to the first and to the second power, summed. */
  readonly sum: number;
  readonly squares: number;
  /** The largest K(x_i, x_i). */
  readonly mostDiagonal: number;
}

const forms: Readonly<Record<KernelModelData["estimator"], LibsvmType>> = {
  SVC: "c_svc",
  NuSVC: "nu_svc",
  SVR: "epsilon_svr",
  NuSVR: "nu_svr",
  OneClassSVM: "one_class",
};

export function judgedParts(model: KernelModel, x: Matrix, y: ArrayLike<number>, settings: KernelProblemSettings): KernelPartJudged[] {
  const data = KernelModel.dataOf(model);
  const form = forms[data.estimator];
  const classes = data.classes as readonly number[];
  const hasClasses = classes.length > 0;
  const { nu = 0.5, epsilon = 0.1, weightOf = () => 1 } = settings;
  const scale = form === "one_class" || form === "nu_svc" ? 1 : (settings.C ?? 1);
  const rows = matchedRows(data, x, y);
  return (data.scheme === "ovo" ? pairs(classes.length) : [[0, 1] as const]).map(([a, b], index) => {
    const labels = hasClasses ? [classes[a], classes[b]] : [];
    const rowIds = Array.from({ length: x.rowCount }, (_, i) => i).filter((i) => !hasClasses || labels.includes(y[i] as number));
    const targets = rowIds.map((i) => (hasClasses ? (y[i] === classes[b] ? 1 : -1) : (y[i] as number)));
    const costs = rowIds.map((i) => scale * (hasClasses ? weightOf(y[i] as number) : 1));
    const problem = { form, kernel: functionOf(data.kernel), rowIds, targets, costs, nu, epsilon };
    const held = valuesOf(data, rows, a, b, x.rowCount);
    const given = rowIds.map((i) => held[i] as number);
    const values = new KernelValues(x, problem.kernel, rowIds);
    const point = pointOf(problem, values, given, model.biases[index] as number);
    return {
      key: labels
        .map(Number)
        .sort((one, other) => one - other)
        .join(" "),
      problem,
      point,
      certificate: provenKernel(x, problem, point),
      sum: Array.from(point.value).reduce((total, v) => total + Math.abs(v), 0),
      squares: Array.from(point.value).reduce((total, v) => total + v * v, 0),
      mostDiagonal: Math.max(...rowIds.map((i) => Math.abs(values.ofItself(i)))),
    };
  });
}

/** What the gap is relative to: for nu-SVC and one-class, whose optimum may be 0, as docs/notation.md has it. */
export function sizeOf({ problem, certificate, mostDiagonal }: KernelPartJudged): number {
  const total = problem.nu * Array.from(problem.costs).reduce((sum, c) => sum + c, 0);
  const floor = problem.form === "nu_svc" || problem.form === "one_class" ? 1e-6 * 0.5 * total * total * mostDiagonal : 0;
  return Math.max(Math.abs(certificate.primal), Math.abs(certificate.dual), floor);
}

/** What a number loses in float32, relatively. */
export const HALF_ULP = 2 ** -24;

/** What float32 does to v'Kv: every v_i v_j K_ij is off by an ulp, at random: kernel values in LIBSVM, features here. */
export function roundingOf({ mostDiagonal, squares }: KernelPartJudged): number {
  return 2 * HALF_ULP * mostDiagonal * squares;
}

/** What the variables of the problem are multiplied with in the model: 1 / r for nu-SVC. */
export function scaleOf({ problem, point }: KernelPartJudged): number {
  return problem.form === "nu_svc" && (point.width ?? 0) > 0 ? 1 / (point.width as number) : 1;
}

/** The variables as the problem has them, with the width that the file does not hold. */
function pointOf(problem: JudgedKernelProblem, values: KernelValues, given: readonly number[], bias: number): JudgedKernelPoint {
  const { form, targets, costs, nu } = problem;
  const total = nu * Array.from(costs).reduce((sum, c) => sum + c, 0);
  if (form === "nu_svc") {
    // Models are scaled by 1 / r; before, the sizes of the variables had the sum N.
    const sum = given.reduce((size, v) => size + Math.abs(v), 0);
    const r = sum > 0 ? total / sum : 0;
    return sum > 0 ? { value: given.map((v) => v * r), bias: bias * r, width: r } : { value: given, bias, width: 0 };
  }
  if (form !== "nu_svr") return { value: given, bias, width: 0 };
  // The best tube for these values: wide enough that what lies outside of it weighs no more than N.
  const f = new Float64Array(given.length);
  given.forEach((v, s) => {
    if (v === 0) return;
    values.forEach(problem.rowIds[s] as number, (value, k) => {
      f[k] = (f[k] as number) + v * value;
    });
  });
  const sizes = Array.from(f, (value, k) => ({ size: Math.abs(value + bias - (targets[k] as number)), cost: costs[k] as number }));
  sizes.sort((one, other) => other.size - one.size);
  let weight = 0;
  const border = sizes.find(({ cost }) => {
    weight += cost;
    return weight >= total;
  });
  return { value: given, bias, width: border?.size ?? 0 };
}

/** What each row holds in the problem of classes a and b. */
function valuesOf(data: KernelModelData, rows: readonly number[], a: number, b: number, rowCount: number): Float64Array {
  const { scheme, coefficients, vectorCounts, classes } = data;
  const held = new Float64Array(rowCount);
  const columns = scheme === "ovo" ? classes.length - 1 : 1;
  const owner = Array.from(vectorCounts).flatMap((count, m) => new Array<number>(count).fill(m));
  rows.forEach((row, k) => {
    if (scheme === "ovo" && owner[k] !== a && owner[k] !== b) return;
    // A class has one column for every other: those after it are one further to the left.
    const column = scheme !== "ovo" ? 0 : owner[k] === a ? b - 1 : a;
    held[row] = coefficients[k * columns + column] as number;
  });
  return held;
}

/** The row of each support vector: the first equal one of the same class that no other has taken. */
function matchedRows(data: KernelModelData, x: Matrix, y: ArrayLike<number>): number[] {
  const { vectors, kernel, scheme, classes, coefficients, vectorCounts } = data;
  if (kernel.kind === "precomputed") return Array.from(vectors.indices);
  const owner = Array.from(vectorCounts).flatMap((count, m) => new Array<number>(count).fill(m));
  const free = new Map<string, number[]>();
  for (let i = 0; i < x.rowCount; i++) {
    const entries: string[] = [classes.length > 0 ? `${y[i]}` : ""];
    x.forEachInRow(i, (j, value) => {
      if (value !== 0) entries.push(`${j}:${value}`);
    });
    const key = entries.join(" ");
    free.set(key, [...(free.get(key) ?? []), i]);
  }
  return Array.from({ length: vectors.count }, (_, k) => {
    const own = scheme === "ovo" ? owner[k] : scheme === "binary" ? ((coefficients[k] as number) > 0 ? 1 : 0) : undefined;
    const entries = [own === undefined ? "" : `${classes[own]}`];
    for (let e = vectors.starts[k] as number; e < (vectors.starts[k + 1] as number); e++)
      if (vectors.values[e] !== 0) entries.push(`${vectors.indices[e]}:${vectors.values[e]}`);
    const row = free.get(entries.join(" "))?.shift();
    if (row === undefined) throw new Error(`support vector ${k} is no row of the data: ${entries.join(" ")}`);
    return row;
  });
}
