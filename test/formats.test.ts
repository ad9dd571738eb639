// Reading the same text any way there is gives the same rows.

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LabelledRows, readRows, readSvmlight } from "../src/formats/svmlight.ts";
import { LinearSVC, startPool, stopPool } from "../src/index.ts";
import { sourceOf } from "../src/runtime/byte-source.ts";
import { landRows } from "../src/runtime/runtime.ts";
import { sparseSet } from "./problems/generate.ts";
import { rejected } from "./thrown.ts";

const set = sparseSet(3000, 400, 12, 9);
const text = set.x
  .map(
    ([indices, values], i) =>
      `${set.y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}${i % 7 === 0 ? " # note: 1" : ""}\n`,
  )
  .join("");
const bytes = new TextEncoder().encode(text);

/** Everything in plain arrays, to be compared. */
const plain = ({ x, y, queries }: LabelledRows) => ({
  shape: [x.rowCount, x.featureCount, x.valueCount],
  values: Array.from(x.values),
  indices: Array.from(x.indices),
  starts: Array.from(x.starts),
  y: Array.from(y),
  queries,
});

async function* inPieces(size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}

describe("the same text", () => {
  test("gives the same rows from bytes, gzip, a Blob and streams", async () => {
    const expected = plain(await readSvmlight(bytes));
    const packed = new Uint8Array(gzipSync(bytes));
    for (const source of [packed, new Blob([bytes]), new Blob([packed]), new Blob([bytes]).stream(), inPieces(1000), inPieces(1)]) {
      expect(plain(await readSvmlight(source))).toEqual(expected);
    }
  });

  test("gives the same rows for any cut into blocks and any number of threads", async () => {
    const expected = plain(await readSvmlight(bytes));
    for (const [size, threads] of [
      [64, 2],
      [1000, 1],
      [1000, 2],
      [4096, 7],
      [50_000, 3],
    ] as const) {
      const settings = { name: "data", indexBase: 1 as const, featureCount: undefined, threads };
      expect(plain(await readRows(sourceOf(bytes), settings, size))).toEqual(expected);
      expect(plain(await readRows(sourceOf(bytes), settings, size, landRows(undefined)))).toEqual(expected);
      // Of unknown length: arrays must grow while blocks come in.
      expect(plain(await readRows(sourceOf(inPieces(777)), settings, size, landRows(undefined)))).toEqual(expected);
    }
  });

  test("gives the same rows where memory cannot be shared", async () => {
    const expected = plain(await readSvmlight(bytes));
    stopPool();
    startPool({ sharedMemory: false });
    expect(plain(await readSvmlight(bytes))).toEqual(expected);
    stopPool();
  });

  test("has the same error at the same line, whatever the cut", async () => {
    const wrong = new TextEncoder().encode(`${text}1 5:1 4:1\n${text}`);
    const settings = { name: "data", indexBase: 1 as const, featureCount: undefined, threads: 3 };
    for (const size of [64, 1000, 1_000_000]) {
      for (const landing of [undefined, landRows(undefined)]) {
        const error = await rejected(readRows(sourceOf(wrong), settings, size, landing));
        expect(error.where).toEqual({ file: "data", line: 3001, column: 7 });
        expect(error.message).toContain("3001 | 1 5:1 4:1\n              ^");
      }
    }
  });
});

describe("rows placed in shared memory", () => {
  const settings = { name: "data", indexBase: 1 as const, featureCount: undefined, threads: 2 };
  const placed = (content: string, size: number): Promise<LabelledRows> =>
    readRows(sourceOf(new TextEncoder().encode(content)), settings, size, landRows(undefined));

  test("close up where comments and blank lines left gaps, whatever the cut", async () => {
    const lines = Array.from({ length: 500 }, (_, i) =>
      i % 5 === 0 ? "" : i % 7 === 0 ? "# a: b: c:" : `${i} qid:${i} ${i + 1}:0.5 ${i + 2}:2 # x:1 y:2`,
    );
    const content = `\ufeff${lines.join("\n")}`;
    const expected = plain(await readSvmlight(new TextEncoder().encode(content)));
    expect(expected.shape[0]).toBe(lines.filter((line) => /^[0-9]/.test(line)).length);
    for (const size of [20, 64, 1000, 100_000]) expect(plain(await placed(content, size))).toEqual(expected);
  });

  test("have room for a line longer than any block", async () => {
    const long = Array.from({ length: 5000 }, (_, j) => `${j + 1}:${j % 3}`).join(" ");
    const content = `1 1:1\n-1 ${long}\n1 2:1\n`;
    const expected = plain(await readSvmlight(new TextEncoder().encode(content)));
    expect(plain(await placed(content, 64))).toEqual(expected);
  });

  test("serve a fit like any others, with the memory of the text free again", async () => {
    const { x, y } = await readRows(sourceOf(bytes), settings, 4096, landRows(undefined));
    const copied = await readSvmlight(bytes);
    const options = { tolerance: 1e-6 };
    const [one, other] = [await LinearSVC.fit(x, y, options), await LinearSVC.fit(copied.x, copied.y, options)];
    expect(one.coefficients).toEqual(other.coefficients);
  });
});

describe("queries", () => {
  test("are kept", async () => {
    const { queries } = await readSvmlight(new TextEncoder().encode("1 qid:1 1:1\n2 qid:1 2:1\n1 qid:12 1:1\n"));
    expect(queries).toEqual(Float64Array.of(1, 1, 12));
  });

  test("are for all rows or for none", async () => {
    const error = await rejected(readSvmlight(new TextEncoder().encode("1 qid:1 1:1\n2 2:1\n"), { name: "f" }));
    expect(error.message).toBe('f: some rows have a "qid:" but row 1 has none; give it to all rows or to none');
  });
});

test("damaged gzip is a bad file, not a crash", async () => {
  const packed = new Uint8Array(gzipSync(bytes));
  const error = await rejected(readSvmlight(packed.subarray(0, packed.length / 2), { name: "half.gz" }));
  expect([error.code, error.message]).toEqual(["bad-file", "half.gz: the gzip data is damaged or cut off"]);
});

test("any bytes give rows or a HingeError", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (junk) => {
      try {
        await readSvmlight(junk);
      } catch (error) {
        expect((error as Error).name).toBe("HingeError");
      }
    }),
    { numRuns: 300, seed: 3 },
  );
});
