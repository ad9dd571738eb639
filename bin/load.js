// Runs the command line from its one file, with what the engine made of that text when the package was built: reading it anew takes longer than many a command.
// Such code is for one executable alone: another build of the very same version may take it and crash. Elsewhere Node makes its own and, where it can (22.8 on), keeps it.
// CommonJS (package.json beside), because the loader of modules takes Node another ten milliseconds to start.

const { readFileSync, statSync } = require("node:fs");
const nodeModule = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const pathOf = (name) => join(__dirname, "..", "dist", name);
const file = pathOf("cli.cjs");

/** Bytes before the code: a multiple of what engines want it aligned to. */
const HEADER = 128;

/** What tells this executable from others, as far as can be known at once. */
function executable() {
  return `${process.version} ${process.platform} ${process.arch} ${process.versions.v8} ${statSync(process.execPath).size}`.padEnd(HEADER);
}

/** Code as it is kept in a file. */
function kept(code) {
  return Buffer.concat([Buffer.from(executable(), "latin1"), code]);
}

/** The code in a file of dist, if there is one and this executable made it. */
function codeIn(name) {
  try {
    const bytes = readFileSync(pathOf(name));
    return bytes.latin1Slice(0, HEADER) === executable() ? bytes.subarray(HEADER) : undefined;
  } catch {
    return undefined;
  }
}

/** The text as a script; plain ASCII, which scripts/build.js sees to. */
function scriptOf(cachedData) {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  return new Script(text, { filename: file, cachedData });
}

/** What the text exports. */
function exportsOf(script) {
  const own = { exports: {} };
  script.runInThisContext()(own.exports, nodeModule.createRequire(file), own, file, dirname(file));
  return own.exports;
}

/** Runs the command. Where the process ends before it does, because nothing is left to wait for, the status is 13, as Node has it for modules. */
async function run() {
  let isOver = false;
  process.once("exit", (status) => {
    if (!isOver && status === 0) process.exitCode = 13;
  });
  const code = codeIn("cli.code");
  if (code === undefined) nodeModule.enableCompileCache?.();
  const { start } = code === undefined ? require(file) : exportsOf(scriptOf(code));
  await start(codeIn, () => {
    isOver = true;
  });
}

module.exports = { codeIn, executable, exportsOf, kept, run, scriptOf };
