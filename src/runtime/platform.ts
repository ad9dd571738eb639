// What the runtime needs from where it runs. node.ts and browser.ts each give one; package.json's "#platform" chooses.

import type { ByteSource } from "./byte-source.js";
import type { FromWorker, ToWorker } from "./protocol.js";
import type { TaskTable } from "./task.js";

export interface WorkerHandle {
  post(message: ToWorker, transfer?: readonly ArrayBuffer[]): void;
  /** Whether the process should stay alive for this worker's sake. */
  hold(busy: boolean): void;
  terminate(): void;
}

export interface WorkerEvents {
  message(message: FromWorker): void;
  /** The worker is gone, or never came up; called at most once. */
  died(reason: string): void;
  /** It has started, or, in browsers, whose workers do not say so, is on its way. */
  up(): void;
}

/** What a file is to hold: bytes, or parts of them one after the other. */
export type FileContent = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;

/** What workers are started from, where it is not the text in this package alone. */
export interface WorkerSource {
  /** Of browsers. */
  readonly workerUrl?: string | URL | undefined;
  /** Of Node: what this very executable has made of the text before (bin/load.js). */
  readonly workerCode?: Uint8Array | undefined;
}

export interface Platform {
  readonly name: "node" | "browser";
  /** How many threads can run at once. */
  readonly coreCount: number;
  /** Whether a memory can be shared with workers. */
  readonly canShareMemory: boolean;
  spawn(events: WorkerEvents, source: WorkerSource): WorkerHandle;
  /** Whether the calling thread may work for some milliseconds at a time: not where pages are drawn by it. */
  readonly callerMayWork: boolean;
  /**
   * The worker's code on the calling thread, for what takes less time than a message to a worker; or these tasks alone, whose code that thread has anyway. Undefined where that cannot be.
   */
  spawnHere(events: WorkerEvents, source: WorkerSource, own?: TaskTable): WorkerHandle | undefined;
  /** The bytes that such a text stands for. */
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
  /** All bytes of a file. */
  readBytes(path: string): Promise<Uint8Array>;
  /** A file to be read piece by piece. */
  openFile(path: string): Promise<ByteSource>;
  /** Throws unless a file can be written there, as far as that can be known before. */
  checkWritable(path: string): Promise<void>;
  /** Writes a file so that whoever looks sees the old content or the new, never a part. */
  writeAtomic(path: string, bytes: FileContent): Promise<void>;
}
