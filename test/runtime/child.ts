// Programs that run in a Node process of their own, on the built package, as a user's would.

import { spawnSync } from "node:child_process";

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs an ES module whose first lines import all of hinge; ends it after a minute. */
export function runProgram(body: string, flags: readonly string[] = []): Ended {
  const entry = new URL("../../dist/index.js", import.meta.url).href;
  const program = `import * as hinge from ${JSON.stringify(entry)};\nconst { LinearSVC, matrix } = hinge;\n${body}`;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", program], {
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr, seconds: (performance.now() - started) / 1000 };
}
