import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SvmlightOptions } from "../../../src/base/options/data.ts";
import type { Matrix } from "../../../src/data/matrix.ts";
import { type LabelledRows, readSvmlight } from "../../../src/formats/svmlight.ts";
import { rejected } from "../../thrown.ts";

const read = (text: string, options?: SvmlightOptions): Promise<LabelledRows> => readSvmlight(new TextEncoder().encode(text), options);

/** Stored values as "feature:value", features from 0, row by row. */
function content(x: Matrix): string[] {
  return Array.from({ length: x.rowCount }, (_, i) => {
    const row: string[] = [];
    x.forEachInRow(i, (feature, value) => row.push(`${feature}:${value}`));
    return row.join(" ");
  });
}

describe("a text in svmlight form", () => {
  const plain = "1 1:0.5 3:2\n-1 2:-1\n";
  const same: Readonly<Record<string, string>> = {
    "as it should be": plain,
    "without a final newline": plain.trimEnd(),
    "with Windows line ends": plain.replaceAll("\n", "\r\n"),
    "with tabs": plain.replaceAll(" ", "\t"),
    "with blanks at the ends of lines and several between": "  1   1:0.5  3:2 \n\t-1 2:-1  \n",
    "with blank lines": `\n \n${plain.replace("\n", "\n\n\t\r\n")}\n\n`,
    "with comments": "# a: comment\n1 1:0.5 3:2 # why: 4:5\n#1 1:1\n-1 2:-1#\n # end",
    "with signs and exponents": "+1 1:+5e-1 3:200E-2\n-1.0 2:-.1e1\n",
    "with leading zeros": "01 001:0.50 03:2.\n-1 2:-1",
    "with query ids": "1 qid:7 1:0.5 3:2\n-1 qid:8 2:-1\n",
  };
  for (const [name, text] of Object.entries(same)) {
    test(`${name} gives the same rows`, async () => {
      const { x, y } = await read(text);
      expect(content(x)).toEqual(["0:0.5 2:2", "1:-1"]);
      expect([...y]).toEqual([1, -1]);
      expect(x).toMatchObject({ kind: "csr", rowCount: 2, featureCount: 3, valueCount: 3 });
    });
  }

  test("may have rows without values, and labels that are any numbers", async () => {
    const { x, y } = await read("0.25\n-3e5 2:1\n7 # nothing\n");
    expect(content(x)).toEqual(["", "1:1", ""]);
    expect([...y]).toEqual([0.25, -300000, 7]);
    expect([...x.starts]).toEqual([0, 0, 1, 1]);
  });

  test("is rounded to the nearest float32, labels to the nearest double", async () => {
    const { x, y } = await read("0.1 1:0.1 2:3.4028235e38 3:1e-60");
    expect([...x.values]).toEqual([Math.fround(0.1), 3.4028234663852886e38, 0]);
    expect(y[0]).toBe(0.1);
  });

  test("begins at feature 0 if told so", async () => {
    const { x } = await read("1 0:4 2:5", { indexBase: 0 });
    expect(content(x)).toEqual(["0:4 2:5"]);
    expect(x.featureCount).toBe(3);
  });

  test("is as wide as featureCount says, and a feature beyond that is refused", async () => {
    expect((await read("1 2:1", { featureCount: 9 })).x.featureCount).toBe(9);
    expect((await read("1 8:1", { featureCount: 9, indexBase: 0 })).x.featureCount).toBe(9);
    const error = await rejected(read("1 2:1\n1 12:1", { featureCount: 9 }));
    expect(error.message).toMatch(/^data:2:3: feature "12" is too large; there are at most 9 features, the first is 1\n/);
  });

  test("may begin with a byte order mark", async () => {
    expect((await read("\ufeff1 2:1")).y).toEqual(Float64Array.of(1));
  });

  test("takes the last feature that a matrix can have", async () => {
    expect((await read("1 2147483648:1")).x.featureCount).toBe(2147483648);
  });

  test("comes back equal after it was written, for generated rows", async () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((x) => x !== 0);
    const row = fc.record({
      label: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
      values: fc.dictionary(fc.integer({ min: 1, max: 60 }).map(String), value),
    });
    const blank = fc.constantFrom(" ", "\t", "  ");
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), blank, fc.constantFrom("\n", "\r\n"), async (rows, gap, end) => {
        const lines = rows.map(({ label, values }) => [label, ...Object.entries(values).map((pair) => pair.join(":"))].join(gap));
        const { x, y } = await read(lines.join(end));
        expect([...y]).toEqual(rows.map(({ label }) => label));
        expect(content(x)).toEqual(
          rows.map(({ values }) =>
            Object.entries(values)
              .map(([index, v]) => `${Number(index) - 1}:${v}`)
              .join(" "),
          ),
        );
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  test("any bytes give rows or a HingeError", async () => {
    const piece = fc.constantFrom(
      "1",
      "-1",
      " ",
      " 1:2",
      " 2:.5",
      "3:",
      ":",
      "#",
      "\n",
      "\r",
      "\t",
      "e",
      "+",
      "qid:",
      "\0",
      "\xff",
      "99999999999",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const ending = await readSvmlight(Uint8Array.from(pieces.join(""), (letter) => letter.charCodeAt(0))).catch(
          (error: unknown) => error,
        );
        if (ending instanceof Error) expect(ending).toMatchObject({ name: "HingeError", code: "bad-file" });
        else expect(content((ending as LabelledRows).x).join()).not.toContain("NaN");
      }),
      { seed: 10, numRuns: 500 },
    );
  });
});

describe("a wrong line", () => {
  test("is shown whole, with what is wrong, where, and a caret under the place", async () => {
    const error = await rejected(read("1 1:1\n+1 2:0.5 9:1 7:0.25\n", { name: "train.svm" }));
    expect(error.code).toBe("bad-file");
    expect(error.where).toEqual({ file: "train.svm", line: 2, column: 14 });
    expect(error.message.split("\n")).toEqual([
      "train.svm:2:14: feature 7 follows feature 9; indices must rise along a line: sort it",
      "    2 | +1 2:0.5 9:1 7:0.25",
      "                     ^",
    ]);
  });

  const finite = "the value must be a finite decimal number, got";
  const zero = "feature 0 in a file whose features begin at 1; if they begin at 0, say indexBase: 0 (--index-base 0)";
  const cases: readonly [what: string, line: string, column: number, message: string][] = [
    ["feature 0", "1 0:5", 3, zero],
    ["a feature that comes twice", "1 4:1 4:2", 7, "feature 4 comes twice; add the two values up, or remove one"],
    ["a feature without a colon", "1 1:1 2", 7, 'a feature must be written index:value, got "2"'],
    ["a feature without an index", "1 :5", 3, 'a feature must be written index:value, got ":5"'],
    ["a negative index", "1 -1:5", 3, 'a feature must be written index:value, got "-1:5"'],
    [
      "an index above 2^31",
      "1 2147483649:1",
      3,
      'feature "2147483649" is too large; there are at most 2147483648 features, the first is 1',
    ],
    ["an empty value", "1 1: 2:3", 5, `${finite} nothing`],
    ["a value in hexadecimal", "1 1:0x1F", 5, `${finite} "0x1F"`],
    ["nan", "1 1:nan", 5, `${finite} "nan"`],
    ["inf", "1 1:inf", 5, `${finite} "inf"`],
    ["two colons", "1 1:2:3", 5, `${finite} "2:3"`],
    ["a value beyond double", "1 1:1e400", 5, `${finite} "1e400"`],
    ["a value beyond float32", "1 1:1e39", 5, '"1e39" is too large for float32; scale the feature down'],
    ["a word for a label", "cat 1:1", 1, 'the label must be a decimal number, got "cat"'],
    ["no label", "1:1 2:1", 1, 'the label must be a decimal number, got "1:1"'],
  ];
  for (const [what, line, column, message] of cases) {
    test(`with ${what} says so`, async () => {
      const error = await rejected(read(`1 1:1\r\n\r\n${line}\r\n1 1:1`));
      // "    3 | " are eight columns.
      expect(error.message).toBe(`data:3:${column}: ${message}\n    3 | ${line}\n${" ".repeat(8 + column - 1)}^`);
    });
  }

  test("shows tabs as blanks and bytes that are no text as dots, so that the caret stays right", async () => {
    const error = await rejected(readSvmlight(Uint8Array.of(0x31, 0x09, 0x31, 0x3a, 0x01, 0xff)));
    expect(error.message).toBe(`data:1:5: ${finite} "··"\n    1 | 1 1:··\n            ^`);
  });

  test("that is long is cut on both sides, and the caret still points at the place", async () => {
    const before = Array.from({ length: 30 }, (_, j) => `${j + 1}:1`).join(" ");
    const error = await rejected(read(`1 ${before} 31:x ${before}`));
    // 40 characters before the place and 30 from it.
    const [, line = "", caret = ""] = error.message.split("\n");
    expect(line).toBe("    1 | …1 24:1 25:1 26:1 27:1 28:1 29:1 30:1 31:x 1:1 2:1 3:1 4:1 5:1 6:1 7:1 …");
    expect(line[caret.indexOf("^")]).toBe("x");
  });

  test("with an endless word shows 40 letters of it", async () => {
    const error = await rejected(read("x".repeat(1000)));
    expect(error.message).toContain(`the label must be a decimal number, got "${"x".repeat(40)}…"\n`);
  });

  test("is named after the file it is in, or after the name given", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hinge-svmlight-"));
    try {
      const path = join(folder, "train.svm");
      writeFileSync(path, "1 1:x");
      expect((await rejected(readSvmlight(path))).where).toEqual({ file: path, line: 1, column: 5 });
      expect((await rejected(readSvmlight(path, { name: "standard input" }))).message).toMatch(/^standard input:1:5: /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("readSvmlight refuses", () => {
  for (const text of ["", "\n\n", "# only a comment\n"]) {
    test(`a file without rows: ${JSON.stringify(text)}`, async () => {
      const error = await rejected(read(text, { name: "empty.svm" }));
      expect([error.code, error.message]).toEqual(["bad-file", 'empty.svm: there are no rows; a row is a line such as "1 3:0.5 7:1"']);
    });
  }

  const wrong: readonly [what: string, source: unknown, options: object, message: string][] = [
    ["an index base of 2", new Uint8Array(), { indexBase: 2 }, "bad-option: indexBase must be 0 or 1, got 2"],
    [
      "half a feature",
      new Uint8Array(),
      { featureCount: 1.5 },
      "bad-option: featureCount must be a whole number from 0 to 2147483648, got 1.5",
    ],
    [
      "too many",
      new Uint8Array(),
      { featureCount: 2 ** 31 + 1 },
      "bad-option: featureCount must be a whole number from 0 to 2147483648, got 2147483649",
    ],
    ["no source", undefined, {}, "bad-input: the source must be a path, a Uint8Array, a Blob or a stream of bytes, got undefined"],
    ["an array of bytes", [49], {}, "bad-input: the source must be a path, a Uint8Array, a Blob or a stream of bytes, got an array of 1"],
  ];
  for (const [what, source, options, message] of wrong) {
    test(what, async () => {
      const error = await rejected(readSvmlight(source as Uint8Array, options));
      expect(`${error.code}: ${error.message}`).toBe(message);
    });
  }

  test("a file that is not there", async () => {
    const error = await rejected(readSvmlight("no/such/file.svm"));
    expect([error.code, error.message]).toEqual(["file-system", "cannot read no/such/file.svm: there is no such file or directory"]);
  });
});
