import { describe, expect, test } from "vitest";
import { type Column, MISSING_CODE, type Table } from "../../../src/data/table.ts";
import { writeCsv } from "../../../src/formats/csv-write.ts";
import { thrown } from "../../thrown.ts";

const written = (columns: readonly Column[], rowCount: number, options = {}): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(writeCsv({ rowCount, columns }, options));

const text = (name: string, ...values: (string | undefined)[]): Column => ({
  name,
  kind: "text",
  values,
  missingCount: values.filter((value) => value === undefined).length,
});

const numeric = (name: string, ...values: number[]): Column => ({
  name,
  kind: "numeric",
  values: Float64Array.from(values),
  missingCount: values.filter(Number.isNaN).length,
});

describe("a table as CSV", () => {
  test("has a header, a line a row, and nothing for what is missing", () => {
    const city: Column = {
      name: "city",
      kind: "categorical",
      levels: ["Bonn", "Köln"],
      codes: Uint32Array.of(1, MISSING_CODE),
      missingCount: 1,
    };
    const none: Column = { name: "none", kind: "missing", missingCount: 2 };
    expect(written([numeric("size", 0.1, Number.NaN), city, none], 2)).toBe("size,city,none\n0.1,Köln,\n,,\n");
  });

  test("has numbers in their shortest form, the sign of zero kept", () => {
    expect(written([numeric("x", 0, -0, 1e21, 5e-324, 1 / 3, 123456789)], 6)).toBe(
      "x\n0\n-0\n1e+21\n5e-324\n0.3333333333333333\n123456789\n",
    );
  });

  test("has quotes where a field would be read otherwise, and nowhere else", () => {
    const plain = ["a b", "it's", "a;b", "a\tb", "N/A", "nan", "5", "\u00a0x"];
    const special = ["a,b", 'say "x"', "two\nlines", "a\rb", " a", "a ", "\ta", "", "NA", "NaN", "?", "\ufeffa"];
    const values = [...plain, ...special];
    expect(written([text("t", ...values), numeric("n", ...values.map(() => 1))], values.length)).toBe(
      `t,n\n${plain.map((value) => `${value},1\n`).join("")}${special.map((value) => `"${value.replaceAll('"', '""')}",1\n`).join("")}`,
    );
  });

  test("has no other delimiter in its first line but in quotes", () => {
    const n = numeric("n", 1, 1);
    expect(written([text("a;b", "c\td", "c\td"), n], 2)).toBe('"a;b",n\nc\td,1\nc\td,1\n');
    expect(written([text("a", "c\td", "c\td"), n], 2, { header: false })).toBe('"c\td",1\nc\td,1\n');
  });

  test("has no delimiter at all in an only column but in quotes", () => {
    expect(written([text("a;b", "c\td", "c,d")], 2, { delimiter: ";" })).toBe('"a;b"\n"c\td"\n"c,d"\n');
  });

  test("has the delimiter asked for, and no header if none is wanted", () => {
    expect(written([text("a", "x;y"), text("b", "x,y")], 1, { delimiter: ";" })).toBe('a;b\n"x;y";x,y\n');
    expect(written([numeric("a", 1), numeric("b", 2)], 1, { delimiter: "\t", header: false })).toBe("1\t2\n");
  });

  test("has NA for what is missing in an only column, since blank lines are skipped", () => {
    expect(written([text("a", undefined, "")], 2)).toBe('a\nNA\n""\n');
  });
});

describe("writeCsv refuses", () => {
  const cases: readonly [what: string, table: unknown, message: string][] = [
    ["no table", undefined, "a table must have a rowCount and columns, got undefined"],
    ["a table without columns", { rowCount: 1, columns: [] }, "the table has no columns; a file needs at least one"],
    ["a column without a name", { rowCount: 0, columns: [text("")] }, 'the name of a column must be a string of a letter or more, got ""'],
    ["two columns of a name", { rowCount: 0, columns: [text("a"), text("a")] }, 'two columns are named "a"; names must differ'],
    [
      "infinite numbers",
      { rowCount: 2, columns: [numeric("a", 1, -Infinity)] },
      'column "a" must hold finite numbers, row 1 has -Infinity',
    ],
    ["columns of other lengths", { rowCount: 2, columns: [numeric("a", 1)] }, 'column "a" must have a Float64Array of 2 values'],
    ["text of other lengths", { rowCount: 2, columns: [text("a")] }, 'column "a" must have an array of 2 values'],
    ["text that is none", { rowCount: 1, columns: [text("a", 5 as never)] }, 'column "a" must hold strings, row 0 has 5'],
    [
      "half a character",
      { rowCount: 1, columns: [text("a", "x\ud800")] },
      'column "a" must hold well-formed Unicode, row 0 has "x\\ud800"',
    ],
    ["half a character in a name", { rowCount: 0, columns: [text("\udc00")] }, 'the name "\\udc00" is not well-formed Unicode'],
    [
      "a code without a level",
      { rowCount: 1, columns: [{ name: "a", kind: "categorical", levels: ["x"], codes: Uint32Array.of(1), missingCount: 0 }] },
      'column "a" must have 1 levels, row 0 has code 1',
    ],
    [
      "codes of other lengths",
      { rowCount: 2, columns: [{ name: "a", kind: "categorical", levels: ["x"], codes: Uint32Array.of(0), missingCount: 0 }] },
      'column "a" must have a Uint32Array of 2 codes',
    ],
    [
      "another kind",
      { rowCount: 1, columns: [{ name: "a", kind: "date" }] },
      'column "a" must be "numeric", "categorical", "text" or "missing", got "date"',
    ],
  ];
  for (const [what, table, message] of cases) {
    test(what, () => {
      const error = thrown(() => writeCsv(table as Table));
      expect([error.code, error.message]).toEqual(["bad-input", message]);
    });
  }
});
