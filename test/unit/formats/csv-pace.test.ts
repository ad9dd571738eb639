// A page stays alive while a large file is read on its thread: timers go on firing.

import { describe, expect, test } from "vitest";
import { HingeError, readCsv, type TableAndLabels } from "../../../src/index.ts";

const BYTES = 30e6;

function repeated(header: string, line: (k: number) => string): Uint8Array {
  const lines = [header];
  for (let k = 0, length = 0; length < BYTES; k++) {
    const text = line(k);
    lines.push(text);
    length += text.length + 1;
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

interface Watched {
  readonly ending: TableAndLabels | HingeError;
  /** How often a timer of 1 ms fired while the file was read. */
  readonly ticks: number;
  /** The longest time between two, as a share of the whole. */
  readonly longestShare: number;
}

async function watched(bytes: Uint8Array, options?: Parameters<typeof readCsv>[1]): Promise<Watched> {
  const started = performance.now();
  const times = [started];
  const timer = setInterval(() => times.push(performance.now()), 1);
  const ending = await readCsv(bytes, options).catch((error: HingeError) => error);
  clearInterval(timer);
  times.push(performance.now());
  const longest = Math.max(...times.slice(1).map((time, k) => time - (times[k] as number)));
  return { ending, ticks: times.length - 2, longestShare: longest / (performance.now() - started) };
}

// At 8 ms a slice a reader of 100 MB/s would let the timer fire some 30 times; before it was cut into slices, never.
const LEAST_TICKS = 12;

describe("timers fire while readCsv reads 30 MB", () => {
  const cases: readonly [what: string, make: () => Uint8Array, options?: Parameters<typeof readCsv>[1]][] = [
    ["of numbers", () => repeated("a,b,c", (k) => `${k},${k / 7},${-k}e-3`)],
    ["of categories, one of them the label", () => repeated("a,b", (k) => `level${k % 50},${k % 2 ? "yes" : "no"}`), { label: "b" }],
    ["of text in quotes", () => repeated("a,b", (k) => `"text, ${k}","and ""more"" of ${k % 1000}"`)],
  ];
  for (const [what, make, options] of cases) {
    test(what, async () => {
      const { ending, ticks, longestShare } = await watched(make(), options);
      expect(ending).not.toBeInstanceOf(HingeError);
      expect(ticks).toBeGreaterThanOrEqual(LEAST_TICKS);
      expect(longestShare).toBeLessThan(0.5);
    });
  }

  test("also while it looks for a mistake that stands at the end", async () => {
    const good = repeated("a,b", (k) => `"${k}",${k}`);
    const bytes = new Uint8Array(good.length + 2);
    bytes.set(good);
    bytes.set([0x31, 0x0a], good.length);
    const { ending, ticks } = await watched(bytes);
    expect(ending).toBeInstanceOf(HingeError);
    expect((ending as HingeError).where?.line).toBe(good.reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1));
    expect(ticks).toBeGreaterThanOrEqual(LEAST_TICKS / 2);
  });
});
