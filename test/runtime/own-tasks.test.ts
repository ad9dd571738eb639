// Reading on the calling thread: blocks of text are parsed where they are read, between two turns of the others, until there are workers.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readSvmlight, startPool, stopPool } from "../../src/index.ts";
import { thePool } from "../../src/runtime/runtime.ts";

const line = `1 ${Array.from({ length: 50 }, (_, j) => `${3 * j + 1}:${(j + 1) / 8}`).join(" ")}\n`;
const rowsOf = (megabytes: number): number => Math.ceil((megabytes * 1e6) / line.length);
const textOf = (megabytes: number): Uint8Array => new TextEncoder().encode(line.repeat(rowsOf(megabytes)));

beforeEach(stopPool);
afterEach(stopPool);

test("a file is read without a worker, small or not, and timers fire meanwhile", async () => {
  for (const megabytes of [0.01, 40]) {
    const text = textOf(megabytes);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const { x, y } = await readSvmlight(text);
    clearInterval(timer);
    expect([x.rowCount, y.length, x.valueCount]).toEqual([rowsOf(megabytes), rowsOf(megabytes), 50 * rowsOf(megabytes)]);
    expect(thePool().workerCount).toBe(0);
    if (megabytes > 1) expect(ticks).toBeGreaterThan(3); // 20 blocks, some of them in one turn
  }
});

test("a long one starts workers while it is read, one thread fewer than were asked for", async () => {
  const { x } = await readSvmlight(textOf(70), { threads: 2 });
  expect(x.rowCount).toBe(rowsOf(70));
  expect(thePool().workerCount).toBe(1);
  await readSvmlight(textOf(70), { threads: 1 });
  expect(thePool().workerCount).toBe(1);
});

test("where memory is not shared a worker parses, as in a page", async () => {
  startPool({ sharedMemory: false });
  const { x } = await readSvmlight(textOf(0.01));
  expect(x.rowCount).toBe(rowsOf(0.01));
  expect(thePool().workerCount).toBe(1);
});

test("what is wrong in a block is told with its line, and the pool goes on", async () => {
  const text = textOf(5);
  text[text.length - 2] = "x".charCodeAt(0);
  const forget = vi.spyOn(thePool(), "forget");
  await expect(readSvmlight(text, { name: "rows.svm" })).rejects.toMatchObject({ code: "bad-file", where: { line: rowsOf(5) } });
  // Nothing holds the memory of what was read so far.
  expect(forget).toHaveBeenCalledTimes(1);
  expect((await readSvmlight(textOf(0.01))).x.rowCount).toBe(rowsOf(0.01));
});

test("a source that fails leaves nothing behind either", async () => {
  const forget = vi.spyOn(thePool(), "forget");
  async function* failing(): AsyncGenerator<Uint8Array, void> {
    yield textOf(5);
    throw new Error("the line is dead");
  }
  await expect(readSvmlight(failing())).rejects.toThrow("the line is dead");
  expect(forget).toHaveBeenCalledTimes(1);
});

test("a pool that is stopped ends the read, whoever parses", async () => {
  const before = readSvmlight(textOf(30));
  const failed = expect(before).rejects.toMatchObject({ code: "worker-failed" });
  setTimeout(stopPool, 5);
  await failed;
  expect((await readSvmlight(textOf(0.01))).x.rowCount).toBe(rowsOf(0.01));
});
