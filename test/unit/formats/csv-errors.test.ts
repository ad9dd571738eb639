import { describe, expect, test } from "vitest";
import type { CsvOptions } from "../../../src/base/options/csv.ts";
import { readCsv, type TableAndLabels } from "../../../src/formats/csv.ts";
import { rejected } from "../../thrown.ts";

const read = (text: string, options?: CsvOptions): Promise<TableAndLabels> => readCsv(new TextEncoder().encode(text), options);

describe("a wrong text", () => {
  const cases: readonly [what: string, text: string, options: CsvOptions, place: string, message: string][] = [
    [
      "with a short row",
      "a,b\n1,2\n3\n",
      {},
      "3:2",
      'this row has 1 field, the header has 2; put quotes around a field that holds ",", or name another delimiter',
    ],
    [
      "with a long row",
      "1;2\n\n3; 4;5;6",
      { header: false },
      "3:6",
      'this row has 4 fields, the first row has 2; put quotes around a field that holds ";", or name another delimiter',
    ],
    [
      "with a quote that is not closed",
      'a,b\n1,"2\n3,4\n',
      {},
      "2:3",
      "this quote is never closed; close it, or double it if it belongs to the text",
    ],
    [
      "with a quote in a field",
      'a,b\n1,5" pipe\n',
      {},
      "2:4",
      "a quote within a field that does not begin with one; put the whole field into quotes and double those inside",
    ],
    [
      "with text behind a quote",
      'a,b\n1,"x" y\n',
      {},
      "2:7",
      "text behind a closing quote; double the quotes inside a quoted field, or add the delimiter",
    ],
    [
      "with a carriage return alone",
      "a,b\n1,2\r3,4\n",
      {},
      "2:4",
      "a carriage return that no line feed follows; save the file with LF or CRLF line ends, or put the field into quotes",
    ],
    [
      "with two columns of a name",
      'a,b,"a"\n1,2,3',
      {},
      "1:6",
      'two columns are named "a"; rename one, or say header: false if this row holds values',
    ],
    [
      "without the label's column",
      "\nsize,city\n1,x",
      { label: "citi" },
      "2:1",
      'label names column "citi", but there is none among 2; did you mean "city"?',
    ],
    ["without the label's number", "a,b\n1,2", { label: -3 }, "1:1", 'label names column -3, but there is none among 2: "a", "b"'],
    [
      "without a column of kinds",
      "a,b\n1,2",
      { kinds: { price: "text" } },
      "1:1",
      'kinds names column "price", but there is none among 2: "a", "b"',
    ],
    [
      "without a label in a row",
      "a,b\n1,x\n2, \n3,\n",
      { label: "b" },
      "3:4",
      "the label of this row is missing; fill it in, or leave the row out",
    ],
    [
      "without a number for a label in a row",
      'a,b\n1,1\n2,""\n',
      { label: "b" },
      "3:4",
      "the label of this row is missing; fill it in, or leave the row out",
    ],
    ["without any label", "a,b\n1,\n2,\n", { label: "b" }, "2:3", "the label of this row is missing; fill it in, or leave the row out"],
    [
      "with a word for a number",
      "a,b\n1,2\nx,3",
      { kinds: { a: "numeric" } },
      "3:1",
      'column "a" must hold finite decimal numbers, got "x"; correct it, name it in missing, or say another kind',
    ],
    [
      "with nothing for a number",
      "a,b\n1,2\n,3",
      { kinds: { a: "numeric" }, missing: [] },
      "3:1",
      'column "a" must hold finite decimal numbers, got nothing; correct it, name it in missing, or say another kind',
    ],
  ];
  for (const [what, text, options, place, message] of cases) {
    test(`${what} says so, and where`, async () => {
      const error = await rejected(read(text, { name: "f.csv", ...options }));
      const [line, column] = place.split(":").map(Number) as [number, number];
      const shownLine = (text.split("\n")[line - 1] ?? "").replace(/\r.*/, "");
      expect(error.code).toBe("bad-file");
      expect(error.where).toEqual({ file: "f.csv", line, column });
      expect(error.message).toBe(`f.csv:${place}: ${message}\n    ${line} | ${shownLine}\n${" ".repeat(8 + column - 1)}^`);
    });
  }

  test("that is not UTF-8 says which byte, and where", async () => {
    const bytes = Uint8Array.of(0x61, 0x0a, 0xc3, 0xa4, 0xe4, 0x0a);
    const error = await rejected(readCsv(bytes, { name: "latin.csv" }));
    expect(error.message).toBe("latin.csv:2:3: byte 0xE4 begins no character of UTF-8; save the file as UTF-8\n    2 | ···\n          ^");
    const wide = await rejected(readCsv(Uint8Array.of(0xff, 0xfe, 0x61, 0), { name: "wide.csv" }));
    expect(wide.message).toMatch(/^wide\.csv:1:1: this is UTF-16; save the file as UTF-8\n/);
  });

  for (const [text, header, message] of [
    ["", true, "f: there are no rows below the header"],
    ["a,b\r\n\r\n", true, "f: there are no rows below the header"],
    [" \n\n", false, "f: there are no rows"],
  ] as const) {
    test(`without rows is refused: ${JSON.stringify(text)}`, async () => {
      const error = await rejected(read(text, { header, name: "f" }));
      expect([error.code, error.message]).toEqual(["bad-file", message]);
    });
  }

  test("with more columns than a table holds is refused", async () => {
    const error = await rejected(read("1,".repeat(100_000), { header: false }));
    expect(error.message).toMatch(/^data:1:200001: a table has at most 100000 columns; write rows as wide as this in svmlight form\n/);
  });
});

describe("options out of range are refused", () => {
  const wrong: readonly [options: object, message: string][] = [
    [{ delimiter: "|" }, 'delimiter must be ",", "\\t", ";" or "auto", got "|"'],
    [{ header: "auto" }, 'header must be true or false, got "auto"'],
    [{ label: 1.5 }, "label must be a column's name, or its whole number from 0, negative from the end, got 1.5"],
    [{ missing: "NA" }, 'missing must be an array of strings, got "NA"'],
    [{ kinds: { a: "number" } }, 'kinds must be an object from column name to "numeric", "categorical" or "text", got {"a":"number"}'],
    [{ lable: "y" }, 'readCsv has no option "lable"; did you mean "label"?'],
  ];
  for (const [options, message] of wrong) {
    test(JSON.stringify(options), async () => {
      const error = await rejected(read("a\n1", options));
      expect([error.code, error.message]).toEqual(["bad-option", message]);
    });
  }
});
