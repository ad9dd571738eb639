import { expect, test } from "vitest";
import { Column, StructView, struct } from "../../../src/runtime/struct.ts";

const pairStruct = struct({ count: "u32", share: "f32", sum: "f64" });

test("fields have their own place and size, whoever writes them", () => {
  const view = new StructView(pairStruct, new ArrayBuffer(64), 16);
  view.assign({ count: 0xffffffff, share: 0.1, sum: 0.1 });
  expect([view.get("count"), view.get("share"), view.get("sum")]).toEqual([0xffffffff, Math.fround(0.1), 0.1]);
  expect(() => view.assign({ ...{ count: 1, total: 2 } })).toThrow("the struct has no field total");
});

test("a column is one field of many structs: some of them, all alike, or one", () => {
  const buffer = new ArrayBuffer(4 * pairStruct.size);
  const sums = new Column(pairStruct, "sum", buffer, 0, 4);
  const counts = new Column(pairStruct, "count", buffer, 0, 4);
  sums.fill(2.5);
  counts.fill([1, 2, 3]);
  sums.set(2, -1);
  expect(Array.from(sums.copy(4))).toEqual([2.5, 2.5, -1, 2.5]);
  expect(Array.from(counts.copy(4))).toEqual([1, 2, 3, 0]);
  expect([sums.get(2), counts.get(1)]).toEqual([-1, 2]);
});
