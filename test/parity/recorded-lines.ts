// Programs run in this process with their text collected, and the shape of lines: what scripts that parse them rely on.

import { expect } from "vitest";
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

/** Of the recorded data sets. */
export const rowCounts: Readonly<Record<string, number>> = { heart_scale: 270, iris: 150, bodyfat: 252 };

/** Lines with numbers as #, dots and stars left out: how many there are is the solver's own affair, as is a warning about its time. */
export function shapeOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !/^[.*]*$/.test(line) && line !== "WARNING: using -h 0 may be faster")
    .map((line) => line.replace(/-?nan|[+-]?\d+(\.\d+)?(e[+-]?\d+)?/g, "#"));
}

/**
 * Figures of a validation or of predictions against the recorded ones. Folds are drawn otherwise, so they are two draws of the same: shares of `rows` rows lie within four
 * standard deviations of the difference of two, correlations too by Fisher's transform, whose deviation is 1 / sqrt(rows - 3), and a mean of squares within a factor of 2.
 */
export function sameFigures(ours: string, recorded: string, rows: number): void {
  const [own, wanted] = [figuresOf(ours), figuresOf(recorded)];
  expect(own.map(({ kind }) => kind)).toEqual(wanted.map(({ kind }) => kind));
  for (const [k, { kind, value: theirs }] of wanted.entries()) {
    const mine = own[k]?.value as number;
    if (kind === "accuracy") {
      const [share, other] = [mine / 100, theirs / 100];
      const mean = (share + other) / 2;
      // All right or all wrong: as if one row were not.
      const variance = Math.max(mean * (1 - mean), 1 / rows);
      expect(Math.abs(share - other)).toBeLessThanOrEqual(4 * Math.sqrt((2 * variance) / rows));
    } else if (Number.isNaN(theirs)) expect(mine).toBeNaN();
    else if (kind === "error") {
      expect(mine).toBeLessThanOrEqual(2 * theirs);
      expect(mine).toBeGreaterThanOrEqual(theirs / 2);
    } else expect(Math.abs(Math.atanh(Math.sqrt(mine)) - Math.atanh(Math.sqrt(theirs)))).toBeLessThanOrEqual(4 * Math.sqrt(2 / (rows - 3)));
  }
}

function figuresOf(text: string): { kind: "accuracy" | "error" | "correlation"; value: number }[] {
  const found = text.matchAll(/(accuracy|mean squared error|cv mse|squared correlation coefficient) = (\S+?)%?(?: |$)/gim);
  return Array.from(found, ([, name = "", value]) => {
    const kind = /accuracy/i.test(name) ? "accuracy" : /correlation/i.test(name) ? "correlation" : "error";
    return { kind, value: Number(value) };
  });
}
