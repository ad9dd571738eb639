// The rows as a method likes to read them that reads them many times over: Newton's, and those of a regression. A pass waits for memory more than it computes, so a copy that
// is made once and read twenty times may pay (docs/algorithms/newton.md has the figures):
//
//   nearly full sparse rows    become dense: no indices to read, and SIMD on neighbours
//   anything else              is read where it lies

import type { MatrixShape } from "../data/matrix.js";
import { rowKinds, rowsStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";

// Share of stored values from which a dense copy pays.
const NEARLY_FULL = 0.5;

export interface NewtonLayout {
  /** Byte offset of a Rows struct. */
  readonly rows: number;
  readonly kind: "dense" | "csr";
  /** Rows of that struct that make up the problem. */
  readonly rowIds: Uint32Array;
}

function isNearlyFull(x: MatrixShape): boolean {
  return x.kind === "csr" && x.valueCount > NEARLY_FULL * x.rowCount * x.featureCount;
}

export function newtonLayoutBytes(rowCount: number, x: MatrixShape): number {
  return isNearlyFull(x) ? spaceFor(rowsStruct.size, 4 * rowCount * x.featureCount) : 0;
}

export function layOutRows({ matrix: x, space, rows }: Task, rowIds: Uint32Array): NewtonLayout {
  if (!isNearlyFull(x)) return { rows, kind: x.kind, rowIds };
  const { featureCount } = x;
  const own = space.struct(rowsStruct);
  const values = space.rawFloats(rowIds.length * featureCount).fill(0);
  const { values: stored, indices, starts } = x;
  for (let k = 0; k < rowIds.length; k++) {
    const i = rowIds[k] as number;
    const end = starts[i + 1] as number;
    for (let at = starts[i] as number; at < end; at++) values[k * featureCount + (indices[at] as number)] = stored[at] as number;
  }
  own.assign({ kind: rowKinds.dense, rowCount: rowIds.length, featureCount, values: values.byteOffset });
  return { rows: own.pointer, kind: "dense", rowIds: rowIds.map((_, k) => k) };
}
