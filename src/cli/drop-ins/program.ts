// What the five programs have in common: flags as the originals take them, their way to complain, and the files they are given.

import { access, readFile, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { HingeError, type Where } from "../../base/errors.js";
import { LEAST_COST, MOST_COST } from "../../estimators/linear-problems.js";
import { type LabelledRows, readSvmlight } from "../../index.js";
import type { FileContent } from "../../runtime/platform.js";
import { checkWritable, writeAtomic } from "../../runtime/runtime.js";
import type { Console } from "../console.js";
import { type ProgramName, usages } from "./usages.js";

/** Of what the originals draw with rand(): always the same, so that a command gives the same file twice. */
export const SEED = 0;

/** Fits at a time: each takes a copy of its rows. */
export const LANES = Math.min(4, availableParallelism());

/** Ends a program with exit code 1 after this on stderr, and its usage on stdout where the original shows it. */
export class Refusal extends Error {
  readonly withUsage: boolean;

  constructor(message: string, withUsage = false) {
    super(message);
    this.withUsage = withUsage;
  }
}

/** Runs a program; what it refuses is told in the original's words. Returns the exit code. */
export async function runProgram(name: ProgramName, console: Console, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.message !== "") console.err(`${error.message}\n`);
      if (error.withUsage) console.out(`${usages[name].join("\n")}\n`);
      return 1;
    }
    if (error instanceof HingeError && error.code !== "internal" && error.code !== "worker-failed") {
      console.err(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

export interface Flags {
  /** The text behind -c and so on, by its letter; the last one counts. */
  readonly values: ReadonlyMap<string, string>;
  /** Of flags without a value: those that are there. */
  readonly switches: ReadonlySet<string>;
  /** -w<label> <weight>, in their order. */
  readonly weights: readonly { readonly label: number; readonly weight: number }[];
  /** What is left behind the flags. */
  readonly files: readonly string[];
}

/** `valued`, `bare`: the letters of flags with a value and without. `unknown`: what the program says to others. */
export function parseFlags(
  args: readonly string[],
  { valued, bare, weighted, unknown }: { valued: string; bare: string; weighted: boolean; unknown(letter: string): string },
): Flags {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const weights: { label: number; weight: number }[] = [];
  let at = 0;
  for (; at < args.length && (args[at] as string).startsWith("-"); at++) {
    const flag = args[at] as string;
    const letter = flag.charAt(1);
    if (letter !== "" && bare.includes(letter)) {
      switches.add(letter);
      continue;
    }
    const value = args[at + 1];
    if (value === undefined) throw new Refusal("", true);
    if (weighted && letter === "w") weights.push({ label: atoi(flag.slice(2)), weight: atof(value) });
    else if (letter !== "" && valued.includes(letter)) values.set(letter, value);
    else throw new Refusal(unknown(letter), true);
    at++;
  }
  return { values, switches, weights, files: args.slice(at) };
}

/** The number behind a flag. The originals go on with infinity and no number at all, to models of nothing; only -e makes sense without an end. */
export function numberOfFlag({ values }: Flags, letter: string, otherwise: number): number {
  const text = values.get(letter);
  if (text === undefined) return otherwise;
  const value = atof(text);
  refuseIf(letter !== "e" && !Number.isFinite(value), `-${letter} must be a finite number, got ${text}`);
  return value;
}

/** -e as the tolerance of a fit, which is below 1: beyond that the originals' rules are met at once, or nearly. */
export function toleranceOf(eps: number): number {
  return Math.min(eps, LARGEST_TOLERANCE);
}

const LARGEST_TOLERANCE = 1 - Number.EPSILON / 2;

/** What a loss may cost, in the words of the flags that say it. */
export function checkCost(cost: number, flags: string): void {
  refuseIf(cost < LEAST_COST || cost > MOST_COST, `${flags} must be from ${LEAST_COST} to ${MOST_COST}, got ${cost}`);
}

/** How many folds -v asks for, if it is there. */
export function foldsOfFlag({ values }: Flags): number | undefined {
  const text = values.get("v");
  if (text === undefined) return undefined;
  const folds = atoi(text);
  if (folds < 2) throw new Refusal("n-fold cross validation: n must >= 2", true);
  return folds;
}

/** Refuses a parameter as the originals do. */
export function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new Refusal(`ERROR: ${message}`);
}

/** The number that a text begins with, 0 if it begins with none: as C has it, and as the originals read their flags. */
export function atof(text: string): number {
  const [found] = /^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)/i.exec(text) ?? [""];
  const plain = found.trim().toLowerCase();
  if (plain.includes("inf")) return plain.startsWith("-") ? -Infinity : Infinity;
  return plain === "" ? 0 : Number(plain);
}

export function atoi(text: string): number {
  return Number(/^\s*[+-]?\d+/.exec(text)?.[0] ?? 0);
}

/** The rows of a file, and which index the first feature has: 0 where one of them is called that. */
export interface DataRows extends LabelledRows {
  readonly indexBase: 0 | 1;
}

/**
 * The rows of a data file. The originals know two complaints, that it cannot be opened and that a line is wrong; ours say why besides. `zero`: what is done with a
 * feature 0, which LIBSVM takes and LIBLINEAR does not; "always" counts from it in any case.
 */
export async function readData(path: string, zero: "refused" | "taken" | "always"): Promise<DataRows> {
  if (zero === "always") return readFrom(path, 0);
  try {
    return await readFrom(path, 1);
  } catch (error) {
    // A pipe cannot be read twice.
    if (!(error instanceof WrongLine) || !(await stat(path)).isFile()) throw error;
    const other = await readFrom(path, 0).catch((next) => next as unknown);
    const { line, column } = error.where;
    // What is no mistake to a reader that counts from 0 was a feature 0.
    if (other instanceof WrongLine && other.where.line === line && other.where.column === column) throw error;
    if (zero === "refused")
      throw new WrongLine(error.where, `${path}:${line}:${column}: feature 0; indices must begin at 1: add 1 to all of them`);
    if (other instanceof Error) throw other;
    return other as DataRows;
  }
}

async function readFrom(path: string, indexBase: 0 | 1): Promise<DataRows> {
  try {
    return { ...(await readSvmlight(path, { indexBase })), indexBase };
  } catch (error) {
    if (!(error instanceof HingeError)) throw error;
    if (error.code === "file-system") throw new Refusal(`can't open input file ${path}\n${error.message}`);
    if (error.where !== undefined) throw new WrongLine(error.where, error.message);
    throw error;
  }
}

/** Refuses a line of a data file. */
class WrongLine extends Refusal {
  readonly where: Where;

  constructor(where: Where, why: string) {
    super(`Wrong input format at line ${where.line}\n${why}`);
    this.where = where;
  }
}

/** The bytes of a model file. */
export async function readModelFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch {
    throw new Refusal(`can't open model file ${path}`);
  }
}

/** Writes a model file, all of it or nothing. */
export async function writeModelFile(path: string, bytes: FileContent): Promise<void> {
  try {
    await writeAtomic(path, bytes);
  } catch (error) {
    if (error instanceof HingeError && error.code !== "file-system") throw error;
    throw new Refusal(`can't save model to file ${path}`);
  }
}

/** Whether a predictor's rows can be read and its output be written, before any work; of several mistakes the originals name the rows first. */
export async function checkFiles(dataPath: string, outPath: string): Promise<void> {
  await access(dataPath).catch(() => {
    throw new Refusal(`can't open input file ${dataPath}`);
  });
  await checkWritable(outPath).catch((error) => {
    throw new Refusal(`can't open output file ${outPath}\n${(error as Error).message}`);
  });
}

/** Writes what a predictor says, all of it or nothing; into a pipe or a device as far as it goes. */
export async function writeOutput(path: string, text: string): Promise<void> {
  await writeAtomic(path, new TextEncoder().encode(text)).catch((error) => {
    throw new Refusal(`can't write output file ${path}\n${(error as Error).message}`);
  });
}
