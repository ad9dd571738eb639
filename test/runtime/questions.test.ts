// A task that asks the calling thread: answers, errors, and the ways to end while a question is open.

import { afterEach, expect, test } from "vitest";
import { HingeError, matrix, stopPool } from "../../src/index.ts";
import type { Answer } from "../../src/runtime/pool.ts";
import { beginCall, type CallOptions, runTask, thePool } from "../../src/runtime/runtime.ts";
import type { ValuesQuestion } from "../../src/solve/custom-rows.ts";
import { poseForm } from "../../src/solve/kernel-forms.ts";
import { kernelMachineBytes } from "../../src/solve/kernel-machine.ts";
import type { KernelProblem, KernelSolution } from "../../src/solve/kernel-problem.ts";
import type { Outcome } from "../../src/solve/stages.ts";

afterEach(() => stopPool());

const n = 40;
const x = matrix(Array.from({ length: n }, (_, i) => [i]));
const rowIds = Uint32Array.from({ length: n }, (_, i) => i);
const targets = Float64Array.from(rowIds, (i) => (i % 2 === 0 ? 1 : -1));
const problem: KernelProblem = {
  kernel: { kind: "custom", diagonal: new Float64Array(n).fill(2) },
  ...{ rowIds, tolerance: 1e-6, stop: undefined, maxIterations: 1e6, shrinking: true, cacheBytes: 1e6 },
  ...poseForm({ form: "c_svc", targets, costs: new Float64Array(n).fill(1), nu: 0, epsilon: 0, mostDiagonal: 2 }),
};

/** One task whose questions are answered so. */
function run(answer: Answer | undefined, options: CallOptions = {}): Promise<Outcome<KernelSolution>> {
  const work = { task: "fit-kernel", matrix: x, regionBytes: kernelMachineBytes(problem, x), input: problem, answer };
  return runTask<Outcome<KernelSolution>>(work, beginCall(options));
}

/** The unit matrix and one everywhere. */
const unit: Answer = (about) => {
  const { rows, columns } = about as ValuesQuestion;
  return Float64Array.from(Array.from(rows, (i) => Array.from(columns, (j) => (i === j ? 2 : 1))).flat());
};

/** Never answers; says when it was asked. */
function silent(): { answer: Answer; asked: Promise<() => boolean> } {
  let tell: (isOver: () => boolean) => void;
  const asked = new Promise<() => boolean>((resolve) => {
    tell = resolve;
  });
  return {
    asked,
    answer: (_, isOver) => {
      tell(isOver);
      return new Promise(() => undefined);
    },
  };
}

test("answers come at once or later, and make the same model", async () => {
  const [now, later] = await Promise.all([
    run(unit),
    run(async (...question) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return unit(...question);
    }),
  ]);
  expect(now.status).toBe("converged");
  expect(later.solution.value).toEqual(now.solution.value);
  // K = I + 11', sum v = 0: v'Kv = |v|^2, and the box ends at 1: v = y.
  now.solution.value.forEach((v, k) => {
    expect(v).toBeCloseTo(targets[k] as number, 6);
  });
});

test("what the answer throws is the outcome, the very object", async () => {
  for (const error of [new TypeError("mine"), "a text", undefined]) {
    const thrower: Answer = () => {
      throw error;
    };
    expect(
      await run(thrower).then(
        () => "no error",
        (thrown) => [thrown],
      ),
    ).toEqual([error]);
    expect(
      await run(() => Promise.reject(error)).then(
        () => "no error",
        (thrown) => [thrown],
      ),
    ).toEqual([error]);
  }
  expect((await run(unit)).status).toBe("converged");
});

test("an answer that cannot be sent is an error, not a hang", async () => {
  await expect(run(() => () => undefined)).rejects.toThrow(/could not be cloned/);
});

test("a task that asks where nobody answers says so", async () => {
  const error = await run(undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HingeError);
  expect((error as HingeError).code).toBe("internal");
});

test("abort ends a task whose question is open", async () => {
  const controller = new AbortController();
  const { answer, asked } = silent();
  const task = run(answer, { signal: controller.signal });
  const isOver = await asked;
  expect(isOver()).toBe(false);
  controller.abort();
  expect(isOver()).toBe(true);
  expect((await task).status).toBe("aborted");
});

test("so does its time limit", async () => {
  // So that the worker is there before the time is over.
  await run(unit);
  const { answer, asked } = silent();
  const task = run(answer, { timeLimitSeconds: 1 });
  expect((await task).status).toBe("time-limit");
  expect((await asked)()).toBe(true);
});

test("so does the end of the pool, and a late answer goes nowhere", async () => {
  let reply: (answer: unknown) => void = () => undefined;
  const task = run(
    () =>
      new Promise((resolve) => {
        reply = resolve;
        thePool().stop();
      }),
  );
  const error = await task.catch((thrown: unknown) => thrown);
  expect((error as HingeError).code).toBe("worker-failed");
  reply(new Float64Array(1));
  stopPool();
  expect((await run(unit)).status).toBe("converged");
});
