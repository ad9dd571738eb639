// What a benchmark needs of a contender. One file per contender; a case takes those that can do what it measures.

import type { DataFile } from "../data.ts";

/**
 * How a contender treats the bias. none: min 1/2 w'w + C sum loss(y w'x); augmented: the bias is one more weight, of a constant feature;
 * unregularised: it costs nothing. Three problems with three optima: a solution is judged by the bound of its own.
 */
export type BiasForm = "none" | "augmented" | "unregularised";

/** A trained model, to be judged. */
export interface TrainedLinear {
  /** The whole command from start to exit, or the call of a fit in this process. */
  readonly milliseconds: number;
  /** Peak resident size of the command; undefined in this process. */
  readonly peakBytes?: number;
  /** One weight a feature, positive for the larger label. Features beyond its end have weight 0. */
  readonly w: Float64Array;
  /** 0 if the form has none. */
  readonly bias: number;
  /** What it was asked for, in its own words. */
  readonly flags: string;
}

export interface Contender {
  readonly id: string;
  /** Version and where it comes from; undefined if it is not installed. */
  readonly version: string | undefined;
  readonly threads: number;
  readonly form: BiasForm;
  /** Reads an svmlight file into memory; milliseconds of the whole command. */
  read?(file: DataFile): Promise<{ milliseconds: number; peakBytes: number }>;
  /** What `read` runs, in words. */
  readonly readFlags?: string;
}
