import { expect, test } from "vitest";
import { transposed } from "../../../src/base/transposed.ts";

test("every number comes where its row and column are exchanged", () => {
  for (const [rows, columns] of [
    [1, 1],
    [3, 40],
    [40, 3],
    [17, 33],
    [16, 16],
    [0, 5],
  ] as const) {
    const values = Float64Array.from({ length: rows * columns }, (_, k) => k + 1);
    const turned = transposed(values, rows, columns);
    expect(turned.length).toBe(values.length);
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) expect(turned[j * rows + i]).toBe(values[i * columns + j]);
    expect(transposed(turned, columns, rows)).toEqual(values);
  }
});
