// Small work on the calling thread: no worker for it, the same bits, and the event loop goes on.

import { afterEach, describe, expect, test, vi } from "vitest";
import { type HingeError, LinearSVC, SVC, startPool, stopPool } from "../../src/index.ts";
import { platform } from "../../src/runtime/node.ts";
import type { WorkerHandle } from "../../src/runtime/platform.ts";
import { thePool } from "../../src/runtime/runtime.ts";
import { endless } from "../problems/endless.ts";
import { sparseSet } from "../problems/generate.ts";

const set = sparseSet(300, 20, 6, 5);

afterEach(() => stopPool());

/** The longest time between two turns of the event loop while `work` goes on, and how long all of it takes. */
async function waitsDuring(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  const began = performance.now();
  let last = began;
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await work();
  longest = Math.max(longest, performance.now() - last);
  clearInterval(timer);
  return { longest, total: performance.now() - began };
}

describe("a small fit", () => {
  test("starts no worker, nor do its predictions, and both are what a worker gives", async () => {
    const both = () => Promise.all([LinearSVC.fit(set.x, set.y), SVC.fit(set.x, set.y)] as const);
    // Without a budget: the first time engines are still compiling.
    const spawnHere = platform.spawnHere.bind(platform);
    const watch = vi.spyOn(platform, "spawnHere").mockImplementation((...given) => {
      const hand = spawnHere(...given) as WorkerHandle;
      return { ...hand, post: (message) => hand.post(message.type === "run" ? { ...message, budget: Infinity } : message) };
    });
    const [linear, kernel] = await both();
    const decisions = [await linear.decision(set.x), await kernel.decision(set.x)];
    watch.mockRestore();
    expect(thePool().workerCount).toBe(0);
    stopPool();
    startPool({ sharedMemory: false });
    const [otherLinear, otherKernel] = await both();
    expect(thePool().workerCount).toBe(1);
    expect(otherLinear.toBytes()).toEqual(linear.toBytes());
    expect(otherKernel.toBytes()).toEqual(kernel.toBytes());
    expect([await otherLinear.decision(set.x), await otherKernel.decision(set.x)]).toEqual(decisions);
  });

  test("that turns out to be long goes on in a worker, with its progress, its limits and the event loop", async () => {
    let reports = 0;
    const onProgress = (): void => {
      reports++;
    };
    const { longest } = await waitsDuring(async () => {
      const { report } = await LinearSVC.fit(set.x, set.y, { ...endless, onProgress, timeLimitSeconds: 0.5 });
      expect(report.status).toBe("time-limit");
      expect(report.run?.seconds.total).toBeGreaterThan(0.5);
    });
    expect(thePool().workerCount).toBe(1);
    expect(reports).toBeGreaterThan(1);
    expect(longest).toBeLessThan(250); // on a busy machine; all of it would be 500
  });

  test("leaves the caller's arrays alone", async () => {
    const y = Float64Array.from(set.y);
    const sampleWeight = Float64Array.from(set.y, (_, i) => 1 + (i % 3));
    const before = [y.slice(), sampleWeight.slice()];
    const model = await LinearSVC.fit(set.x, y, { sampleWeight, loss: "hinge" });
    const dual = model.dual?.slice();
    await LinearSVC.fit(set.x, y, { sampleWeight, loss: "hinge", warmStart: model, C: 3 });
    expect([y, sampleWeight]).toEqual(before);
    expect(model.dual).toEqual(dual);
  });

  test("ends as aborted when its signal says so before it begins", async () => {
    const { report } = await LinearSVC.fit(set.x, set.y, { ...endless, signal: AbortSignal.abort() });
    expect(report.status).toBe("aborted");
  });

  test("fails when the pool is stopped, and the next one is well", async () => {
    const fit = LinearSVC.fit(set.x, set.y, endless);
    stopPool();
    const error = (await fit.catch((thrown: unknown) => thrown)) as HingeError;
    expect([error.code, error.message]).toEqual(["worker-failed", "the pool was stopped; the call can be made again"]);
    expect((await LinearSVC.fit(set.x, set.y)).report.status).toBe("converged");
  });
});

test("a thousand small fits in a row let timers fire in between", async () => {
  const { longest, total } = await waitsDuring(async () => {
    for (let k = 0; k < 1000; k++) await LinearSVC.fit(set.x, set.y, { seed: k });
  });
  expect(longest).toBeLessThan(total / 8); // 10 ms on an idle machine; without turns for timers half of the total or all of it
});

describe("a clock that a test has put in the place of the real one", () => {
  test("stops no fits", async () => {
    vi.useFakeTimers();
    try {
      for (let k = 0; k < 200; k++) await LinearSVC.fit(set.x, set.y, { seed: k });
    } finally {
      vi.useRealTimers();
    }
  });

  test("and stands still does not keep a long fit on this thread, nor a signal from it", async () => {
    const still = performance.now();
    const watch = vi.spyOn(performance, "now").mockReturnValue(still);
    const { report } = await LinearSVC.fit(set.x, set.y, { ...endless, signal: AbortSignal.timeout(200) });
    watch.mockRestore();
    expect(report.status).toBe("aborted");
  });
});
