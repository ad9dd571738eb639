// What a benchmark needs of a contender. One file per contender; a case takes those that can do what it measures.

import type { DataFile } from "../data.ts";

/** A linear problem without bias: min 1/2 w'w + C sum loss(y w'x). */
export interface LinearProblem {
  readonly file: DataFile;
  readonly loss: "hinge" | "squared_hinge";
  readonly C: number;
}

/** A trained model, to be judged. */
export interface TrainedLinear {
  /** The whole command, from start to exit, in milliseconds. */
  readonly milliseconds: number;
  /** One weight a feature, positive for label +1. */
  readonly w: Float64Array;
}

export interface Contender {
  readonly id: string;
  /** Version and where it comes from; undefined if it is not installed. */
  readonly version: string | undefined;
  readonly threads: number;
  /** Reads an svmlight file into memory; milliseconds of the whole command. */
  read?(file: DataFile): Promise<{ milliseconds: number; peakBytes: number }>;
  /** Trains to a stopping tolerance in the contender's own sense, smaller is better. */
  trainLinear?(problem: LinearProblem, tolerance: number): Promise<TrainedLinear>;
  /** The ladder of tolerances to climb until the gap asked is reached. */
  readonly ladder?: readonly number[];
}
