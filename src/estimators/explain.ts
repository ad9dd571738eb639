// What a model goes by: the weights of a linear one, by feature; what carried one prediction, feature by feature or support vector by support vector.
//
//   linear    f(x) = sum_j w_j x_j + b          a part: w_j x_j
//   kernel    f(x) = sum_s v_s K(x_s, x) + b    a part: v_s K(x_s, x)
//
// Parts that are not named are summed in `rest`: parts + rest + bias is the decision value. Checked in test/explain.test.ts.

import { HingeError, shown } from "../base/errors.js";
import { type ExplainOptions, explainOptions } from "../base/options/explain.js";
import { kernelValue } from "../certify/kernel-values.js";
import { denseRow } from "../data/dense-row.js";
import type { Label } from "../data/labels.js";
import { Matrix } from "../data/matrix.js";
import type { RecordOfOne } from "../data/one-row.js";
import { packRows, type RowsInput } from "../data/pack.js";
import { columnCount, type KernelModelData } from "../model/kernel-model.js";
import { pairs } from "../model/schemes.js";
import { allocatePlain } from "../runtime/placement.js";
import { CalibratedClassifier } from "./calibrated-classifier.js";
import { Columns } from "./columns.js";
import { checkedValue } from "./custom-kernel.js";
import { checkFeatures } from "./features.js";
import { KernelModel } from "./kernel-model.js";
import { functionOf } from "./kernel-outputs.js";
import { LinearClassifier } from "./linear-classifier.js";
import type { RowInput } from "./linear-decision.js";
import { LinearOneClassSVM } from "./linear-one-class-svm.js";
import { LinearSVR } from "./linear-svr.js";
import { Pipeline } from "./pipeline.js";
import { groupsOf } from "./vector-groups.js";

/** What a decision value is about: above 0 it speaks for `positive`, below for `negative`; undefined where there is none, or all others. */
export interface ExplainedOutput {
  readonly positive: Label | undefined;
  readonly negative: Label | undefined;
  readonly bias: number;
}

/** A feature and its weight. */
export interface FeatureWeight {
  readonly feature: number;
  /** undefined where nobody knows it. */
  readonly name: string | undefined;
  readonly weight: number;
}

/** The weights of a decision value: those that raise it most, and those that lower it most, the largest first. */
export interface ExplainedWeights extends ExplainedOutput {
  readonly up: readonly FeatureWeight[];
  readonly down: readonly FeatureWeight[];
}

/** A feature of a row, and what it added to a decision value. */
export interface FeaturePart extends FeatureWeight {
  readonly value: number;
  readonly part: number;
}

/** A support vector, and what it added to a decision value. */
export interface VectorPart {
  /** Its number among `supportVectors`. */
  readonly vector: number;
  /** Its training row, where the model knows it: `supportIds`. */
  readonly id: number | string | undefined;
  /** K(x_s, x). */
  readonly kernel: number;
  readonly coefficient: number;
  readonly part: number;
}

/** What made a decision value of a row: the largest parts first, whatever their sign; parts + rest + bias is the decision value. */
export interface ExplainedDecision<P> extends ExplainedOutput {
  readonly decision: number;
  readonly parts: readonly P[];
  /** The sum of those that are not named. */
  readonly rest: number;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a pipeline takes and ends in
type AnyPipeline = Pipeline<any, any>;
type LinearModel = LinearClassifier | LinearSVR | LinearOneClassSVM;

/**
 * Returns what a linear model goes by: for each decision value the features with the largest weights. With a row, what carried its prediction: of a linear model the
 * features, of a kernel machine the support vectors. A pipeline is explained by its model, with the names that its stages give to features; its row is what its
 * `predictOne` takes.
 */
export function explain(model: LinearModel | AnyPipeline | CalibratedClassifier, options?: ExplainOptions): Promise<ExplainedWeights[]>;
export function explain(model: LinearModel, row: RowInput, options?: ExplainOptions): Promise<ExplainedDecision<FeaturePart>[]>;
export function explain(model: KernelModel, row: RowInput, options?: ExplainOptions): Promise<ExplainedDecision<VectorPart>[]>;
export function explain(
  model: AnyPipeline | CalibratedClassifier,
  row: RowInput | RecordOfOne | string,
  options?: ExplainOptions,
): Promise<ExplainedDecision<FeaturePart | VectorPart>[]>;
export async function explain(given: unknown, second?: unknown, third?: ExplainOptions): Promise<object[]> {
  // What makes probabilities of decision values changes none of them.
  const model = given instanceof CalibratedClassifier ? given.model : given;
  const isRow = third !== undefined || isRowLike(second, model instanceof Pipeline && model.stages[0] instanceof Columns);
  const options = explainOptions.check(isRow ? third : (second as ExplainOptions | undefined));
  const own = model instanceof Pipeline ? model.model : model;
  const names = options.featureNames ?? (model instanceof Pipeline ? namesOf(model) : undefined);
  if (own instanceof KernelModel) {
    if (!isRow)
      throw HingeError.input(
        "a kernel machine has no weights of features; give a row: explain(model, row) names the support vectors that carried its prediction",
      );
    return vectorParts(own, await rowOf(model, second), options.count);
  }
  if (!(own instanceof LinearClassifier || own instanceof LinearSVR || own instanceof LinearOneClassSVM))
    throw HingeError.input(`explain takes a fitted or loaded model, got ${shown(model)}`);
  if (names !== undefined && names.length !== own.featureCount)
    throw HingeError.option("featureNames", `${own.featureCount} names, one a feature`, `${names.length} of them`);
  return isRow ? featureParts(own, await rowOf(model, second), names, options.count) : weightsOf(own, names, options.count);
}

/** Whether it is a row, and not options: a table's values are named, all others have numbers. */
function isRowLike(given: unknown, hasNames: boolean): boolean {
  if (given === undefined || given === null || typeof given !== "object") return given !== undefined;
  if (Array.isArray(given) || ArrayBuffer.isView(given) || given instanceof Matrix) return true;
  const keys = Object.keys(given);
  const isOption = (key: string): boolean => key in explainOptions.fields;
  return hasNames ? keys.length === 0 || !keys.every(isOption) : keys.every((key) => /^\d+$/.test(key));
}

/** The one row, as the model behind the stages sees it. */
async function rowOf(model: unknown, row: unknown): Promise<Matrix> {
  if (!(model instanceof Pipeline)) return packRows([row] as unknown as RowsInput, allocatePlain);
  const seen = await model.transform(model.tableOf(row as never) as never);
  return seen instanceof Matrix ? seen : packRows(seen as RowsInput, allocatePlain);
}

/** What the last stage that names features calls them: scalers leave them as they are. */
function namesOf({ stages }: Pipeline): readonly string[] | undefined {
  for (const stage of [...stages].reverse()) if ("featureNames" in stage) return stage.featureNames as readonly string[];
  return undefined;
}

/** What each decision value is about. */
function outputsOf(scheme: string, classes: readonly Label[], biases: ArrayLike<number>): ExplainedOutput[] {
  return Array.from(biases, (bias, m) => {
    if (classes.length === 0) return { positive: undefined, negative: undefined, bias };
    const [negative, positive] =
      scheme === "ovo" ? (pairs(classes.length)[m] as [number, number]) : scheme === "binary" ? [0, 1] : [undefined, m];
    return { positive: classes[positive], negative: negative === undefined ? undefined : classes[negative], bias };
  });
}

function outputsOfLinear(model: LinearModel): ExplainedOutput[] {
  if (model instanceof LinearClassifier) return outputsOf(model.multiClass, model.classes, model.biases);
  return outputsOf("", [], [model instanceof LinearSVR ? model.bias : -model.rho]);
}

function weightsOf(model: LinearModel, names: readonly string[] | undefined, count: number): ExplainedWeights[] {
  const d = model.featureCount;
  return outputsOfLinear(model).map((output, m) => {
    const w = model.coefficients.subarray(m * d, (m + 1) * d);
    const entry = (feature: number): FeatureWeight => ({ feature, name: names?.[feature], weight: w[feature] as number });
    return { ...output, up: largest(w, count, 1).map(entry), down: largest(w, count, -1).map(entry) };
  });
}

/** The places of the largest numbers of a sign, or of any if it is 0, the largest first; of equal ones the first. */
function largest(values: Float64Array, count: number, sign: -1 | 0 | 1): number[] {
  const size = (k: number): number => (sign === 0 ? Math.abs(values[k] as number) : sign * (values[k] as number));
  const places: number[] = [];
  for (let k = 0; k < values.length; k++) {
    const own = size(k);
    if (!(own > 0) || (places.length === count && own <= size(places[count - 1] as number))) continue;
    let at = places.length;
    while (at > 0 && size(places[at - 1] as number) < own) at--;
    places.splice(at, 0, k);
    if (places.length > count) places.pop();
  }
  return places;
}

function featureParts(
  model: LinearModel,
  row: Matrix,
  names: readonly string[] | undefined,
  count: number,
): ExplainedDecision<FeaturePart>[] {
  checkFeatures(row.featureCount, model.featureCount, "model");
  const d = model.featureCount;
  const features: number[] = [];
  const values: number[] = [];
  row.forEachInRow(0, (feature, value) => {
    features.push(feature);
    values.push(value);
  });
  return outputsOfLinear(model).map((output, m) => {
    const parts = Float64Array.from(features, (feature, k) => (model.coefficients[m * d + feature] as number) * (values[k] as number));
    return decided(output, parts, count, (k) => {
      const feature = features[k] as number;
      return {
        feature,
        name: names?.[feature],
        weight: model.coefficients[m * d + feature] as number,
        value: values[k] as number,
        part: parts[k] as number,
      };
    });
  });
}

function vectorParts(model: KernelModel, row: Matrix, count: number): ExplainedDecision<VectorPart>[] {
  const data = KernelModel.dataOf(model);
  const { vectors, coefficients, scheme, classes, biases } = data;
  const kernel = kernelValues(data, row);
  const columns = columnCount(scheme, classes.length);
  const own = biases.reduce<Float64Array[]>((all) => [...all, new Float64Array(vectors.count)], []);
  const weights = own.map(() => new Float64Array(vectors.count));
  for (const { from, to, places } of groupsOf(data)) {
    for (let i = from; i < to; i++) {
      for (let m = 0; m < columns; m++) {
        const coefficient = coefficients[i * columns + m] as number;
        (weights[places[m] as number] as Float64Array)[i] = coefficient;
        (own[places[m] as number] as Float64Array)[i] = coefficient * (kernel[i] as number);
      }
    }
  }
  return outputsOf(scheme, classes, biases).map((output, m) =>
    decided(output, own[m] as Float64Array, count, (vector) => ({
      vector,
      id: model.supportIds?.[vector],
      kernel: kernel[vector] as number,
      coefficient: (weights[m] as Float64Array)[vector] as number,
      part: (own[m] as Float64Array)[vector] as number,
    })),
  );
}

function decided<P>(output: ExplainedOutput, parts: Float64Array, count: number, entry: (k: number) => P): ExplainedDecision<P> {
  const named = largest(parts, count, 0);
  const isNamed = new Set(named);
  const rest = parts.reduce((sum, part, k) => (isNamed.has(k) ? sum : sum + part), 0);
  const decision = named.reduce((sum, k) => sum + (parts[k] as number), rest + output.bias);
  return { ...output, decision, parts: named.map(entry), rest };
}

/** K of each support vector with the row, in float64. */
function kernelValues({ kernel, custom, vectors, featureCount, status }: KernelModelData, row: Matrix): Float64Array {
  checkFeatures(row.featureCount, status === "unknown" ? Infinity : featureCount, "model");
  const width = Math.max(featureCount, row.featureCount);
  const x = denseRow(row, 0, new Float32Array(width));
  const held = new Matrix({ kind: "csr", rowCount: vectors.count, featureCount: width, valueCount: vectors.values.length }, vectors);
  return Float64Array.from({ length: vectors.count }, (_, i) => {
    if (custom !== undefined)
      return checkedValue(custom(denseRow(held, i, new Float32Array(width)), x), () => `support vector ${i} and the row`);
    let [dot, square, other] = [0, 0, 0];
    held.forEachInRow(i, (j, value) => {
      dot += value * (x[j] as number);
      square += value * value;
    });
    if (kernel.kind === "precomputed") return x[vectors.indices[vectors.starts[i] as number] as number] as number;
    for (const value of x) other += value * value;
    return kernelValue(functionOf(kernel), dot, Math.max(0, square + other - 2 * dot));
  });
}
