// Rows as the core multiplies them fastest, for the time of one call: sparse ones that lack little are laid out dense, dense ones that are mostly zero sparse. Kernel
// values are the same bits either way: a product that is zero changes no sum.

import { Matrix } from "../data/matrix.js";
import type { KernelConstants } from "../model/kernel-model.js";
import { Pace } from "../runtime/pace.js";
import { withMatrix } from "../runtime/runtime.js";

/** Part of the values from which on rows count as dense: a multiplication of a sparse row takes up to twice as long. */
const DENSE_PART = 0.5;
/** Bytes that a second copy may take; more only where that is less than half of what the rows take themselves. */
const MOST_BYTES = 2 ** 25;
/** Values copied at a time. */
const SLICE = 200_000;

export async function withQuickRows<T>(x: Matrix, { kind }: KernelConstants, use: (rows: Matrix) => Promise<T>): Promise<T> {
  if (kind === "precomputed" || kind === "custom") return use(x);
  const quick = x.kind === "csr" ? await dense(x) : await sparse(x);
  return quick === undefined ? use(x) : withMatrix(quick, use);
}

async function dense(x: Matrix): Promise<Matrix | undefined> {
  const { rowCount, featureCount, valueCount } = x;
  const size = rowCount * featureCount;
  if (valueCount < DENSE_PART * size || 4 * size > MOST_BYTES) return undefined;
  const values = new Float32Array(size);
  const { starts, indices, values: held } = x;
  // Plain loops here and below: a function called for every value takes longer than the rest.
  await inSlices(x, (i) => {
    const end = starts[i + 1] as number;
    for (let e = starts[i] as number; e < end; e++) values[i * featureCount + (indices[e] as number)] = held[e] as number;
  });
  const shape = { kind: "dense", rowCount, featureCount, valueCount: size } as const;
  return new Matrix(shape, { values, indices: new Uint32Array(), starts: new Uint32Array() });
}

async function sparse(x: Matrix): Promise<Matrix | undefined> {
  const { rowCount, featureCount } = x;
  const size = rowCount * featureCount;
  const held = x.values;
  let count = 0;
  await inSlices(x, (i) => {
    for (let e = i * featureCount; e < (i + 1) * featureCount; e++) if (held[e] !== 0) count++;
  });
  if (count >= DENSE_PART * size || 8 * count > Math.max(MOST_BYTES, 2 * size)) return undefined;
  const starts = new Uint32Array(rowCount + 1);
  const indices = new Uint32Array(count);
  const values = new Float32Array(count);
  let next = 0;
  await inSlices(x, (i) => {
    for (let j = 0; j < featureCount; j++) {
      const value = held[i * featureCount + j] as number;
      if (value === 0) continue;
      indices[next] = j;
      values[next++] = value;
    }
    starts[i + 1] = next;
  });
  return new Matrix({ kind: "csr", rowCount, featureCount, valueCount: count }, { values, indices, starts });
}

function inSlices({ rowCount, featureCount }: Matrix, work: (row: number) => void): Promise<void> {
  return new Pace().inSlices(rowCount, Math.ceil(SLICE / Math.max(1, featureCount)), (from, to) => {
    for (let i = from; i < to; i++) work(i);
  });
}
