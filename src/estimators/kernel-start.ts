// Where a kernel fit begins when it is given a model: each support vector's dual variable goes to the row that it was, or to the rows that hold the same.
//
//   which row     by its id, where both fits were given ids; else by its number, if the row there still holds the same; else by what it holds. Of several that hold
//                 the same each gets its share. A precomputed kernel's rows hold nothing of their own: by number
//   dual          the coefficient; of nu-SVC times r, which its files do not hold: then by the bound or by the sum that it must have
//   another C     variables at the bound go to the new bound, the others stay. Where nobody knows the old bound: the largest size, if several values have it
//
// It is a guess; solve/kernel-start.ts brings it into the new problem's bounds and sums.

import { HingeError, shown } from "../base/errors.js";
import type { KernelStartModel } from "../base/options/kernel.js";
import type { Label } from "../data/labels.js";
import { Matrix } from "../data/matrix.js";
import { rowKeys } from "../data/row-keys.js";
import { columnCount, type KernelEstimator, type KernelModelData, type KernelScheme } from "../model/kernel-model.js";
import { pairs } from "../model/schemes.js";
import { AT_BOUND, movedAlong } from "../solve/kernel-start.js";
import { KernelModel } from "./kernel-model.js";
import type { KernelTask } from "./kernel-problems.js";
import { checkSameClasses } from "./linear-start.js";

/** What the fit is about to solve. */
export interface StartedKernelFit {
  readonly x: Matrix;
  readonly estimator: KernelEstimator;
  readonly scheme: KernelScheme;
  readonly classes: readonly Label[];
  /** Of the rows, where they were given. */
  readonly rowIds: ArrayLike<number | string> | undefined;
  /** C, or 1 for the forms without. */
  readonly scale: number;
}

/** Digits that LIBSVM's files hold of a feature. */
const FILE_DIGITS = 8;

export class KernelStart {
  readonly #data: KernelModelData;
  readonly #fit: StartedKernelFit;
  /** The rows of x that each support vector may be. */
  readonly #homes: readonly (readonly number[])[];

  constructor(model: KernelStartModel, fit: StartedKernelFit) {
    if (!(model instanceof KernelModel)) throw HingeError.option("warmStart", `a fitted ${fit.estimator}`, model);
    const data = KernelModel.dataOf(model);
    if (data.estimator !== fit.estimator)
      throw HingeError.input(`warmStart is of ${data.estimator}, this fits ${fit.estimator}; they must be the same`);
    checkSameClasses(data.classes, fit.classes);
    if (data.scheme !== fit.scheme)
      throw HingeError.input(`warmStart has multiClass ${shown(data.scheme)}, this fit ${shown(fit.scheme)}; they must be the same`);
    this.#data = data;
    this.#fit = fit;
    this.#homes = homesOf(data, fit);
  }

  /** About the variables of a problem, one a row of it. */
  guess(index: number, { form, rowIds, targets, costs, nu }: KernelTask): Float64Array {
    const { problem, state } = this.#data;
    const placeOf = new Int32Array(this.#fit.x.rowCount).fill(-1);
    rowIds.forEach((row, k) => {
      placeOf[row] = k;
    });
    const isSigned = form === "c_svc" || form === "nu_svc";
    const guess = new Float64Array(rowIds.length);
    const { values, old } = this.#valuesOf(index);
    values.forEach((value, i) => {
      if (value === 0) return;
      const places = (this.#homes[i] as readonly number[])
        .map((row) => placeOf[row] as number)
        .filter((k) => k >= 0 && (!isSigned || (targets[k] as number) * value > 0));
      const total = places.reduce((sum, k) => sum + (costs[k] as number), 0);
      for (const k of places) guess[k] = (guess[k] as number) + value * ((costs[k] as number) / total);
    });
    const bound = boundOf(values);
    const bySum = ((problem.nu ?? nu) * sizeOf(costs)) / Math.max(Number.MIN_VALUE, sizeOf(guess));
    const factor = form === "nu_svc" ? (state?.scales[old] ?? (bound === undefined ? bySum : 1 / bound)) : 1;
    // From the model's C to that of the fit.
    const hasC = form !== "nu_svc" && form !== "one_class";
    const ratio = hasC ? this.#fit.scale / (problem.C ?? bound ?? this.#fit.scale) : 1;
    return guess.map((value, k) => movedAlong(factor * value, ratio, costs[k] as number));
  }

  /** What each support vector has in a problem of the fit, with the fit's signs; which problem of the model that was. */
  #valuesOf(index: number): { values: Float64Array; old: number } {
    const { scheme, classes, coefficients, vectors, vectorCounts } = this.#data;
    const oldOf = (label: Label | undefined): number => (classes as readonly Label[]).indexOf(label as Label);
    const columns = columnCount(scheme, classes.length);
    const own = this.#fit.classes;
    const column = (of: number, sign = 1): Float64Array =>
      Float64Array.from({ length: vectors.count }, (_, i) => sign * (coefficients[i * columns + of] as number) + 0);
    if (scheme === "ovr") return { values: column(oldOf(own[index])), old: oldOf(own[index]) };
    if (scheme !== "ovo") return { values: column(0, scheme === "binary" && oldOf(own[1]) === 0 ? -1 : 1), old: 0 };
    const [negative, positive] = pairs(own.length)[index] as readonly [number, number];
    const [a, b] = [oldOf(own[negative]), oldOf(own[positive])];
    const sign = a < b ? 1 : -1;
    const values = new Float64Array(vectors.count);
    let from = 0;
    vectorCounts.forEach((count, m) => {
      const other = m === a ? b : a;
      if (m === a || m === b) {
        const part = column(other < m ? other : other - 1, sign);
        values.set(part.subarray(from, from + count), from);
      }
      from += count;
    });
    const old = pairs(own.length).findIndex(([one, two]) => one === Math.min(a, b) && two === Math.max(a, b));
    return { values, old };
  }
}

/** The size that several of the largest values have: the bound, where nobody knows it. undefined if one value alone is the largest. */
function boundOf(values: Float64Array): number | undefined {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const count = values.reduce((sum, value) => sum + (Math.abs(value) >= AT_BOUND * most ? 1 : 0), 0);
  return most > 0 && count > 1 ? most : undefined;
}

function sizeOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0);
}

function homesOf({ kernel, vectors, featureCount, state }: KernelModelData, { x, rowIds }: StartedKernelFit): (readonly number[])[] {
  const { count } = vectors;
  if (state?.isNamed && rowIds !== undefined) {
    const rowOf = new Map(Array.from(rowIds, (id, row) => [id, row] as const));
    return state.rowIds.map((id) => {
      const row = rowOf.get(id);
      return row === undefined ? [] : [row];
    });
  }
  if (kernel.kind === "precomputed") {
    const numbers = Array.from({ length: count }, (_, i) => vectors.indices[vectors.starts[i] as number] as number);
    return numbers.map((row) => (row < x.rowCount ? [row] : []));
  }
  const held = new Matrix({ kind: "csr", rowCount: count, featureCount, valueCount: vectors.values.length }, vectors);
  const numbers = state === undefined || state.isNamed ? undefined : (state.rowIds as readonly number[]);
  const homes = sameRows(rowKeys(held), rowKeys(x), numbers);
  // Of a file that was written in fewer digits next to nothing is found.
  const isFound = 2 * homes.filter((rows) => rows.length > 0).length > count;
  return isFound || state !== undefined ? homes : sameRows(rowKeys(held, FILE_DIGITS), rowKeys(x, FILE_DIGITS), numbers);
}

/** The rows of these keys: that of the number where it still has the key, otherwise all that have it. */
function sameRows(keys: Float64Array, rows: Float64Array, numbers: readonly number[] | undefined): (readonly number[])[] {
  const found = new Map<number, number[]>(Array.from(keys, (key) => [key, []]));
  rows.forEach((key, row) => {
    found.get(key)?.push(row);
  });
  return Array.from(keys, (key, i) => {
    const number = numbers?.[i];
    return number !== undefined && rows[number] === key ? [number] : (found.get(key) as number[]);
  });
}

/** The ids that rows were given, checked. */
export function checkedRowIds(rowIds: ArrayLike<unknown> | undefined, rowCount: number): ArrayLike<number | string> | undefined {
  if (rowIds === undefined) return undefined;
  if (rowIds.length !== rowCount) throw HingeError.input(`${rowIds.length} rowIds for ${rowCount} rows; there must be one a row`);
  const seen = new Map<unknown, number>();
  for (let i = 0; i < rowCount; i++) {
    const id = rowIds[i];
    if (typeof id === "number" ? !Number.isFinite(id) : typeof id !== "string")
      throw HingeError.input(`the id of row ${i} must be a finite number or a string, got ${shown(id)}`);
    const other = seen.get(id);
    if (other !== undefined) throw HingeError.input(`rows ${other} and ${i} have the same id, ${shown(id)}; ids must differ`);
    seen.set(id, i);
  }
  return rowIds as ArrayLike<number | string>;
}
