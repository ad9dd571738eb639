// Files are written beside their place and then put there, whoever else writes at the same moment.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { writeAtomic } from "../../src/runtime/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-write-"));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

afterEach(() => {
  vi.restoreAllMocks();
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

test("many at once in a clock that stands still: each gets its own bytes, and nothing else is left", async () => {
  vi.spyOn(process.hrtime, "bigint").mockReturnValue(1n);
  const names = Array.from({ length: 20 }, (_, k) => `model-${k}`);
  await Promise.all(names.map((name) => writeAtomic(join(folder, name), bytesOf(name.repeat(1000)))));
  expect(readdirSync(folder).sort()).toEqual(names.slice().sort());
  for (const name of names) expect(readFileSync(join(folder, name), "utf8")).toBe(name.repeat(1000));
});

test("to the same place: one of them, whole", async () => {
  const target = join(folder, "model");
  await Promise.all(["a", "b", "c"].map((letter) => writeAtomic(target, bytesOf(letter.repeat(100_000)))));
  const text = readFileSync(target, "utf8");
  expect(["a", "b", "c"].map((letter) => letter.repeat(100_000))).toContain(text);
  expect(readdirSync(folder)).toEqual(["model"]);
});

test("where the bytes fail to come, the old file stays and nothing is left beside it", async () => {
  const target = join(folder, "model");
  writeFileSync(target, "old");
  const broken = (async function* () {
    yield bytesOf("new");
    throw new Error("no more");
  })();
  await expect(writeAtomic(target, broken)).rejects.toThrow("no more");
  expect(readdirSync(folder)).toEqual(["model"]);
  expect(readFileSync(target, "utf8")).toBe("old");
});
