// The door of this room: the one pool, started when first needed, and the ways data gets into its memories.

import { platform } from "#platform";
import { HingeError } from "../base/errors.js";
import { type MatrixOptions, matrixOptions, type PoolOptions, poolOptions } from "../base/options/data.js";
import { type Allocate, Matrix } from "../data/matrix.js";
import { packRows, type RowsInput } from "../data/pack.js";
import { localMemoryFlag, memoryFlagAt } from "../generated/core-flag.js";
import { coreShared } from "../generated/core-wasm.js";
import { clock } from "./clock.js";
import type { Core } from "./core.js";
import type { RegionMemory } from "./memory.js";
import { allocateIn, allocatePlain, copyArrays, type Placement, placementOf } from "./placement.js";
import { Pool, type PoolSettings, type RunOptions, type Work } from "./pool.js";
import { RowLanding } from "./row-landing.js";
import { spaceFor, WorkSpace } from "./task.js";

// The only mutable global of the library.
let pool: Pool | undefined;

/**
 * Starts the worker pool with settings of your own. Not needed otherwise: the first fit starts it. Throws if it runs already;
 * call `stopPool` first.
 */
export function startPool(options?: PoolOptions): void {
  if (pool !== undefined) throw new HingeError("bad-option", "the pool runs already; call stopPool() before startPool(…)");
  const { workerUrl, sharedMemory = platform.canShareMemory } = poolOptions.check(options);
  if (sharedMemory && !platform.canShareMemory) {
    throw new HingeError(
      "bad-option",
      "sharedMemory: true needs a cross-origin isolated page (headers COOP: same-origin, COEP: require-corp)",
    );
  }
  const module = compiled(sharedMemory);
  pool = new Pool(platform, () => module, { workerUrl, sharedMemory });
}

/**
 * @internal Makes the pool of a process that has nothing else to do: its calling thread works, too, and nothing is compiled before it is needed.
 * `keptCore` may have the compiled core of these bytes already.
 */
export function startPoolHere({ keptCore, ...settings }: Pick<PoolSettings, "tasks" | "workerCode"> & { keptCore?: KeptCore } = {}): void {
  pool = new Pool(platform, () => compiled(true, keptCore), { sharedMemory: true, callerWorks: true, ...settings });
}

export type KeptCore = (core: Uint8Array) => WebAssembly.Module | undefined;

/** Ends the workers; calls under way fail. The next call starts new ones. */
export function stopPool(): void {
  pool?.stop();
  pool = undefined;
}

/** @internal The running pool, started if need be. */
export function thePool(): Pool {
  if (pool === undefined) startPool();
  return pool as Pool;
}

/**
 * Packs rows once, for any number of fits and predictions. `featureCount` makes sparse rows wider than their last feature.
 */
export function matrix(rows: RowsInput | Matrix, options?: MatrixOptions): Matrix {
  const { featureCount } = matrixOptions.check(options);
  if (!(rows instanceof Matrix)) return heldMatrix((allocate) => packRows(rows, allocate, featureCount));
  if (featureCount === undefined || featureCount === rows.featureCount) return rows;
  throw HingeError.input(`x is a Matrix of ${rows.featureCount} features already, featureCount says ${featureCount}; pack its rows anew`);
}

// A matrix of fewer bytes than this has no memory of its own: copying it for each call takes less than 0.1 ms, and thousands
// of small memories would wait for the collector, which does not see them.
const SMALL = 2 ** 20;

/** A matrix that the caller will hold, built in a memory of its own unless it is small. */
export function heldMatrix(build: (allocate: Allocate) => Matrix): Matrix {
  const current = thePool();
  const held = build((shape) => {
    const small = shape.valueCount * (shape.kind === "csr" ? 8 : 4) + 4 * shape.rowCount < SMALL;
    const home = small || !current.settings.sharedMemory ? undefined : current.shelf.fresh();
    return (home === undefined ? allocatePlain : allocateIn(home))(shape);
  });
  current.watch(held);
  return held;
}

/** Whether the calling thread works, too: on everything in the process of a command; elsewhere, unless that is a page, on tasks of its own (`Work.own`). */
function callerWorks(isOwn: boolean): boolean {
  const { callerWorks = isOwn && platform.callerMayWork, sharedMemory } = thePool().settings;
  return callerWorks && sharedMemory;
}

/** How many short tasks are to be under way at once: where the calling thread works, too, a worker has the next one before it asks. */
export function tasksAtOnce(threads: number, isOwn = false): number {
  return callerWorks(isOwn) && threads > 1 ? threads + 1 : threads;
}

/** Where workers are started only when there is something for them besides what the calling thread does: starts those that will be wanted, so that they come meanwhile. */
export function prepareWorkers(threads = platform.coreCount): void {
  if (callerWorks(false)) startWorkers(threads);
}

/**
 * Bytes of text from which on it pays to start workers while the calling thread parses: a command has their code from the build. Elsewhere one is up after some fifty milliseconds,
 * in which the calling thread has parsed thirty megabytes.
 */
const LARGE_FOR_COMMANDS = 2 ** 23;
const LARGE = 2 ** 26;

/** The same for tasks of the calling thread's own that go over so many bytes of text. */
export function prepareReaders(threads: number, bytes: number): void {
  const large = callerWorks(false) ? LARGE_FOR_COMMANDS : LARGE;
  if (callerWorks(true) && bytes >= large) startWorkers(threads);
}

function startWorkers(threads: number): void {
  try {
    thePool().prepare(threads);
  } catch {
    // whoever needs one will say why there is none
  }
}

/** A memory for text and rows of a file of about this many bytes, or undefined: it is small, or memory cannot be shared. */
export function landRows(byteLength: number | undefined): RowLanding | undefined {
  const current = thePool();
  if (!current.settings.sharedMemory || (byteLength ?? SMALL) < SMALL) return undefined;
  const home = current.shelf.fresh();
  return home && new RowLanding(home, current.coreOn(home));
}

/** What `use` makes of a memory and the core on it, on this thread: for what takes milliseconds. Undefined where there is no memory to be had. */
export function withCore<T>(use: (core: Core, home: RegionMemory) => T): T | undefined {
  const current = thePool();
  const home = current.shelf.take();
  if (home === undefined) return undefined;
  try {
    return use(current.coreOn(home), home);
  } finally {
    if (!current.shelf.give(home)) current.forget(home);
  }
}

/** What `use` makes of the core on the memory that a matrix is in, where its rows are, and of some bytes of room, on this thread: for what takes milliseconds. Undefined where it is in none, or in one that was shared before and no longer is. */
export function withCoreOn<T>(x: Matrix, bytes: number, use: (core: Core, rows: number, space: WorkSpace) => T): T | undefined {
  if (!isShared(x)) return undefined;
  const { home, rows } = placementOf(x) as Placement;
  const region = home.take(spaceFor(bytes));
  try {
    return use(thePool().coreOn(home), rows, new WorkSpace(home.memory.buffer, region));
  } finally {
    home.give(region);
  }
}

/** What `use` makes of some bytes of room in the shared memory that a matrix is in, which may grow meanwhile: what was seen of it stays where it is. */
export async function withRoomBeside<T>(x: Matrix, bytes: number, use: (room: { space: WorkSpace; core: Core }) => Promise<T>): Promise<T> {
  const { home } = placementOf(x) as Placement;
  const region = home.take(bytes);
  try {
    return await use({ space: new WorkSpace(home.memory.buffer, region), core: thePool().coreOn(home) });
  } finally {
    home.give(region);
  }
}

/** To be told that nothing will come of a read: its memory goes as soon as the collector looks. Nobody may be at work on it. */
export function dropRows({ home }: RowLanding, { pool: began }: RunOptions): void {
  home.weigh();
  (began ?? thePool()).forget(home);
}

/** To be told of a matrix that the caller will hold. */
export function watchMatrix(held: Matrix): void {
  thePool().watch(held);
}

/** Calls `use` with x packed where workers reach it; a memory taken for this call alone is given back afterwards. */
export async function withMatrix<T>(x: RowsInput | Matrix, use: (packed: Matrix) => Promise<T>): Promise<T> {
  const current = thePool();
  const { shelf, settings } = current;
  if (x instanceof Matrix && (placementOf(x) !== undefined || !settings.sharedMemory)) return use(x);
  if (!settings.sharedMemory) return use(packRows(x as RowsInput, allocatePlain));
  const home = shelf.take();
  if (home === undefined) return use(x instanceof Matrix ? x : packRows(x, allocatePlain));
  try {
    return await use(x instanceof Matrix ? copyInto(home, x) : packRows(x, allocateIn(home)));
  } finally {
    if (!shelf.give(home)) current.forget(home);
  }
}

function copyInto(home: RegionMemory, x: Matrix): Matrix {
  const { arrays, slot } = allocateIn(home)(x);
  copyArrays(arrays, x);
  return new Matrix(x, arrays, slot);
}

/** What is left of a time limit for the next fit: never nothing, so that it is the fit that says so. */
export function timeLeft(limit: number, seconds: () => number): number {
  return Math.max(limit - seconds(), Number.MIN_VALUE);
}

/** What a caller may say about one call. */
export interface CallOptions {
  readonly threads?: number | undefined;
  readonly timeLimitSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `beginCall` for one whose parts all belong to the pool that is there now: when it is stopped, the call fails. */
export function beginCallHere(options: CallOptions): ReturnType<typeof beginCall> {
  return { ...beginCall(options), pool: thePool() };
}

/** One call's clock and limits, fixed when the call begins. */
export function beginCall(options: CallOptions): RunOptions & { seconds(): number } {
  const startedAt = clock();
  return {
    signal: options.signal,
    onProgress: undefined, // many calls put theirs in its place; a new property behind a spread takes an engine most of a microsecond
    threads: options.threads ?? platform.coreCount,
    deadline: startedAt + 1000 * (options.timeLimitSeconds ?? Infinity),
    startedAt,
    seconds: () => (clock() - startedAt) / 1000,
  };
}

/** Runs a task of src/tasks.ts. */
export function runTask<Result>(work: Work, options: RunOptions): Promise<Result> {
  return (options.pool ?? thePool()).run<Result>(work, options);
}

/** Whether tasks on the matrix work in one memory, so that several can work on one thing. */
export function isShared(x: Matrix): boolean {
  return placementOf(x) !== undefined && thePool().settings.sharedMemory;
}

/** Bytes that the matrix and all work on it occupy; 0 where the worker keeps a copy of its own. */
export function memoryBytes(x: Matrix): number {
  return placementOf(x)?.home.byteLength ?? 0;
}

export const { readBytes, openFile, writeAtomic, checkWritable } = platform;

function compiled(sharedMemory: boolean, keptCore?: KeptCore): WebAssembly.Module {
  const bytes = platform.fromBase64(coreShared());
  try {
    if (!sharedMemory) bytes[memoryFlagAt] = localMemoryFlag;
    return keptCore?.(bytes) ?? new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new HingeError("worker-failed", "WebAssembly with SIMD is needed and cannot be had here", undefined, { cause });
  }
}
