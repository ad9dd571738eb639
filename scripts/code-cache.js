// Writes down what the engine makes of the command line's text and of its workers' (dist/cli.code, dist/worker.code), after some commands have run in this process:
// functions that they call are in there, others are compiled when they are called. With the argument "steps", the workers' under the flags of commands that train kernel
// machines (dist/steps.code). With the argument "core", the core as machine code (dist/core.code). Run by scripts/build.js in a process of its own.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import vm from "node:vm";
import { exportsOf, kept, scriptOf } from "../bin/load.js";

// Scripts that the command line makes itself: that of its workers.
const made = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    made.push(this);
  }
};

const script = scriptOf();
const { keepCore, main, startPoolHere, stepsFlags } = exportsOf(script);
if (process.argv[2] === "core") {
  writeFileSync("dist/core.code", kept(keepCore(new Uint8Array(readFileSync("build/core-shared.wasm")))));
  process.exit();
}
const isForSteps = process.argv[2] === "steps";
if (isForSteps) for (const flag of stepsFlags) setFlagsFromString(flag);
const folder = mkdtempSync(join(tmpdir(), "hinge-code-"));
const place = (name) => join(folder, name);
const failures = [];
const console = {
  out: () => undefined,
  err: (text) => failures.push(text),
  isTerminal: false,
  exit: (code) => failures.push(`exit ${code}`),
};

/** Rows of `classes` classes, near the corners of a simplex, by a rule instead of chance. */
function rows(count, classes) {
  const value = (i, j) => ((i % classes === j ? 1 : 0) + Math.sin(1 + i * 7 + j * j)).toFixed(4);
  return Array.from(
    { length: count },
    (_, i) => `${i % classes} ${[1, 2, 3, 4, 5].map((j) => `${j}:${value(i, j - 1)}`).join(" ")}\n`,
  ).join("");
}

try {
  startPoolHere();
  writeFileSync(place("two.svm"), rows(200, 2));
  writeFileSync(place("many.svm"), rows(20_000, 3));
  const kernels = [
    ["train", place("two.svm"), place("d.model"), "--estimator", "svc", "--threads", "1"],
    ["train", place("many.svm"), place("e.model"), "--estimator", "svc", "--max-iterations", "50", "--threads", "1"],
  ];
  const others = [
    ["train", place("two.svm"), place("a.model"), "--threads", "1"],
    ["train", place("many.svm"), place("b.model"), "--loss", "hinge", "--threads", "1"],
    ["train", place("two.svm"), place("c.model"), "--estimator", "logistic-regression", "--threads", "1"],
    ["predict", place("two.svm"), place("a.model"), place("labels.txt")],
    ["predict", place("two.svm"), place("d.model"), place("labels.txt")],
  ];
  for (const args of isForSteps ? kernels : [...kernels, ...others]) await main(args, console);
  if (failures.length > 0) throw new Error(`a command failed while its code was collected: ${failures.join(" ")}`);
  if (!isForSteps) writeFileSync("dist/cli.code", kept(script.createCachedData()));
  writeFileSync(isForSteps ? "dist/steps.code" : "dist/worker.code", kept(made[0].createCachedData()));
} finally {
  rmSync(folder, { recursive: true });
}
process.exit();
