// Version of an npm package of the bench, as installed.

import { readFileSync } from "node:fs";

/** Undefined if it is not there. */
export function packageVersion(name: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string };
    return version;
  } catch {
    return undefined;
  }
}
