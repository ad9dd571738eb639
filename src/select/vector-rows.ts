// Which rows of a matrix the support vectors of a model are. Files do not say: LIBSVM's hold the vectors themselves, in 8 digits.
//
// Every row has a key, sum_j r_j |x_j| with fixed r_j between 1 and 2. Values that differ by a share t at most have keys that do, so the candidates of a vector lie side by
// side among the sorted keys, and are compared value by value: first for equality, then, of those left over, for the digits that a file keeps.

import { HingeError } from "../base/errors.js";
import type { Matrix } from "../data/matrix.js";
import type { SupportVectors } from "../model/kernel-model.js";

/** 8 digits are right to 5e-8 of the value; rounding what they say, and what the caller has, to float32 adds 2^-24 each. */
const DIGITS = 5e-8 + 2 ** -23;

export interface VectorChoice {
  /** The number that the row had in the fit, where the model knows it: it is the one if it still holds the same. */
  known?(vector: number): number | undefined;
  /** The order in which vectors choose: the largest first. */
  size(vector: number): number;
  /** Whether the row can be this vector, if their values are the same. */
  suits(vector: number, row: number): boolean;
  /** Below 0 if of two rows the first is the likelier one. */
  compare(vector: number, one: number, other: number): number;
}

interface SparseRow {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** The row of each vector; no row is two of them. Throws `HingeError` if there is none. */
export function rowsOfVectors(x: Matrix, vectors: SupportVectors, choice: VectorChoice): Uint32Array {
  const { count } = vectors;
  const keys = Float64Array.from({ length: x.rowCount }, (_, i) => keyOf(rowAt(x, i)));
  const order = Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  const isTaken = new Uint8Array(x.rowCount);
  const found = new Uint32Array(count);
  const choose = (vector: number, share: number): boolean => {
    const own = vectorAt(vectors, vector);
    const key = keyOf(own);
    let best: number | undefined;
    for (let at = firstFrom(order, keys, key * (1 - 2 * DIGITS)); at < order.length; at++) {
      const row = order[at] as number;
      if ((keys[row] as number) > key * (1 + 2 * DIGITS)) break;
      if (isTaken[row] === 1 || !choice.suits(vector, row) || (best !== undefined && choice.compare(vector, row, best) >= 0)) continue;
      if (isSame(own, rowAt(x, row), share)) best = row;
    }
    if (best === undefined) return false;
    found[vector] = best;
    isTaken[best] = 1;
    return true;
  };
  const isFound = Array.from({ length: count }, (_, vector) => {
    const row = choice.known?.(vector);
    if (row === undefined || row >= x.rowCount || isTaken[row] === 1 || !choice.suits(vector, row)) return false;
    if (!isSame(vectorAt(vectors, vector), rowAt(x, row), 0)) return false;
    found[vector] = row;
    isTaken[row] = 1;
    return true;
  });
  const turns = Array.from({ length: count }, (_, vector) => vector)
    .filter((vector) => !isFound[vector])
    .sort((a, b) => choice.size(b) - choice.size(a) || a - b);
  const left = turns.filter((vector) => !choose(vector, 0)).filter((vector) => !choose(vector, DIGITS));
  if (left[0] !== undefined) throw strange(left[0]);
  return found;
}

/** The same under a precomputed kernel, whose vectors are known by the numbers of their rows. */
export function rowsNamed({ count, indices }: SupportVectors, suits: VectorChoice["suits"]): Uint32Array {
  return Uint32Array.from({ length: count }, (_, vector) => {
    const row = indices[vector] as number;
    if (!suits(vector, row)) throw strange(vector);
    return row;
  });
}

function strange(vector: number): HingeError {
  const what = `support vector ${vector + 1} of the model is no row of x with its class and a weight above 0`;
  return HingeError.input(`${what}; an audit needs the training rows, labels and weights`);
}

/** The first place of `order` whose key is at least this. */
function firstFrom(order: Uint32Array, keys: Float64Array, least: number): number {
  let [from, to] = [0, order.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[order[middle] as number] as number) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

function keyOf({ indices, values }: SparseRow): number {
  return values.reduce((sum, value, k) => sum + factorOf(indices[k] as number) * Math.abs(value), 0);
}

/** r_j, as if drawn: rows of zeros and ones, of which there are many with as many ones, must not share keys. */
function factorOf(j: number): number {
  let bits = Math.imul(j + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return 1 + ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

function isSame(one: SparseRow, other: SparseRow, share: number): boolean {
  return (
    one.indices.length === other.indices.length &&
    one.values.every((value, k) => {
      const difference = Math.abs(value - (other.values[k] as number));
      return one.indices[k] === other.indices[k] && difference <= share * Math.abs(value);
    })
  );
}

/** Without zeros, which files may leave out. */
function rowAt(x: Matrix, i: number): SparseRow {
  const indices: number[] = [];
  const values: number[] = [];
  x.forEachInRow(i, (j, value) => {
    if (value === 0) return;
    indices.push(j);
    values.push(value);
  });
  return { indices, values };
}

function vectorAt({ starts, indices, values }: SupportVectors, vector: number): SparseRow {
  const kept: { indices: number[]; values: number[] } = { indices: [], values: [] };
  for (let k = starts[vector] as number; k < (starts[vector + 1] as number); k++) {
    if (values[k] === 0) continue;
    kept.indices.push(indices[k] as number);
    kept.values.push(values[k] as number);
  }
  return kept;
}
