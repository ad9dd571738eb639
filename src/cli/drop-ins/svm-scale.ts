// svm-scale: LIBSVM's scaling program by its own flags. Numbers stay float64 from the file to what is printed, so that a saved range restores the same text.

import { readFile } from "node:fs/promises";
import { formatGeneral } from "../../formats/printf.js";
import { writeAtomic } from "../../runtime/runtime.js";
import type { Console } from "../console.js";
import { atof, atoi, Refusal, runProgram } from "./program.js";

interface Settings {
  lower: number;
  upper: number;
  y: { lower: number; upper: number } | undefined;
  savePath: string | undefined;
  restorePath: string | undefined;
  dataPath: string;
}

/** What features, and targets, range over. */
interface Ranges {
  lower: number;
  upper: number;
  /** By index; those that are not in a restored file have none. */
  readonly features: Map<number, { min: number; max: number }>;
  y: { lower: number; upper: number; min: number; max: number } | undefined;
}

/** Text that is gathered before it is written. */
const PIECE = 1 << 16;

export function svmScale(args: readonly string[], console: Console): Promise<number> {
  return runProgram("svm-scale", console, async () => {
    const settings = settingsFrom(args);
    const bytes = await readFile(settings.dataPath).catch(() => {
      throw new Refusal(`can't open file ${settings.dataPath}`);
    });
    const seen = rangesOf(bytes, settings.dataPath);
    const zero = seen.features.get(0);
    if (zero !== undefined) console.err("WARNING: minimal feature index is 0, but indices should start from 1\n");
    const ranges = settings.restorePath === undefined ? learnt(seen, settings) : await restored(settings.restorePath);
    if (settings.savePath !== undefined) {
      await save(settings.savePath, ranges);
      if (zero !== undefined)
        console.err(`WARNING: scaling factors with indices smaller than 1 are not stored to the file ${settings.savePath}.\n`);
    }
    // No file has the range of feature 0: it is always that of the data.
    if (zero !== undefined) ranges.features.set(0, zero);
    const scaled = (index: number, value: number): number => {
      const range = ranges.features.get(index);
      return range === undefined || range.min === range.max ? 0 : within(value, { ...ranges, ...range });
    };
    // Those that a line need not name: what is 0 there becomes something else.
    const restless = [...ranges.features.keys()].filter((index) => index > 0 && scaled(index, 0) !== 0).sort((a, b) => a - b);
    if (settings.restorePath !== undefined) {
      for (let index = 1; index <= seen.highest; index++) {
        const own = seen.features.get(index);
        if (!ranges.features.has(index) && own !== undefined && own.min !== own.max)
          console.err(
            `WARNING: feature index ${index} appeared in file ${settings.dataPath} was not seen in the scaling factor file ${settings.restorePath}. The feature is ignored.\n`,
          );
      }
    }
    let text = "";
    let [before, after] = [0, 0];
    for (const { label, indices, values } of linesOf(bytes, settings.dataPath)) {
      text += `${formatGeneral(ranges.y === undefined ? label : within(label, ranges.y), 17)} `;
      before += values.reduce((count, value) => (value === 0 ? count : count + 1), 0);
      let next = 0;
      const put = (index: number, value: number): void => {
        const own = scaled(index, value);
        if (own === 0) return;
        text += `${index}:${formatGeneral(own, 6)} `;
        after++;
      };
      for (const [k, index] of indices.entries()) {
        for (; (restless[next] ?? Infinity) < index; next++) put(restless[next] as number, 0);
        if (restless[next] === index) next++;
        put(index, values[k] as number);
      }
      for (; next < restless.length; next++) put(restless[next] as number, 0);
      text += "\n";
      if (text.length >= PIECE) {
        console.out(text);
        text = "";
      }
    }
    console.out(text);
    if (after > before)
      console.err(
        `WARNING: original #nonzeros ${before}\n       > new      #nonzeros ${after}\nIf feature values are non-negative and sparse, use -l 0 rather than the default -l -1\n`,
      );
  });
}

function settingsFrom(args: readonly string[]): Settings {
  const settings = { lower: -1, upper: 1 } as Settings;
  let at = 0;
  const next = (): string => {
    const value = args[++at];
    if (value === undefined) throw new Refusal("", true);
    return value;
  };
  for (; at < args.length && (args[at] as string).startsWith("-"); at++) {
    const letter = (args[at] as string).charAt(1);
    if (letter === "l") settings.lower = atof(next());
    else if (letter === "u") settings.upper = atof(next());
    else if (letter === "y") settings.y = { lower: atof(next()), upper: atof(next()) };
    else if (letter === "s") settings.savePath = next();
    else if (letter === "r") settings.restorePath = next();
    else throw new Refusal("unknown option", true);
  }
  if (!(settings.upper > settings.lower) || (settings.y !== undefined && !(settings.y.upper > settings.y.lower)))
    throw new Refusal("inconsistent lower/upper specification");
  if (settings.savePath !== undefined && settings.restorePath !== undefined) throw new Refusal("cannot use -r and -s simultaneously");
  if (args.length !== at + 1) throw new Refusal("", true);
  settings.dataPath = args[at] as string;
  return settings;
}

interface Line {
  readonly label: number;
  readonly indices: number[];
  readonly values: number[];
}

/** Line by line: one string for a large file would be too long. */
function* linesOf(bytes: Buffer, path: string): Generator<Line> {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const found = bytes.indexOf(0x0a, from);
    const to = found < 0 ? bytes.length : found;
    const words = bytes.toString("latin1", from, to).trim().split(/\s+/);
    from = to + 1;
    const [label = ""] = words;
    if (label === "" && words.length === 1) continue;
    const line: Line = { label: numberIn(label, path, number), indices: [], values: [] };
    for (const word of words.slice(1)) {
      const at = word.indexOf(":");
      const index = atoi(word.slice(0, at));
      if (at < 1 || index <= (line.indices.at(-1) ?? -1)) throw wrongLine(path, number, `"${word}" is no feature: indices rise from 1 on`);
      line.indices.push(index);
      line.values.push(numberIn(word.slice(at + 1), path, number));
    }
    yield line;
  }
}

function numberIn(text: string, path: string, line: number): number {
  const value = text === "" ? Number.NaN : Number(text);
  if (Number.isNaN(value)) throw wrongLine(path, line, `"${text}" is no number`);
  return value;
}

function wrongLine(path: string, line: number, why: string): Refusal {
  return new Refusal(`Wrong input format at line ${line}\n${path}: ${why}`);
}

interface Seen {
  readonly features: Map<number, { min: number; max: number }>;
  readonly highest: number;
  readonly y: { readonly min: number; readonly max: number };
}

function rangesOf(bytes: Buffer, path: string): Seen {
  const features = new Map<number, { min: number; max: number; count: number }>();
  const y = { min: Infinity, max: -Infinity };
  let rows = 0;
  for (const { label, indices, values } of linesOf(bytes, path)) {
    rows++;
    y.min = Math.min(y.min, label);
    y.max = Math.max(y.max, label);
    for (const [k, index] of indices.entries()) {
      const value = values[k] as number;
      const own = features.get(index);
      if (own === undefined) features.set(index, { min: value, max: value, count: 1 });
      else {
        own.min = Math.min(own.min, value);
        own.max = Math.max(own.max, value);
        own.count++;
      }
    }
  }
  let highest = 0;
  for (const [index, own] of features) {
    highest = Math.max(highest, index);
    // What a line does not name is 0 there. LIBSVM does not look for feature 0.
    if (own.count === rows || index === 0) continue;
    own.min = Math.min(own.min, 0);
    own.max = Math.max(own.max, 0);
  }
  return { features, highest, y };
}

function learnt({ features, y }: Seen, { lower, upper, y: scale }: Settings): Ranges {
  return { lower, upper, features, y: scale && { ...scale, ...y } };
}

/** "y", its limits and its range; "x", its limits, and the range of every feature that has one. */
async function restored(path: string): Promise<Ranges> {
  const text = await readFile(path, "latin1").catch(() => {
    throw new Refusal(`can't open file ${path}`);
  });
  const words = text.split(/\s+/).filter((word) => word !== "");
  let at = 0;
  const wrong = (must: string, got: string | undefined): Refusal =>
    new Refusal(
      `ERROR: failed to read scaling parameters\n${path}: ${must} must follow, got ${got === undefined ? "the end of the file" : `"${got}"`}`,
    );
  const number = (what: string): number => {
    const word = words[at++];
    const value = word === undefined ? Number.NaN : Number(word);
    if (!Number.isFinite(value)) throw wrong(what, word);
    return value;
  };
  const pair = (what: string): [number, number] => [number(`the lower ${what}`), number(`the upper ${what}`)];
  let y: Ranges["y"];
  if (words[at] === "y") {
    at++;
    const [[lower, upper], [min, max]] = [pair("limit of y"), pair("end of the range of y")];
    y = { lower, upper, min, max };
  }
  if (words[at] !== "x") throw wrong('"x"', words[at]);
  at++;
  const [lower, upper] = pair("limit of x");
  const features: Ranges["features"] = new Map();
  while (at < words.length) {
    const index = number("the index of a feature");
    if (!Number.isInteger(index) || index < 1) throw wrong("the index of a feature (a whole number from 1)", words[at - 1]);
    const [min, max] = pair(`end of the range of feature ${index}`);
    features.set(index, { min, max });
  }
  return { lower, upper, features, y };
}

async function save(path: string, { lower, upper, features, y }: Ranges): Promise<void> {
  const pair = (a: number, b: number): string => `${formatGeneral(a, 17)} ${formatGeneral(b, 17)}\n`;
  const own = [...features].filter(([index, { min, max }]) => index > 0 && min !== max).sort(([a], [b]) => a - b);
  const text =
    (y === undefined ? "" : `y\n${pair(y.lower, y.upper)}${pair(y.min, y.max)}`) +
    `x\n${pair(lower, upper)}` +
    own.map(([index, { min, max }]) => `${index} ${pair(min, max)}`).join("");
  await writeAtomic(path, new TextEncoder().encode(text)).catch(() => {
    throw new Refusal(`can't open file ${path}`);
  });
}

/** The ends exactly, what lies between on the line between them. */
function within(value: number, { lower, upper, min, max }: { lower: number; upper: number; min: number; max: number }): number {
  if (value === min) return lower;
  if (value === max) return upper;
  return lower + ((upper - lower) * (value - min)) / (max - min);
}
