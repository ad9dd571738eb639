import { expect, test } from "vitest";
import { rowKinds, rowsStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const rows = [
  [1, 0, 2],
  [0, 0, 0],
  [1, 0, 2],
  [1, 2, 0],
  [0, 0, 0],
  [1, 0, 2],
  [2, 0, 1],
];
const firsts = [0, 1, 0, 3, 1, 0, 6];

for (const kind of ["dense", "csr"] as const) {
  // With eight places for seven rows, most of them are found behind others.
  for (const mask of [7, 63]) {
    test(`${kind}, ${mask + 1} places: the first row that holds the same, in one go or in several`, () => {
      for (const cuts of [[7], [3, 4, 7]]) {
        const core = coreUnderTest();
        const x = putRows(core, kind, rows, 3);
        const [firstOf, hashes, table] = [
          core.words(new Uint32Array(7)),
          core.words(new Uint32Array(7)),
          core.words(new Uint32Array(mask + 1)),
        ];
        let [from, copies] = [0, 0];
        for (const to of cuts) {
          copies += core.call.equalRows?.(x, firstOf, hashes, table, mask, from, to) ?? Number.NaN;
          from = to;
        }
        expect(core.readWords(firstOf, 7)).toEqual(firsts);
        expect(copies).toBe(3);
      }
    });
  }

  test(`${kind}: chosen rows side by side`, () => {
    const core = coreUnderTest();
    const x = putRows(core, kind, rows, 3);
    const out = core.take(rowsStruct.size);
    const [values, indices, starts] = [core.floats(new Float32Array(9)), core.words(new Uint32Array(9)), core.words(new Uint32Array(4))];
    new StructView(rowsStruct, core.buffer, out).assign({ kind: rowKinds[kind], rowCount: 3, featureCount: 3, values, indices, starts });
    core.call.gatherRows?.(x, core.words([6, 1, 3]), 3, out);
    const floats = Array.from(new Float32Array(core.buffer.slice(values, values + 36)));
    if (kind === "dense") expect(floats).toEqual([2, 0, 1, 0, 0, 0, 1, 2, 0]);
    else {
      expect(floats.slice(0, 4)).toEqual([2, 1, 1, 2]);
      expect(core.readWords(indices, 4)).toEqual([0, 2, 0, 1]);
      expect(core.readWords(starts, 4)).toEqual([0, 2, 2, 4]);
    }
  });
}

test("0 and -0 are the same, stored or not it counts", () => {
  const core = coreUnderTest();
  const x = putRows(
    core,
    "dense",
    [
      [0, 1],
      [-0, 1],
      [0, -1],
    ],
    2,
  );
  const firstOf = core.words(new Uint32Array(3));
  expect(core.call.equalRows?.(x, firstOf, core.words(new Uint32Array(3)), core.words(new Uint32Array(8)), 7, 0, 3)).toBe(1);
  expect(core.readWords(firstOf, 3)).toEqual([0, 0, 2]);
});
