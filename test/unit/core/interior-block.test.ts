import { describe, expect, test } from "vitest";
import { interiorRowStruct, interiorStateStruct, normalMatrixWays } from "../../../src/runtime/layout.ts";
import { Column, StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

const BIAS = 2.5;
const ROWS = 101;
const FEATURES = 6;
const x = denseRows(sparseSet(ROWS, FEATURES, 3, 3)).map((row) => row.map(Math.fround));

/** A state whose table goes over the rows backwards, the cursor at the second block. */
function stateOf(way: keyof typeof normalMatrixWays, kind: "dense" | "csr", sides: number) {
  const core = coreUnderTest();
  const order = Array.from({ length: ROWS }, (_, k) => ROWS - 1 - k);
  const table = core.take(interiorRowStruct.size * ROWS * sides);
  new Column(interiorRowStruct, "row", core.buffer, table, ROWS * sides).fill(order.flatMap((row) => new Array<number>(sides).fill(row)));
  const state = new StructView(interiorStateStruct, core.buffer, core.take(interiorStateStruct.size));
  const columns = core.doubles(new Array<number>(2 * 64 * 8).fill(Number.NaN));
  const numbers = (): number => core.doubles(new Array<number>(64).fill(Number.NaN));
  state.assign({
    rows: putRows(core, kind, x, FEATURES),
    table,
    rowCount: ROWS * sides,
    sides,
    way: normalMatrixWays[way],
    biasScale: BIAS,
  });
  state.assign({ columns, products: numbers(), scales: numbers(), others: numbers() });
  if (way === "columns") core.call.fillColumns?.(state.pointer);
  state.set("cursor", 64 * sides);
  const block = order.slice(64).map((row) => x[row] as number[]);
  return { core, state, block, order };
}

for (const way of ["rows", "blocks", "columns"] as const) {
  for (const kind of ["dense", "csr"] as const) {
    describe.each([1, 2])(`${way}, ${kind}, %s sides`, (sides) => {
      const { core, state, block, order } = stateOf(way, kind, sides);
      const count = ROWS - 64;

      test("what is left of the table is its last block", () => {
        expect(core.call.blockRows?.(state.pointer)).toBe(count);
        expect(core.call.rowAt?.(state.pointer, 2)).toBe(order[66]);
        const stored = block.reduce((sum, row) => sum + (kind === "dense" ? FEATURES : row.filter((value) => value !== 0).length), 0);
        expect(core.call.blockValues?.(state.pointer, state.get("rows"), count)).toBe(stored);
        expect(core.call.unknowns?.(state.pointer)).toBe(FEATURES + 1);
        expect(core.call.strideOf?.(state.pointer)).toBe(8);
        expect(core.call.columnsHere?.(state.pointer)).toBe(state.get("columns") + 8 * 64 * 8);
      });

      test("products with a vector, and sums, are those of plain loops", () => {
        const t = Array.from({ length: FEATURES + 1 }, (_, j) => Math.cos(j));
        core.call.multiply?.(state.pointer, state.get("rows"), count, core.doubles([...t, 0]));
        const products = core.readDoubles(state.get("products"), count);
        const scales = Array.from({ length: count }, (_, k) => Math.sin(k));
        new Float64Array(core.buffer, state.get("scales"), count).set(scales);
        const sum = core.doubles(new Array<number>(8).fill(1));
        core.call.addInteriorRows?.(state.pointer, state.get("rows"), count, state.get("scales"), sum);
        const sums = core.readDoubles(sum, FEATURES + 1);
        const z = block.map((row) => [...row, BIAS]);
        const near = (got: number, terms: readonly number[]): void => {
          const size = terms.reduce((total, term) => total + Math.abs(term), 0);
          expect(Math.abs(got - terms.reduce((total, term) => total + term, 0))).toBeLessThanOrEqual(
            (terms.length + 3) * Number.EPSILON * size,
          );
        };
        for (const [k, row] of z.entries()) {
          const terms = row.map((value, j) => value * (t[j] as number));
          near(products[k] as number, terms);
        }
        for (let j = 0; j <= FEATURES; j++) near(sums[j] as number, [1, ...z.map((row, k) => (row[j] as number) * (scales[k] as number))]);
      });
    });
  }
}
