// The pool of a process that has nothing else to do: its calling thread works first, workers besides, and nothing else is different.

import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LinearSVC, LogisticRegression, readSvmlight, SVC, stopPool } from "../../src/index.ts";
import { prepareWorkers, startPoolHere, tasksAtOnce, thePool } from "../../src/runtime/runtime.ts";
import { endless } from "../problems/endless.ts";
import { multiClassSet, sparseSet } from "../problems/generate.ts";

// More features than rows, and enough values: what begins with several classes at once.
const many = multiClassSet(3000, 4000, 20, 9, 3);
const two = sparseSet(2500, 40, 8, 4);

beforeEach(() => {
  stopPool();
  startPoolHere();
});
afterEach(() => stopPool());

/** What `work` gives here, and what it gives where workers do everything. */
async function both<T>(work: () => Promise<T>): Promise<[T, T]> {
  const here = await work();
  stopPool();
  return [here, await work()];
}

describe("fits have the same bytes", () => {
  for (const threads of [1, 2, 3]) {
    test(`of many classes, ${threads} threads`, async () => {
      const [here, there] = await both(async () => (await LinearSVC.fit(many.x, many.y, { loss: "hinge", threads })).toBytes());
      expect(here).toEqual(there);
    });

    test(`of a kernel machine that is helped, ${threads} threads`, async () => {
      const [here, there] = await both(async () => (await SVC.fit(two.x, two.y, { C: 10, gamma: 0.1, threads })).toBytes());
      expect(here).toEqual(there);
    });
  }

  test("and so have predictions, and files that are read", async () => {
    const lines = Array.from({ length: 600_000 }, (_, i) => `${i % 2} ${1 + (i % 7)}:${(i % 1000) / 8} 9:0.25\n`).join("");
    const bytes = new TextEncoder().encode(lines);
    expect(bytes.length).toBeGreaterThan(2 ** 23);
    const [here, there] = await both(async () => {
      const { x, y } = await readSvmlight(bytes, { threads: 2 });
      const model = await LogisticRegression.fit(x, y, { threads: 2, maxIterations: 5 });
      const all = [y, x.starts.slice(), x.indices.slice(), x.values.slice(), await model.decision(x)];
      return all.map((part) => createHash("sha256").update(part).digest("hex"));
    });
    expect(here).toEqual(there);
  });
});

describe("threads", () => {
  test("one: the calling one", async () => {
    await LinearSVC.fit(many.x, many.y, { threads: 1 });
    await SVC.fit(many.x, many.y, { threads: 1 });
    expect(thePool().workerCount).toBe(0);
  });

  test("two: a worker besides, for a second problem and for one who helps", async () => {
    await LinearSVC.fit(two.x, two.y, { threads: 2 });
    expect(thePool().workerCount).toBe(0);
    await SVC.fit(two.x, two.y, { threads: 2, gamma: 0.1 });
    expect(thePool().workerCount).toBe(1);
  });

  test("two: a worker that many short problems wait for is started before there are any", async () => {
    const { report } = await LinearSVC.fit(many.x, many.y, { threads: 2 });
    expect(report.run?.problems[0]?.stages[0]?.why).toContain("several classes at once");
    expect(thePool().workerCount).toBe(Math.min(2, availableParallelism()) - 1);
  });

  test("workers come before they are needed when they are asked for, and no more than there are cores for", () => {
    const others = Math.min(2, availableParallelism()) - 1;
    prepareWorkers(2);
    expect(thePool().workerCount).toBe(others);
    prepareWorkers(2);
    expect(thePool().workerCount).toBe(others);
    expect(tasksAtOnce(2)).toBe(3);
    stopPool();
    prepareWorkers(2);
    expect(thePool().workerCount).toBe(0);
    expect(tasksAtOnce(2)).toBe(2);
  });
});

describe("a long fit on the calling thread", () => {
  test("ends at its deadline, with progress on the way and timers that fire", async () => {
    let [reports, ticks] = [0, 0];
    const timer = setInterval(() => ticks++, 5);
    const { report } = await LinearSVC.fit(two.x, two.y, {
      ...endless,
      timeLimitSeconds: 0.5,
      threads: 1,
      onProgress: () => {
        reports++;
      },
    });
    clearInterval(timer);
    expect(thePool().workerCount).toBe(0);
    expect(report.status).toBe("time-limit");
    expect(reports).toBeGreaterThan(1);
    expect(ticks).toBeGreaterThan(10); // of a hundred, on a busy machine
  });

  test("ends when its signal says so", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const { report } = await LinearSVC.fit(two.x, two.y, { ...endless, threads: 1, signal: controller.signal, timeLimitSeconds: 20 });
    expect(report.status).toBe("aborted");
  });
});
