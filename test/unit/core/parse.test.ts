import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { LineError } from "../../../src/formats/position.ts";
import { DECIMAL_BYTES } from "../../../src/formats/svmlight-block.ts";
import { readLine } from "../../../src/formats/svmlight-line.ts";
import { svmlightBlockStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { type CoreUnderTest, coreUnderTest, shifts } from "../../core/instance.ts";

const { call, buffer, take } = coreUnderTest();
const area = take(4096);
const decimal = take(DECIMAL_BYTES);
call.fillPowers?.(decimal);

/** What the core makes of a text: value, whether it is exact, whether its float32 is sure, and how many bytes it took. */
function coreDecimal(text: string, shift = 0): { value: number; isExact: boolean; isSure: boolean; length: number } {
  const bytes = new TextEncoder().encode(text);
  new Uint8Array(buffer, area + shift, bytes.length).set(bytes);
  call.readDecimal?.(decimal, area + shift, area + shift + bytes.length);
  const view = new DataView(buffer, decimal, 24);
  const end = view.getUint32(8, true);
  return {
    value: view.getFloat64(0, true),
    isExact: view.getUint32(12, true) === 1,
    isSure: call.isSureFloat?.(decimal) === 1,
    length: end === 0 ? 0 : end - area - shift,
  };
}

const digits = (max: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: max });
const decimalText = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    digits(22),
    fc.constantFrom("", "."),
    digits(22),
    fc.option(fc.integer({ min: -60, max: 60 }), { nil: undefined }),
  )
  .map(
    ([sign, whole, point, fraction, exponent]) =>
      `${sign}${whole}${point}${point && fraction}${exponent === undefined ? "" : `e${exponent}`}`,
  );

describe("a decimal", () => {
  test("is Number(text) where the core says that it is exact, and rounds like it where its float32 is sure", () => {
    let exact = 0;
    let sure = 0;
    fc.assert(
      fc.property(decimalText, (text) => {
        const { value, isExact, isSure, length } = coreDecimal(text);
        if (length === 0) {
          expect(Number.isNaN(Number(text)) || text === "" || /^[+-]?\.?(e.*)?$/.test(text)).toBe(true);
          return;
        }
        expect(length).toBe(text.length);
        if (isExact) expect(value).toBe(Number(text));
        if (isSure) expect(Math.fround(value)).toBe(Math.fround(Number(text)));
        exact += isExact ? 1 : 0;
        sure += isSure ? 1 : 0;
      }),
      { numRuns: 20_000, seed: 1 },
    );
    expect(exact).toBeGreaterThan(1000);
    expect(sure).toBeGreaterThan(exact);
  });

  test("of the 17 digits that bring a double back is exact, but for hardly any, also with zeros in front", () => {
    const random = new Random(17);
    let left = 0;
    for (let k = 0; k < 20_000; k++) {
      // From 1e-4 to 1e3: no more than 22 digits behind the point.
      const size = (random.unit() + 0.1) * 10 ** (Math.floor(7 * random.unit()) - 3);
      const text = [size.toPrecision(17), size.toFixed(size < 10 ? 18 : 15), `${size.toPrecision(17)}e${(k % 5) - 1}`][k % 3] as string;
      const { value, isExact } = coreDecimal(text);
      if (!isExact) left++;
      else if (value !== Number(text)) expect(value, text).toBe(Number(text));
    }
    expect(left).toBeLessThan(20);
  });

  test("with a long row of zeros and an exponent that makes up for it is left to the host", () => {
    const core = coreUnderTest(8);
    const own = core.take(DECIMAL_BYTES);
    core.call.fillPowers?.(own);
    for (const [zeros, exponent] of [
      [100_000, 100_005],
      [100_009, 200_000],
      [2000, 2003],
    ] as const) {
      const bytes = new TextEncoder().encode(`0.${"0".repeat(zeros)}1e${exponent}`);
      const at = core.take(bytes.length);
      new Uint8Array(core.buffer, at, bytes.length).set(bytes);
      core.call.readDecimal?.(own, at, at + bytes.length);
      const view = new DataView(core.buffer, own, 16);
      expect([view.getUint32(8, true), view.getUint32(12, true)]).toEqual([at + bytes.length, 0]);
      expect(core.call.isSureFloat?.(own)).toBe(0);
    }
  });

  test("half way between two doubles, or as good as that, is left to the host", () => {
    // 2^53 + 1 has no double; nor have these halves.
    for (const text of ["9007199254740993", "90071992547409930e-1", "4503599627370497.5", "9007199254740993.000", "900719925474099300e-2"])
      expect(coreDecimal(text).isExact, text).toBe(false);
    expect(coreDecimal("9007199254740993.001")).toMatchObject({ isExact: true, value: 9007199254740994 });
    expect(coreDecimal("9007199254740992.999")).toMatchObject({ isExact: true, value: 9007199254740992 });
  });

  test("near the middle of two float32s is left to the host unless it is exact", () => {
    for (const start of [1, 0.1, 3e7, 1e-20]) {
      const low = Math.fround(start);
      const view = new DataView(new ArrayBuffer(4));
      view.setFloat32(0, low);
      view.setUint32(0, view.getUint32(0) + 1);
      const middle = (low + view.getFloat32(0)) / 2;
      for (const text of [
        middle.toPrecision(19),
        middle.toPrecision(17),
        (middle * (1 + 2 ** -52)).toPrecision(19),
        (middle * (1 - 2 ** -53)).toPrecision(19),
      ]) {
        const { value, isSure } = coreDecimal(text);
        if (isSure) expect(Math.fround(value)).toBe(Math.fround(Number(text)));
      }
    }
  });

  for (const shift of shifts) {
    test(`shifted by ${shift}: ends where the number ends`, () => {
      expect(coreDecimal("12.5 7", shift)).toEqual({ value: 12.5, isExact: true, isSure: true, length: 4 });
      expect(coreDecimal("-3e2:", shift)).toEqual({ value: -300, isExact: true, isSure: true, length: 4 });
      for (const text of ["", "x", "+", ".", "-.", "e5", "1e", "1e+"]) expect(coreDecimal(text, shift).length, text).toBe(0);
    });
  }
});

describe("digits eight at a time", () => {
  const ZEROS = 0x3030303030303030n;
  const packed = (text: string): bigint =>
    [...new TextEncoder().encode(text)].reduce((sum, byte, k) => sum | (BigInt(byte) << BigInt(8 * k)), 0n) ^ ZEROS;

  test("every byte that is no digit ends them, wherever it stands and whatever follows", () => {
    for (let byte = 0; byte < 256; byte++) {
      expect(call.isDigit?.(byte)).toBe(byte >= 0x30 && byte <= 0x39 ? 1 : 0);
      for (let at = 0; at < 8; at++) {
        for (const rest of ["00000000", "99999999", "////////", "::::::::", "\u007f".repeat(8)]) {
          const bytes = new TextEncoder().encode(`${"9".repeat(at)}_${rest}`).slice(0, 8);
          bytes[at] = byte;
          const word = bytes.reduce((sum, value, k) => sum | (BigInt(value) << BigInt(8 * k)), 0n) ^ ZEROS;
          const expected = /^[0-9]*/.exec(String.fromCharCode(...bytes))?.[0].length;
          expect(call.digitCount?.(word as never)).toBe(expected);
          expect(call.areDigits?.(word as never)).toBe(expected === 8 ? 1 : 0);
        }
      }
    }
  });

  test("are worth what they say", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 8 }), fc.string(), (digits, rest) => {
        const word = packed(`${digits}:${rest}        `.slice(0, 8));
        expect(Number(call.digitsValue?.(word as never, digits.length))).toBe(Number(digits));
        expect(Number(call.eightDigits?.(packed(digits.padStart(8, "0")) as never))).toBe(Number(digits));
      }),
      { numRuns: 5000, seed: 2 },
    );
  });

  test("the table of powers holds 10^0 to 10^22", () => {
    for (let k = 0; k <= 22; k++) expect(call.powerOfTen?.(decimal, k)).toBe(Number(`1e${k}`));
  });
});

/** Runs the core over a text; the rows, and where it stopped. */
function coreRows(
  core: CoreUnderTest,
  text: string,
  base: number,
  shift: number,
): { rows: string[]; lines: number; featureCount: number; stoppedAt: number } {
  const bytes = new TextEncoder().encode(text);
  const at = core.take(bytes.length + 64, shift);
  // Digits behind the line break that ends the text: nothing may come of them.
  new Uint8Array(core.buffer, at, bytes.length + 64).fill(0x37);
  new Uint8Array(core.buffer, at, bytes.length + 1).set([...bytes, 0x0a]);
  const room = bytes.length + 2;
  const [values, indices, starts] = [core.take(4 * room), core.take(4 * room), core.take(4 * room)];
  const [labels, queries] = [core.take(8 * room), core.take(8 * room)];
  const block = new StructView(svmlightBlockStruct, core.buffer, core.take(svmlightBlockStruct.size));
  block.assign({
    next: at,
    end: at + bytes.length,
    values,
    indices,
    starts,
    labels,
    queries,
    decimal: core.take(DECIMAL_BYTES),
    base,
    featureLimit: 1000,
  });
  core.call.parseBlock?.(block.pointer);
  const bounds = core.readWords(starts, block.get("rowCount") + 1);
  const row = (i: number): string => {
    const pairs = core
      .readWords(indices, block.get("valueCount"))
      .map((j, k) => `${j}:${new DataView(core.buffer).getFloat32(values + 4 * k, true)}`)
      .slice(bounds[i], bounds[i + 1]);
    return [core.readDoubles(labels, i + 1)[i], core.readDoubles(queries, i + 1)[i], ...pairs].join(" ");
  };
  return {
    rows: Array.from({ length: block.get("rowCount") }, (_, i) => row(i)),
    lines: block.get("lineCount"),
    featureCount: block.get("featureCount"),
    stoppedAt: block.get("next") - at,
  };
}

/** The same by the careful parser: rows up to the first line that it refuses. */
function hostRows(text: string, base: number): { rows: string[]; isWhole: boolean } {
  const bytes = new TextEncoder().encode(text);
  const rows: string[] = [];
  let from = 0;
  while (from < bytes.length) {
    const newline = bytes.indexOf(0x0a, from);
    const to = newline < 0 ? bytes.length : newline;
    try {
      const line = readLine(bytes, from, to, base, 1000);
      if (line !== undefined) rows.push([line.label, line.query, ...line.indices.map((j, k) => `${j}:${line.values[k]}`)].join(" "));
    } catch (error) {
      expect(error).toBeInstanceOf(LineError);
      return { rows, isWhole: false };
    }
    from = to + 1;
  }
  return { rows, isWhole: true };
}

describe("lines of svmlight", () => {
  const text = "+1 1:0.5 3:2e-1\r\n\n# comment\n-1 qid:7 2:1 # more\n 2.5\t4:.25\n1";
  for (const shift of shifts) {
    test(`shifted by ${shift}: regular ones come out as the careful parser reads them`, () => {
      const got = coreRows(coreUnderTest(), text, 1, shift);
      expect(got.rows).toEqual(hostRows(text, 1).rows);
      expect(got.stoppedAt).toBe(text.length);
      expect(got.lines).toBe(6);
    });
  }

  test("no text has no rows", () => {
    expect(coreRows(coreUnderTest(), "", 1, 0)).toEqual({ rows: [], lines: 0, featureCount: 0, stoppedAt: 0 });
  });

  // Numbers of all lengths with signs, points and other bytes where they belong and where they do not: what the quick way takes for plain must be.
  const digits = (most: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: most });
  const number = fc
    .tuple(fc.constantFrom("", "", "-", "+", "--", ".", "-."), digits(10), fc.constantFrom("", ".", ".", "..", "-", "e", ":"), digits(11))
    .map((parts) => parts.join(""));
  const index = fc.oneof(fc.integer({ min: 0, max: 99 }).map(String), digits(10), fc.constantFrom("1.", "-1", "+1", "1-2", "007"));
  const separator = fc.constantFrom(" ", " ", " ", "\t", "  ", " \r", "\u0001", "\u000b", "#", "");
  const field = fc.tuple(index, fc.constantFrom(":", ":", ":", ";", ""), number, separator).map((parts) => parts.join(""));
  const label = fc.oneof(
    fc.constantFrom("1 ", "-1 ", "+20 ", "1234567 ", "12345678 ", "1.5\t", "-0 ", "1_"),
    number.map((text) => `${text} `),
  );

  test("fields of all kinds: never another row than the careful parser's", () => {
    let parsed = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(label, fc.array(field, { maxLength: 4 })), { maxLength: 3 }), fc.constantFrom(0, 1), (lines, base) => {
        const generated = lines.map(([head, fields]) => head + fields.join("")).join("\n");
        const core = coreRows(coreUnderTest(), generated, base, 0);
        const host = hostRows(generated, base);
        expect(host.rows.slice(0, core.rows.length)).toEqual(core.rows);
        if (core.stoppedAt === new TextEncoder().encode(generated).length) expect(host.isWhole).toBe(true);
        parsed += core.rows.length;
      }),
      { numRuns: 4000, seed: 3 },
    );
    expect(parsed).toBeGreaterThan(300);
  });

  test("plain fields, up to eight digits without the zero before a point, are all parsed", () => {
    const values = [
      "0",
      "-1",
      "7",
      "0.5",
      "-0.06666667",
      "12345678",
      "1234.5678",
      "-99999999",
      "0.00000001",
      "00.5",
      "100.25",
      "8.0000000",
    ];
    const generated = values.map((value, k) => `${k % 2 === 0 ? "+1" : "-1"} 1:${value} 20:${value} ${99 + k}:${value}`).join("\n");
    const got = coreRows(coreUnderTest(), generated, 1, 0);
    expect(got.rows).toEqual(hostRows(generated, 1).rows);
    expect(got.rows).toHaveLength(values.length);
  });

  test('fields that are nearly "1" or begin nearly with "0." are what the careful parser says', () => {
    const values = [
      "1",
      "1.",
      "11",
      "1e1",
      "1x",
      "0",
      "0.",
      "0.1",
      "0.12345678",
      "0.123456789",
      "0.1e1",
      "0.1.2",
      "0.-1",
      "0.1:2",
      "00.5",
      "-0.5",
      "-1",
      ".5",
      "+1",
      "0,5",
    ];
    const indices = ["5", "12345678", "123456789", "", "x5", "5x", "05", "-5", "00000005"];
    for (const index of indices) {
      for (const value of values) {
        for (const behind of ["", " ", "#", " 900:1", "\t900:0.25 ", " 3:1"]) {
          const line = `1 ${index}:${value}${behind}\n-1 7:0.5\n`;
          const got = coreRows(coreUnderTest(), line, 1, 0);
          const host = hostRows(line, 1);
          expect(host.rows.slice(0, got.rows.length), line).toEqual(got.rows);
          if (got.stoppedAt === line.length) expect(host.isWhole, line).toBe(true);
          // Whatever the careful parser takes, these two kinds are not left to it.
          if (host.isWhole && /^\d{1,8}:(1|0\.\d{1,8})$/.test(`${index}:${value}`)) expect(got.stoppedAt, line).toBe(line.length);
        }
      }
    }
  });

  test("fields of every length, wherever they lie among the 64 bytes whose ends are looked up at once, with any blanks between", () => {
    const values = ["1", "-1", "0.5", "-0.06666667", "12345678", "1234.5678", "0.12345678", "1e-3", "-123456.7890123456"];
    for (const blank of [" ", "  ", "\t", " \t ", "     "]) {
      for (let lead = 0; lead < 66; lead++) {
        const fields = Array.from(
          { length: 40 },
          (_, k) => `${String(k + 1).padStart(1 + ((k + lead) % 8), "0")}:${values[(k * 7 + lead) % values.length]}`,
        );
        const generated = `1${" ".repeat(lead)} ${fields.join(blank)}\n-1 ${fields.slice(lead % 40).join(blank)}${blank}\n`;
        const got = coreRows(coreUnderTest(), generated, 1, 0);
        expect(got.stoppedAt).toBe(generated.length);
        expect(got.rows).toEqual(hostRows(generated, 1).rows);
      }
    }
  });

  test("a byte that is no digit makes a field irregular wherever it stands, also behind the first sixteen", () => {
    const field = "00000012:-1234567";
    for (let place = 10; place < field.length; place++) {
      const line = `1 1:1 ${field.slice(0, place)}x${field.slice(place + 1)}`;
      expect(coreRows(coreUnderTest(), line, 1, 0), line).toMatchObject({ rows: [], stoppedAt: 0 });
    }
    expect(coreRows(coreUnderTest(), `1 1:1 ${field}`, 1, 0).rows).toEqual(["1 NaN 0:1 11:-1234567"]);
  });

  test("lines of support vectors: coefficients and entries, up to one that is not regular", () => {
    const vectors = (text: string, columns: number, rowLimit: number) => {
      const core = coreUnderTest();
      const bytes = new TextEncoder().encode(text);
      const at = core.take(bytes.length + 65);
      new Uint8Array(core.buffer, at, bytes.length + 1).set([...bytes, 0x0a]);
      const [values, indices, starts, labels] = [
        core.take(400),
        core.take(400),
        core.take(400),
        core.take(8 * columns * rowLimit),
      ] as const;
      const block = new StructView(svmlightBlockStruct, core.buffer, core.take(svmlightBlockStruct.size));
      const arrays = { values, indices, starts, labels, decimal: core.take(DECIMAL_BYTES) };
      block.assign({ next: at, end: at + bytes.length, ...arrays, featureLimit: 1000 });
      const isWhole = core.call.parseVectors?.(block.pointer, columns, rowLimit) === 0;
      const rows = block.get("rowCount");
      return {
        isWhole,
        read: text.slice(0, block.get("next") - at),
        coefficients: core.readDoubles(labels, rows * columns),
        starts: core.readWords(starts, rows + 1),
        indices: core.readWords(indices, block.get("valueCount")),
      };
    };
    const two = "0 0 1.2345678901234567 1:0.5 3:2e-1 7:-1  \n-0.25 0 0 \n";
    expect(vectors(two, 3, 2)).toEqual({
      isWhole: true,
      read: two,
      coefficients: [0, 0, 1.2345678901234567, -0.25, 0, 0],
      starts: [0, 3, 3],
      indices: [1, 3, 7],
    });
    // Blanks and blank lines wherever they are, and lines without entries.
    expect(vectors("\n \t\n  1\t0  0 4:1\r\n\r\n\n0 0 2\n3 0 0\n", 3, 3)).toMatchObject({
      isWhole: true,
      coefficients: [1, 0, 0, 0, 0, 2, 3, 0, 0],
      starts: [0, 1, 1, 1],
    });
    // Too few coefficients, the last line's too.
    expect(vectors("1 0\n2 0 0\n", 3, 2)).toMatchObject({ isWhole: false, read: "" });
    expect(vectors("1 0 0\n2 0", 3, 2)).toMatchObject({ isWhole: false, read: "1 0 0\n" });
    // No more than there is room for; and what is promised but not there is for the host to say.
    expect(vectors(two, 3, 1)).toMatchObject({ isWhole: true, read: `${two.split("\n")[0]}\n` });
    expect(vectors(two, 3, 3)).toMatchObject({ isWhole: false, read: two });
    expect(vectors("", 1, 1)).toMatchObject({ isWhole: false, read: "" });
    for (const odd of [
      ...["0.5 1:0.5 3:x", "0.5 1:0.5 1:1", "0.5 1:1 # 2", "0.5 1000:1", "0.5 1:1 2", "x 1:1", "0.5x 1:1", "1e400 1:1", "0.5 # 1"],
      "0.00000000000000000000000012345678901234567 1:1",
    ]) {
      const wanted = { isWhole: false, read: "7 2:1\n", coefficients: [7], starts: [0, 1], indices: [2] };
      expect(vectors(`7 2:1\n${odd}\n8 2:1\n`, 1, 3), odd).toEqual(wanted);
    }
  });

  test("whatever the text, the core's rows are the first of the careful parser's, and it never passes a line that is wrong", () => {
    const token = fc.oneof(
      fc.tuple(fc.integer({ min: 0, max: 30 }), fc.float({ noNaN: true, noDefaultInfinity: true })).map(([j, value]) => `${j}:${value}`),
      fc.constantFrom(
        "1:1",
        "qid:3",
        "qid:-1",
        "qid:1.5",
        "x",
        "1:",
        ":1",
        "1:0x1",
        "7:nan",
        "#",
        "1000:1",
        "1001:1",
        "5:1e39",
        "5:1e-50",
        "1:12345678901234567890123",
      ),
    );
    const line = fc
      .tuple(fc.constantFrom("1", "-1", "+1.5", "a", "", "1e400"), fc.array(token, { maxLength: 5 }))
      .map(([label, tokens]) => [label, ...tokens].join(" "));
    const whole = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(whole, fc.constantFrom(0, 1), (generated, base) => {
        const core = coreRows(coreUnderTest(), generated, base, 0);
        const host = hostRows(generated, base);
        expect(host.rows.slice(0, core.rows.length)).toEqual(core.rows);
        const features = core.rows.flatMap((row) => [...row.matchAll(/(\d+):/g)].map(([, j]) => Number(j) + 1));
        expect(core.featureCount).toBe(Math.max(0, ...features));
        if (core.stoppedAt === new TextEncoder().encode(generated).length) expect(host.isWhole).toBe(true);
      }),
      { numRuns: 3000, seed: 2 },
    );
  });
});
