import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { BRIEF, GeneralWriter, LONGEST_NUMBER } from "../../../src/formats/general-writer.ts";
import { TABLE_BYTES, writingTables } from "../../../src/formats/writing-tables.ts";
import { coreUnderTest } from "../../core/instance.ts";

const GUARD = 0xa5;

describe("writeNumbers of the core", () => {
  /** What is written, with guards around the bytes that it may take. */
  const write = (values: number[], column = 0): { done: number; text: string } => {
    const core = coreUnderTest();
    const tables = core.take(TABLE_BYTES);
    new Uint8Array(core.buffer, tables, TABLE_BYTES).set(writingTables());
    const room = LONGEST_NUMBER * values.length;
    const guarded = new Uint8Array(core.buffer, core.take(64 + room + 64), 64 + room + 64).fill(GUARD);
    const [out, written] = [guarded.byteOffset + 64, core.words([0])];
    const done = core.call.writeNumbers?.(core.doubles(values), values.length, 2, column, tables, out, written) as number;
    expect([...guarded.subarray(0, 64), ...guarded.subarray(64 + room)]).toEqual(new Array(128).fill(GUARD));
    const length = new Uint32Array(core.buffer, written, 1)[0] as number;
    return { done, text: new TextDecoder().decode(guarded.slice(64, 64 + length)) };
  };

  test("ends lines by columns, and goes on in the middle of one", () => {
    expect(write([0.5, -3, 1.5e-7, 0])).toEqual({ done: 4, text: "0.5 -3 \n1.4999999999999999e-07 0 \n" });
    expect(write([0.5, -3, 1.5e-7], 1)).toEqual({ done: 3, text: "0.5 \n-3 1.4999999999999999e-07 \n" });
  });

  test("stops before numbers that it leaves to others", () => {
    expect(write([1, 1e300, 3])).toEqual({ done: 1, text: "1 " });
    expect(write([1, 1e-30, 3])).toEqual({ done: 1, text: "1 " });
  });

  test("writes the longest numbers there are within their room", () => {
    for (const x of [-1.2345678901234567e-4, -1.2345678901234567e-28]) {
      const { done, text } = write([x], 1);
      expect([done, Number(text), text.length]).toEqual([1, x, 25]);
    }
  });
});

describe("writeVectors of the core", () => {
  const columns = 2;
  interface Vector {
    coefficients: number[];
    entries: [number, number][];
  }

  const written = (vectors: readonly Vector[], from = 0): { next: number; text: string } => {
    const core = coreUnderTest();
    const tables = core.take(TABLE_BYTES);
    new Uint8Array(core.buffer, tables, TABLE_BYTES).set(writingTables());
    const entries = vectors.slice(from).flatMap((vector) => vector.entries);
    const starts = [0];
    for (const vector of vectors) starts.push((starts.at(-1) as number) + vector.entries.length);
    const room = LONGEST_NUMBER * (columns * vectors.length + entries.length) + vectors.length;
    const guarded = new Uint8Array(core.buffer, core.take(64 + room + 64), 64 + room + 64).fill(GUARD);
    const [out, length] = [guarded.byteOffset + 64, core.words([0])];
    const next = core.call.writeVectors?.(
      core.doubles(vectors.flatMap(({ coefficients }) => coefficients)),
      columns,
      core.words(starts),
      core.words(entries.map(([index]) => index)),
      core.doubles(entries.map(([, value]) => value)),
      from,
      vectors.length,
      tables,
      out,
      length,
    ) as number;
    expect([...guarded.subarray(0, 64), ...guarded.subarray(64 + room)]).toEqual(new Array(128).fill(GUARD));
    return { next, text: new TextDecoder().decode(guarded.slice(64, 64 + (core.readWords(length, 1)[0] as number))) };
  };

  const plainly = (vectors: readonly Vector[]): string => {
    const out = new GeneralWriter();
    for (const { coefficients, entries } of vectors) {
      for (const value of coefficients) {
        out.number(value);
        out.text(" ");
      }
      for (const [index, value] of entries) {
        out.whole(index);
        out.text(":");
        out.number(value, BRIEF);
        out.text(" ");
      }
      out.text("\n");
    }
    return new TextDecoder().decode(out.finish());
  };

  test("writes what GeneralWriter writes, for numbers of all sizes", () => {
    const random = new Random(8);
    const number = (): number => (random.unit() - 0.5) * 10 ** Math.floor(24 * random.unit() - 14);
    const vectors = Array.from({ length: 300 }, (_, v) => ({
      coefficients: [number(), v % 3 === 0 ? 0 : -0],
      entries: Array.from({ length: v % 7 }, (_, k): [number, number] => [
        Math.floor(10 ** (k + 3 * random.unit())) >>> 0,
        [number(), Math.fround(number()), Math.round(20 * number()), Math.round(1e4 * random.unit()) / 1e4, 0, -1][k] as number,
      ]),
    }));
    let from = 0;
    let text = "";
    let left = 0;
    while (from < vectors.length) {
      const part = written(vectors, from);
      text += part.text;
      if (part.next < vectors.length) {
        left++;
        text += plainly(vectors.slice(part.next, part.next + 1));
      }
      from = part.next + 1;
    }
    expect(text).toBe(plainly(vectors));
    expect(left).toBeLessThan(60);
  });

  test("stops before a line with a number that it leaves to others, and leaves nothing of it", () => {
    const plain: Vector = { coefficients: [0.5, 1], entries: [[1, 2]] };
    expect(written([plain, { coefficients: [1, 1e300], entries: [] }, plain])).toEqual({ next: 1, text: "0.5 1 1:2 \n" });
    expect(
      written([
        plain,
        {
          coefficients: [1, 1],
          entries: [
            [4, 0.1],
            [5, 1e-30],
          ],
        },
      ]),
    ).toEqual({ next: 1, text: "0.5 1 1:2 \n" });
  });

  test("a value that eight digits round up to the next power of ten is left to others", () => {
    const vector: Vector = { coefficients: [1, 1], entries: [[3, 0.999999996]] };
    expect(written([vector])).toEqual({ next: 0, text: "" });
    expect(plainly([vector])).toBe("1 1 3:1 \n");
  });

  test("writes the largest index and the longest numbers within their room", () => {
    const { text, next } = written([
      { coefficients: [-1.2345678901234567e-28, -1.2345678901234567e-4], entries: [[4294967295, -1.2345678e-10]] },
    ]);
    expect([next, text]).toEqual([1, "-1.2345678901234567e-28 -0.00012345678901234567 4294967295:-1.2345678e-10 \n"]);
  });
});
