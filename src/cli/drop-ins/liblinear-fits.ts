// From the parameters of liblinear-train to a model file: the problems that LIBLINEAR would pose, each by the method that -s asks for, and what is printed of them.

import { inLanes } from "../../base/lanes.js";
import type { Matrix } from "../../data/matrix.js";
import { takeRows } from "../../data/take-rows.js";
import type { ProblemReport } from "../../estimators/linear-fit.js";
import { LinearOneClassSVM, LinearSVC, LinearSVR, LogisticRegression } from "../../index.js";
import { type LiblinearData, weightColumns, weightRows } from "../../model/liblinear-file.js";
import { classCosts, NEXT_TO_NOTHING, orderedClasses } from "./classes.js";
import {
  type BiasForm,
  classRows,
  dualLines,
  fixed,
  heirLines,
  l1Lines,
  type Point,
  primalLines,
  singleLines,
  targetRows,
} from "./liblinear-lines.js";
import type { BinaryMethod, Heir, Method, RegressionMethod } from "./liblinear-methods.js";
import { type Flags, LANES, Refusal, toleranceOf } from "./program.js";

export interface Parameters {
  readonly method: Method;
  readonly C: number;
  readonly p: number;
  readonly nu: number;
  readonly eps: number;
  /** -B: the value of the constant feature; below 0: none. */
  readonly B: number;
  readonly isBiasFree: boolean;
  readonly weights: Flags["weights"];
  /** Whether nothing will be printed: primal figures take two passes over the rows. */
  readonly isQuiet: boolean;
}

export interface Trained {
  readonly file: LiblinearData;
  readonly told: string;
}

/** `warn`: what goes to stderr. */
export async function trained(x: Matrix, y: Float64Array, parameters: Parameters, warn: (text: string) => void): Promise<Trained> {
  const { method, B } = parameters;
  const shape = { solverType: method.type, featureCount: x.featureCount, bias: B >= 0 ? B : -1 };
  if (method.task === "regression") {
    const { weights, told } = await regression(x, y, method, parameters);
    return { file: { ...shape, classCount: 2, labels: undefined, rho: undefined, weights }, told };
  }
  if (method.task === "one class") {
    const { weights, rho, told } = await oneClass(x, parameters);
    return { file: { ...shape, classCount: 2, labels: undefined, rho, weights }, told };
  }
  const { labels } = orderedClasses(y);
  const costs = classCosts(labels, parameters.C, parameters.weights, warn);
  const { columns, told } =
    method.task === "joint" ? await joint(x, y, labels, costs, parameters) : await classByClass(x, y, labels, costs, method, parameters);
  const rows = weightRows(x.featureCount, shape.bias);
  const width = weightColumns(method.type, labels.length);
  const weights = new Float64Array(rows * width);
  columns.forEach((column, m) => {
    for (let j = 0; j < rows; j++) weights[j * width + m] = column[j] as number;
  });
  return { file: { ...shape, classCount: labels.length, labels: Int32Array.from(labels), rho: undefined, weights }, told };
}

/** The bias of the problem. A constant feature of value 0 is none. */
export function biasOf({ B, isBiasFree }: Parameters): BiasForm {
  return { bias: B > 0 ? (isBiasFree ? "unregularised" : "augmented") : false, biasScale: B > 0 ? B : 1 };
}

/** As the options of a fit: -e is what it is there. */
export function stopping(eps: number, limit: number | undefined): object {
  return { stop: "violation", tolerance: toleranceOf(eps), ...(limit !== undefined && { maxIterations: limit }) };
}

/** The weights, and behind them that of the constant feature. */
function columnOf({ w, bias }: Point, { B }: Parameters): Float64Array {
  if (B < 0) return w;
  const column = new Float64Array(w.length + 1);
  column.set(w);
  column[w.length] = B > 0 ? bias / B : 0;
  return column;
}

interface Columns {
  /** One a decision value: the weights of the features and of the constant one. */
  readonly columns: readonly Float64Array[];
  readonly told: string;
}

/** Two classes: one problem. More: each against the rest, whose C has no weight then. */
async function classByClass(
  x: Matrix,
  y: Float64Array,
  labels: readonly number[],
  costs: readonly number[],
  method: BinaryMethod,
  parameters: Parameters,
): Promise<Columns> {
  const count = weightColumns(method.type, labels.length);
  const parts = await inLanes(count, LANES, (m) => {
    const signs = Float64Array.from(y, (label) => (Math.trunc(label) === labels[m] ? 1 : 0));
    const rest = labels.length === 2 ? (costs[1] as number) : 1;
    return binary(x, signs, { positive: costs[m] as number, negative: rest }, method, parameters);
  });
  return { columns: parts.map(({ column }) => column), told: parts.map(({ told }) => told).join("") };
}

interface Prices {
  readonly positive: number;
  readonly negative: number;
}

/** signs: 1 for the positive class, 0 for the other. */
async function binary(
  x: Matrix,
  signs: Float64Array,
  prices: Prices,
  method: BinaryMethod,
  parameters: Parameters,
): Promise<{ column: Float64Array; told: string }> {
  const { C, eps } = parameters;
  const form = biasOf(parameters);
  const hasBoth = signs.includes(0) && signs.includes(1);
  // LIBLINEAR fits a single class, too. Ours are told apart from another: from one row that costs next to nothing.
  const rows = hasBoth
    ? x
    : takeRows(
        x,
        Uint32Array.from({ length: signs.length + 1 }, (_, i) => i % signs.length),
      );
  const ids = Float64Array.from({ length: rows.rowCount }, (_, i) => signs[i] ?? 1 - (signs[0] as number));
  const sampleWeight = ids.map((id, i) => (i >= signs.length ? NEXT_TO_NOTHING : id > 0 ? prices.positive : prices.negative));
  const solved = (way: BinaryMethod["form"], more: object): Promise<LinearSVC | LogisticRegression> => {
    const kind = way === "l1" ? { penalty: "l1" } : { solver: way === "dual" ? "dual" : "newton" };
    const options = { C, ...form, ...kind, sampleWeight, ...more };
    return method.loss === "logistic"
      ? LogisticRegression.fit(rows, ids, options as object)
      : LinearSVC.fit(rows, ids, { ...options, loss: method.loss } as object);
  };
  const smooth = classRows(method.loss, signs, (isPositive) => C * (isPositive ? prices.positive : prices.negative), form);
  const told = (start: Point, end: Point, ended: ProblemReport): string =>
    parameters.isQuiet ? "" : primalLines(x, smooth, start, end, ended);

  const first = await solved(method.form, stopping(eps, method.limit));
  const [report, point] = [reportOf(first), pointOf(first)];
  const column = columnOf(point, parameters);
  if (method.form === "l1") return { column, told: l1Lines(method.loss, report, column) };
  if (method.form === "primal") return { column, told: told(nothingOf(x), point, report) };
  const isLogistic = method.loss === "logistic";
  const lines = dualLines(report, isLogistic ? undefined : supportCount(first.dual?.subarray(0, signs.length)), !isLogistic);
  return inherited({ column, told: lines }, report, method.heir, async (share) => {
    const next = await solved("primal", { ...stopping(eps * share, undefined), warmStart: first });
    return { column: columnOf(pointOf(next), parameters), told: told(point, pointOf(next), reportOf(next)) };
  });
}

/** Where a dual method has reached its limit: what is said, and the primal one that takes over. */
async function inherited<Part extends { readonly told: string }>(
  part: Part,
  { status }: ProblemReport,
  heir: Heir | undefined,
  takeOver: (share: number) => Promise<Part>,
): Promise<Part> {
  if (status !== "iteration-limit" || heir === undefined) return part;
  const told = part.told + heirLines(heir);
  if (heir.share === undefined) return { ...part, told };
  const next = await takeOver(heir.share);
  return { ...next, told: told + next.told };
}

async function joint(
  x: Matrix,
  y: Float64Array,
  labels: readonly number[],
  costs: readonly number[],
  parameters: Parameters,
): Promise<Columns> {
  if (labels.length === 1) throw new Refusal("training data in only one class: Crammer and Singer's problem needs two");
  const { C, eps, method } = parameters;
  const places = Float64Array.from(y, (label) => labels.indexOf(Math.trunc(label)));
  const model = await LinearSVC.fit(x, places, {
    ...{ C, ...biasOf(parameters), loss: "hinge", multiClass: "crammer_singer" },
    ...{ classWeight: new Map(costs.map((cost, place) => [place, cost])), ...stopping(eps, method.limit) },
  });
  const { coefficients, biases, dual } = model;
  const columns = Array.from(biases, (bias, m) => {
    const w = coefficients.slice(m * x.featureCount, (m + 1) * x.featureCount);
    return columnOf({ w, bias }, parameters);
  });
  return { columns, told: singleLines(reportOf(model), supportCount(dual), "WARNING: reaching max number of iterations\n") };
}

async function regression(
  x: Matrix,
  y: Float64Array,
  method: RegressionMethod,
  parameters: Parameters,
): Promise<{ weights: Float64Array; told: string }> {
  const { C, p, eps } = parameters;
  const form = biasOf(parameters);
  const solved = (solver: "dual" | "newton", more: object): Promise<LinearSVR> =>
    LinearSVR.fit(x, y, { C, epsilon: p, loss: method.loss, ...form, centreTarget: false, solver, ...more });
  const smooth = targetRows(y, C, p, form);
  const told = (start: Point, end: Point, ended: ProblemReport): string =>
    parameters.isQuiet ? "" : primalLines(x, smooth, start, end, ended);

  const first = await solved(method.form === "primal" ? "newton" : "dual", stopping(eps, method.limit));
  const [report, point] = [reportOf(first), { w: first.coefficients, bias: first.bias }];
  const weights = columnOf(point, parameters);
  if (method.form === "primal") return { weights, told: told(nothingOf(x), point, report) };
  return inherited({ weights, told: dualLines(report, supportCount(first.dual)) }, report, method.heir, async (share) => {
    const next = await solved("newton", { ...stopping(eps * share, undefined), warmStart: first });
    const end = { w: next.coefficients, bias: next.bias };
    return { weights: columnOf(end, parameters), told: told(point, end, reportOf(next)) };
  });
}

async function oneClass(x: Matrix, { nu, eps, method }: Parameters): Promise<{ weights: Float64Array; rho: number; told: string }> {
  const model = await LinearOneClassSVM.fit(x, { nu, ...stopping(eps, method.limit) });
  const lines = singleLines(reportOf(model), supportCount(model.dual), "\nWARNING: reaching max number of iterations\n\n");
  return { weights: model.coefficients, rho: model.rho, told: `${lines}rho = ${fixed(model.rho)}\n` };
}

function nothingOf({ featureCount }: Matrix): Point {
  return { w: new Float64Array(featureCount), bias: 0 };
}

/** A fit that was made here has its report. */
function reportOf(model: { readonly report: LinearSVR["report"] }): ProblemReport {
  return model.report.run?.problems[0] as ProblemReport;
}

function pointOf({ coefficients, biases }: LinearSVC | LogisticRegression): Point {
  return { w: coefficients, bias: biases[0] as number };
}

/** Dual variables that are not 0; of Crammer and Singer's problem there is one a row and class. */
function supportCount(dual: Float64Array | undefined): number {
  return (dual ?? new Float64Array()).reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
}
