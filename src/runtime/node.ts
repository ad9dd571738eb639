// Node: worker threads from inlined source, and small work from the same source on the calling thread; files from the file system.

import { constants } from "node:fs";
import { access, type FileHandle, lstat, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { threadId, Worker } from "node:worker_threads";
import { HingeError } from "../base/errors.js";
import { workerSource } from "../generated/worker-source.js";
import type { ByteSource } from "./byte-source.js";
import { clock } from "./clock.js";
import { immediate, othersTurn } from "./pace.js";
import type { FileContent, Platform, WorkerEvents, WorkerHandle, WorkerSource } from "./platform.js";
import type { FromWorker, ToWorker } from "./protocol.js";
import { serve } from "./serve.js";
import { SMALL_MS } from "./small-work.js";
import type { TaskTable } from "./task.js";

// The worker is written for two globals that workers in browsers have. Its text is a function of the global object, the clock and immediates, so that these can be a thread's own or,
// on the calling thread, others; and a script, so that what the engine has made of it can be kept (scripts/code-cache.js).
function workerText(): string {
  return `(function (globalThis, performance, setImmediate) {${workerSource()}\n})`;
}

/** What a worker says when it has started. */
const UP = "up";

const PRELUDE = `{
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { Script } = process.getBuiltinModule("node:vm");
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  new Script(workerData.text, { cachedData: workerData.code }).runInThisContext()(globalThis, performance, setImmediate);
  parentPort.on("message", (data) => globalThis.onmessage({ data }));
  parentPort.postMessage("${UP}");
}
`;

export const platform: Platform = {
  name: "node",
  coreCount: availableParallelism(),
  canShareMemory: true,
  callerMayWork: true,
  spawn,
  spawnHere,
  fromBase64: (text) => new Uint8Array(Buffer.from(text, "base64")),
  readBytes,
  openFile,
  writeAtomic,
  checkWritable,
};

function spawn(events: WorkerEvents, { workerUrl, workerCode }: WorkerSource): WorkerHandle {
  if (workerUrl !== undefined) throw new HingeError("bad-option", "workerUrl is for browsers; Node starts its workers from inlined source");
  const worker = startWorker(workerCode);
  let gone = false;
  const die = (reason: string): void => {
    if (gone) return;
    gone = true;
    events.died(reason);
  };
  worker.on("message", (message: FromWorker | typeof UP) => (message === UP ? events.up() : events.message(message)));
  worker.on("messageerror", (error) => {
    void worker.terminate();
    die(error.message);
  });
  worker.on("error", (error) => die(error.message));
  worker.on("exit", (code) => die(`it exited with code ${code}`));
  worker.unref();
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

function startWorker(code: Uint8Array | undefined): Worker {
  try {
    // execArgv: the worker is plain script, whatever loaders or input types the process was started with.
    return new Worker(PRELUDE, { eval: true, name: "hinge", execArgv: [], workerData: { text: workerText(), code } });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HingeError("worker-failed", `no worker could be started: ${reason}`, undefined, { cause });
  }
}

/**
 * The worker's own text, run with a global object of its own. Messages go by microtasks, so that no caller sees an answer before its call has returned; and
 * the input of a task, which a worker would get as a copy, is copied here too. Results and answers are not: whoever gets one must not write to it.
 */
function spawnHere(events: WorkerEvents, { workerCode }: WorkerSource, own?: TaskTable): WorkerHandle | undefined {
  const running = new Set<number>();
  const scope = {
    isHere: true,
    onmessage: (_event: { data: ToWorker }): void => undefined,
    postMessage: (message: FromWorker): void => {
      if (message.type !== "progress" && message.type !== "ask") running.delete(message.id);
      queueMicrotask(() => events.message(message));
    },
  };
  if (own !== undefined) serve(own, scope);
  else {
    try {
      const script = new Script(workerText(), workerCode && { cachedData: workerCode });
      script.runInThisContext()(scope, { timeOrigin: 0, now: clock }, immediate);
    } catch {
      return undefined; // a process may forbid code made of text
    }
  }
  const turns = new Turns();
  let isGone = false;
  const deliver = (data: ToWorker): void => scope.onmessage({ data });
  return {
    post: (message) => {
      if (message.type !== "run") queueMicrotask(() => deliver(message));
      else {
        const data = { ...message, input: copied(message.input, message.onlyReads) };
        void turns.next().then(() => {
          if (isGone) return;
          running.add(message.id);
          deliver(data);
        });
      }
    },
    hold: () => undefined,
    terminate: () => {
      isGone = true;
      // What is under way ends at its next checkpoint, and nobody hears of it.
      for (const id of running) deliver({ type: "abort", id });
      queueMicrotask(() => events.died("it was stopped"));
    },
  };
}

/** What structured cloning makes of a task's input, which is plain objects and lists, numbers, words and typed arrays; cloning took ten microseconds of a small fit's 180. */
function copied(part: unknown, onlyReads: boolean): unknown {
  if (typeof part !== "object" || part === null || part instanceof SharedArrayBuffer) return part;
  // Not its own slice: a Buffer's is no copy.
  if (ArrayBuffer.isView(part)) return onlyReads || part.buffer instanceof SharedArrayBuffer ? part : Uint8Array.prototype.slice.call(part);
  if (Array.isArray(part)) return part.map((each) => copied(each, onlyReads));
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(part)) copy[name] = copied((part as Record<string, unknown>)[name], onlyReads);
  return copy;
}

/** Many small tasks one after the other must not keep timers and sockets waiting: after some milliseconds these have their turn. */
class Turns {
  #began: number | undefined;

  async next(): Promise<void> {
    if (this.#began !== undefined && clock() - this.#began >= SMALL_MS) await othersTurn();
    if (this.#began !== undefined) return;
    this.#began = clock();
    void othersTurn().then(() => {
      this.#began = undefined;
    });
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw fileError("read", path, cause);
  }
}

async function openFile(path: string): Promise<ByteSource> {
  try {
    const file = await open(path, "r");
    const found = await file.stat();
    if (found.isDirectory()) {
      await file.close();
      throw Object.assign(new Error(), { code: "EISDIR" });
    }
    const source: ByteSource = {
      byteLength: undefined,
      read: async (into, at) => (await file.read(into, at, into.length - at)).bytesRead,
      close: () => file.close(),
    };
    if (!found.isFile()) return source;
    const readAt: ByteSource["readAt"] = async (into, at, place) => (await file.read(into, at, into.length - at, place)).bytesRead;
    return { ...source, byteLength: found.size, readAt };
  } catch (cause) {
    throw fileError("read", path, cause);
  }
}

async function checkWritable(path: string): Promise<void> {
  try {
    const target = await followLinks(path);
    const before = await stat(target).catch(() => undefined);
    if (before?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    await access(before === undefined || before.isFile() ? dirname(target) : target, constants.W_OK);
    if (before?.isFile()) await access(target, constants.W_OK);
    if (!(await stat(dirname(target))).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  } catch (cause) {
    throw fileError("write", path, cause);
  }
}

async function writeAtomic(path: string, bytes: FileContent): Promise<void> {
  try {
    await checkWritable(path);
    const target = await followLinks(path);
    const before = await stat(target).catch(() => undefined);
    if (before !== undefined && !before.isFile()) {
      await writeFile(target, bytes); // a pipe or a device has no old content to keep
      return;
    }
    await replaceFile(target, bytes, before?.mode);
  } catch (cause) {
    throw fileError("write", path, cause);
  }
}

/** The file itself where the path is a link to one: the link must go on pointing at it. A link to a pipe has no other name. */
async function followLinks(path: string): Promise<string> {
  const link = await lstat(path).catch(() => undefined);
  if (!link?.isSymbolicLink()) return path;
  return (await stat(path)).isFile() ? realpath(path) : path;
}

/** Writes a neighbour, waits until it is on the disk, then renames it over the target. */
async function replaceFile(target: string, bytes: FileContent, mode: number | undefined): Promise<void> {
  const { file, neighbour } = await openNeighbour(target);
  try {
    try {
      if (mode !== undefined) await file.chmod(mode & 0o777); // what the umask would take away, the old file had
      for await (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(neighbour, target);
  } catch (error) {
    await rm(neighbour, { force: true });
    throw error;
  }
}

/** A new file in the same folder, by a name of this thread's and this moment's: to load what draws names at random takes Node two milliseconds. Whoever has the name already keeps his file. */
async function openNeighbour(target: string): Promise<{ file: FileHandle; neighbour: string }> {
  for (let k = 0; ; k++) {
    const neighbour = join(dirname(target), `.${process.pid}-${threadId}-${process.hrtime.bigint()}-${k}.part`);
    try {
      return { file: await open(neighbour, "wx"), neighbour };
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a directory",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "the name is too long",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
};

function fileError(verb: "read" | "write", path: string, cause: unknown): HingeError {
  if (cause instanceof HingeError) return cause;
  const code = (cause as { code?: string }).code ?? "";
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new HingeError("file-system", `cannot ${verb} ${path}: ${reason}`, undefined, { cause });
}
