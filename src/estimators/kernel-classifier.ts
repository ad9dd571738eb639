// SVC and NuSVC: what they share, and how they are fitted.

import { HingeError, shown } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import type { ClassWeight } from "../base/options/fit.js";
import {
  type CheckedKernelOptions,
  type LoadOptions,
  loadOptions,
  type NuSvcOptions,
  nuSvcOptions,
  type SvcOptions,
  svcOptions,
} from "../base/options/kernel.js";
import { rowsWhere } from "../base/rows-where.js";
import { encodeLabels, isList, type Label, type LabelsInput, rowWeights, sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { KernelCertificate } from "../model/certificate.js";
import { type KernelModelData, kernelModelFromJson } from "../model/kernel-model.js";
import type { LibsvmData } from "../model/libsvm-file.js";
import { checkLibsvmLabels, checkLibsvmScheme, kernelFromLibsvm } from "../model/libsvm-models.js";
import { classOf, labelsOf, pairs } from "../model/schemes.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { customOf } from "./custom-kernel.js";
import { fitKernel, type KernelFit, stateOf, vectorsOf } from "./kernel-fit.js";
import { KernelModel, kernelRun, proofOfProblems } from "./kernel-model.js";
import type { KernelPart } from "./kernel-posing.js";
import { checkNu, type KernelTask, resolveKernel } from "./kernel-problems.js";
import { checkedRowIds, KernelStart } from "./kernel-start.js";
import type { RowInput } from "./linear-decision.js";
import { checkedCosts, gathered } from "./linear-problems.js";
import { formatOf } from "./model-file.js";
import type { CertifiedReport, FitRun } from "./report.js";

/** A fitted kernel classifier. Immutable. */
export abstract class KernelClassifier<L extends Label = Label> extends KernelModel {
  /** The labels: sorted, but in a model from LIBSVM's file, where two are turned round and more keep the file's order. */
  readonly classes: readonly L[];
  /** How decision values make a class. */
  readonly multiClass: "binary" | "ovo" | "ovr";

  /** @internal */
  protected constructor(data: KernelModelData, run?: FitRun<KernelCertificate>) {
    super(data, run);
    this.classes = Object.freeze([...data.classes]) as readonly L[];
    this.multiClass = data.scheme as "binary" | "ovo" | "ovr";
    Object.freeze(this);
  }

  /** Returns the label of every row. */
  async predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<L[]> {
    const ids = this.multiClass !== "ovr" ? await this.votes(x, options) : undefined;
    if (ids !== undefined) return Array.from(ids, (id) => this.classes[id] as L);
    const decision = await this.decision(x, options);
    return labelsOf(this.multiClass, this.classes, decision, decision.length / this.biases.length);
  }

  /** Returns the label of one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): L {
    return this.classes[classOf(this.multiClass, this.classes.length, this.decisionOne(row), 0)] as L;
  }

  /** Returns the share of rows whose label is predicted right. */
  async score(x: RowsInput | Matrix, y: LabelsInput & ArrayLike<L>, options?: PredictOptions): Promise<number> {
    if (!isList(y)) throw HingeError.input(`y must be an array of labels, got ${shown(y)}`);
    const predicted = await this.predict(x, predictOptions.check(options));
    if (y.length !== predicted.length) throw HingeError.input(`${y.length} labels for ${predicted.length} rows; there must be one a row`);
    return predicted.reduce((right, label, i) => right + (label === y[i] ? 1 : 0), 0) / predicted.length;
  }

  /** @internal Throws unless a model with these labels, of rows or of classes, can be saved under this name. */
  static checkSave(path: string, labels: ArrayLike<Label>, scheme?: string): void {
    if (formatOf(path) === "json") return;
    checkLibsvmLabels(labels);
    if (scheme !== undefined && new Set(Array.from(labels)).size > 2) checkLibsvmScheme(scheme);
  }
}

/** What `SVC.fit` returns. */
export type FittedSVC<L extends Label = Label> = SVC<L> & { readonly report: CertifiedReport<KernelCertificate> };

/** A fitted C-SVC: minimises `1/2 |w|^2 + C sum_i max(0, 1 - y_i (w'phi(x_i) + b))`, one problem a pair of classes. Make one with `SVC.fit`. Immutable. */
export class SVC<L extends Label = Label> extends KernelClassifier<L> {
  /** Returns the model that fits rows `x` with labels `y`. Ends always: `report.status` says how. Throws `HingeError` on wrong input before any work. */
  static async fit<L extends Label>(x: RowsInput | Matrix, y: LabelsInput & ArrayLike<L>, options?: SvcOptions): Promise<FittedSVC<L>> {
    const checked = svcOptions.check(options);
    const { data, run } = await fitClasses(x, y, {
      ...checked,
      estimator: "SVC",
      nu: 0,
      scale: checked.C,
      hasBias: checked.solver !== "dcd",
    });
    return new SVC<L>(data, run) as FittedSVC<L>;
  }

  /** Returns the model in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): SVC {
    return new SVC(kernelModelFromJson(json, "SVC", loadOptions.check(options).kernel));
  }

  /** @internal The model in LIBSVM's file. */
  static fromLibsvm(file: LibsvmData, featureCount?: number): SVC {
    return new SVC(kernelFromLibsvm(file, "SVC", featureCount));
  }
}

/** What `NuSVC.fit` returns. */
export type FittedNuSVC<L extends Label = Label> = NuSVC<L> & { readonly report: CertifiedReport<KernelCertificate> };

/** A fitted nu-SVC: `nu` bounds the share of rows inside the margin and of support vectors. Make one with `NuSVC.fit`. Immutable. */
export class NuSVC<L extends Label = Label> extends KernelClassifier<L> {
  /** Returns the model that fits rows `x` with labels `y`. Ends always: `report.status` says how. Throws `HingeError` on wrong input before any work. */
  static async fit<L extends Label>(x: RowsInput | Matrix, y: LabelsInput & ArrayLike<L>, options?: NuSvcOptions): Promise<FittedNuSVC<L>> {
    const checked = nuSvcOptions.check(options);
    const { data, run } = await fitClasses(x, y, { ...checked, estimator: "NuSVC", scale: 1, hasBias: true });
    return new NuSVC<L>(data, run) as FittedNuSVC<L>;
  }

  /** Returns the model in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): NuSVC {
    return new NuSVC(kernelModelFromJson(json, "NuSVC", loadOptions.check(options).kernel));
  }

  /** @internal The model in LIBSVM's file. */
  static fromLibsvm(file: LibsvmData, featureCount?: number): NuSVC {
    return new NuSVC(kernelFromLibsvm(file, "NuSVC", featureCount));
  }
}

interface ClassSettings extends CheckedKernelOptions {
  readonly estimator: "SVC" | "NuSVC";
  readonly multiClass: "ovo" | "ovr";
  readonly classWeight: ClassWeight | undefined;
  readonly nu: number;
  /** What weights are multiplied with: C, or 1. */
  readonly scale: number;
  readonly C?: number;
  readonly hasBias: boolean;
}

function fitClasses(
  x: RowsInput | Matrix,
  y: LabelsInput,
  settings: ClassSettings,
): Promise<{ data: KernelModelData; run: FitRun<KernelCertificate> }> {
  const call = beginCall(settings);
  return withMatrix(x, async (packed) => {
    const { ownWeights, classes, ids, rowIds, scheme, count, pose, title, rowsByClass, terms } = poseClasses(y, packed.rowCount, settings);
    const { estimator, scale, hasBias, warmStart } = settings;
    const ownIds = checkedRowIds(settings.rowIds, packed.rowCount);
    const start = warmStart && new KernelStart(warmStart, { x: packed, estimator, scheme, classes, rowIds: ownIds, scale });
    const kernel = resolveKernel(settings, packed, ownWeights ?? new Float64Array(packed.rowCount).fill(1));
    const posed = { count, rowIds, title, pose, start };
    const both = scheme === "ovo" ? { ...terms, list: pairs(classes.length), classes: rowsByClass() } : undefined;
    const fitted = await fitKernel(packed, kernel, { ...posed, pairs: both }, settings, call);
    const isWeighted = settings.classWeight !== undefined || settings.sampleWeight !== undefined;
    const { order, ...machine } = assembled(packed, ids, classes.length, scheme, fitted, kernel.kind === "precomputed");
    const data: KernelModelData = {
      estimator,
      scheme,
      classes: classes as readonly number[] | readonly string[],
      kernel,
      custom: customOf(settings),
      featureCount: packed.featureCount,
      ...machine,
      problem: {
        C: settings.C,
        nu: estimator === "NuSVC" ? settings.nu : undefined,
        epsilon: undefined,
        bias: hasBias ? "unregularised" : false,
        weighted: isWeighted,
      },
      state: stateOf(
        order,
        fitted.parts.map(({ width }) => (width > 0 ? width : 1)),
        settings,
      ),
      ...proofOfProblems(fitted.problems),
    };
    return { data, run: kernelRun(packed, call, fitted.problems, data.vectors.count) };
  });
}

/** What the problems of a classifier are made from. */
export type ClassesSettings = Pick<ClassSettings, "estimator" | "multiClass" | "classWeight" | "sampleWeight" | "nu" | "scale" | "hasBias">;

/** The problems of a classifier, before their kernel: which classes, which rows, at which costs. Throws where there are not two classes, or nu leaves no room. */
export function poseClasses(y: LabelsInput, rowCount: number, settings: ClassesSettings) {
  const ownWeights = sampleWeights(settings.sampleWeight, rowCount);
  const labels = encodeLabels(y, rowCount, ownWeights);
  const { classes, ids } = labels;
  if (classes.length === 0) throw HingeError.input("all rows have weight 0; give some of them weight");
  if (classes.length === 1) throw HingeError.input(`y has one class only, ${shown(classes[0])}; ${settings.estimator} needs two`);
  const weights = rowWeights(labels, settings.classWeight, settings.sampleWeight);
  const costs = checkedCosts(weights, settings.scale);
  const rowIds = rowsWhere(ids.length, (i) => (weights[i] as number) > 0);
  const scheme: "binary" | "ovo" | "ovr" = classes.length === 2 ? "binary" : settings.multiClass;
  const list: readonly (readonly [number | undefined, number])[] =
    scheme === "ovr" ? classes.map((_, m) => [undefined, m] as const) : pairs(classes.length);
  const rowsOf = classes.map((_, m) => rowIds.filter((i) => ids[i] === m));
  const terms = {
    form: settings.estimator === "SVC" ? ("c_svc" as const) : ("nu_svc" as const),
    nu: settings.nu,
    hasBias: settings.hasBias,
  };
  const pose = (index: number): KernelTask => {
    const [negative, positive] = list[index] as readonly [number | undefined, number];
    // Class by class: problems of a class can then share what they compute of it.
    const rows = scheme === "ovo" ? joined(rowsOf[negative as number] as Uint32Array, rowsOf[positive] as Uint32Array) : rowIds;
    const targets = new Float64Array(rows.length);
    for (let k = 0; k < rows.length; k++) targets[k] = ids[rows[k] as number] === positive ? 1 : -1;
    return { ...terms, rowIds: rows, targets, costs: gathered(costs, rows), epsilon: 0 };
  };
  const rowsByClass = () => rowsOf.map((rows) => ({ rowIds: rows, costs: gathered(costs, rows) }));
  const title = (index: number) => {
    const [negative, positive] = list[index] as readonly [number | undefined, number];
    return { positive: classes[positive], negative: negative === undefined ? undefined : classes[negative] };
  };
  for (let index = 0; settings.estimator === "NuSVC" && index < list.length; index++) {
    const { positive, negative } = title(index);
    const what = negative === undefined ? `class ${shown(positive)} against the rest` : `classes ${shown(negative)} and ${shown(positive)}`;
    checkNu(pose(index), what);
  }
  return { ownWeights, classes, ids, rowIds, scheme, count: list.length, pose, title, rowsByClass, terms };
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Of nu-SVC the model whose margin is 1 instead of r; r = 0 leaves it as it is: the classes cannot be told apart. */
function scaled({ value, bias, width }: KernelPart): { value: Float64Array; bias: number } {
  return width > 0 ? { value: value.map((v) => v / width), bias: bias / width } : { value, bias };
}

/** Support vectors of all problems, class by class, with what each problem gives them. */
function assembled(
  x: Matrix,
  ids: ArrayLike<number>,
  classCount: number,
  scheme: "binary" | "ovo" | "ovr",
  { parts }: KernelFit,
  isPrecomputed: boolean,
) {
  const list = pairs(classCount);
  const columns = scheme === "ovo" ? classCount - 1 : scheme === "ovr" ? classCount : 1;
  const all = new Float64Array(x.rowCount * columns);
  const biases = new Float64Array(parts.length);
  const holds = new Uint8Array(x.rowCount);
  parts.forEach((part, index) => {
    const { value, bias } = scaled(part);
    biases[index] = bias + 0;
    const [a, b] = list[index] ?? [0, 1];
    part.rowIds.forEach((row, k) => {
      const v = value[k] as number;
      if (v === 0) return;
      holds[row] = 1;
      const own = ids[row] as number;
      const other = own === a ? b : a;
      const column = scheme === "ovo" ? (other < own ? other : other - 1) : scheme === "ovr" ? index : 0;
      all[row * columns + column] = v;
    });
  });
  const inUse = rowsWhere(x.rowCount, (i) => holds[i] === 1);
  const groups = scheme === "ovo" ? Array.from({ length: classCount }, (_, m) => inUse.filter((i) => ids[i] === m)) : [inUse];
  const order = groups.flatMap((group) => Array.from(group));
  const coefficients = new Float64Array(order.length * columns);
  order.forEach((i, k) => {
    coefficients.set(all.subarray(i * columns, (i + 1) * columns), k * columns);
  });
  return {
    order,
    vectors: vectorsOf(x, order, isPrecomputed),
    coefficients,
    vectorCounts: Uint32Array.from(scheme === "ovo" ? groups : [], (group) => group.length),
    biases,
  };
}
