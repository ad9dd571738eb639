// What a search's workers are given, and what they hand in (kernel-grid.ts).

import type { LibsvmType } from "../model/libsvm-file.js";
import type { KernelFunction, KernelProblem } from "./kernel-problem.js";

/** A problem of a fold, before its kernel and its constants. */
export interface GridTask {
  readonly form: LibsvmType;
  /** Places in the order. */
  readonly places: Uint32Array;
  readonly targets: Float64Array;
  readonly weights: Float64Array;
  readonly hasBias: boolean;
}

export interface GridFold {
  /** The rows held out: places in the order. */
  readonly test: Uint32Array;
  /** One a decision value. */
  readonly tasks: readonly GridTask[];
  /** How decision values make one of how many classes, where only that is wanted. */
  readonly classes: { readonly scheme: "binary" | "ovo" | "ovr"; readonly count: number } | undefined;
}

/** What every worker is given. */
export interface GridInput {
  /** Rows of the matrix: those of which kernel values are wanted, in an order that keeps together what is wanted together. */
  readonly order: Uint32Array;
  readonly folds: readonly GridFold[];
  /** Of any line. */
  readonly mostPoints: number;
  readonly settings: Pick<KernelProblem, "tolerance" | "stop" | "maxIterations">;
}

/** Constants of a point. */
export interface GridConstants {
  /** What weights are multiplied with: C, or 1 for the forms without. */
  readonly scale: number;
  readonly nu: number;
  readonly epsilon: number;
}

/** Points of one kernel that differ in C, in one fold: what the caller's thread hands out. */
export interface GridJob {
  readonly index: number;
  /** Which kernel it is: values are kept until another one is asked for. */
  readonly kernelIndex: number;
  readonly kernel: KernelFunction;
  readonly gapless: string | undefined;
  readonly mostDiagonal: number;
  /** The largest of the kernel's values, or of those less 1 where that will do, and what they are off by, about. */
  readonly mostValue: number;
  readonly valueError: number;
  readonly fold: number;
  readonly line: readonly GridConstants[];
}

/** What came of one. */
export interface GridOutcome {
  readonly index: number;
  /** f64[points][tasks][rows held out], or, where classes are wanted, u32[points][rows held out]: which class. */
  readonly said: Float64Array | Uint32Array;
  /** Of each point, problems that were not solved to the tolerance. */
  readonly unproven: Uint32Array;
}

/** The most rows of a problem, and the most held out. */
export function mostRows({ folds }: GridInput): { readonly trained: number; readonly tested: number } {
  let [trained, tested] = [0, 0];
  for (const { tasks, test } of folds) {
    for (const { places } of tasks) trained = Math.max(trained, places.length);
    tested = Math.max(tested, test.length);
  }
  return { trained, tested };
}
