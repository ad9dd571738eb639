import { afterAll, describe, expect, test, vi } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { liblinearModelParts, writeLiblinearModel } from "../../../src/formats/liblinear-model.ts";
import { isLong, numberLines } from "../../../src/formats/number-lines.ts";
import { formatGeneral } from "../../../src/formats/printf.ts";
import { HingeError, stopPool } from "../../../src/index.ts";
import { plainLines, turnedLines } from "../../../src/model/weight-lines.ts";
import { thePool } from "../../../src/runtime/runtime.ts";

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

async function collected(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe("lines of numbers", () => {
  for (const columns of [1, 3, 20]) {
    test(`${columns} a line: what %.17g gives, number by number, by one worker or by two`, async () => {
      for (const count of [columns, 6000 * columns, 240_000]) {
        const values = numbers(count);
        expect(textOf(await collected(numberLines(plainLines(values, columns)))) === plain(values, columns)).toBe(true);
      }
    });
  }

  for (const last of [undefined, Float64Array.of(0.1, -0, 1e300)]) {
    test(`weights kept class by class, ${last === undefined ? "without" : "with"} a line of their own behind`, async () => {
      const rows = 70_000;
      const values = numbers(3 * rows);
      const lines = Float64Array.from({ length: 3 * rows + (last?.length ?? 0) }, (_, k) => {
        const [row, column] = [Math.floor(k / 3), k % 3];
        return (row < rows ? values[column * rows + row] : last?.[column]) as number;
      });
      const turned = turnedLines(values, 3, last);
      expect(turned.rows).toBe(lines.length / 3);
      expect(textOf(await collected(numberLines(turned))) === plain(lines, 3)).toBe(true);
    });
  }

  test("nobody is left at work where the reader leaves early", async () => {
    const pool = thePool();
    const run = pool.run.bind(pool);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let begun = 0;
    // All but the first end when the gate is opened.
    const spied = vi.spyOn(pool, "run").mockImplementation((work, options) => {
      const text = run<never>(work, options);
      return begun++ === 0 ? text : gate.then(() => text);
    });
    const parts = numberLines(plainLines(numbers(600_000), 1));
    expect((await parts.next()).done).toBe(false);
    expect(begun).toBeGreaterThan(1);
    let hasLeft = false;
    const leaving = parts.return(undefined).then(() => {
      hasLeft = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(hasLeft).toBe(false);
    open();
    await leaving;
    spied.mockRestore();
  });

  test("the values are the caller's still", async () => {
    const values = numbers(3000);
    const before = values.slice();
    await collected(numberLines(plainLines(values, 3)));
    expect(values).toEqual(before);
  });

  test("a model of many weights is the same bytes as one written at once", async () => {
    const weights = numbers(150_000);
    expect(isLong(plainLines(weights, 3))).toBe(true);
    const file = {
      solverType: "L2R_LR",
      classCount: 3,
      labels: Int32Array.of(1, 2, 3),
      featureCount: 50_000,
      bias: -1,
      rho: undefined,
      weights,
    } as const;
    const parts = await collected(liblinearModelParts(file));
    expect(parts.length).toBeGreaterThan(1);
    expect(textOf(parts) === textOf([writeLiblinearModel(file)])).toBe(true);
  });
});

describe("where the workers fail", () => {
  const file = {
    solverType: "L2R_LR",
    classCount: 2,
    labels: Int32Array.of(1, 2),
    featureCount: 900_000,
    bias: -1,
    rho: undefined,
    weights: numbers(900_000),
  } as const;

  test("a pool that is stopped meanwhile loses no model", async () => {
    const parts = liblinearModelParts(file);
    const begun: Uint8Array[] = [];
    for (let k = 0; k < 2; k++) begun.push((await parts.next()).value as Uint8Array);
    // Of the next parts some are under way: they fail, and are written without workers.
    stopPool();
    const rest = await collected(parts);
    expect(textOf([...begun, ...rest]) === textOf([writeLiblinearModel(file)])).toBe(true);
  });

  test("a bug is told", async () => {
    const bug = new HingeError("internal", "a bug in hinge");
    vi.spyOn(thePool(), "run").mockRejectedValue(bug);
    await expect(collected(liblinearModelParts(file))).rejects.toBe(bug);
    stopPool();
  });
});
