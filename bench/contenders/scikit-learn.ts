// scikit-learn from Debian's python3. Single-threaded.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

/** The one that Debian's packages belong to. */
export const PYTHON = "/usr/bin/python3";
const weightsPath = join(tmpdir(), `hinge-bench-${process.pid}.f64`);
const { status, stdout } = spawnSync(PYTHON, ["-c", "import sklearn; print(sklearn.__version__)"], { encoding: "utf8" });

export const scikitLearn: Contender = {
  id: "scikit-learn",
  version: status === 0 ? stdout.trim() : undefined,
  threads: 1,
  form: "none",
  ladder: [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5],
  read: ({ path }) =>
    runCommand(PYTHON, ["-c", `from sklearn.datasets import load_svmlight_file; load_svmlight_file(${JSON.stringify(path)})`]),
  readFlags: "load_svmlight_file(path)",
  async trainLinear({ file, loss, C }, tolerance) {
    const call = `LinearSVC(C=${C}, loss="${loss}", fit_intercept=False, tol=${tolerance}, max_iter=100000)`;
    const program = [
      "from sklearn.datasets import load_svmlight_file",
      "from sklearn.svm import LinearSVC",
      `x, y = load_svmlight_file(${JSON.stringify(file.path)})`,
      `m = ${call}.fit(x, y)`,
      `m.coef_.astype("float64").tofile(${JSON.stringify(weightsPath)})`,
    ].join("\n");
    const { milliseconds, peakBytes } = await runCommand(PYTHON, ["-c", program]);
    const bytes = readFileSync(weightsPath);
    const w = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8).slice();
    return { milliseconds, peakBytes, w, bias: 0, flags: call };
  },
};
