// What peers did before: a rung of a slow one need not be climbed again while the data, its flags, its version and the start of the machine are the same.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PATH = join(tmpdir(), "hinge-data", "kept.json");

/** The value kept under this key, or the one that `make` gives, which is kept from then on. */
export async function kept<T>(key: readonly unknown[], make: () => Promise<T>): Promise<T> {
  const name = JSON.stringify(key);
  const known = all()[name];
  if (known !== undefined) return known as T;
  const value = await make();
  mkdirSync(dirname(PATH), { recursive: true });
  writeFileSync(PATH, `${JSON.stringify({ ...all(), [name]: value }, null, 1)}\n`);
  return value;
}

function all(): Record<string, unknown> {
  return existsSync(PATH) ? (JSON.parse(readFileSync(PATH, "utf8")) as Record<string, unknown>) : {};
}
