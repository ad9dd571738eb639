import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { liblinearModelParts, writeLiblinearModel } from "../../../src/formats/liblinear-model.ts";
import { isLong, numberLines } from "../../../src/formats/number-lines.ts";
import { formatGeneral } from "../../../src/formats/printf.ts";
import { TABLE_BYTES, writingTables } from "../../../src/formats/writing-tables.ts";
import { stopPool } from "../../../src/index.ts";
import { coreUnderTest } from "../../core/instance.ts";

afterAll(() => stopPool());

/** Numbers of every kind: any bits, weights as models have them, whole ones, powers of ten and their neighbours, zeros. */
function numbers(count: number): Float64Array {
  const random = new Random(7);
  const bits = new BigUint64Array(1);
  const double = new Float64Array(bits.buffer);
  const any = (): number => {
    bits[0] = (BigInt(Math.floor(random.unit() * 2 ** 32)) << 32n) | BigInt(Math.floor(random.unit() * 2 ** 32));
    return Number.isFinite(double[0]) ? (double[0] as number) : 1;
  };
  const sign = (): number => (random.unit() < 0.5 ? -1 : 1);
  const kinds = [
    any,
    () => sign() * random.unit(),
    () => sign() * random.unit() * 10 ** Math.floor(-30 + 50 * random.unit()),
    () => sign() * Math.floor(1e6 * random.unit()),
    () => Number(`1e${Math.floor(-30 + 50 * random.unit())}`),
    () => Number(`1e${Math.floor(-30 + 50 * random.unit())}`) * (1 - 2 ** -53),
    () => Number(`1e${Math.floor(-30 + 50 * random.unit())}`) * (1 + 2 ** -52),
    () => 0,
    () => -0,
    () => Math.fround(random.unit()),
    () => 1e16 * random.unit(),
  ];
  return Float64Array.from({ length: count }, (_, k) => (kinds[k % kinds.length] as () => number)());
}

function plain(values: Float64Array, columns: number): string {
  let text = "";
  values.forEach((value, k) => {
    text += `${formatGeneral(value, 17)} ${(k + 1) % columns === 0 ? "\n" : ""}`;
  });
  return text;
}

const textOf = (parts: readonly Uint8Array[]): string => parts.map((part) => new TextDecoder().decode(part)).join("");

describe("lines of numbers", () => {
  for (const columns of [1, 3, 20]) {
    test(`${columns} a line: what %.17g gives, number by number, by one worker or by two`, async () => {
      for (const count of [columns, 6000 * columns, 240_000]) {
        const values = numbers(count);
        expect(textOf(await numberLines(values, columns)) === plain(values, columns)).toBe(true);
      }
    });
  }

  test("the values are the caller's still", async () => {
    const values = numbers(3000);
    const before = values.slice();
    await numberLines(values, 3);
    expect(values).toEqual(before);
  });

  test("a model of many weights is the same bytes as one written at once", async () => {
    const weights = numbers(150_000);
    expect(isLong(weights)).toBe(true);
    const file = {
      solverType: "L2R_LR",
      classCount: 3,
      labels: Int32Array.of(1, 2, 3),
      featureCount: 50_000,
      bias: -1,
      rho: undefined,
      weights,
    } as const;
    const parts = await liblinearModelParts(file);
    expect(parts.length).toBeGreaterThan(1);
    expect(textOf(parts) === textOf([writeLiblinearModel(file)])).toBe(true);
  });
});

test("a pool that is stopped meanwhile loses no model", async () => {
  const weights = numbers(200_000);
  const file = {
    solverType: "L2R_LR",
    classCount: 2,
    labels: Int32Array.of(1, 2),
    featureCount: 200_000,
    bias: -1,
    rho: undefined,
    weights,
  } as const;
  const writing = liblinearModelParts(file);
  stopPool();
  expect(textOf(await writing) === textOf([writeLiblinearModel(file)])).toBe(true);
});

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
