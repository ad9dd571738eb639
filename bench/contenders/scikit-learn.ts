// scikit-learn from Debian's python3. Single-threaded.

import { spawnSync } from "node:child_process";
import { runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

/** The one that Debian's packages belong to. */
export const PYTHON = "/usr/bin/python3";
const { status, stdout } = spawnSync(PYTHON, ["-c", "import sklearn; print(sklearn.__version__)"], { encoding: "utf8" });

export const scikitLearn: Contender = {
  id: "scikit-learn",
  version: status === 0 ? stdout.trim() : undefined,
  threads: 1,
  form: "none",
  read: ({ path }) =>
    runCommand(PYTHON, ["-c", `from sklearn.datasets import load_svmlight_file; load_svmlight_file(${JSON.stringify(path)})`]),
  readFlags: "load_svmlight_file(path)",
};
