// Runs the command line from its one file, with what the engine made of that text when the package was built: reading it anew takes longer than many a command.
// Such code is for one executable alone: another build of the very same version may take it and crash. Elsewhere Node makes its own and, where it can (22.8 on), keeps it.

import { readFileSync, statSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const pathOf = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
const file = pathOf("cli.cjs");

/** Bytes before the code: a multiple of what engines want it aligned to. */
const HEADER = 128;

/** What tells this executable from others, as far as can be known at once. */
export function executable() {
  return `${process.version} ${process.platform} ${process.arch} ${process.versions.v8} ${statSync(process.execPath).size}`.padEnd(HEADER);
}

/** Code as it is kept in a file. */
export function kept(code) {
  return Buffer.concat([Buffer.from(executable(), "latin1"), code]);
}

/** The code in a file of dist, if there is one and this executable made it. */
export function codeIn(name) {
  try {
    const bytes = readFileSync(pathOf(name));
    return bytes.latin1Slice(0, HEADER) === executable() ? bytes.subarray(HEADER) : undefined;
  } catch {
    return undefined;
  }
}

/** The text as a script; plain ASCII, which scripts/build.js sees to. */
export function scriptOf(cachedData) {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  return new Script(text, { filename: file, cachedData });
}

/** What the text exports. */
export function exportsOf(script) {
  const own = { exports: {} };
  script.runInThisContext()(own.exports, createRequire(file), own, file, dirname(file));
  return own.exports;
}

export async function run() {
  const code = codeIn("cli.code");
  if (code === undefined) module.enableCompileCache?.();
  const { start } = code === undefined ? createRequire(import.meta.url)(file) : exportsOf(scriptOf(code));
  await start(codeIn);
}
