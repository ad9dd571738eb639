// Before the tests: compiles the core with all its functions exported, and with one function per struct field that returns
// the field's offset. Only if something changed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compileCore } from "../../scripts/asc.js";
import { fingerprint } from "../../scripts/fingerprint.js";
import { coreStructs } from "./structs.ts";

const WASM = "build/core-test.wasm";
const STAMP = "build/core-test.built";
const PROBE = "build/layout-probe.ts";

export async function setup(): Promise<void> {
  const wanted = fingerprint(["core", "test/core", "scripts/asc.js"]);
  if (existsSync(WASM) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  mkdirSync("build", { recursive: true });
  writeFileSync(PROBE, probeSource());
  await compileCore(["test/core/entry.ts", PROBE], WASM, { shared: false });
  writeFileSync(STAMP, wanted);
}

function probeSource(): string {
  const structs = coreStructs();
  const functions = structs.flatMap(({ name, fields }) => [
    ...fields.map((field) => `export function offset_${name}_${field}(): u32 { return offsetof<${name}>("${field}"); }`),
    `export function size_${name}(): u32 { return offsetof<${name}>(); }`,
  ]);
  const imports = structs.map(({ name, file }) => `import { ${name} } from "../${file}";`);
  return `${[...imports, ...functions].join("\n")}\n`;
}
