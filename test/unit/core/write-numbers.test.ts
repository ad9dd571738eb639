import { describe, expect, test } from "vitest";
import { LONGEST_NUMBER } from "../../../src/formats/general-writer.ts";
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
