// The worker's loop: takes tasks from its port, runs them, answers. The same in Node and in browsers: node.ts gives its
// workers the two globals, `onmessage` and `postMessage`, that browsers' workers have.

import { HingeError } from "../base/errors.js";
import type { Interruption } from "../base/status.js";
import { Matrix } from "../data/matrix.js";
import { clock } from "./clock.js";
import { type Core, instantiateCore } from "./core.js";
import { ballastFor, type Region } from "./memory.js";
import { withOwnWords } from "./own-words.js";
import { othersTurn } from "./pace.js";
import { arraysAt, copyArrays, MemoryShelf, placeIn } from "./placement.js";
import type { CopiedMatrix, FromWorker, MatrixMessage, SharedMatrix, TaskProgress, ToWorker } from "./protocol.js";
import { Questions } from "./questions.js";
import { Outgrown } from "./small-work.js";
import { type Task, type TaskTable, WorkSpace } from "./task.js";

/** Between two reports of one task: at most ten a second. */
const REPORT_EVERY_MS = 100;

export interface WorkerScope {
  /** Of one that stands for a worker on the calling thread: what it posts stays where it is. */
  readonly isHere?: boolean;
  onmessage: ((event: { data: ToWorker }) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

interface Workplace {
  readonly core: Core;
  readonly memory: WebAssembly.Memory;
}

/** Serves the tasks to whoever posts to the scope: a worker's own, or one that stands for it on the calling thread. */
export function serve(tasks: TaskTable, scope = globalThis as unknown as WorkerScope): void {
  const aborted = new Set<number>();
  const questions = new Questions((message) => scope.postMessage(message));
  const workplaces = new Map<number, Workplace>();
  const cores = new WeakMap<WebAssembly.Memory, Core>();
  let shelf: MemoryShelf | undefined;
  let module: WebAssembly.Module | undefined;

  scope.onmessage = ({ data }) => {
    if (data.type === "hello") {
      module = data.module;
      shelf = new MemoryShelf(data.sharedMemory);
    } else if (data.type === "abort") {
      aborted.add(data.id);
      questions.drop(data.id);
    } else if (data.type === "answer") questions.answer(data.question, data.answer);
    else if (data.type === "forget") forget(data.memoryId);
    else void run(data);
  };

  function forget(memoryId: number): void {
    const dropped = workplaces.get(memoryId);
    workplaces.delete(memoryId);
    if (dropped !== undefined) ballastFor(dropped.memory.buffer.byteLength); // so that the collector of this thread notices, too
  }

  async function run(message: ToWorker & { type: "run" }): Promise<void> {
    const { id } = message;
    let place: Place | undefined;
    try {
      const handler = tasks[message.task];
      if (handler === undefined || module === undefined || shelf === undefined) throw new Error(`no task ${message.task}`);
      place =
        message.matrix.memory === undefined
          ? settleHere(module, shelf, cores, message.matrix)
          : settleShared(module, workplaces, message.matrix);
      const ask: Task["ask"] = async (about) => (aborted.has(id) ? undefined : questions.ask(id, about, message.deadline));
      const task: Task = { checkpoint: checkpoints(message, aborted, scope), ask, ...place };
      const result = await handler(task, withOwnWords(message.input));
      scope.postMessage({ type: "done", id, result }, scope.isHere === true ? undefined : transferables(result));
    } catch (error) {
      scope.postMessage(error instanceof Outgrown ? { type: "outgrown", id } : { type: "failed", id, ...described(error) });
    } finally {
      place?.leave();
      questions.drop(id);
      aborted.delete(id);
    }
  }
}

interface Place extends Pick<Task, "core" | "matrix" | "rows" | "space"> {
  leave(): void;
}

/** The matrix where it lies in shared memory. */
function settleShared(module: WebAssembly.Module, workplaces: Map<number, Workplace>, message: SharedMatrix): Place {
  const { memory, memoryId, memoryBytes, region } = message;
  let workplace = workplaces.get(memoryId);
  if (workplace === undefined || workplace.memory.buffer.byteLength < memoryBytes) {
    workplace = { core: instantiateCore(module, memory), memory };
    workplaces.set(memoryId, workplace);
  }
  return { leave: () => undefined, ...placeAt(workplace.core, workplace.memory.buffer, message, message, region) };
}

/** The matrix copied into a memory of this worker's own; memories come back to the shelf, so each has its core once and for all. */
function settleHere(
  module: WebAssembly.Module,
  shelf: MemoryShelf,
  cores: WeakMap<WebAssembly.Memory, Core>,
  message: CopiedMatrix,
): Place {
  const home = shelf.take();
  if (home === undefined) throw new HingeError("out-of-memory", "no memory can be had for this call; make fewer at once");
  const { placement } = placeIn(home, message);
  // Taking the region may grow the memory, which detaches every array seen before: so first take, then look.
  const region = home.take(message.regionBytes);
  const core = cores.get(home.memory) ?? instantiateCore(module, home.memory);
  cores.set(home.memory, core);
  const place = placeAt(core, home.memory.buffer, message, placement, region);
  copyArrays(place.matrix, message.arrays);
  return { leave: () => void shelf.give(home), ...place };
}

function placeAt(
  core: Core,
  buffer: ArrayBufferLike,
  shape: MatrixMessage,
  at: { rows: number; values: number; indices: number; starts: number },
  region: Region,
): Omit<Place, "leave"> {
  const matrix = new Matrix(shape, arraysAt(buffer, shape, at));
  return { core, matrix, rows: at.rows, space: new WorkSpace(buffer, region) };
}

function checkpoints(message: ToWorker & { type: "run" }, aborted: Set<number>, scope: WorkerScope): Task["checkpoint"] {
  const started = clock();
  let lastYield = started;
  let lastReport = started;
  return async (progress: () => TaskProgress): Promise<Interruption | undefined> => {
    const now = clock();
    if (now - started >= message.budget) throw new Outgrown();
    if (now - lastYield >= message.slice) {
      await othersTurn();
      lastYield = clock();
    }
    if (aborted.has(message.id)) return "aborted";
    if (now >= message.deadline) return "time-limit";
    if (message.wantsProgress && now - lastReport >= REPORT_EVERY_MS) {
      lastReport = now;
      scope.postMessage({ type: "progress", id: message.id, progress: progress() });
    }
    return undefined;
  };
}

/** The buffers of the typed arrays inside a result, at most two objects deep: moved instead of copied. */
function transferables(result: unknown, depth = 2): ArrayBuffer[] {
  if (typeof result !== "object" || result === null || Array.isArray(result) || depth === 0) return [];
  if (ArrayBuffer.isView(result)) return result.buffer instanceof ArrayBuffer ? [result.buffer] : [];
  const buffers = Object.values(result).flatMap((value) => transferables(value, ArrayBuffer.isView(value) ? 1 : depth - 1));
  return [...new Set(buffers)];
}

function described(error: unknown): { code: HingeError["code"]; message: string } {
  if (error instanceof HingeError) return { code: error.code, message: error.message };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "internal", message: text };
}
