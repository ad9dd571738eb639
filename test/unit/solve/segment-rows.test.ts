// Segments: the values that KernelRows gives, whoever asks, in whatever company; own segments computed once.

import { expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import type { KernelFunction } from "../../../src/solve/kernel-problem.ts";
import { KernelRows, kernelRowsBytes } from "../../../src/solve/kernel-rows.ts";
import { PairRows, Segments, segmentsBytes } from "../../../src/solve/segment-rows.ts";
import { taskHere } from "../../solve-here.ts";

const kernel: KernelFunction = { kind: "rbf", gamma: 0.3, coef0: 0, degree: 0, isWide: false };
const x = matrix(Array.from({ length: 31 }, (_, i) => [Math.sin(i), Math.cos(2 * i), i % 3]));
const classes = [0, 1, 2].map((m) => Uint32Array.from({ length: 31 }, (_, i) => i).filter((i) => (i * 7) % 3 === m));
const pairs = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Segments in a memory of their own, with what the plain source says beside them. */
function setUp(keptBytes: number) {
  const task = taskHere(x, segmentsBytes(x, classes, keptBytes) + kernelRowsBytes(x) + 100_000)();
  const segments = new Segments(task, kernel, classes, keptBytes);
  const all = task.space.rawWords(31);
  all.set(Array.from({ length: 31 }, (_, i) => i));
  const plain = new KernelRows(task, kernel, all);
  const columnsOf = ([a, b]: readonly [number, number]): Uint32Array => {
    const columns = task.space.rawWords((classes[a]?.length ?? 0) + (classes[b]?.length ?? 0));
    columns.set([...(classes[a] as Uint32Array), ...(classes[b] as Uint32Array)]);
    return columns;
  };
  const room = (count: number): number => task.space.rawFloats(count + 4).fill(-7).byteOffset;
  const read = (at: number, count: number): number[] => Array.from(task.space.floatsAt(at, count));
  const wanted = (row: number, columns: Uint32Array): number[] => {
    const out = room(columns.length);
    for (const _ of plain.fill([row], [out], columns, 0, columns.length));
    return read(out, columns.length);
  };
  return { task, segments, columnsOf, room, read, wanted };
}

for (const keptBytes of [0, 400, 100_000]) {
  test(`three problems that wait for each other get what each would get alone, ${keptBytes} bytes for own segments`, () => {
    const { segments, columnsOf, room, read, wanted } = setUp(keptBytes);
    for (const _ of pairs) segments.enter();
    for (let turn = 0; turn < 2; turn++) {
      const problems = pairs.map((pair) => {
        const columns = columnsOf(pair);
        const source = new PairRows(segments, columns, pair);
        const rows = [columns[turn], columns[3], columns[columns.length - 1 - turn]] as number[];
        const outs = rows.map(() => room(columns.length));
        return { source, columns, rows, outs, filling: source.fill(rows, outs, columns, 0, columns.length) };
      });
      const waiting = problems.map(({ filling, source }) => ({ isOver: filling.next().done, waits: source.pending !== undefined }));
      // The last one to come has all of them served and goes on at once.
      expect(waiting).toEqual([
        { isOver: false, waits: true },
        { isOver: false, waits: true },
        { isOver: true, waits: false },
      ]);
      for (const { filling, source } of problems) {
        expect(filling.next().done).toBe(true);
        expect(source.pending).toBeUndefined();
      }
      for (const { rows, outs, columns } of problems)
        rows.forEach((row, k) => {
          expect(read(outs[k] as number, columns.length)).toEqual(wanted(row, columns));
        });
    }
  });
}

test("an own segment is computed once, if there is room to keep it", () => {
  for (const keptBytes of [0, 100_000]) {
    const { segments, columnsOf, room } = setUp(keptBytes);
    segments.enter();
    const row = classes[0]?.[2] as number;
    const [own, one, other] = classes.map(({ length }) => length) as [number, number, number];
    const computed = (
      [
        [0, 1],
        [0, 2],
      ] as const
    ).map((pair) => {
      const columns = columnsOf(pair);
      for (const _ of new PairRows(segments, columns, pair).fill([row], [room(columns.length)], columns, 0, columns.length));
      return segments.computed;
    });
    expect(computed).toEqual([own + one, own + one + other + (keptBytes === 0 ? own : 0)]);
  }
});

test("who was told to stop is served alone; who leaves keeps nobody waiting; other columns are filled at once", () => {
  const { segments, columnsOf, room, read, wanted } = setUp(1000);
  for (const _ of pairs) segments.enter();
  const [one, two] = [pairs[0], pairs[2]].map((pair) => {
    const columns = columnsOf(pair);
    const source = new PairRows(segments, columns, pair);
    const at = room(columns.length);
    return { source, columns, at, filling: source.fill([5], [at], columns, 0, columns.length) };
  }) as [Waiting, Waiting];
  interface Waiting {
    source: PairRows;
    columns: Uint32Array;
    at: number;
    filling: Generator<undefined, void>;
  }
  one.filling.next();
  two.filling.next();
  // Not served, and does not wait.
  expect(one.filling.next().done).toBe(true);
  expect(read(one.at, one.columns.length)).toEqual(wanted(5, one.columns));
  segments.leave();
  expect(read(two.at, 1)).toEqual([-7]);
  segments.leave();
  expect(two.filling.next().done).toBe(true);
  expect(read(two.at, two.columns.length)).toEqual(wanted(5, two.columns));
  two.source.reordered();
  two.columns.reverse();
  const at = room(two.columns.length);
  expect(two.source.fill([5], [at], two.columns, 0, two.columns.length).next().done).toBe(true);
  expect(read(at, two.columns.length)).toEqual(wanted(5, two.columns));
});
