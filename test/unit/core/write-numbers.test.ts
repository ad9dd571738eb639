import { describe, expect, test } from "vitest";
import { TABLE_BYTES, writingTables } from "../../../src/formats/writing-tables.ts";
import { coreUnderTest } from "../../core/instance.ts";

describe("writeNumbers of the core", () => {
  const write = (values: number[], room: number, column = 0): { done: number; text: string } => {
    const core = coreUnderTest();
    const tables = core.take(TABLE_BYTES);
    new Uint8Array(core.buffer, tables, TABLE_BYTES).set(writingTables());
    const [out, written] = [core.take(room + 32), core.words([0])];
    const done = core.call.writeNumbers?.(core.doubles(values), values.length, 2, column, tables, out, room, written) as number;
    const length = new Uint32Array(core.buffer, written, 1)[0] as number;
    return { done, text: new TextDecoder().decode(new Uint8Array(core.buffer, out, length).slice()) };
  };

  test("ends lines by columns, and goes on in the middle of one", () => {
    expect(write([0.5, -3, 1.5e-7, 0], 1000)).toEqual({ done: 4, text: "0.5 -3 \n1.4999999999999999e-07 0 \n" });
    expect(write([0.5, -3, 1.5e-7], 1000, 1)).toEqual({ done: 3, text: "0.5 \n-3 1.4999999999999999e-07 \n" });
  });

  test("stops where there is no more room, and before numbers that it leaves to others", () => {
    expect(write([1, 2, 3], 33)).toEqual({ done: 1, text: "1 " });
    expect(write([1, 1e300, 3], 1000)).toEqual({ done: 1, text: "1 " });
    expect(write([1, 1e-30, 3], 1000)).toEqual({ done: 1, text: "1 " });
  });
});
