// What the caller's thread and a worker say to each other. Everything here survives structured cloning.

import type { ErrorCode } from "../base/errors.js";
import type { KernelProgress } from "../base/options/fit.js";
import type { MatrixArrays, MatrixShape } from "../data/matrix.js";
import type { Region } from "./memory.js";

/** A matrix on its way to a worker: where it lies in shared memory … */
export interface SharedMatrix extends MatrixShape {
  readonly memory: WebAssembly.Memory;
  readonly memoryId: number;
  /** How large the memory was when the message was sent. */
  readonly memoryBytes: number;
  readonly region: Region;
  readonly rows: number;
  readonly values: number;
  readonly indices: number;
  readonly starts: number;
}

/** … or, where memory cannot be shared, its arrays themselves. */
export interface CopiedMatrix extends MatrixShape {
  readonly memory: undefined;
  readonly arrays: MatrixArrays;
  readonly regionBytes: number;
}

export type MatrixMessage = SharedMatrix | CopiedMatrix;

export type ToWorker =
  | { readonly type: "hello"; readonly module: WebAssembly.Module; readonly sharedMemory: boolean }
  | {
      readonly type: "run";
      readonly id: number;
      readonly task: string;
      readonly matrix: MatrixMessage;
      readonly input: unknown;
      /** Whether the task leaves the arrays in its input as they are, and nobody else changes them meanwhile: on the calling thread they need not be copied. */
      readonly onlyReads: boolean;
      /** Milliseconds since 1970 after which the task is to stop; Infinity for never. */
      readonly deadline: number;
      readonly wantsProgress: boolean;
      /** Milliseconds of work after which the task has outgrown who does it; Infinity for workers. */
      readonly budget: number;
      /** Milliseconds between two looks at the messages. */
      readonly slice: number;
    }
  | { readonly type: "abort"; readonly id: number }
  | { readonly type: "answer"; readonly question: number; readonly answer: unknown }
  | { readonly type: "forget"; readonly memoryId: number };

/** Progress without what only the caller knows. `violation`: of kernel machines. */
export interface TaskProgress extends Pick<KernelProgress, "iterations" | "relativeGap"> {
  readonly violation?: number;
}

/** With the caller's clock. */
export type TimedProgress = TaskProgress & Pick<KernelProgress, "seconds">;

export type FromWorker =
  | { readonly type: "progress"; readonly id: number; readonly progress: TaskProgress }
  /** What only the caller's thread knows; `question` is its number, by which the answer finds back. */
  | { readonly type: "ask"; readonly id: number; readonly question: number; readonly about: unknown }
  /** It must be begun anew, elsewhere. */
  | { readonly type: "outgrown"; readonly id: number }
  | { readonly type: "done"; readonly id: number; readonly result: unknown }
  | { readonly type: "failed"; readonly id: number; readonly code: ErrorCode; readonly message: string };
