import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Matrix } from "../../../src/data/matrix.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { matrix } from "../../../src/index.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { thrown } from "../../thrown.ts";

const anyForm = "row 0 of x must be an array of numbers, [indices, values] or {index: value}, got";
const tooLarge = "too large for float32; scale the feature down";

const pack = (rows: unknown, featureCount?: number): Matrix => packRows(rows as RowsInput, allocatePlain, featureCount);

const row = (indices: number[], values: number[]): unknown => [indices, values];

/** Non-zero values as "feature:value", row by row. */
function content(x: Matrix): string[][] {
  return Array.from({ length: x.rowCount }, (_, i) => {
    const found: string[] = [];
    x.forEachInRow(i, (feature, value) => {
      if (value !== 0) found.push(`${feature}:${value}`);
    });
    return found;
  });
}

function messageFor(rows: unknown, featureCount?: number): string {
  const error = thrown(() => pack(rows, featureCount));
  return `${error.code}: ${error.message}`;
}

describe("every accepted form of rows", () => {
  const dense = [
    [1, 0, 2.5],
    [0, 0, 0],
    [0, -3, 0.1],
  ];
  const forms: Readonly<Record<string, unknown>> = {
    "arrays of numbers": dense,
    "typed arrays of doubles": dense.map((row) => Float64Array.from(row)),
    "typed arrays of floats": dense.map((row) => Float32Array.from(row)),
    "arrays and typed arrays together": [dense[0], new Int8Array(3), Float64Array.from(dense[2] ?? [])],
    "flat doubles": { data: Float64Array.from(dense.flat()), rowCount: 3, featureCount: 3 },
    "flat floats": { data: Float32Array.from(dense.flat()), rowCount: 3, featureCount: 3 },
    "[indices, values]": [row([0, 2], [1, 2.5]), row([], []), row([1, 2], [-3, 0.1])],
    "[indices, values] as typed arrays, with zeros written out": [
      [Uint32Array.of(0, 1, 2), Float32Array.of(1, 0, 2.5)],
      [Uint8Array.of(2), Float64Array.of(0)],
      [Uint16Array.of(1, 2), [-3, 0.1]],
    ],
    "{index: value}, keys in any order": [{ 2: 2.5, 0: 1 }, {}, { 1: -3, 2: 0.1 }],
  };
  for (const [name, rows] of Object.entries(forms)) {
    test(`${name} give the same matrix`, () => {
      const x = pack(rows);
      expect(content(x)).toEqual([["0:1", "2:2.5"], [], ["1:-3", `2:${Math.fround(0.1)}`]]);
      expect([x.rowCount, x.featureCount]).toEqual([3, 3]);
    });
  }

  test("dense rows keep every value, sparse rows drop zeros", () => {
    const x = pack(dense);
    expect([x.kind, x.valueCount, x.values.length, x.indices.length, x.starts.length]).toEqual(["dense", 9, 9, 0, 0]);
    const sparse = pack([row([0, 1, 2], [1, 0, 2.5]), row([0], [-0]), row([2], [1e-60])]); // the last is 0 as float32
    expect([sparse.kind, sparse.valueCount]).toEqual(["csr", 2]);
    expect([...sparse.values, ...sparse.indices, ...sparse.starts]).toEqual([1, 2.5, 0, 2, 0, 2, 2, 2]);
  });

  test("sparse and dense rows of any content agree", () => {
    const value = fc.oneof(fc.constant(0), fc.double({ min: -1e38, max: 1e38, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 6 }), (rows) => {
        const pairs = rows.map((row) => [[0, 1, 2, 3], row]);
        const records = rows.map((row) => Object.fromEntries(row.entries()));
        const expected = content(pack(rows));
        expect(content(pack(pairs))).toEqual(expected);
        expect(content(pack(records))).toEqual(expected);
        expect(content(pack({ data: Float64Array.from(rows.flat()), rowCount: rows.length, featureCount: 4 }))).toEqual(expected);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  test("rows without features and rows without values are fine", () => {
    expect(pack([[], []])).toMatchObject({ kind: "dense", rowCount: 2, featureCount: 0, valueCount: 0 });
    expect(pack([[[], []]])).toMatchObject({ kind: "csr", rowCount: 1, featureCount: 0, valueCount: 0 });
    expect(pack([{}])).toMatchObject({ kind: "csr", rowCount: 1, featureCount: 0, valueCount: 0 });
    expect(pack({ data: new Float32Array(0), rowCount: 2, featureCount: 0 })).toMatchObject({ rowCount: 2, valueCount: 0 });
  });

  test("featureCount widens sparse rows", () => {
    expect(pack([[[1], [1]]], 5).featureCount).toBe(5);
    expect(pack([{}], 5).featureCount).toBe(5);
  });

  test("inputs are not modified, and the matrix is a copy", () => {
    const data = Float32Array.of(1, 2, 3, 4);
    const x = pack({ data, rowCount: 2, featureCount: 2 });
    data[0] = 9;
    expect(x.values[0]).toBe(1);
    const rows = Object.freeze([Object.freeze([Object.freeze([0, 1]), Object.freeze([5, 0])]), Object.freeze([[], []])]);
    expect(content(pack(rows))).toEqual([["0:5"], []]); // writing to frozen arrays would have thrown
  });
});

describe("a message of its own", () => {
  const flat = { data: Float32Array.of(1, 2, 3, 4), rowCount: 2, featureCount: 2 };
  const hole = [0, 0, 0];
  delete hole[1];
  const holes = (row: unknown): unknown[] => {
    const rows = [row, row, row];
    delete rows[1];
    return rows;
  };
  const cases: readonly [what: string, rows: unknown, message: string][] = [
    ["undefined", undefined, "x must be an array of rows or a Matrix, got undefined"],
    ["null", null, "x must be an array of rows or a Matrix, got null"],
    ["a string", "1 2", 'x must be an array of rows or a Matrix, got "1 2"'],
    ["no rows", [], "x has no rows; at least one is needed"],
    ["numbers in place of rows", [1, 2], `${anyForm} 1`],
    ["null as the first row", [null], `${anyForm} null`],
    ["a Map as a row", [new Map([[0, 1]])], `${anyForm} a Map of 1`],
    ["a DataView", [new DataView(new ArrayBuffer(8))], `${anyForm} a DataView`],

    ["NaN", [[1, Number.NaN]], "x at row 0, column 1 is NaN: not a finite number"],
    ["infinity", [[1], [-Infinity]], "x at row 1, column 0 is -Infinity: not a finite number"],
    ["a number too large for float32", [[1e39]], `x at row 0, column 0 is 1e+39: ${tooLarge}`],
    ["a string as a value", [[1, "2"]], 'x at row 0, column 1 is "2": not a finite number'],
    ["null as a value", [[null]], "x at row 0, column 0 is null: not a finite number"],
    ["a bigint", [BigInt64Array.of(1n)], "x at row 0, column 0 is 1n: not a finite number"],
    ["a hole in a row", [hole], "x at row 0, column 1 is undefined: not a finite number"],
    ["a hole in place of a dense row", holes([1]), "row 1 of x must be an array of numbers like row 0, got undefined"],
    ["a hole in place of a sparse row", holes([[0], [1]]), "row 1 of x must be [indices, values] like row 0, got undefined"],
    ["a hole in place of a record", holes({ 0: 1 }), "row 1 of x must be an {index: value} object like row 0, got undefined"],
    ["ragged rows", [[1, 2], [3]], "rows of x must be equally long: row 0 has 2 values, row 1 has 1"],
    ["a record after arrays", [[1], { 0: 1 }], 'row 1 of x must be an array of numbers like row 0, got {"0":1}'],
    ["a sparse row after dense ones", [[1, 2], row([0], [1])], "x at row 1, column 0 is an array of 1: not a finite number"],

    ["a dense row after sparse ones", [row([0], [1]), [1, 2]], "row 1 of x must be [indices, values] like row 0, got an array of 2"],
    ["more indices than values", [row([0, 1], [1])], "row 0 of x has 2 indices for 1 values"],
    ["unsorted indices", [row([2, 1], [1, 1])], "row 0 of x: feature index 1 follows 2; indices must rise along a row"],
    ["a repeated index", [row([1, 1], [1, 1])], "row 0 of x: feature index 1 follows 1; indices must rise along a row"],
    ["a negative index", [row([-1], [1])], "row 0 of x: feature index -1 must be a whole number from 0"],
    ["a fractional index", [row([], []), row([0.5], [1])], "row 1 of x: feature index 0.5 must be a whole number from 0"],
    ["an index that is a string", [[["1"], [1]]], 'row 0 of x: feature index "1" must be a whole number from 0'],
    ["an index of 2^31", [row([2 ** 31], [1])], "row 0 of x: feature index 2147483648 must be below 2147483648"],
    ["NaN in a sparse row, by its feature", [row([0, 7], [1, NaN])], "x at row 0, column 7 is NaN: not a finite number"],
    ["too large a value in a sparse row", [row([3], [-1e39])], `x at row 0, column 3 is -1e+39: ${tooLarge}`],

    ["an array after records", [{ 0: 1 }, [1]], "row 1 of x must be an {index: value} object like row 0, got an array of 1"],
    [
      "a typed array after records",
      [{ 0: 1 }, new Int8Array(1)],
      "row 1 of x must be an {index: value} object like row 0, got an Int8Array",
    ],
    ["a record with a word as a key", [{ weight: 1 }], 'row 0 of x: feature index "weight" must be a whole number from 0'],
    ["a record with an empty key", [{ "": 1 }], 'row 0 of x: feature index "" must be a whole number from 0'],
    ["a record with a padded key", [{ "01": 1 }], 'row 0 of x: feature index "01" must be a whole number from 0'],
    ["a record with a negative key", [{ "-1": 1 }], "row 0 of x: feature index -1 must be a whole number from 0"],
    ["a record with a string as a value", [{ 4: "1" }], 'x at row 0, column 4 is "1": not a finite number'],

    ["flat rows without data", {}, "x.data must be a Float32Array or Float64Array, got undefined"],
    ["flat rows in a plain array", { ...flat, data: [1, 2, 3, 4] }, "x.data must be a Float32Array or Float64Array, got an array of 4"],
    ["flat rows of integers", { ...flat, data: new Int32Array(4) }, "x.data must be a Float32Array or Float64Array, got an Int32Array"],
    ["flat rows of another shape", { ...flat, rowCount: 3 }, "x.data has 4 values, which must be rowCount 3 times featureCount 2"],
    ["half a row", { ...flat, rowCount: 1.6, featureCount: 2.5 }, "x.data has 4 values, which must be rowCount 1.6 times featureCount 2.5"],
    [
      "negative counts",
      { ...flat, rowCount: -2, featureCount: -2 },
      "x.data has 4 values, which must be rowCount -2 times featureCount -2",
    ],
    [
      "flat rows without a shape",
      { data: flat.data },
      "x.data has 4 values, which must be rowCount undefined times featureCount undefined",
    ],
    ["no flat rows", { data: new Float32Array(0), rowCount: 0, featureCount: 2 }, "x has no rows; at least one is needed"],
    ["NaN in flat rows", { ...flat, data: Float64Array.of(1, 2, 3, NaN) }, "x at row 1, column 1 is NaN: not a finite number"],
    ["too large a flat value", { ...flat, data: Float64Array.of(1, 2, 4e38, 0) }, `x at row 1, column 0 is 4e+38: ${tooLarge}`],
  ];
  for (const [what, rows, message] of cases) {
    test(`says so of ${what}`, () => {
      expect(messageFor(rows)).toBe(`bad-input: ${message}`);
    });
  }

  test("says so of an index of featureCount or more", () => {
    expect(messageFor([[[5], [1]]], 5)).toBe("bad-input: row 0 of x: feature index 5 must be below 5");
    expect(content(pack([[[4], [1]]], 5))).toEqual([["4:1"]]);
  });

  test("says so of dense rows that are not as wide as featureCount says", () => {
    expect(messageFor([[1, 2]], 5)).toBe("bad-input: rows of x have 2 values each, featureCount says 5");
    expect(messageFor(flat, 3)).toBe("bad-input: rows of x have 2 values each, featureCount says 3");
  });

  for (const featureCount of [-1, 1.5, Number.NaN, 2 ** 31 + 1]) {
    test(`says so of a featureCount of ${featureCount}`, () => {
      expect(thrown(() => matrix([[[0], [1]]], { featureCount })).message).toBe(
        `featureCount must be a whole number from 0 to 2147483648, got ${featureCount}`,
      );
    });
  }

  test("says so of more rows than can be counted", () => {
    const many = { data: new Float32Array(0), rowCount: 2 ** 40, featureCount: 0 };
    expect(messageFor(many)).toBe(`out-of-memory: a matrix holds at most 4294967294 rows and values, got ${2 ** 40} and 0; split it`);
  });
});

test("float32 rounding at the upper end: what rounds to the largest float is kept, the next is refused", () => {
  const largest = 3.4028234663852886e38; // (2 - 2^-23) 2^127
  const halfWay = 3.4028235677973366e38; // (2 - 2^-24) 2^127, which rounds to even, that is up
  expect(pack([[largest]]).values[0]).toBe(largest);
  expect(pack([[halfWay * (1 - 2 ** -53)]]).values[0]).toBe(largest);
  expect(messageFor([[halfWay]])).toBe(`bad-input: x at row 0, column 0 is 3.4028235677973366e+38: ${tooLarge}`);
});

describe("what only looks like a row or a data set", () => {
  // Without keys of their own these would pass for rows of zeros.
  const impostors: readonly [what: string, row: unknown][] = [
    ["a Set", new Set([1, 2])],
    ["a Map", new Map([[0, 1]])],
    ["a Date", new Date(0)],
    ["an ArrayBuffer", new ArrayBuffer(8)],
    ["a promise", Promise.resolve([1])],
    ["a boxed number", Object(3)],
  ];
  for (const [what, impostor] of impostors) {
    test(`${what} is no row, first or later`, () => {
      expect(messageFor([impostor])).toContain(`bad-input: ${anyForm} `);
      expect(messageFor([{ 0: 1 }, impostor])).toContain("bad-input: row 1 of x must be an {index: value} object like row 0, got ");
    });
  }

  test("objects without a prototype, as parsers make them, are rows", () => {
    expect(content(pack([Object.assign(Object.create(null), { 2: 5 })]))).toEqual([["2:5"]]);
  });

  test("a flat array needs its shape", () => {
    expect(messageFor(new Float32Array(4))).toContain(
      "a flat array with its shape { data, rowCount, featureCount } or a Matrix, got a Float32Array",
    );
  });

  test("a Matrix cannot be given another width", () => {
    const x = matrix([{ 0: 1 }]);
    expect(matrix(x, { featureCount: 1 })).toBe(x);
    expect(thrown(() => matrix(x, { featureCount: 5 })).message).toBe(
      "x is a Matrix of 1 features already, featureCount says 5; pack its rows anew",
    );
  });
});
