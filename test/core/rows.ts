// Matrices in the memory of the core under test, dense and CSR, from the same plain rows.

import { rowKinds, rowsStruct } from "../../src/runtime/layout.ts";
import { StructView } from "../../src/runtime/struct.ts";
import type { CoreUnderTest } from "./instance.ts";

/** Address of a Rows struct with the content of `rows`, its arrays shifted by `shift` bytes. */
export function putRows(
  core: CoreUnderTest,
  kind: "dense" | "csr",
  rows: readonly (readonly number[])[],
  featureCount: number,
  shift = 0,
): number {
  const stored = kind === "dense" ? rows : rows.map((row) => row.filter((value) => value !== 0));
  const indices = kind === "dense" ? [] : rows.flatMap((row) => row.flatMap((value, j) => (value === 0 ? [] : [j])));
  const starts = [0];
  for (const row of stored) starts.push((starts.at(-1) as number) + row.length);
  const at = core.take(rowsStruct.size);
  new StructView(rowsStruct, core.buffer, at).assign({
    kind: rowKinds[kind],
    rowCount: rows.length,
    featureCount,
    values: core.floats(stored.flat(), shift),
    indices: kind === "dense" ? 0 : core.words(indices, shift),
    starts: kind === "dense" ? 0 : core.words(starts, shift),
  });
  return at;
}
