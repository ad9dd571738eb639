// Rows that hold the same: all of them found, or the search given up where it would lead nowhere.

import { expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import { equalRows, equalRowsBytes } from "../../../src/solve/equal-rows.ts";
import { taskHere } from "../../solve-here.ts";

const n = 40_000;

function found(kindOf: (i: number) => number, least: number): Promise<{ firstOf: Uint32Array | undefined }> {
  const x = matrix(Array.from({ length: n }, (_, i) => [kindOf(i), 1, 2]));
  return equalRows(taskHere(x, equalRowsBytes(x))(), { least });
}

test("every second row is a copy of the one before", async () => {
  const { firstOf } = await found((i) => i - (i % 2), 0.4 * n);
  expect(firstOf).toEqual(Uint32Array.from({ length: n }, (_, i) => i - (i % 2)));
});

test("one copy is enough where one is asked for, wherever it stands", async () => {
  const { firstOf } = await found((i) => (i === n - 1 ? 0 : i), 1);
  expect(firstOf?.[n - 1]).toBe(0);
});

test("too few copies are none", async () => {
  expect((await found((i) => (i % 4 === 1 ? i - 1 : i), 0.4 * n)).firstOf).toBeUndefined();
});

test("nothing in the first quarter is taken for nothing at all, where many are asked for", async () => {
  const late = (i: number): number => (i < n / 2 ? i : 0);
  expect((await found(late, 0.4 * n)).firstOf).toBeUndefined();
  expect((await found(late, 0.2 * n)).firstOf?.[n - 1]).toBe(0);
});
