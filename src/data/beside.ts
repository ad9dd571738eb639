// Matrices side by side: the features of one after those of the other.

import { Matrix } from "./matrix.js";

/** One matrix with the features of all, which have the same rows; dense if all are, else sparse. */
export function beside(parts: readonly Matrix[]): Matrix {
  const [first] = parts;
  if (parts.length === 1) return first as Matrix;
  const rowCount = first?.rowCount ?? 0;
  const featureCount = parts.reduce((sum, part) => sum + part.featureCount, 0);
  const offsets = parts.map((_, k) => parts.slice(0, k).reduce((sum, part) => sum + part.featureCount, 0));
  if (parts.every(({ kind }) => kind === "dense")) {
    const values = new Float32Array(rowCount * featureCount);
    for (const [k, part] of parts.entries()) {
      for (let i = 0; i < rowCount; i++) {
        values.set(part.values.subarray(i * part.featureCount, (i + 1) * part.featureCount), i * featureCount + (offsets[k] as number));
      }
    }
    const none = new Uint32Array();
    return new Matrix({ kind: "dense", rowCount, featureCount, valueCount: values.length }, { values, indices: none, starts: none });
  }
  const starts = new Uint32Array(rowCount + 1);
  const forAll = (i: number, visit: (feature: number, value: number) => void): void => {
    for (const [k, part] of parts.entries()) {
      part.forEachInRow(i, (feature, value) => {
        if (value !== 0) visit((offsets[k] as number) + feature, value);
      });
    }
  };
  for (let i = 0; i < rowCount; i++) {
    let count = starts[i] as number;
    forAll(i, () => count++);
    starts[i + 1] = count;
  }
  const valueCount = starts[rowCount] as number;
  const [indices, values] = [new Uint32Array(valueCount), new Float32Array(valueCount)];
  let at = 0;
  for (let i = 0; i < rowCount; i++) {
    forAll(i, (feature, value) => {
      indices[at] = feature;
      values[at++] = value;
    });
  }
  return new Matrix({ kind: "csr", rowCount, featureCount, valueCount }, { values, indices, starts });
}
