import { describe, expect, test } from "vitest";
import { readCsv } from "../../../src/formats/csv.ts";
import { numericMatrix } from "../../../src/formats/numeric-matrix.ts";
import { columnKinds, LinearSVC, writeCsv } from "../../../src/index.ts";
import { thrown } from "../../thrown.ts";

const { table, y } = await readCsv(
  new TextEncoder().encode("a,city,b,gap,big,kind\n1,x,0.1,,1,no\n2,x,-3,4,2,no\n5,z,7,5,1e39,yes\n6,z,8,6,3,yes\n"),
  { label: "kind" },
);

describe("the numeric columns of a table", () => {
  test("are the features of a matrix, rounded to float32, ready to be fitted", async () => {
    const x = numericMatrix(table, { columns: ["b", "a"] });
    expect(x).toMatchObject({ kind: "dense", rowCount: 4, featureCount: 2, valueCount: 8 });
    expect([...x.values]).toEqual([0.1, 1, -3, 2, 7, 5, 8, 6].map(Math.fround));
    const model = await LinearSVC.fit(x, y);
    expect(model.predictOne([7, 6])).toBe("yes");
  });

  test("are all of them if none are named", () => {
    const { columns } = table;
    const narrow = { ...table, columns: columns.filter(({ name }) => ["a", "city", "b"].includes(name)) };
    expect([...numericMatrix(narrow).values]).toEqual([1, 0.1, 2, -3, 5, 7, 6, 8].map(Math.fround));
  });

  const wrong: readonly [what: string, columns: string[] | undefined, message: string][] = [
    ["a missing value", ["a", "gap"], 'bad-input: column "gap" at row 0 is missing; fill it in, or leave out the row or the column'],
    ["a value beyond float32", ["big"], 'bad-input: column "big" at row 2 is 1e+39: too large for float32; scale the column down'],
    [
      "a column of words",
      ["city"],
      'bad-option: columns names "city", which is categorical; only numeric columns become features as they are',
    ],
    ["a column that is not there", ["biig"], 'bad-option: columns names "biig", but the table has no such column; did you mean "big"?'],
    ["no column", [], "bad-input: the table has no numeric columns; encode others first, or say their kinds to readCsv"],
  ];
  for (const [what, columns, message] of wrong) {
    test(`are refused with ${what}`, () => {
      const error = thrown(() => numericMatrix(table, { columns }));
      expect(`${error.code}: ${error.message}`).toBe(message);
    });
  }

  test("of a table without rows are refused", () => {
    const empty = { rowCount: 0, columns: [{ name: "a", kind: "numeric", values: new Float64Array(0), missingCount: 0 } as const] };
    expect(thrown(() => numericMatrix(empty)).message).toBe("the table has no rows; at least one is needed");
  });
});

describe("what is no table", () => {
  const column = { name: "a", kind: "numeric", values: new Float64Array(2), missingCount: 0 };
  const odd: readonly [what: string, table: unknown, message: string][] = [
    ["nothing", undefined, "a table must have a rowCount and columns, got undefined"],
    ["no columns", { rowCount: 1 }, 'a table must have a rowCount and columns, got {"rowCount":1}'],
    ["a column that is null", { rowCount: 1, columns: [null] }, "column 0 of the table must be an object with name and kind, got null"],
    ["too few values", { rowCount: 3, columns: [column] }, 'column "a" must have a Float64Array of 3 values'],
  ];
  for (const [what, table, message] of odd) {
    test(`${what} is refused`, () => {
      const error = thrown(() => numericMatrix(table as never));
      expect([error.code, error.message]).toEqual(["bad-input", message]);
    });
  }

  test("columnKinds and writeCsv refuse it too", () => {
    expect(thrown(() => columnKinds(undefined as never)).message).toBe("a table must have a rowCount and columns, got undefined");
    const levelless = { rowCount: 1, columns: [{ name: "a", kind: "categorical", codes: new Uint32Array(1) }] };
    expect(thrown(() => writeCsv(levelless as never)).message).toBe('column "a" must have an array of levels, got undefined');
  });
});
