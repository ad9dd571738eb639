// Writes down what the engine makes of the command line's text, of its workers' and of the core, after some commands have run in this process: functions that they call are in there, others are compiled
// when they are called. The argument says what, each in a process of its own (scripts/build.js):
//
//   cli       dist/cli.code: the command line
//   worker    dist/worker.code: the workers' text
//   steps     dist/steps.code: the same, under the flags of commands that train kernel machines
//   core      dist/core.code: the core as machine code

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

const [what] = process.argv.slice(2);
const script = scriptOf();
const { keepCore, main, startPoolHere, stepsFlags, tasks } = exportsOf(script);
if (what === "core") {
  writeFileSync("dist/core.code", kept(keepCore(new Uint8Array(readFileSync("dist/core.wasm")))));
  process.exit();
}
const isOfWorkers = what === "worker" || what === "steps";
if (what === "steps") for (const flag of stepsFlags) setFlagsFromString(flag);
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

const train = (data, model, ...flags) => ["train", place(data), place(model), "--threads", "1", ...flags];
const predict = (data, model) => ["predict", place(data), place(model), place("labels.txt")];
const kernels = [
  train("two.svm", "kernel.model", "--estimator", "svc"),
  train("many.svm", "begun.model", "--estimator", "svc", "--max-iterations", "50"),
];
const others = [
  train("two.svm", "linear.model"),
  train("many.svm", "hinge.model", "--loss", "hinge"),
  train("two.svm", "logistic.model", "--estimator", "logistic-regression"),
  // Models that are long enough for the core to read them.
  train("some.svm", "pairs.model", "--estimator", "svc", "--c", "0.01"),
  train("some.svm", "numbers.model", "--estimator", "svr", "--c", "0.01"),
  ...["linear", "kernel", "pairs", "numbers"].map((name) => predict("some.svm", `${name}.model`)),
];

try {
  writeFileSync(place("two.svm"), rows(200, 2));
  writeFileSync(place("some.svm"), rows(4000, 3));
  writeFileSync(place("many.svm"), rows(20_000, 3));
  // Workers' text is run on this thread where it has no tasks of its own.
  startPoolHere(isOfWorkers ? {} : { tasks });
  for (const args of what === "steps" ? kernels : [...kernels, ...others]) await main(args, console);
  if (failures.length > 0) throw new Error(`a command failed while its code was collected: ${failures.join(" ")}`);
  writeFileSync(`dist/${what}.code`, kept((isOfWorkers ? made[0] : script).createCachedData()));
} finally {
  rmSync(folder, { recursive: true });
}
process.exit();
