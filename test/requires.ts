// What some suites need and not every machine has. A suite whose need is not met is skipped under a name that says why;
// scripts/test.js lists those, and .ci/run fails on them where the need should be met.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe } from "vitest";

/** The folder with recorded cases and data sets, if it is here. */
export const sharedFolder: string | undefined = [process.env.HINGE_SHARED, "../shared"].find(
  (path): path is string => path !== undefined && path !== "" && existsSync(resolve(path, "golden")),
);

/** Debian's Chromium, or the one that HINGE_CHROMIUM names. */
export const chromium: string | undefined = [process.env.HINGE_CHROMIUM, "/usr/bin/chromium"].find(
  (path): path is string => path !== undefined && path !== "" && existsSync(path),
);

export function hasProgram(name: string): boolean {
  return spawnSync(name, [], { stdio: "ignore" }).error === undefined;
}

/** describe, or a skipped one whose name tells what is missing. */
export function describeWith(need: string, isMet: boolean, name: string, suite: () => void): void {
  if (isMet) describe(name, suite);
  else describe.skip(`${name} [skipped: needs ${need}]`, suite);
}
