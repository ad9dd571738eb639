// The audit of kernel machines: which problems the model solves, and which values it gives to which rows; certify/ judges.

import { HingeError } from "../base/errors.js";
import { type KernelAuditOptions, kernelAuditOptions } from "../base/options/data.js";
import type { CustomKernel } from "../base/options/kernel.js";
import { rowsWhere } from "../base/rows-where.js";
import { sumOf } from "../base/sums.js";
import { auditKernels, type KernelAudit } from "../certify/audit.js";
import { encodeLabels, type LabelsInput, rowWeights, sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { dualPoint } from "../estimators/kernel-bound.js";
import { KernelModel } from "../estimators/kernel-model.js";
import { functionOf } from "../estimators/kernel-outputs.js";
import { checkNu, type KernelTask } from "../estimators/kernel-problems.js";
import { checkedCosts, gathered } from "../estimators/linear-problems.js";
import { checkedTargets } from "../estimators/regression-problem.js";
import { type KernelCertificate, worstOf } from "../model/certificate.js";
import { gapless } from "../model/gapless.js";
import { columnCount, type KernelConstants, type KernelEstimator, type KernelModelData, kernelOutputs } from "../model/kernel-model.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { pairs } from "../model/schemes.js";
import { withMatrix } from "../runtime/runtime.js";
import { checkClasses, checkWeightsGiven } from "./audit-input.js";
import { rowsNamed, rowsOfVectors } from "./vector-rows.js";

const forms: Readonly<Record<KernelEstimator, LibsvmType>> = {
  SVC: "c_svc",
  NuSVC: "nu_svc",
  SVR: "epsilon_svr",
  NuSVR: "nu_svr",
  OneClassSVM: "one_class",
};

type Given = ReturnType<typeof kernelAuditOptions.check>;

export function certifyKernelModel(
  model: KernelModel,
  x: RowsInput | Matrix,
  y: unknown,
  options: KernelAuditOptions | undefined,
): Promise<KernelCertificate> {
  const given = kernelAuditOptions.check(options);
  const data = KernelModel.dataOf(model);
  const constants = constantsOf(data, given);
  checkWeights(data, given);
  const kernel = { ...data.kernel, psd: given.psd ?? data.kernel.psd };
  return withMatrix(x, async (packed) => {
    checkRows(packed, model, data);
    const rows = weighedRows(data, packed.rowCount, y, given, constants.C);
    const at = vectorRows(packed, data, rows);
    const pose = (index: number): Promise<KernelAudit> => {
      const task = taskOf(data, rows, index, constants);
      checkNu(task, `problem ${index + 1} of the model`);
      const value = valuesOf(data, rows, at, index, task.rowIds);
      const bound = (): Promise<Float64Array> => dualPoint(packed, { kernel, custom: data.custom, task }, given);
      return posed(kernel, data.custom, task, { value, bias: data.biases[index] as number }, bound);
    };
    return worstOf(await auditKernels(packed, kernelOutputs(data.scheme, data.classes.length), pose, given.threads));
  });
}

const needs: Readonly<Record<KernelEstimator, readonly (keyof Constants)[]>> = {
  SVC: ["C"],
  NuSVC: ["nu"],
  SVR: ["C", "epsilon"],
  NuSVR: ["C", "nu"],
  OneClassSVM: ["nu"],
};

interface Constants {
  readonly C: number;
  readonly nu: number;
  readonly epsilon: number;
}

/** The constants of the problem: the model's own, or those given where it does not know them. C is 1 and the others 0 where there is none. */
function constantsOf({ estimator, problem }: KernelModelData, given: Given): Constants {
  const constants = { C: 1, nu: 0, epsilon: 0 };
  const missing: (keyof Constants)[] = [];
  for (const name of ["C", "nu", "epsilon"] as const) {
    if (!needs[estimator].includes(name)) {
      if (given[name] !== undefined) throw HingeError.option(name, `left out: ${estimator} has none`, given[name]);
      continue;
    }
    const known = problem[name];
    if (known !== undefined && given[name] !== undefined && given[name] !== known)
      throw HingeError.option(name, `the one that the model was fitted with, ${known}, or left out`, given[name]);
    const value = known ?? given[name];
    if (value === undefined) missing.push(name);
    else constants[name] = value;
  }
  if (missing.length > 0) {
    const examples = { C: 1, nu: 0.5, epsilon: 0.1 };
    const example = `{ ${missing.map((name) => `${name}: ${examples[name]}`).join(", ")} }`;
    const call = `certify(model, x, ${estimator === "OneClassSVM" ? "" : "y, "}${example})`;
    const them = missing.length === 1 ? "the one" : "those";
    throw new HingeError(
      "bad-option",
      `the model's file does not hold ${missing.join(" and ")}; give ${them} it was trained with: ${call}`,
    );
  }
  return constants;
}

function checkWeights({ estimator, classes, problem }: KernelModelData, { classWeight, sampleWeight }: Given): void {
  if (classes.length === 0 && classWeight !== undefined)
    throw HingeError.option("classWeight", `left out: ${estimator} has no classes`, classWeight);
  const names = classes.length === 0 ? "sampleWeight" : "classWeight or sampleWeight";
  checkWeightsGiven(problem.weighted, names, classWeight !== undefined || sampleWeight !== undefined);
}

/** Throws unless these can be the rows that the model was fitted on. A file of LIBSVM knows only the features that its support vectors have. */
function checkRows(x: Matrix, model: KernelModel, { featureCount, kernel, status }: KernelModelData): void {
  const needed = "an audit needs the training rows";
  if (status === "unknown" ? x.featureCount < featureCount : x.featureCount !== featureCount)
    throw HingeError.input(`x has ${x.featureCount} features, the model ${featureCount}; ${needed}`);
  if (kernel.kind === "precomputed" && x.featureCount !== x.rowCount)
    throw HingeError.input(`a precomputed kernel needs one column a row: x has ${x.rowCount} rows and ${x.featureCount} columns`);
  const rowCount = model.report.run?.rowCount ?? x.rowCount;
  if (rowCount !== x.rowCount) throw HingeError.input(`x has ${x.rowCount} rows, the model was fitted on ${rowCount}; ${needed}`);
}

/** All rows of the matrix, with what they are to the model. */
interface WeighedRows {
  /** Where the row's class is among the model's; 0 without classes. */
  readonly ids: Uint32Array;
  readonly targets: Float64Array;
  /** C times the weight; 0 where the row is absent. */
  readonly costs: Float64Array;
}

function weighedRows(data: KernelModelData, rowCount: number, y: unknown, { classWeight, sampleWeight }: Given, C: number): WeighedRows {
  const weights = sampleWeights(sampleWeight, rowCount);
  if (data.classes.length === 0) {
    const targets = data.scheme === "one_class" ? new Float64Array(rowCount) : checkedTargets(y, rowCount);
    return { ids: new Uint32Array(rowCount), targets, costs: checkedCosts(weights, C) };
  }
  const labels = encodeLabels(y as LabelsInput, rowCount, weights);
  const order = checkClasses(labels.classes, data.classes);
  const costs = checkedCosts(rowWeights(labels, classWeight, sampleWeight), C);
  return { ids: labels.ids.map((id) => order[id] as number), targets: new Float64Array(rowCount), costs };
}

/** The rows that the support vectors are. */
function vectorRows(x: Matrix, data: KernelModelData, { ids, targets, costs }: WeighedRows): Uint32Array {
  const { vectors, coefficients, scheme, classes } = data;
  const columns = columnCount(scheme, classes.length);
  const own = (s: number): Float64Array => coefficients.subarray(s * columns, (s + 1) * columns);
  const classAt = vectorClasses(data);
  // Of equal rows of both classes the one with the sign of the value; of equal rows with different targets the one farther out on its side; then the heavier one.
  const isLikely = (s: number, row: number): boolean =>
    own(s).every((value, m) => {
      if (scheme === "ovr") return ids[row] === m ? value >= 0 : value <= 0;
      return scheme !== "binary" || (ids[row] === 1 ? value >= 0 : value <= 0);
    });
  const reach = (s: number, row: number): number => Math.sign(coefficients[s] ?? 0) * (targets[row] as number);
  const suits = (s: number, row: number): boolean => (costs[row] as number) > 0 && (scheme !== "ovo" || ids[row] === classAt[s]);
  if (data.kernel.kind === "precomputed") return rowsNamed(vectors, suits);
  const { state } = data;
  return rowsOfVectors(x, vectors, {
    suits,
    ...(state === undefined || state.isNamed ? {} : { known: (s: number) => state.rowIds[s] as number }),
    size: (s) => own(s).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
    compare: (s, one, other) =>
      Number(isLikely(s, other)) - Number(isLikely(s, one)) ||
      (scheme === "regression" ? reach(s, other) - reach(s, one) : 0) ||
      (costs[other] as number) - (costs[one] as number),
  });
}

/** ovo: the class of each support vector. */
function vectorClasses({ vectorCounts }: KernelModelData): number[] {
  return Array.from(vectorCounts).flatMap((count, m) => new Array<number>(count).fill(m));
}

/** Problem `index`: of the model's classes in their order, the second of a pair is the positive one. */
function taskOf(
  { estimator, scheme, classes, problem }: KernelModelData,
  rows: WeighedRows,
  index: number,
  { nu, epsilon }: Constants,
): KernelTask {
  const { ids, targets, costs } = rows;
  const pair = scheme === "ovo" ? pairs(classes.length)[index] : undefined;
  const positive = scheme === "ovr" ? index : (pair?.[1] ?? 1);
  const rowIds = rowsWhere(ids.length, (i) => (costs[i] as number) > 0 && (pair === undefined || pair.includes(ids[i] as number)));
  const own = classes.length === 0 ? gathered(targets, rowIds) : Float64Array.from(rowIds, (i) => (ids[i] === positive ? 1 : -1));
  return { form: forms[estimator], rowIds, targets: own, costs: gathered(costs, rowIds), nu, epsilon, hasBias: problem.bias !== false };
}

/** What the model gives to the rows of problem `index`. */
function valuesOf(data: KernelModelData, { ids }: WeighedRows, at: Uint32Array, index: number, rowIds: Uint32Array): Float64Array {
  const { scheme, classes, coefficients, vectors } = data;
  const columns = columnCount(scheme, classes.length);
  const pair = scheme === "ovo" ? pairs(classes.length)[index] : undefined;
  const classAt = vectorClasses(data);
  const values = new Float64Array(ids.length);
  for (let s = 0; s < vectors.count; s++) {
    const own = classAt[s] ?? 0;
    if (pair !== undefined && !pair.includes(own)) continue;
    const other = pair?.[0] === own ? pair[1] : (pair?.[0] ?? 0);
    const column = pair === undefined ? (scheme === "ovr" ? index : 0) : other < own ? other : other - 1;
    values[at[s] as number] = coefficients[s * columns + column] as number;
  }
  return gathered(values, rowIds);
}

/** `bound`: finds a dual point. */
async function posed(
  kernel: KernelConstants,
  custom: CustomKernel | undefined,
  task: KernelTask,
  { value, bias }: { readonly value: Float64Array; readonly bias: number },
  bound: () => Promise<Float64Array>,
): Promise<KernelAudit> {
  const { form, costs, nu } = task;
  const reason = gapless(kernel);
  const size = value.reduce((sum, v) => sum + Math.abs(v), 0);
  // The model of nu-SVC is the solution divided by r, and the sum of the solution's sizes is known.
  const r = form === "nu_svc" && size > 0 ? (nu * sumOf(costs)) / size : 1;
  const isAtRest = size === 0 && reason === undefined && (form === "nu_svc" || form === "one_class");
  const dual = isAtRest ? await bound() : undefined;
  const judged = custom === undefined ? functionOf(kernel) : ({ kind: "custom", diagonal: new Float64Array() } as const);
  const problem = { ...task, kernel: judged, gapless: reason };
  return { problem, custom, point: { value: value.map((v) => v * r), bias: bias * r, dual } };
}
