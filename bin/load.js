// Runs the command line from its one file, with what the engine made of that text when the package was built: reading it anew takes longer than many a command.
// An engine of another version refuses that and, where Node can (22.8 on), keeps its own.

import { existsSync, readFileSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";

const file = fileURLToPath(new URL("../dist/cli.cjs", import.meta.url));
const codeFile = fileURLToPath(new URL("../dist/cli.code", import.meta.url));

/** The text as a script, and whether the engine took what it was given. */
export function scriptOf(cachedData) {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  return new Script(text, { filename: file, cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
}

/** What the text exports. */
export function exportsOf(script) {
  const own = { exports: {} };
  script.runInThisContext()(own.exports, createRequire(file), own, file, dirname(file));
  return own.exports;
}

export async function run() {
  const code = existsSync(codeFile) ? readFileSync(codeFile) : undefined;
  const script = code && scriptOf(code);
  const isUsed = script?.cachedDataRejected === false;
  if (!isUsed) module.enableCompileCache?.();
  const { start } = isUsed ? exportsOf(script) : createRequire(import.meta.url)(file);
  await start();
}
