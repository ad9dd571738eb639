// The library in a real browser, once with cross-origin isolation (threads over shared memory) and once without (one worker).

import { afterEach, expect, inject, test } from "vitest";
import { HingeError, LinearSVC, matrix, type Progress, StandardScaler, SVC, startPool, stopPool } from "../../src/index.ts";
import { thePool } from "../../src/runtime/runtime.ts";
import { endless, hard } from "../problems/endless.ts";
import { flatSet, sparseSet } from "../problems/generate.ts";
import { sameBytesCases } from "./cases.ts";

afterEach(() => stopPool());

test("isolation is what this project of the suite says", () => {
  const shouldBe = inject("isolated");
  expect(globalThis.crossOriginIsolated).toBe(shouldBe);
  startPool();
  expect(thePool().settings.sharedMemory).toBe(shouldBe);
});

for (const { name, train } of sameBytesCases) {
  test(`${name}: the bytes that Node gives`, async () => {
    const expected = inject("bytesFromNode")[name] as string;
    for (const threads of [1, 2, 7]) {
      const model = await train({ threads });
      expect(new TextDecoder().decode(model.toBytes())).toBe(expected);
    }
  });
}

test("decision values are the same with 1, 2 and 7 threads and alone", async () => {
  const set = flatSet(9001, 400, 8); // enough values for seven blocks
  const x = matrix(set.x);
  const model = await LinearSVC.fit(x, set.y, { maxIterations: 3 });
  const [one, two, seven] = await Promise.all([1, 2, 7].map((threads) => model.decision(x, { threads })));
  expect(two).toEqual(one);
  expect(seven).toEqual(one);
  const firstRow = set.x.data.subarray(0, 400);
  expect(model.decisionOne(firstRow)[0]).toBe(one?.[0]);
});

test("scalers run in the worker", async () => {
  const x = [{ 0: 1 }, { 0: 3, 2: 4 }];
  const scaler = await StandardScaler.fit(x, { withMean: false });
  const scaled = await scaler.transform(x);
  expect([scaled.kind, ...scaled.values]).toEqual(["csr", 1, 3, 2]);
});

test("abort, deadline and progress work", async () => {
  const set = sparseSet(400, 30, 8, 21);
  const controller = new AbortController();
  const seen: Progress[] = [];
  const onProgress = (progress: Progress): void => {
    seen.push(progress);
    if (seen.length === 2) controller.abort();
  };
  const aborted = LinearSVC.fit(hard.x, hard.y, { ...endless, signal: controller.signal, onProgress });
  const timed = LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 0.3 });
  const quick = LinearSVC.fit(set.x, set.y);
  expect((await quick).report.status).toBe("converged");
  expect((await timed).report.status).toBe("time-limit");
  expect((await aborted).report.status).toBe("aborted");
});

test("the page stays free while a fit runs", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  await LinearSVC.fit(hard.x, hard.y, { ...endless, timeLimitSeconds: 0.5 });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

test("a kernel that is a function runs on the page, which stays free", async () => {
  const { x, y } = sparseSet(120, 6, 3, 22);
  const kernel = (u: Float32Array, v: Float32Array): number => {
    const until = performance.now() + 0.02;
    while (performance.now() < until);
    return (1 + u.reduce((sum, value, j) => sum + value * (v[j] as number), 0)) ** 2;
  };
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const model = await SVC.fit(x, y, { kernel, psd: true });
  const decision = await model.decision(x);
  clearInterval(timer);
  expect(model.report.status).toBe("converged");
  expect(ticks).toBeGreaterThan(5);
  expect(Float64Array.from(x, (row) => model.decisionOne(row)[0] as number)).toEqual(decision);
});

test("a worker URL that cannot be loaded gives a HingeError that says what to do, not a hang", async () => {
  startPool({ workerUrl: "/no-such-worker.js" });
  const error = await LinearSVC.fit([[0], [1]], [0, 1]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HingeError);
  expect((error as HingeError).code).toBe("worker-failed");
});

test("the worker file of the package serves where inlined source is forbidden", async () => {
  startPool({ workerUrl: "/dist/worker.js" });
  expect((await LinearSVC.fit([[0], [1]], [0, 1])).report.status).toBe("converged");
});

test("files are refused with a word on what to use instead", async () => {
  const model = await LinearSVC.fit([[0], [1]], [0, 1]);
  await expect(model.save("model.json")).rejects.toThrow("browsers have no files; use bytes instead");
});

test("a plain script tag gives the global hinge, which fits", async () => {
  const script = document.createElement("script");
  script.src = "/dist/hinge.browser.js";
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  const { hinge } = globalThis as unknown as { hinge: { LinearSVC: typeof LinearSVC; stopPool(): void } };
  expect((await hinge.LinearSVC.fit([[0], [1]], ["a", "b"])).predictOne([1])).toBe("b");
  hinge.stopPool();
});

test("200 fits at once all end well, though browsers hand out fewer memories", async () => {
  const models = await Promise.all(Array.from({ length: 200 }, (_, k) => LinearSVC.fit([[0], [1]], [0, 1], { seed: k })));
  expect(models.every(({ report }) => report.status === "converged")).toBe(true);
});
