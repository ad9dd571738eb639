// Support vectors written by the core: the bytes of GeneralWriter, also where the core leaves lines to it, in parts and in lines of any length.

import { expect, test, vi } from "vitest";
import { HingeError } from "../../../src/base/errors.ts";
import { Random } from "../../../src/base/random.ts";
import { BRIEF, GeneralWriter } from "../../../src/formats/general-writer.ts";
import { areLong, vectorLines, writeVectors } from "../../../src/formats/vector-lines.ts";
import type { LibsvmVectors } from "../../../src/model/libsvm-file.ts";
import { thePool } from "../../../src/runtime/runtime.ts";

const COLUMNS = 3;
const random = new Random(21);

/** Support vectors with so many entries each; every `odd`-th has a number whose digits are not certain, in turn among its coefficients and its values. */
function vectorsOf(lengths: readonly number[], odd: number): LibsvmVectors {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [v, length] of lengths.entries()) starts[v + 1] = (starts[v] as number) + length;
  const count = starts[lengths.length] as number;
  const coefficients = Float64Array.from({ length: COLUMNS * lengths.length }, (_, k) => (k % 4 === 0 ? 0 : random.unit() - 0.5));
  const values = Float32Array.from({ length: count }, () => (random.unit() < 0.3 ? -1 : random.unit()));
  const indices = new Uint32Array(count);
  for (const [v, length] of lengths.entries()) for (let k = 0; k < length; k++) indices[(starts[v] as number) + k] = 3 * k + (v % 3) + 1;
  for (let v = odd; v < lengths.length; v += odd) {
    // The one behind it as well: two lines in a row.
    if (v + 1 < lengths.length && v % 5 === 0) coefficients[COLUMNS * (v + 1)] = 1e300;
    if (v % (2 * odd) === 0 && (lengths[v] as number) > 0) values[starts[v] as number] = 1e-30;
    else coefficients[COLUMNS * v + 1] = 1e300;
  }
  return { count: lengths.length, coefficients, starts, indices, values };
}

function plainly({ count, coefficients, starts, indices, values }: LibsvmVectors): string {
  const out = new GeneralWriter();
  for (let v = 0; v < count; v++) {
    for (let k = COLUMNS * v; k < COLUMNS * (v + 1); k++) {
      out.number(coefficients[k] as number);
      out.text(" ");
    }
    for (let k = starts[v] as number; k < (starts[v + 1] as number); k++) {
      out.text(`${indices[k]}:`);
      out.number(values[k] as number, BRIEF);
      out.text(" ");
    }
    out.text("\n");
  }
  return new TextDecoder().decode(out.finish());
}

for (const [title, lengths, odd] of [
  ["few numbers, which the core is not asked for", new Array(20).fill(5), 7],
  ["many lines, in several parts", Array.from({ length: 4000 }, (_, v) => v % 13), Infinity],
  ["lines that the core leaves to others, some of them next to each other", Array.from({ length: 3000 }, (_, v) => v % 11), 2],
  ["one such line in a part", Array.from({ length: 3000 }, (_, v) => v % 11), 1000],
  ["a line longer than a part", [3, 40_000, 0, 7, 20_000, 1], 4],
] as const) {
  test(`${title}: the same bytes`, () => {
    const vectors = vectorsOf(lengths, odd);
    const out = new GeneralWriter();
    writeVectors(out, { vectors, columns: COLUMNS, isPrecomputed: false });
    expect(new TextDecoder().decode(out.finish()) === plainly(vectors)).toBe(true);
  });
}

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<{ text: string; count: number }> {
  let [text, count] = ["", 0];
  for await (const part of parts) {
    text += new TextDecoder().decode(part);
    count++;
  }
  return { text, count };
}

for (const [title, lengths, odd] of [
  ["lines of any length", Array.from({ length: 20_000 }, (_, v) => v % 13), 3],
  ["lines longer than a part", [3, 40_000, 0, 70_000, 20_000, 1, 90_000, 2], 4],
  ["one line", [200_000], Infinity],
  ["none", [], Infinity],
] as const) {
  test(`by the workers, ${title}: the same bytes`, async () => {
    const vectors = vectorsOf(lengths, odd);
    const { text, count } = await textOf(vectorLines({ vectors, columns: COLUMNS, isPrecomputed: false }));
    expect(text === plainly(vectors)).toBe(true);
    const size = (COLUMNS + 1) * vectors.count + (vectors.starts[vectors.count] as number);
    expect(count).toBeGreaterThanOrEqual(Math.min(lengths.length, Math.floor(size / 131_072)));
    expect(count).toBeLessThanOrEqual(Math.ceil(size / 65_536));
  });
}

test("workers write lines of 100,000 numbers and more, but not those of a precomputed kernel", () => {
  const lines = (count: number, isPrecomputed: boolean) => ({
    vectors: vectorsOf(new Array(count).fill(6), Infinity),
    columns: COLUMNS,
    isPrecomputed,
  });
  expect([lines(9999, false), lines(10_000, false), lines(10_000, true)].map(areLong)).toEqual([false, true, false]);
});

test("where no worker can help, the rest is written here", async () => {
  const vectors = vectorsOf(new Array(40_000).fill(6), 5);
  const spied = vi.spyOn(thePool(), "run").mockRejectedValue(new HingeError("bad-option", "stopped"));
  try {
    const { text } = await textOf(vectorLines({ vectors, columns: COLUMNS, isPrecomputed: false }));
    expect(spied).toHaveBeenCalled();
    expect(text === plainly(vectors)).toBe(true);
  } finally {
    spied.mockRestore();
  }
});
