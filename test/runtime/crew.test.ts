import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { Crew } from "../../src/runtime/crew.ts";
import { thrown } from "../thrown.ts";

/** Adds the constant of the loop to every position of its shares, and says in the end how many positions it took. */
const HELPER = `
  import { parentPort, workerData } from "node:worker_threads";
  import { Crew } from "./src/runtime/crew.ts";
  const counts = new Int32Array(workerData.counts);
  let taken = 0;
  const workFor = ([constant]) => (from, to) => {
    for (let t = from; t < to; t++) Atomics.add(counts, t, constant);
    if (to === 0) Atomics.add(counts, 0, constant);
    taken += to - from;
  };
  parentPort.postMessage("here");
  await new Crew(workerData.crew).help(workFor, () => new Promise((resolve) => setImmediate(() => resolve(false))));
  parentPort.postMessage(taken);
`;

const source = buildSync({
  stdin: { contents: HELPER, resolveDir: new URL("../..", import.meta.url).pathname, loader: "ts" },
  ...{ bundle: true, write: false, format: "esm", platform: "node", target: "node20" },
}).outputFiles[0]?.text as string;

const workers: Worker[] = [];
afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

interface Helper {
  readonly worker: Worker;
  /** How many positions it took, once it is dismissed. */
  readonly taken: Promise<number>;
}

async function helper(crew: SharedArrayBuffer, counts: SharedArrayBuffer): Promise<Helper> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: { crew, counts } });
  workers.push(worker);
  await new Promise((resolve) => worker.once("message", resolve));
  return { worker, taken: new Promise((resolve) => worker.once("message", resolve)) };
}

const SIZE = 10_000;

test.each([0, 1, 3])("every position of every loop is done once, with %i helpers", async (count) => {
  const memory = Crew.memory();
  const shared = new SharedArrayBuffer(4 * SIZE);
  const counts = new Int32Array(shared);
  const crew = new Crew(memory);
  const helpers = await Promise.all(Array.from({ length: count }, () => helper(memory, shared)));
  let own = 0;
  let loops = 0;
  // Many short loops, so that helpers come late to some of them and meet the next one at its beginning.
  for (let round = 1; round <= 2000; round++) {
    const from = round % 7;
    crew.lead([round % 5], from, SIZE - from, 100, (begin, end) => {
      for (let t = begin; t < end; t++) Atomics.add(counts, t, round % 5);
      own += end - begin;
    });
    loops += SIZE - 2 * from;
  }
  crew.dismiss();
  const taken = (await Promise.all(helpers.map((one) => one.taken))).reduce((sum, one) => sum + one, own);
  expect(taken).toBe(loops);
  const expected = new Int32Array(SIZE);
  for (let round = 1; round <= 2000; round++) {
    for (let t = round % 7; t < SIZE - (round % 7); t++) expected[t] = (expected[t] as number) + (round % 5);
  }
  expect(counts).toEqual(expected);
});

test("a helper takes part in a standing loop, until the next one begins", async () => {
  const memory = Crew.memory();
  const shared = new SharedArrayBuffer(4 * SIZE);
  const counts = new Int32Array(shared);
  const crew = new Crew(memory);
  const { taken } = await helper(memory, shared);
  const told: boolean[] = [];
  const stand = (): void => crew.stand([5], (isOpen) => void told.push(isOpen));
  stand();
  stand();
  while (Atomics.load(counts, 0) === 0);
  crew.lead([1], 0, SIZE, 100, (from, to) => {
    for (let t = from; t < to; t++) Atomics.add(counts, t, 1);
  });
  expect(told).toEqual([true, false]);
  stand();
  crew.withdraw();
  crew.withdraw();
  expect(told).toEqual([true, false, true, false]);
  crew.dismiss();
  await taken;
  expect(counts.subarray(1)).toEqual(new Int32Array(SIZE - 1).fill(1));
});

test("a helper that died in the middle of a share ends the loop with an error", async () => {
  const memory = Crew.memory();
  const crew = new Crew(memory);
  // One that went inside and never came out.
  Atomics.add(new Int32Array(memory), 1, 1);
  crew.lose();
  const error = thrown(() => crew.lead([0], 0, 100, 10, () => undefined));
  expect(error).toMatchObject({ code: "worker-failed", message: expect.stringContaining("can be made again") });
});

test("what the leader's own work throws comes through, and the loop is closed", () => {
  const memory = Crew.memory();
  const crew = new Crew(memory);
  expect(() =>
    crew.lead([0], 0, 100, 10, () => {
      throw new RangeError("no");
    }),
  ).toThrow("no");
  expect((new Int32Array(memory)[0] as number) % 2).toBe(0);
});
