// A task on its way through the pool, and who may do it.

import { HingeError } from "../base/errors.js";
import type { Matrix } from "../data/matrix.js";
import { clock } from "./clock.js";
import type { Region } from "./memory.js";
import type { Placement } from "./placement.js";
import type { WorkerHandle } from "./platform.js";
import type { Answer, RunOptions } from "./pool.js";
import type { FromWorker } from "./protocol.js";
import type { TaskTable } from "./task.js";

export interface Job {
  readonly id: number;
  readonly task: string;
  readonly matrix: Matrix;
  readonly regionBytes: number;
  readonly input: unknown;
  readonly onlyReads: boolean;
  readonly transfer: readonly ArrayBuffer[];
  readonly isBrief: boolean;
  readonly isShort: boolean;
  readonly own: TaskTable | undefined;
  readonly isHelp: boolean;
  readonly answer: Answer | undefined;
  readonly options: RunOptions;
  /** To be done on this thread, if it can; false once it has outgrown that. */
  isSmall: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** What the caller's own onProgress or answer threw; becomes the outcome once the worker has let go of the memory. */
  thrown?: { readonly error: unknown };
  /** What was taken for the job and must go back when it ends, whichever way. */
  cleanups: (() => void)[];
}

export interface Hand {
  readonly worker: WorkerHandle;
  readonly jobs: Map<number, Job>;
  /** Of a worker that has started, and takes what it is sent at once. */
  isUp: boolean;
  /** The job that waited when it was called. */
  calledFor?: Job | undefined;
}

export function leastBusy(hands: readonly Hand[]): Hand | undefined {
  return hands.reduce<Hand | undefined>((best, hand) => (best !== undefined && best.jobs.size <= hand.jobs.size ? best : hand), undefined);
}

/** What the caller's own function threw is the outcome; the work ends. */
export function failAtCaller(hand: Hand, job: Job, error: unknown): void {
  job.thrown ??= { error };
  hand.worker.post({ type: "abort", id: job.id });
}

export function release(hand: Hand, job: Job): void {
  hand.jobs.delete(job.id);
  runCleanups(job);
}

/** Each of them, whatever another does: some are the caller's own objects. */
export function runCleanups(job: Job): void {
  for (const cleanup of job.cleanups) {
    try {
      cleanup();
    } catch {
      // a signal of the caller's that is none; nothing of ours depends on it
    }
  }
  job.cleanups = [];
}

export function stopped(): HingeError {
  return new HingeError("worker-failed", "the pool was stopped; the call can be made again");
}

export function died(reason: string): HingeError {
  return new HingeError("worker-failed", `the worker died: ${reason}. The data is unharmed; the call can be made again`);
}

export function isUrgent({ options }: Job): boolean {
  return options.signal?.aborted === true || clock() >= options.deadline;
}

export function takeRegion(placement: Placement, job: Job): Region {
  const region = placement.home.take(job.regionBytes);
  job.cleanups.push(() => placement.home.give(region));
  return region;
}

export function failure(message: FromWorker & { type: "failed" }): HingeError {
  if (message.code !== "internal") return new HingeError(message.code, message.message);
  return new HingeError("internal", `a bug in hinge (${message.message}); please report it with this message`);
}
