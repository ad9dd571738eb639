// LIBLINEAR's own program, from Debian. Single-threaded.

import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianVersion, hasProgram, runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

const modelPath = join(tmpdir(), `hinge-bench-${process.pid}.liblinear`);
const solver = { hinge: "3", squared_hinge: "1" } as const;

export const liblinear: Contender = {
  id: "liblinear-train",
  version: hasProgram("liblinear-train") ? debianVersion("liblinear-tools") : undefined,
  threads: 1,
  form: "none",
  ladder: [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5],
  // It cannot only read; with this tolerance it stops after one pass, and the model is written.
  read: ({ path }) => runCommand("liblinear-train", ["-s", "3", "-e", "1e9", "-q", path, modelPath]),
  readFlags: "liblinear-train -s 3 -e 1e9 -q",
  async trainLinear({ file, loss, C }, tolerance) {
    const flags = ["-s", solver[loss], "-c", String(C), "-e", String(tolerance), "-q"];
    const { milliseconds, peakBytes } = await runCommand("liblinear-train", [...flags, file.path, modelPath]);
    const [head = "", body = ""] = readFileSync(modelPath, "utf8").split(/^w$/m);
    const turn = /^label -1 /m.test(head) ? -1 : 1;
    const w = Float64Array.from(body.trim().split(/\s+/), (text) => turn * Number(text));
    return { milliseconds, peakBytes, w, bias: 0, flags: `liblinear-train ${flags.join(" ")}` };
  },
};
