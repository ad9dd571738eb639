import { describe, expect, test } from "vitest";
import { runProgram } from "./child.ts";

/** 1,000 fits of `rowCount` x 160 values; returns how much the resident size grew between the 200th and the last, in bytes. */
function growthOverThousandFits(rowCount: number, start: string, fit: string): number {
  const { status, stdout, stderr } = runProgram(`
    ${start}
    const rows = Array.from({ length: ${rowCount} }, (_, i) => Array.from({ length: 160 }, (_, j) => Math.sin(i * 31 + j * 17)));
    const flat = { data: Float32Array.from(rows.flat()), rowCount: ${rowCount}, featureCount: 160 };
    const y = rows.map((row, i) => (i % 2 ? 1 : -1));
    const options = { maxIterations: 1 };
    for (let k = 1; k <= 1000; k++) {
      ${fit}
      if (k === 200 || k === 1000) console.log(process.memoryUsage.rss());
    }`);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const [early = Number.NaN, late = Number.NaN] = stdout.trim().split("\n").map(Number);
  return late - early;
}

// A leak of the matrices alone would be 800 times their size. Collectors are lazy: a quarter of that is allowed.
describe("memory stays flat over 1,000 fits", () => {
  const LEAK = 800 * (400 * 160 * 4);

  test("from number[][]", () => {
    expect(growthOverThousandFits(400, "", "await LinearSVC.fit(rows, y, options);")).toBeLessThan(LEAK / 4);
  });

  test("from Matrix objects that are dropped", () => {
    expect(growthOverThousandFits(400, "", "await LinearSVC.fit(matrix(rows), y, options);")).toBeLessThan(LEAK / 4);
  });

  test("from dropped Matrix objects that are large enough for a memory of their own", () => {
    expect(growthOverThousandFits(2000, "", "await LinearSVC.fit(matrix(flat), y, options);")).toBeLessThan((5 * LEAK) / 4);
  });

  test("from number[][], where memory cannot be shared", () => {
    const start = "hinge.startPool({ sharedMemory: false });";
    expect(growthOverThousandFits(400, start, "await LinearSVC.fit(rows, y, options);")).toBeLessThan(LEAK / 4);
  });
});

describe("the process", () => {
  test("ends by itself when the work is done: an idle pool does not keep it alive", () => {
    const { status, stdout, seconds } = runProgram(`
      let workers = 0;
      process.on("worker", () => workers++);
      const rows = Array.from({ length: 600 }, (_, i) => [Math.sin(i), Math.sin(i * i)]); // more than what is done on the calling thread
      const y = rows.map((_, i) => i % 2);
      await Promise.all([1, 2, 3].map((C) => LinearSVC.fit(rows, y, { C, threads: 3 })));
      console.log(workers);`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "3\n" });
    expect(seconds).toBeLessThan(10);
  });

  test("stays alive while a fit runs that nobody awaits", () => {
    const { status, stdout } = runProgram(`
      LinearSVC.fit([[0], [1]], [0, 1], { maxIterations: 2 ** 40, tolerance: 1e-300, timeLimitSeconds: 0.3, solver: "dual" }).then((m) => console.log(m.report.status));`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^(time-limit|converged)\n$/) });
  });

  test("says nothing on its own: importing and fitting print not a byte", () => {
    const { status, stdout, stderr } = runProgram("await LinearSVC.fit([[0], [1]], [0, 1]);");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("the page stays free: timers fire while a fit runs", () => {
    const { stdout } = runProgram(`
      let ticks = 0;
      const timer = setInterval(() => ticks++, 10);
      const rows = Array.from({ length: 300 }, (_, i) => [Math.sin(i), Math.sin(i * i), Math.sin(7 * i)]);
      const y = rows.map((_, i) => i % 2);
      await LinearSVC.fit(rows, y, { C: 1000, maxIterations: 2 ** 40, tolerance: 1e-300, timeLimitSeconds: 0.5, loss: "hinge", solver: "dual" });
      clearInterval(timer);
      console.log(ticks);`);
    expect(Number(stdout)).toBeGreaterThan(20);
  });
});
