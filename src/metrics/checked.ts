// What metrics look at, checked: lists of equal length, numbers that are numbers, weights.

import { HingeError, shown } from "../base/errors.js";
import { sumOf } from "../base/sums.js";

export type MetricLabel = number | string;
/** One label a row. */
export type MetricLabels = ArrayLike<number> | ArrayLike<string> | ArrayLike<MetricLabel>;

function checkList(name: string, list: unknown): asserts list is ArrayLike<unknown> {
  if (Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView))) return;
  throw HingeError.input(`${name} must be an array, got ${shown(list)}`);
}

/** Both lists, one entry a row each, at least one. */
export function checkPair(y: unknown, other: unknown, name: string, perRow = 1): void {
  checkList("y", y);
  checkList(name, other);
  if (y.length === 0) throw HingeError.input("y is empty: there is nothing to measure");
  if (other.length === perRow * y.length) return;
  const wanted = perRow === 1 ? "one a row" : `${perRow} a row`;
  throw HingeError.input(`${other.length} values in ${name} for ${y.length} rows; there must be ${wanted}`);
}

/** f64[length]: finite numbers. */
export function numbersOf(name: string, list: ArrayLike<unknown>): Float64Array {
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw HingeError.input(`${name} of row ${i} must be a finite number, got ${shown(value)}`);
    }
    numbers[i] = value;
  }
  return numbers;
}

/** f64[rowCount] and their sum, which is above 0; 1 each if none were given. */
export function weightsOf(given: ArrayLike<number> | undefined, rowCount: number): { weights: Float64Array; total: number } {
  if (given === undefined) return { weights: new Float64Array(rowCount).fill(1), total: rowCount };
  if (given.length !== rowCount) throw HingeError.input(`${given.length} sample weights for ${rowCount} rows; there must be one a row`);
  const weights = numbersOf("sampleWeight", given);
  const negative = weights.findIndex((weight) => weight < 0);
  if (negative >= 0) throw HingeError.input(`sampleWeight of row ${negative} must be at least 0, got ${weights[negative]}`);
  const total = sumOf(weights);
  if (!(total > 0 && total < Infinity)) throw HingeError.input(`the sample weights add up to ${total}; a sum above 0 is needed`);
  return { weights, total };
}

/** The different labels of the lists, sorted: numbers by value, strings by code unit. */
export function classesOf(...lists: readonly MetricLabels[]): readonly MetricLabel[] {
  const seen = new Set<MetricLabel>();
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const label: unknown = list[i];
      if (typeof label === "string" || (typeof label === "number" && Number.isFinite(label))) seen.add(label === 0 ? 0 : label);
      else throw HingeError.input(`label of row ${i} must be a finite number or a string, got ${shown(label)}`);
    }
  }
  const classes = [...seen].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (new Set(classes.map((label) => typeof label)).size > 1) {
    const [a, b] = ["number", "string"].map((type) => classes.find((label) => typeof label === type));
    throw HingeError.input(`labels must be all numbers or all strings, got ${shown(a)} and ${shown(b)}`);
  }
  return classes;
}
