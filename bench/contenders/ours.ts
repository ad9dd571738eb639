// hinge itself: as a command, with a given number of threads; and in this process.

import { readFileSync } from "node:fs";
import { LinearSVC } from "../../src/index.ts";
import { runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";
import { type InProcessContender, thirds } from "./in-process.ts";

export const { version: hingeVersion } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export function hinge(threads: number): Contender {
  return {
    id: `hinge, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version: hingeVersion,
    threads,
    form: "none",
    async read({ path }) {
      const program = `const { readSvmlight } = await import("hinge"); await readSvmlight(${JSON.stringify(path)}, { threads: ${threads} });`;
      return runCommand(process.execPath, ["--input-type=module", "-e", program]);
    },
    readFlags: `readSvmlight(path, { threads: ${threads} })`,
  };
}

/** A Node process that has started the pool and done nothing else: what ours is measured above. */
export async function idleNode(): Promise<{ milliseconds: number; peakBytes: number }> {
  const program = 'const { LinearSVC } = await import("hinge"); await LinearSVC.fit([[0], [1]], [0, 1]);';
  return runCommand(process.execPath, ["--input-type=module", "-e", program]);
}

/** LinearSVC on plain arrays, as a program would call it: packing and the certificate are in the time. */
export const hingeInProcess: InProcessContender = {
  id: "hinge",
  version: hingeVersion,
  threads: 1,
  form: "unregularised",
  ladder: thirds,
  ready: async () => undefined,
  async fit({ rows, y, C }, tolerance, count) {
    const options = { C, loss: "hinge", bias: "unregularised", tolerance, threads: 1 } as const;
    const started = performance.now();
    for (let k = 1; k < count; k++) await LinearSVC.fit(rows, y, options);
    const model = await LinearSVC.fit(rows, y, options);
    const milliseconds = (performance.now() - started) / count;
    return { milliseconds, w: model.coefficients, bias: model.biases[0] as number, flags: `LinearSVC.fit ${JSON.stringify(options)}` };
  },
};
