// Who gets a job while workers have yet to start: whoever is free first.

import { afterEach, expect, test } from "vitest";
import { HingeError, matrix, stopPool } from "../../src/index.ts";
import { platform } from "../../src/runtime/node.ts";
import type { WorkerEvents, WorkerHandle } from "../../src/runtime/platform.ts";
import { Pool, type Work } from "../../src/runtime/pool.ts";
import { beginCall } from "../../src/runtime/runtime.ts";

afterEach(() => stopPool());

/** A worker that does nothing but what the test says. */
class Puppet {
  readonly events: WorkerEvents;
  readonly tasks: { readonly id: number; readonly task: string }[] = [];
  isHeld = false;

  constructor(events: WorkerEvents) {
    this.events = events;
  }

  get handle(): WorkerHandle {
    return {
      post: (message) => {
        if (message.type === "run") this.tasks.push(message);
      },
      hold: (busy) => {
        this.isHeld = busy;
      },
      terminate: () => undefined,
    };
  }

  get names(): string[] {
    return this.tasks.map(({ task }) => task);
  }

  finish(k: number): void {
    this.events.message({ type: "done", id: this.tasks[k]?.id as number, result: this.tasks[k]?.task });
  }
}

function staged(callerWorks: boolean): { pool: Pool; workers: Puppet[]; here: Puppet[] } {
  const [workers, here]: Puppet[][] = [[], []];
  const join = (list: Puppet[]) => (events: WorkerEvents) => {
    const puppet = new Puppet(events);
    list.push(puppet);
    return puppet.handle;
  };
  const stage = { ...platform, coreCount: 2, spawn: join(workers as Puppet[]), spawnHere: join(here as Puppet[]) };
  const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  return {
    pool: new Pool(stage, () => module, { sharedMemory: true, callerWorks }),
    workers: workers as Puppet[],
    here: here as Puppet[],
  };
}

const x = matrix([[1]]);
const work = (task: string, more: Partial<Work> = {}): Work => ({ task, matrix: x, regionBytes: 0, input: {}, ...more });
const call = (signal?: AbortSignal) => ({ ...beginCall({ threads: 2, signal }), onProgress: undefined });

test("the calling thread, if it has finished before", async () => {
  const { pool, workers, here } = staged(true);
  const results = [pool.run(work("a"), call()), pool.run(work("b"), call())];
  expect(here[0]?.names).toEqual(["a"]);
  expect(workers.map(({ names }) => names)).toEqual([[]]);
  here[0]?.finish(0);
  expect(here[0]?.names).toEqual(["a", "b"]);
  here[0]?.finish(1);
  expect(await Promise.all(results)).toEqual(["a", "b"]);
  workers[0]?.events.up();
  expect(workers[0]?.names).toEqual([]);
});

for (const callerWorks of [true, false]) {
  test(`the worker, if it is up before${callerWorks ? "" : ", where the calling thread has other things to do"}`, async () => {
    const { pool, workers, here } = staged(callerWorks);
    const results = [pool.run(work("a"), call()), pool.run(work("b"), call())];
    if (!callerWorks) {
      expect(workers.length).toBe(2);
      workers[1]?.events.up();
      expect(workers.map(({ names }) => names)).toEqual([[], ["a"]]);
    }
    workers[0]?.events.up();
    expect(workers[0]?.names).toEqual(["b"]);
    (callerWorks ? here[0] : workers[1])?.finish(0);
    workers[0]?.finish(0);
    expect(await Promise.all(results)).toEqual(["a", "b"]);
  });
}

test("one worker is called for each job that waits, and no more when others ask in between", () => {
  const { pool, workers, here } = staged(true);
  for (const task of ["a", "b", "c", "d"]) void pool.run(work(task), call());
  expect(workers.length).toBe(1);
  here[0]?.finish(0);
  expect(workers.length).toBe(1);
});

test("a process stays alive for a worker that is on its way, and not for one that has nothing to do", () => {
  const { pool, workers } = staged(false);
  void pool.run(work("a"), call());
  expect(workers[0]?.isHeld).toBe(true);
  workers[0]?.events.up();
  expect(workers[0]?.isHeld).toBe(true);
  workers[0]?.finish(0);
  expect(workers[0]?.isHeld).toBe(false);
});

test("a helper is never the calling thread, and is over at once if nobody needs it any more", async () => {
  const { pool, workers, here } = staged(true);
  const over = new AbortController();
  const led = pool.run(work("lead"), call());
  const helped = pool.run(work("help", { isHelp: true }), call(over.signal));
  here[0]?.finish(0);
  await led;
  expect(here[0]?.names).toEqual(["lead"]);
  over.abort();
  expect(await helped).toBeUndefined();
  workers[0]?.events.up();
  expect(workers[0]?.names).toEqual([]);
});

test("where workers cannot start, the job that one was called for fails, and it is not called again and again", async () => {
  const { pool, workers } = staged(false);
  const result = pool.run(work("a"), call());
  workers[0]?.events.died("no room");
  const error = await result.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HingeError);
  expect((error as HingeError).message).toContain("no room");
  expect(workers.length).toBe(1);
});

test("where one dies that was called for nobody, or for another, nobody else fails", async () => {
  const { pool, workers, here } = staged(true);
  pool.prepare(2);
  const results = ["a", "b"].map((task) => pool.run(work(task, { isShort: true, isBrief: true }), call()));
  workers[0]?.events.died("no room");
  here[0]?.finish(0);
  here[0]?.finish(1);
  expect(await Promise.all(results)).toEqual(["a", "b"]);
});

test("a process does not stay alive for a worker that nobody waits for any more", async () => {
  const { pool, workers, here } = staged(true);
  const over = new AbortController();
  const led = pool.run(work("lead"), call());
  const helped = pool.run(work("help", { isHelp: true }), call(over.signal));
  expect(workers[0]?.isHeld).toBe(true);
  here[0]?.finish(0);
  over.abort();
  await Promise.all([led, helped]);
  expect(workers[0]?.isHeld).toBe(false);
});
