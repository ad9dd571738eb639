// Pairs of classes in one thread: which are whose, what is said of them, and that they are posed as one by one.

import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { matrix } from "../../../src/index.ts";
import { fitKernel } from "../../../src/solve/fit-kernel.ts";
import { fitPairs, type PairDone, type PairsInput } from "../../../src/solve/fit-pairs.ts";
import { kernelMachineBytes } from "../../../src/solve/kernel-machine.ts";
import { poseKernel } from "../../../src/solve/pose-kernel.ts";
import { taskHere } from "../../solve-here.ts";

const random = new Random(3);
const CLASSES = 4;
const labels = Array.from({ length: 60 }, (_, i) => i % CLASSES);
const x = matrix(labels.map((m) => [m + random.unit(), random.unit(), Math.round(3 * random.unit())]));
const CACHE = 2 ** 16;
const terms: PairsInput["terms"] = {
  ...{ kernel: { kind: "rbf", gamma: 0.5, coef0: 0, degree: 0 }, form: "c_svc", nu: 0, hasBias: true },
  ...{ tolerance: 1e-6, stop: undefined, maxIterations: undefined, shrinking: true, gapless: undefined },
};
const classes = Array.from({ length: CLASSES }, (_, m) => {
  const rowIds = Uint32Array.from(labels.keys()).filter((i) => labels[i] === m);
  return { rowIds, costs: Float64Array.from(rowIds, (i) => 1 + (i % 3)), mostDiagonal: 1 };
});
const list = classes.flatMap((_, a) => classes.slice(a + 1).map((_, b) => [a, a + 1 + b] as const));
const input = (turn: PairsInput["turn"]): PairsInput => ({
  ...{ terms, classes, list, guesses: undefined, cacheBytes: CACHE, keptBytes: 0, turn },
});
const BYTES = 2 ** 22;

test("every so many-th where memory is not shared, the next that nobody has where it is", async () => {
  const numbers = async (turn: PairsInput["turn"], task = taskHere(x, BYTES)()): Promise<number[]> =>
    (await fitPairs(task, input(turn))).map(({ index }) => index);
  expect(await numbers({ first: 0, every: 1 })).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await numbers({ first: 1, every: 4 })).toEqual([1, 5]);
  expect(await numbers({ first: 6, every: 7 })).toEqual([]);
  const task = taskHere(x, BYTES)();
  const next = task.space.words(1);
  const own = { ...task, space: task.space.rest() };
  next[0] = 2;
  expect(await numbers({ next: next.byteOffset }, own)).toEqual([2, 3, 4, 5]);
  expect(await numbers({ next: next.byteOffset }, own)).toEqual([]);
});

/** Classes of 20, 9, 14 and 14 rows, each row in one. */
const uneven = [20, 9, 14, 14].map((count, m) => {
  const begin = [0, 20, 29, 43][m] as number;
  return { rowIds: Uint32Array.from({ length: count }, (_, k) => begin + k), costs: new Float64Array(count).fill(2), mostDiagonal: 1 };
});

test("the largest problem comes first, and of those of one size the first of the list", async () => {
  const indices = async (turn: PairsInput["turn"], own = list): Promise<number[]> =>
    (await fitPairs(taskHere(x, BYTES)(), { ...input(turn), classes: uneven, list: own })).map(({ index }) => index);
  // 0 1, 0 2, 0 3, 1 2, 1 3 and 2 3 have 29, 34, 34, 23, 23 and 28 rows.
  expect(await indices({ first: 0, every: 1 })).toEqual([1, 2, 0, 5, 3, 4]);
  expect(await indices({ first: 0, every: 2 })).toEqual([1, 0, 3]);
  expect(await indices({ first: 1, every: 2 })).toEqual([2, 5, 4]);
  expect(await indices({ first: 0, every: 1 }, [...list].reverse())).toEqual([3, 4, 5, 0, 1, 2]);
});

test("whose turn a problem is changes no bit of its solution, with segments that several share or without", async () => {
  const solutions = async (turns: readonly PairsInput["turn"][], keptBytes: number, own = list) => {
    const found = new Map<string, unknown>();
    for (const turn of turns) {
      const done = await fitPairs(taskHere(x, BYTES)(), { ...input(turn), classes: uneven, list: own, keptBytes });
      for (const { index, outcome } of done) {
        const { value, rho, primal, dual } = outcome.solution;
        expect(outcome.status).toBe("converged");
        found.set(String(own[index]), { value: Array.from(value), rho, primal, dual });
      }
    }
    return found;
  };
  const expected = await solutions([{ first: 0, every: 1 }], 0);
  expect(expected.size).toBe(6);
  const two = [
    { first: 0, every: 2 },
    { first: 1, every: 2 },
  ];
  for (const keptBytes of [0, 2 ** 16]) {
    expect(await solutions([{ first: 0, every: 1 }], keptBytes)).toEqual(expected);
    expect(await solutions(two, keptBytes)).toEqual(expected);
    expect(await solutions([{ first: 0, every: 1 }], keptBytes, [...list].reverse())).toEqual(expected);
  }
});

test("the solutions of the same problems by themselves, to the last bit, from nothing and from a guess", async () => {
  const guesses = list.map(([a, b]) => {
    const [one, other] = [classes[a]?.rowIds.length ?? 0, classes[b]?.rowIds.length ?? 0];
    return Float64Array.from({ length: one + other }, (_, k) => (k < one ? -0.5 : (0.5 * one) / other));
  });
  for (const known of [undefined, guesses]) {
    const together = await fitPairs(taskHere(x, BYTES)(), { ...input({ first: 0, every: 1 }), guesses: known });
    for (const { index, outcome } of together) {
      const [a, b] = list[index] as readonly [number, number];
      const [one, other] = [classes[a], classes[b]] as (typeof classes)[number][];
      const rowIds = Uint32Array.of(...(one?.rowIds ?? []), ...(other?.rowIds ?? []));
      const costs = Float64Array.of(...(one?.costs ?? []), ...(other?.costs ?? []));
      const targets = Float64Array.from(rowIds, (i) => (labels[i] === a ? -1 : 1));
      const posed = { form: "c_svc" as const, rowIds, targets, costs, nu: 0, epsilon: 0, mostDiagonal: 1 };
      const problem = poseKernel(terms, posed, CACHE, known?.[index]);
      const { solution } = await fitKernel(taskHere(x, kernelMachineBytes(problem, x))(), problem);
      expect(outcome.status).toBe("converged");
      expect(outcome.solution.value).toEqual(solution.value);
      expect(outcome.solution.rho).toEqual(solution.rho);
    }
  }
});

test("what is done is told without waiting, each once, and nothing more once all is over", async () => {
  const told: number[][] = [];
  const answers: (() => void)[] = [];
  const ask = (about: unknown): Promise<unknown> => {
    told.push((about as PairDone[]).map(({ index }) => index));
    return new Promise((resolve) => {
      answers.push(() => resolve(undefined));
    });
  };
  const turns: number[] = [];
  // One checkpoint a problem at least: the first answer comes in the middle.
  const checkpoint = async (): Promise<undefined> => {
    turns.push(turns.length);
    if (told.length === 1 && turns.length > 6) answers[0]?.();
  };
  const done = await fitPairs({ ...taskHere(x, BYTES)(), ask, checkpoint }, input({ first: 0, every: 1 }));
  expect(done).toHaveLength(6);
  for (const answer of answers) answer();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(told[0]).toEqual([0]);
  const all = told.flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual([...all].sort((a, b) => a - b));
  const count = told.length;
  for (const answer of answers) answer();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(told).toHaveLength(count);
});
