// hinge itself: as a command, with a given number of threads.

import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const modelPath = join(tmpdir(), `hinge-bench-${process.pid}.json`);

export function hinge(threads: number): Contender {
  return {
    id: `hinge, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version,
    threads,
    ladder: [1e-2, 1e-3, 1e-4, 1e-6],
    async read({ path }) {
      const program = `const { readSvmlight } = await import("./dist/index.js"); await readSvmlight(${JSON.stringify(path)}, { threads: ${threads} });`;
      return runCommand(process.execPath, ["--input-type=module", "-e", program]);
    },
    async trainLinear({ file, loss, C }, tolerance) {
      const flags = ["--loss", loss, "--c", String(C), "--bias", "false", "--tolerance", String(tolerance), "--threads", String(threads)];
      const { milliseconds } = await runCommand(process.execPath, ["bin/hinge.js", "train", file.path, modelPath, ...flags]);
      const { coefficients } = JSON.parse(readFileSync(modelPath, "utf8")) as { coefficients: number[] };
      return { milliseconds, w: Float64Array.from(coefficients) };
    },
  };
}

/** A Node process that has started the pool and done nothing else: what ours is measured above. */
export async function idleNode(): Promise<{ milliseconds: number; peakBytes: number }> {
  const program = 'const { LinearSVC } = await import("./dist/index.js"); await LinearSVC.fit([[0], [1]], [0, 1]);';
  return runCommand(process.execPath, ["--input-type=module", "-e", program]);
}
