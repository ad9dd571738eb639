// What is written reads back as it was, bit for bit; however a text is cut, it reads the same.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnKinds } from "../../src/data/table.ts";
import { type LabelledRows, matrix, readCsv, readSvmlight, type Table, writeCsv, writeSvmlight } from "../../src/index.ts";
import { anyTable } from "../problems/tables.ts";

const runs = { numRuns: 1000, seed: 20261115 };

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}

describe("a table", () => {
  const delimiter = fc.constantFrom("," as const, "\t" as const, ";" as const);

  test("is read back from its CSV as it was, whatever the delimiter, which is found", async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, delimiter, async (table, delimiter) => {
        const { table: again } = await readCsv(writeCsv(table, { delimiter }), { kinds: columnKinds(table) });
        expect(again).toEqual(table);
      }),
      runs,
    );
  });

  test("is read back without a header but for its names", async () => {
    const renamed = (table: Table): Table => ({
      ...table,
      columns: table.columns.map((column, j) => ({ ...column, name: `column${j}` })),
    });
    await fc.assert(
      fc.asyncProperty(anyTable.map(renamed), delimiter, async (table, delimiter) => {
        const { table: again } = await readCsv(writeCsv(table, { delimiter, header: false }), { header: false, kinds: columnKinds(table) });
        expect(again).toEqual(table);
      }),
      runs,
    );
  });

  test("is the same from pieces of any size, with Windows line ends, a byte order mark or blank lines", async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.integer({ min: 1, max: 9 }), async (table, size) => {
        const bytes = writeCsv(table);
        const kinds = columnKinds(table);
        expect((await readCsv(inPieces(bytes, size), { kinds })).table).toEqual(table);
        const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x0d, 0x0a, ...bytes, 0x20, 0x0a);
        expect((await readCsv(inPieces(marked, size), { kinds })).table).toEqual(table);
      }),
      { ...runs, numRuns: 300 },
    );
  });
});

describe("rows and labels", () => {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  const row = fc.uniqueArray(
    fc.tuple(
      fc.nat({ max: 40 }),
      float.map((x) => x || 1),
    ),
    { maxLength: 8, selector: ([j]) => j },
  );
  const rows = fc.array(
    fc.record({ row, label: fc.double({ noNaN: true, noDefaultInfinity: true }), query: fc.nat({ max: Number.MAX_SAFE_INTEGER }) }),
    { minLength: 1, maxLength: 8 },
  );
  const bits = ({ x, y, queries }: LabelledRows) => ({
    indices: [...x.indices],
    values: [...new Uint32Array(x.values.slice().buffer)],
    starts: [...x.starts],
    y: [...new BigUint64Array(y.slice().buffer)],
    queries: queries && [...queries],
  });

  test("are read back from their svmlight text bit for bit", async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(0 as const, 1 as const), fc.boolean(), async (list, indexBase, withQueries) => {
        const x = matrix(
          list.map(({ row }) => Object.fromEntries(row)),
          { featureCount: 41 },
        );
        const y = Float64Array.from(list, ({ label }) => label);
        const queries = withQueries ? Float64Array.from(list, ({ query }) => query) : undefined;
        const again = await readSvmlight(writeSvmlight(x, y, { indexBase, queries }), { indexBase, featureCount: 41 });
        expect(bits(again)).toEqual(bits({ x, y, queries }));
      }),
      { ...runs, numRuns: 500 },
    );
  });

  test("of a dense matrix come back as its values that are not zero", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(float, float, fc.constant(0)), { minLength: 1, maxLength: 5 }), async (list) => {
        const { x } = await readSvmlight(
          writeSvmlight(
            list,
            list.map(() => 1),
          ),
          { featureCount: 3 },
        );
        const dense = list.map(() => [0, 0, 0]);
        for (const [i, row] of dense.entries()) {
          x.forEachInRow(i, (j, value) => {
            row[j] = value;
          });
        }
        expect(dense).toEqual(list.map((row) => row.map((value) => value + 0)));
      }),
      { ...runs, numRuns: 200 },
    );
  });
});
