import { afterEach, describe, expect, test } from "vitest";
import { HingeError, LinearSVC, matrix, startPool, stopPool } from "../../src/index.ts";
import { platform } from "../../src/runtime/node.ts";
import type { WorkerHandle } from "../../src/runtime/platform.ts";
import { Pool } from "../../src/runtime/pool.ts";
import { beginCall, thePool } from "../../src/runtime/runtime.ts";
import { endless, hard } from "../problems/endless.ts";
import { flatSet, sparseSet } from "../problems/generate.ts";

const set = sparseSet(400, 30, 8, 21);
const larger = sparseSet(600, 30, 8, 21); // than what is done on the calling thread

afterEach(() => stopPool());

/** The running pool's settings, with every worker that it starts kept where the test can reach it. */
function poolWithWorkersInReach(): { pool: Pool; workers: WorkerHandle[] } {
  const workers: WorkerHandle[] = [];
  const spying = {
    ...platform,
    spawn: (...args: Parameters<typeof platform.spawn>) => {
      const worker = platform.spawn(...args);
      workers.push(worker);
      return worker;
    },
  };
  const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  return { pool: new Pool(spying, () => module, { sharedMemory: true }), workers };
}

describe("a worker that dies", () => {
  test("because the pool was stopped fails its fit with a HingeError that says so, and the next fit gets a new one", async () => {
    const x = matrix(hard.x);
    const fit = LinearSVC.fit(x, hard.y, endless);
    await new Promise((resolve) => setTimeout(resolve, 100));
    stopPool();
    const error = await fit.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HingeError);
    expect((error as HingeError).code).toBe("worker-failed");
    expect((error as HingeError).message).toBe("the pool was stopped; the call can be made again");
    expect(thePool().workerCount).toBe(0);
    expect((await LinearSVC.fit(larger.x, larger.y)).report.status).toBe("converged");
    expect(thePool().workerCount).toBe(1);
  });

  test("takes only its own task with it; the queue goes on with the others", async () => {
    const { pool, workers } = poolWithWorkersInReach();
    const x = matrix([[1], [2]]);
    const ended = Promise.allSettled(
      [1, 2, 3].map(() => pool.run({ task: "no such task", matrix: x, regionBytes: 64, input: null }, beginCall({ threads: 1 }))),
    );
    workers[0]?.terminate();
    const reasons = (await ended).map((result) => (result as PromiseRejectedResult).reason as HingeError);
    const died = reasons.filter(({ code }) => code === "worker-failed");
    expect(died).toHaveLength(1);
    expect(died[0]?.message).toMatch(/^the worker died: it exited with code \d+\. The data is unharmed; the call can be made again$/);
    expect(reasons.filter(({ code }) => code === "internal")).toHaveLength(2);
    expect(reasons.find(({ code }) => code === "internal")?.message).toMatch(/^a bug in hinge \(.*no task no such task.*please report/);
    pool.stop();
  });
});

describe("the pool", () => {
  test("starts no more workers than there is work, nor than threads or cores", async () => {
    startPool();
    expect(thePool().workerCount).toBe(0);
    await LinearSVC.fit(larger.x, larger.y, { threads: 7 });
    expect(thePool().workerCount).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => LinearSVC.fit(larger.x, larger.y, { threads: 3 })));
    expect(thePool().workerCount).toBeLessThanOrEqual(Math.max(3, platform.coreCount));
  });

  test("refuses to be started twice and says what to do", () => {
    startPool();
    expect(() => startPool()).toThrow("the pool runs already; call stopPool() before startPool(…)");
  });

  test("refuses a worker URL in Node before anything runs", async () => {
    startPool({ workerUrl: "worker.js" });
    await expect(LinearSVC.fit(set.x, set.y)).rejects.toThrow("workerUrl is for browsers");
  });

  test("a queued fit whose signal is aborted still ends, as aborted", async () => {
    const controller = new AbortController();
    const x = matrix(hard.x);
    const busy = Array.from({ length: platform.coreCount }, () => LinearSVC.fit(x, hard.y, { ...endless, signal: controller.signal }));
    const queued = LinearSVC.fit(x, hard.y, { ...endless, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    for (const { report } of await Promise.all([...busy, queued])) expect(report.status).toBe("aborted");
  });
});

describe("while all workers are busy with long fits", () => {
  /** Occupies every core until the signal; returns what must be awaited in the end. */
  const occupy = (signal: AbortSignal): Promise<unknown> => {
    const x = matrix(hard.x);
    return Promise.all(Array.from({ length: platform.coreCount }, () => LinearSVC.fit(x, hard.y, { ...endless, signal })));
  };

  test("a waiting fit ends at its own time limit or abort, and predictions do not wait", async () => {
    const model = await LinearSVC.fit(larger.x, larger.y);
    const controller = new AbortController();
    const busy = occupy(controller.signal);
    const started = performance.now();
    const timed = await LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 0.2 });
    const aborted = await LinearSVC.fit(hard.x, hard.y, { ...endless, signal: AbortSignal.timeout(200) });
    await model.predict(larger.x);
    expect([timed.report.status, aborted.report.status]).toEqual(["time-limit", "aborted"]);
    expect(performance.now() - started).toBeLessThan(10_000); // the busy ones would go on for ever
    expect(thePool().workerCount).toBe(platform.coreCount);
    controller.abort();
    await busy;
  });

  test("a waiting fit gets its turn", async () => {
    const controller = new AbortController();
    const busy = occupy(controller.signal);
    let isOver = false;
    const waiting = LinearSVC.fit(larger.x, larger.y).finally(() => {
      isOver = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200)); // many times what it takes
    expect(isOver).toBe(false);
    controller.abort();
    expect((await waiting).report.status).toBe("converged");
    expect(thePool().workerCount).toBe(platform.coreCount);
    await busy;
  });
});

describe("many at once", () => {
  test("500 fits at once all end well, though there are fewer memories", async () => {
    const models = await Promise.all(Array.from({ length: 500 }, (_, k) => LinearSVC.fit([[0], [1]], [0, 1], { seed: k })));
    expect(models.every(({ report }) => report.status === "converged")).toBe(true);
  });

  test("300 fits on one matrix use no more memory than the first", async () => {
    const x = matrix(flatSet(3000, 100, 4).x);
    const y = Array.from({ length: 3000 }, (_, i) => i % 2);
    const first = await LinearSVC.fit(x, y, { maxIterations: 1 });
    for (let k = 0; k < 300; k++) await LinearSVC.fit(x, y, { maxIterations: 1 });
    const last = await LinearSVC.fit(x, y, { maxIterations: 1 });
    expect(first.report.run?.memoryBytes).toBeGreaterThan(0);
    expect(last.report.run?.memoryBytes).toBe(first.report.run?.memoryBytes);
  });
});

describe("without shared memory there is one worker, and", () => {
  test("models and predictions are the same bytes", async () => {
    const shared = await LinearSVC.fit(set.x, set.y, { threads: 2 });
    const decision = await shared.decision(set.x);
    stopPool();
    startPool({ sharedMemory: false });
    const x = matrix(set.x);
    const copied = await LinearSVC.fit(x, set.y, { threads: 2 });
    expect(copied.toBytes()).toEqual(shared.toBytes());
    expect(await copied.decision(x)).toEqual(decision);
    expect(thePool().workerCount).toBe(1);
  });

  test("abort, deadline and progress work", async () => {
    startPool({ sharedMemory: false });
    const controller = new AbortController();
    let reports = 0;
    const onProgress = (): void => {
      reports++;
      if (reports === 2) controller.abort();
    };
    const aborted = LinearSVC.fit(hard.x, hard.y, { ...endless, signal: controller.signal, onProgress });
    const timed = LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 0.3 });
    const quick = LinearSVC.fit(set.x, set.y);
    expect((await quick).report.status).toBe("converged");
    expect((await timed).report.status).toBe("time-limit");
    expect((await aborted).report.status).toBe("aborted");
  });
});
