// The core's inner loops beside what the machine can do at most: memory bandwidth by copying, multiply-adds by a loop in registers' reach.

import { readFileSync } from "node:fs";
import { Random } from "../../src/base/random.ts";
import { KernelUnderTest } from "../../test/core/kernel.ts";
import { setup } from "../../test/core/setup.ts";
import { hingeVersion } from "../contenders/ours.ts";
import { spreadBy } from "../protocol.ts";
import type { Case, Row } from "./case.ts";

const MEBIBYTE = 2 ** 20;

export const microCase: Case = {
  name: "micro",
  title: "Inner loops beside the machine's peak",
  sets: [],
  async run(_files, { runs }) {
    await setup(); // the core as tests have it; theirs need not have run
    const core = microCore();
    const rows: Row[] = [];
    const measure = (name: string, unit: string, amount: number, once: () => unknown): void => {
      const list: number[] = [];
      for (let k = -2; k < runs; k++) {
        const started = performance.now();
        for (let repeat = 0; repeat < REPEATS; repeat++) sink += Number(once()) || 0;
        if (k >= 0) list.push((performance.now() - started) / REPEATS);
      }
      rows.push({
        data: "generated",
        contender: "hinge core",
        version: hingeVersion,
        measure: "throughput",
        loop: name,
        unit,
        perSecond: spreadBy(list, (milliseconds) => amount / 1e6 / milliseconds),
        runs: list,
      });
    };
    let sink = 0;
    const { call, buffer, at } = core;
    const big = 64 * MEBIBYTE;
    const n = 4096; // 32 KiB of doubles: stays in the nearest cache
    const large = 2 ** 21;
    measure("peak: copy 64 MiB", "GB/s moved", 2 * big, () => new Uint8Array(buffer, at + big, big).set(new Uint8Array(buffer, at, big)));
    measure("peak: float64 multiply-adds in cache", "GMAC/s", n * 100, () => repeated(100, () => call.dot?.(at, at + 8 * n, n)));
    measure("denseDot, 4,096 values in cache", "GMAC/s", n * 100, () => repeated(100, () => call.denseDot?.(at, at + 8 * n, n)));
    measure("denseDot, 2 Mi values from memory", "GB/s", 12 * large, () => call.denseDot?.(at, at + 4 * large, large));
    measure("denseAxpy, 4,096 values in cache", "GMAC/s", n * 100, () => repeated(100, () => call.denseAxpy?.(at + 8 * n, 0, at, n)));
    core.writeIndices(n, 100_000);
    measure("sparseDot, 4,096 of 100,000", "GMAC/s", n * 100, () =>
      repeated(100, () => call.sparseDot?.(at, core.indices, at + MEBIBYTE, n)),
    );
    measure("sparseAxpy, 4,096 of 100,000", "GMAC/s", n * 100, () =>
      repeated(100, () => call.sparseAxpy?.(at + MEBIBYTE, 0, at, core.indices, n)),
    );
    measure("peak: float32 multiply-adds in registers", "GMAC/s", 24 * PEAK_TURNS, () => call.peakMultiplyAdds?.(PEAK_TURNS));
    for (const [storage, share, words] of [
      ["dense", 1, "dense rows of 784"],
      ["csr", 0.2, "sparse rows, a fifth of 784"],
    ] as const) {
      const { ids, blockOf, valueCount } = kernelBlock(storage, share);
      const alone = ids.map((id) => blockOf([id]));
      measure(`kernel rows, rbf, 8 at a time with 2,000 ${words}`, "GMAC/s", 8 * valueCount, blockOf(ids));
      measure(`kernel rows, rbf, one after the other with 2,000 ${words}`, "GMAC/s", 8 * valueCount, () => {
        for (const once of alone) once();
      });
    }
    if (!Number.isFinite(sink)) throw new Error("the loops computed nothing"); // and so they cannot be optimised away
    return rows;
  },
};

const REPEATS = 10;

const PEAK_TURNS = 1_000_000;

/** Of memory, of 64 KiB. */
const PAGES = 400;

/** What computes kernel values of rows with 2,000, which have so many values that are not 0. */
function kernelBlock(storage: "dense" | "csr", share: number) {
  const random = new Random(784);
  const rows = Array.from({ length: 2000 }, () =>
    Array.from({ length: 784 }, () => (random.unit() < share ? Math.fround(random.unit()) : 0)),
  );
  const columns = rows.map((_, i) => i);
  return {
    ids: [1, 3, 5, 7, 11, 13, 17, 19],
    // A kernel each: it holds the lanes of one block.
    blockOf: (ids: readonly number[]) => new KernelUnderTest({ rows, storage, kind: "rbf", gamma: 0.02 }, PAGES).repeated(ids, columns),
    valueCount: rows.reduce((sum, row) => sum + row.filter((value) => value !== 0).length, 0),
  };
}

function repeated(count: number, once: () => unknown): number {
  let last = 0;
  for (let k = 0; k < count; k++) last = Number(once());
  return last;
}

function microCore() {
  const memory = new WebAssembly.Memory({ initial: 3200, maximum: 65536 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync("build/core-test.wasm")), { env: { memory } });
  const { buffer } = memory;
  const at = MEBIBYTE;
  new Float32Array(buffer, at, 2 ** 22).fill(1.5);
  const indices = 190 * MEBIBYTE;
  return {
    call: instance.exports as Record<string, (...args: number[]) => number>,
    buffer,
    at,
    indices,
    writeIndices(count: number, below: number): void {
      new Uint32Array(buffer, indices, count).set(Array.from({ length: count }, (_, k) => Math.floor((k * below) / count)));
    },
  };
}
