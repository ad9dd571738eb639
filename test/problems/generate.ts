// Generated data sets: seeded, so the same everywhere.

import { Random } from "../../src/base/random.ts";
import type { FlatRows, SparseRow } from "../../src/data/pack.ts";

export interface BinarySet {
  readonly name: string;
  readonly x: readonly SparseRow[];
  /** +1 or -1. */
  readonly y: readonly number[];
  readonly featureCount: number;
}

/** About normal: the sum of twelve uniform numbers, less six. */
export function normal(random: Random): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += random.unit();
  return sum;
}

/**
 * Sparse rows with about `perRow` non-zeros, frequent features first as in text; labels by a hidden direction, one in ten wrong.
 */
export function sparseSet(rowCount: number, featureCount: number, perRow: number, seed: number): BinarySet {
  const random = new Random(seed);
  const hidden = Array.from({ length: featureCount }, () => normal(random));
  const x: SparseRow[] = [];
  const y: number[] = [];
  for (let i = 0; i < rowCount; i++) {
    const features = new Set<number>();
    while (features.size < Math.min(perRow, featureCount)) features.add(Math.floor(featureCount * random.unit() ** 2));
    const indices = [...features].sort((a, b) => a - b);
    const values = indices.map(() => normal(random));
    const score = indices.reduce((sum, j, k) => sum + (hidden[j] ?? 0) * (values[k] ?? 0), 0);
    x.push([indices, values]);
    y.push(score > 0 === random.unit() > 0.1 ? 1 : -1);
  }
  return { name: `${rowCount} x ${featureCount}, ${perRow} a row, seed ${seed}`, x, y, featureCount };
}

/** The same rows as plain arrays. */
export function denseRows({ x, featureCount }: BinarySet): number[][] {
  return x.map(([indices, values]) => {
    const row = new Array<number>(featureCount).fill(0);
    for (let k = 0; k < indices.length; k++) row[indices[k] as number] = values[k] as number;
    return row;
  });
}

/** Dense uniform rows in one array, labelled by the sign of their sum: quick to make in any size. */
export function flatSet(rowCount: number, featureCount: number, seed: number): { x: FlatRows; y: number[] } {
  const random = new Random(seed);
  const data = Float32Array.from({ length: rowCount * featureCount }, () => random.bits() / 2 ** 31 - 1);
  const y = Array.from(
    { length: rowCount },
    (_, i) => Math.sign(data.subarray(i * featureCount, (i + 1) * featureCount).reduce((a, b) => a + b)) || 1,
  );
  return { x: { data, rowCount, featureCount }, y };
}

export interface MultiClassSet {
  readonly x: readonly SparseRow[];
  /** Classes from 0. */
  readonly y: readonly number[];
  readonly featureCount: number;
  readonly classCount: number;
}

/** The rows of `sparseSet`; classes by the best of `classCount` hidden directions, one in ten at random. */
export function multiClassSet(rowCount: number, featureCount: number, perRow: number, classCount: number, seed: number): MultiClassSet {
  const { x } = sparseSet(rowCount, featureCount, perRow, seed);
  const random = new Random(seed + 1);
  const hidden = Array.from({ length: classCount }, () => Array.from({ length: featureCount }, () => normal(random)));
  const y = x.map(([indices, values]) => {
    const scores = hidden.map((direction) => Array.from(indices).reduce((sum, j, k) => sum + (direction[j] ?? 0) * (values[k] ?? 0), 0));
    return random.unit() < 0.1 ? random.below(classCount) : scores.indexOf(Math.max(...scores));
  });
  return { x, y, featureCount, classCount };
}
