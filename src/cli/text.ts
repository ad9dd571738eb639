// Numbers and columns as the command line prints them. No locale: the same text everywhere.

import { grouped } from "../base/words.js";

/** A few digits, plain where that is short, in powers of ten where it is not: 0.0008 is 8e-4. */
export function brief(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 0.01 && size < 1e6 ? trimmed(value.toPrecision(5)) : trimmed(value.toExponential(1));
}

function trimmed(text: string): string {
  return text.replace(/\.0*(?=e|$)/, "").replace(/(\.\d*?)0+(?=e|$)/, "$1");
}

export function seconds(value: number): string {
  return value < 0.0995 ? `${(value * 1000).toFixed(1)} ms` : `${value.toFixed(2)} s`;
}

export function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(2)} % (${grouped(part)}/${grouped(whole)})`;
}

/** What a data file is called in messages. */
export function sourceName(path: string): string {
  return path === "-" ? "stdin" : path;
}

const VERB_WIDTH = 10;
const TIME_COLUMN = 68;

/** One line of a report: a verb, what was done, and at the right the time it took. */
export function line(verb: string, what: string, took?: number): string {
  const text = verb.padEnd(VERB_WIDTH) + what;
  return took === undefined ? `${text}\n` : `${text.padEnd(TIME_COLUMN)} ${seconds(took)}\n`;
}
