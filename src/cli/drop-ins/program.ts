// What the five programs have in common: flags as the originals take them, their way to complain, and the files they are given.

import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { HingeError } from "../../base/errors.js";
import { type LabelledRows, readSvmlight, type SvmlightOptions } from "../../index.js";
import { writeAtomic } from "../../runtime/runtime.js";
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

/** The number behind a flag. */
export function numberOfFlag({ values }: Flags, letter: string, otherwise: number): number {
  const text = values.get(letter);
  return text === undefined ? otherwise : atof(text);
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

/** The rows of a data file. The originals know two complaints, that it cannot be opened and that a line is wrong; ours say why besides. */
export async function readData(path: string, options: SvmlightOptions = {}): Promise<LabelledRows> {
  try {
    return await readSvmlight(path, options);
  } catch (error) {
    if (!(error instanceof HingeError)) throw error;
    if (error.code === "file-system") throw new Refusal(`can't open input file ${path}\n${error.message}`);
    if (error.where !== undefined) throw new Refusal(`Wrong input format at line ${error.where.line}\n${error.message}`);
    throw error;
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
export async function writeModelFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeAtomic(path, bytes);
  } catch {
    throw new Refusal(`can't save model to file ${path}`);
  }
}

/** Writes what a predictor says. Output may be a device or a pipe, so it is not moved into place but written. */
export async function writeOutput(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch {
    throw new Refusal(`can't open output file ${path}`);
  }
}
