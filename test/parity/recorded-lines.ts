// Programs run in this process with their text collected, and the shape of lines: what scripts that parse them rely on.

import type { Console } from "../../src/cli/console.ts";

export interface Collected {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function collected(run: (console: Console) => Promise<number>): Promise<Collected> {
  let [stdout, stderr] = ["", ""];
  const console: Console = {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    isTerminal: false,
    exit: () => undefined,
  };
  const exit = await run(console);
  return { exit, stdout, stderr };
}

/** Lines with numbers as #, dots and stars left out: how many there are is the solver's own affair, as is a warning about its time. */
export function shapeOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !/^[.*]*$/.test(line) && line !== "WARNING: using -h 0 may be faster")
    .map((line) => line.replace(/-?nan|[+-]?\d+(\.\d+)?(e[+-]?\d+)?/g, "#"));
}
