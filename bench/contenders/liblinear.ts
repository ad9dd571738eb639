// LIBLINEAR's own program, from Debian. Single-threaded.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianVersion, hasProgram, runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

const modelPath = join(tmpdir(), `hinge-bench-${process.pid}.liblinear`);

export const liblinear: Contender = {
  id: "liblinear-train",
  version: hasProgram("liblinear-train") ? debianVersion("liblinear-tools") : undefined,
  threads: 1,
  form: "none",
  // It cannot only read; with this tolerance it stops after one pass, and the model is written. A regression: one pass, however many labels there are.
  read: ({ path }) => runCommand("liblinear-train", ["-s", "12", "-e", "1e9", "-q", path, modelPath]),
  readFlags: "liblinear-train -s 12 -e 1e9 -q",
};
