import { describe, expect, test } from "vitest";
import type { CsvOptions } from "../../../src/base/options/csv.ts";
import { type Column, columnKinds, MISSING_CODE, type Table } from "../../../src/data/table.ts";
import { readCsv, type TableAndLabels } from "../../../src/formats/csv.ts";

const read = (text: string, options?: CsvOptions): Promise<TableAndLabels> => readCsv(new TextEncoder().encode(text), options);

/** The values of a column as a reader of the file would say them. */
function valuesOf(column: Column, rowCount: number): (number | string | undefined)[] {
  if (column.kind === "numeric") return Array.from(column.values, (value) => (Number.isNaN(value) ? undefined : value));
  if (column.kind === "text") return [...column.values];
  if (column.kind === "missing") return Array.from({ length: rowCount }, () => undefined);
  return Array.from(column.codes, (code) => (code === MISSING_CODE ? undefined : column.levels[code]));
}

const content = ({ columns, rowCount }: Table) => Object.fromEntries(columns.map((column) => [column.name, valuesOf(column, rowCount)]));
const kinds = ({ columns }: Table) => columns.map(({ kind }) => kind).join(" ");

describe("a text in CSV form", () => {
  const plain = "size,city\n1.5,Bonn\n-2,Köln\n3e2,Bonn\n4,Köln\n";
  const same: Readonly<Record<string, string>> = {
    "as it should be": plain,
    "without a final newline": plain.trimEnd(),
    "with Windows line ends": plain.replaceAll("\n", "\r\n"),
    "cut off between the halves of its last line end": `${plain.trimEnd()}\r`,
    "with a byte order mark": `\ufeff${plain}`,
    "with blank lines": `\n \n${plain.replaceAll("\n", "\n\t\r\n\n")}\n  `,
    "with blanks around fields": plain.replaceAll(",", " ,\t ").replaceAll("\n", " \n "),
    "with tabs": plain.replaceAll(",", "\t"),
    "with semicolons": plain.replaceAll(",", ";"),
    "with quotes around every field": plain.replaceAll(/[^,\n]+/g, '"$&"'),
    "with quotes and blanks around them": plain.replaceAll(/[^,\n]+/g, ' "$&" '),
  };
  for (const [name, text] of Object.entries(same)) {
    test(`${name} gives the same table`, async () => {
      const { table, y } = await read(text);
      expect(content(table)).toEqual({ size: [1.5, -2, 300, 4], city: ["Bonn", "Köln", "Bonn", "Köln"] });
      expect([table.rowCount, kinds(table), y]).toEqual([4, "numeric categorical", undefined]);
    });
  }

  test("may have delimiters, line ends and doubled quotes within quotes", async () => {
    const { table } = await read('a,b\n"1,5","two\r\nlines"\n"say ""yes""",""""\n');
    expect(content(table)).toEqual({ a: ["1,5", 'say "yes"'], b: ["two\r\nlines", '"'] });
  });

  test("may have one column, and quotes make an empty line a row", async () => {
    expect(content((await read("a\n1\n\n2\n")).table)).toEqual({ a: [1, 2] });
    expect(content((await read('a\nx\n""\n', { kinds: { a: "text" } })).table)).toEqual({ a: ["x", ""] });
  });

  test("ends in an empty field if it ends in a delimiter", async () => {
    expect(content((await read("a,b\n1,")).table)).toEqual({ a: [1], b: [undefined] });
  });

  test("keeps a byte order mark that is not at its beginning", async () => {
    expect(content((await read("a\n\ufeffx")).table)).toEqual({ a: ["\ufeffx"] });
  });

  test("has names for columns without one", async () => {
    expect(Object.keys(content((await read(",b,\n1,2,3")).table))).toEqual(["column0", "b", "column2"]);
    expect(content((await read("1,2\n3,4", { header: false })).table)).toEqual({ column0: [1, 3], column1: [2, 4] });
  });

  test("may have columns named like parts of objects", async () => {
    const { table } = await read("__proto__,constructor\n1,2", { kinds: Object.fromEntries([["constructor", "text"]]) });
    expect(table.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ["__proto__", "numeric"],
      ["constructor", "text"],
    ]);
    expect(Object.entries(columnKinds(table))).toEqual([
      ["__proto__", "numeric"],
      ["constructor", "text"],
    ]);
  });

  test("is frozen once it is a table, and can be cloned", async () => {
    const { table } = await read(plain);
    expect([table, table.columns, ...table.columns].every(Object.isFrozen)).toBe(true);
    expect(structuredClone(table)).toEqual(table);
  });
});

describe("the delimiter", () => {
  const cases: readonly [what: string, text: string, options: CsvOptions, names: string[]][] = [
    ["is the one that the first line has most of", "a;b;c,d\n1;2;3", {}, ["a", "b", "c,d"]],
    ["is a comma where two come equally often", "a;b,c\n1,2", {}, ["a;b", "c"]],
    ["is not looked for in quotes", '"a;;;;b",c\n1,2', {}, ["a;;;;b", "c"]],
    ["is a comma if there is none", "a\n1", {}, ["a"]],
    ["is a tab in a file named .tsv", "a,b\tc\n1\t2", { name: "x.TSV" }, ["a,b", "c"]],
    ["is a tab in a file named .tsv.gz", "a,b,c\td\n1\t2", { name: "x.tsv.gz" }, ["a,b,c", "d"]],
    ["is what the option says", "a,b;c\n1;2", { delimiter: ";", name: "x.tsv" }, ["a,b", "c"]],
  ];
  for (const [what, text, options, names] of cases) {
    test(what, async () => {
      expect((await read(text, options)).table.columns.map(({ name }) => name)).toEqual(names);
    });
  }
});

describe("the kind of a column", () => {
  const column = (values: readonly (string | number)[]): string => `c,d\n${values.map((value) => `${value},x\n`).join("")}`;
  const range = (count: number, of: (k: number) => string): string[] => Array.from({ length: count }, (_, k) => of(k));
  const cases: readonly [what: string, values: readonly string[], kind: string][] = [
    ["is numeric if all values are decimal numbers", ["1", "-.5", "+2.", "1e300"], "numeric"],
    ["is numeric if the others are missing", ["", "1", "NA", "?", "NaN"], "numeric"],
    ["is numeric if the others are missing in quotes", ['"1"', '""', '"NA"'], "numeric"],
    ["is missing if all values are, in quotes or not", ["", "NA", '""'], "missing"],
    ["is no number beyond double", ["1", "1e999"], "text"],
    ["is no number in hexadecimal", ["0x10", "0x10"], "categorical"],
    ["is categorical if values come twice on average", ["a", "b", "a", "b"], "categorical"],
    ["is text if they do not", ["a", "b", "a"], "text"],
    ["is found without the missing ones", ["a", "", "b", "", "a", ""], "text"],
    ["is categorical up to 1000 different values", range(2000, (k) => `v${k % 1000}`), "categorical"],
    ["is text beyond", range(2002, (k) => `v${k % 1001}`), "text"],
    ["is found from the last value too", [...range(500, String), "x"], "text"],
  ];
  for (const [what, values, kind] of cases) {
    test(what, async () => {
      expect((await read(column(values))).table.columns[0]?.kind).toBe(kind);
    });
  }

  test("is what the option says", async () => {
    const { table } = await read("a,b,c\n1,1,\n1,2,\n", { kinds: { a: "categorical", b: "text", c: "numeric" } });
    expect(content(table)).toEqual({ a: ["1", "1"], b: ["1", "2"], c: [undefined, undefined] });
    expect(kinds(table)).toBe("categorical text numeric");
  });

  test("of one file can be that of another", async () => {
    const { table } = await read("a,b,c\n1,x,\n2,x,\n");
    expect(columnKinds(table)).toEqual({ a: "numeric", b: "categorical" });
    expect(kinds((await read("a,b,c\n1,y,2", { kinds: columnKinds(table) })).table)).toBe("numeric categorical numeric");
  });
});

describe("missing values", () => {
  test("are counted, NaN in numbers, a code of their own in categories, undefined in text", async () => {
    const { table } = await read("n,c,t,m\n1,x,one,\n,,,NA\n2,x,two,?\n", { kinds: { t: "text" } });
    expect(table.columns.map(({ missingCount }) => missingCount)).toEqual([1, 1, 1, 3]);
    expect(table.columns[0]).toMatchObject({ values: Float64Array.of(1, Number.NaN, 2) });
    expect(table.columns[1]).toMatchObject({ levels: ["x"], codes: Uint32Array.of(0, MISSING_CODE, 0) });
    expect(table.columns[2]).toMatchObject({ values: ["one", undefined, "two"] });
  });

  test("are not meant by markers in quotes", async () => {
    const { table } = await read('c\n"NA"\nNA\n"NA"\nx\nx\n');
    expect(content(table)).toEqual({ c: ["NA", undefined, "NA", "x", "x"] });
  });

  test("are what the option says, numbers too", async () => {
    const { table } = await read("a,b\n-999,NA\n1,none\n", { missing: ["-999", "none"] });
    expect(content(table)).toEqual({ a: [undefined, 1], b: ["NA", undefined] });
  });
});

describe("levels", () => {
  test("are sorted by code unit", async () => {
    const words = ["b", "B", "ä", "a", "\u{1f600}", "\uff5e", "10", "9", "a"];
    const { table } = await read(`c\n${[...words, ...words].join("\n")}\n`);
    expect(table.columns[0]).toMatchObject({ levels: [...new Set(words)].sort() });
    expect(content(table)).toEqual({ c: [...words, ...words] });
  });
});

describe("the label", () => {
  const text = "a,b,c\n1,x,5\n2,y,6\n";
  for (const label of ["b", 1, -2]) {
    test(`may be given as ${JSON.stringify(label)}, and is no column of the table`, async () => {
      const { table, y } = await read(text, { label });
      expect([y, Object.keys(content(table))]).toEqual([
        ["x", "y"],
        ["a", "c"],
      ]);
    });
  }

  test("is numbers if all values are, strings if its kind says so", async () => {
    expect((await read(text, { label: -1 })).y).toEqual(Float64Array.of(5, 6));
    expect((await read(text, { label: "a", kinds: { a: "categorical" } })).y).toEqual(["1", "2"]);
  });
});
