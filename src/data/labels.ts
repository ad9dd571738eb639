// Labels to class numbers and back, and the weight of every row.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import type { ClassWeight } from "../base/options/fit.js";

/** A class label. */
export type Label = number | string;

/** Labels as callers have them. */
export type LabelsInput =
  | readonly Label[]
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** Labels as class numbers. */
export interface EncodedLabels {
  /** Sorted: numbers by value, strings by code unit. */
  readonly classes: readonly Label[];
  /** u32[rowCount], positions in `classes`. */
  readonly ids: Uint32Array;
}

/** Checks and numbers the labels of `rowCount` rows. A label that only rows of weight 0 have is no class: such rows are not there, and their number is 0. */
export function encodeLabels(labels: LabelsInput, rowCount: number, weights?: ArrayLike<number>): EncodedLabels {
  if (!isList(labels)) {
    throw HingeError.input(`y must be an array of labels, got ${shown(labels)}`);
  }
  if (labels.length !== rowCount) throw HingeError.input(`${labels.length} labels for ${rowCount} rows; there must be one a row`);
  const kind = typeof labels[0];
  const seen = new Set<Label>();
  // Most labels are one of the last two, which need not be looked up.
  let last: unknown = NONE;
  let before: unknown = NONE;
  for (let i = 0; i < rowCount; i++) {
    const label = labels[i];
    if (label === last || label === before) continue;
    checkLabel(label, i, kind);
    if (weights?.[i] === 0) continue;
    seen.add(label as Label);
    before = last;
    last = label;
  }
  const classes = sortLabels(seen);
  return { classes, ids: idsOf(labels, classes) };
}

/** The position of every label among `classes`; 0 of one that is not there. */
function idsOf(labels: ArrayLike<unknown>, classes: readonly Label[]): Uint32Array {
  const position = new Map<unknown, number>(classes.map((label, id) => [label, id]));
  const ids = new Uint32Array(labels.length);
  let last: unknown = NONE;
  let before: unknown = NONE;
  let lastId = 0;
  let beforeId = 0;
  for (let i = 0; i < ids.length; i++) {
    const label = labels[i];
    if (label !== last) {
      const id = label === before ? beforeId : (position.get(label) ?? 0);
      before = last;
      beforeId = lastId;
      last = label;
      lastId = id;
    }
    ids[i] = lastId;
  }
  return ids;
}

/** What no label is. */
const NONE = {};

/** An array or a typed array; a DataView is neither. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function checkLabel(label: unknown, row: number, kind: string): Label {
  if (typeof label === "number" ? !Number.isFinite(label) : typeof label !== "string") {
    throw HingeError.input(`label of row ${row} must be a finite number or a string, got ${shown(label)}`);
  }
  if (typeof label !== kind)
    throw HingeError.input(`labels must be all numbers or all strings: row 0 has a ${kind}, row ${row} has ${shown(label)}`);
  return label as Label;
}

function sortLabels(labels: Iterable<Label>): Label[] {
  return [...labels].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** f64[rowCount]: class weight times sample weight of every row. */
export function rowWeights(
  labels: EncodedLabels,
  classWeight: ClassWeight | undefined,
  sampleWeight: ArrayLike<number> | undefined,
): Float64Array {
  const { classes, ids } = labels;
  const weights = sampleWeights(sampleWeight, ids.length);
  const perClass = classFactors(labels, weights, classWeight);
  const total = new Float64Array(classes.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    weights[i] = (weights[i] as number) * (perClass[id] as number);
    total[id] = (total[id] as number) + (weights[i] as number);
  }
  classes.forEach((label, id) => {
    if (total[id] === 0)
      throw HingeError.input(`class ${shown(label)} has only rows of weight 0; give one of them weight or leave the class out`);
    // NaN too: balanced divides by sums that may have overflowed.
    if (!((total[id] as number) < Infinity))
      throw HingeError.input(`the weights of class ${shown(label)} add up to more than a double holds; use smaller ones`);
  });
  return weights;
}

/** f64[rowCount]: the weights as given, checked; 1 if none were. */
export function sampleWeights(given: ArrayLike<number> | undefined, rowCount: number): Float64Array {
  const weights = new Float64Array(rowCount).fill(1);
  if (given === undefined) return weights;
  if (given.length !== rowCount) throw HingeError.input(`${given.length} sample weights for ${rowCount} rows; there must be one a row`);
  for (let i = 0; i < rowCount; i++) {
    const weight: unknown = given[i];
    if (typeof weight !== "number" || !(weight >= 0 && weight < Infinity)) {
      throw HingeError.input(`sampleWeight of row ${i} must be a finite number at least 0, got ${shown(weight)}`);
    }
    weights[i] = weight;
  }
  return weights;
}

/** One factor a class. `balanced`: the total weight over (classes times the class's weight), so that classes weigh alike. */
function classFactors(labels: EncodedLabels, weights: Float64Array, given: ClassWeight | undefined): number[] {
  const { classes, ids } = labels;
  if (given === undefined) return classes.map(() => 1);
  if (given === "balanced") {
    const sums = classes.map(() => 0);
    ids.forEach((id, i) => {
      sums[id] = (sums[id] as number) + (weights[i] as number);
    });
    const all = sums.reduce((a, b) => a + b, 0);
    return sums.map((sum) => (sum === 0 ? 0 : all / (classes.length * sum)));
  }
  const entries: [Label, number][] = given instanceof Map ? [...given] : Object.entries(given);
  const factors = classes.map(() => 1);
  const names = classes.map(String);
  for (const [label, weight] of entries) {
    const id = names.indexOf(String(label));
    if (id < 0) {
      // Numbers that are spelt alike are not alike: -1 is no suggestion for +1.
      const near = typeof classes[0] === "string" ? suggestion(String(label), names) : "";
      throw new HingeError("bad-option", `classWeight names class ${shown(label)}, which no row has${near}`);
    }
    factors[id] = weight;
  }
  return factors;
}
