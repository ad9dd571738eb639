// scikit-learn's SVC and SVR, fit and predict, on dense float64 rows in the memory of a python process. Single-threaded.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { KernelSet } from "../kernel-sets.ts";
import { PYTHON, scikitLearn } from "./scikit-learn.ts";

/** Seconds after which it is given up. */
const PATIENCE = 1800;

export interface ScikitKernel {
  /** Milliseconds of fit(); Infinity if it was not done after PATIENCE. The model goes to a file, as LIBSVM writes it, if one is named. */
  fit(set: KernelSet, tolerance: number, path?: string): Promise<number>;
  /** Milliseconds of predict() on the test rows with the last model, whose labels go to a file. */
  predict(path: string): Promise<number>;
  end(): void;
}

export const { version: scikitVersion } = scikitLearn;

/** What fit() is called with. */
export function scikitFlags({ C, gamma, tube }: KernelSet, tolerance: number): string {
  const common = `C=${C}, gamma=${gamma}, tol=${tolerance}, cache_size=1000`;
  return tube === undefined ? `SVC(${common}).fit(x, y)` : `SVR(epsilon=${tube}, ${common}).fit(x, y)`;
}

/** Reads the rows once. */
export async function scikitKernel(train: string, featureCount: number, test?: string): Promise<ScikitKernel> {
  const args = ["bench/contenders/scikit_kernel.py", train, String(featureCount), ...(test === undefined ? [] : [test])];
  const peer = spawn(PYTHON, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<string | undefined> => (await lines.next()).value;
  if ((await answer()) !== "ready") throw new Error("scikit-learn did not start");
  const ask = async (line: string): Promise<number> => {
    if (peer.exitCode !== null || peer.killed) return Infinity;
    peer.stdin.write(`${line}\n`);
    const said = await patiently(answer(), peer);
    return said === undefined ? Infinity : Number(said);
  };
  return {
    fit: ({ C, gamma, tube = "-" }, tolerance, path = "-") => ask(`fit ${C} ${gamma} ${tolerance} ${tube} ${path}`),
    predict: (path) => ask(`predict ${path}`),
    end: () => peer.stdin.end(),
  };
}

/** It cannot be told to stop, but it can be ended. */
async function patiently(answer: Promise<string | undefined>, peer: ChildProcess): Promise<string | undefined> {
  const timer = setTimeout(() => peer.kill(), 1000 * PATIENCE);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
