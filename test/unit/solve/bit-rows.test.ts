// Which rows of ones are kept as bits, and what becomes of them.

import { expect, test } from "vitest";
import { type Matrix, matrix } from "../../../src/index.ts";
import { kernelStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { spaceFor } from "../../../src/runtime/task.ts";
import type { KernelFunction } from "../../../src/solve/kernel-problem.ts";
import { KernelRows, kernelRowsBytes } from "../../../src/solve/kernel-rows.ts";
import { taskHere } from "../../solve-here.ts";

const N = 40;

/** Row i lacks the features i, i + 3, i + 6, ..., has the last one and, of those it may have, the first `size` - 1. */
function ones(d: number, size: number): number[][] {
  return Array.from({ length: N }, (_, i) => {
    const all = Array.from({ length: d - 1 }, (_, j) => j).filter((j) => (j + i) % 3 !== 0);
    return [...all.slice(0, size - 1), d - 1];
  });
}

/** The values of row 1 with all others, and whether they came from bits. */
function valuesOf(x: Matrix, kernel: KernelFunction): { values: number[]; hasBits: boolean } {
  const task = taskHere(x, kernelRowsBytes(x) + spaceFor(4 * N, 4 * (N + 4)))();
  const ids = task.space.rawWords(N);
  for (let i = 0; i < N; i++) ids[i] = i;
  const rows = new KernelRows(task, kernel, ids);
  new KernelRows(task, kernel, ids, { isExact: true }); // there is room for both
  const out = task.space.rawFloats(N + 4);
  for (const _ of rows.fill([1], [out.byteOffset], ids, 0, N));
  const hasBits = new StructView(kernelStruct, ids.buffer, rows.places.kernel).get("bits") !== 0;
  return { values: Array.from(out.subarray(0, N)), hasBits };
}

for (const [d, size, kind, hasBits] of [
  [7, 3, "rbf", false],
  [8, 3, "rbf", true],
  [128, 2, "rbf", true],
  [128, 2, "polynomial", false],
  [129, 19, "rbf", false],
  [129, 20, "rbf", true],
  [256, 60, "rbf", true],
  [257, 60, "rbf", false],
] as const) {
  test(`${d} features, ${size} ones a row, ${kind}: ${hasBits ? "bits" : "no bits"}, and the values of rows that are multiplied`, () => {
    const kernel: KernelFunction = { kind, gamma: 0.03, coef0: 1, degree: 2 };
    const rows = ones(d, size);
    const found = valuesOf(matrix(rows.map((row) => [row, row.map(() => 1)] as const)), kernel);
    expect(found.hasBits).toBe(hasBits);
    // Dense rows are never counted.
    const dense = matrix(rows.map((row) => Array.from({ length: d }, (_, j) => (row.includes(j) ? 1 : 0))));
    expect(dense.kind).toBe("dense");
    expect(found.values).toEqual(valuesOf(dense, kernel).values);
  });
}
