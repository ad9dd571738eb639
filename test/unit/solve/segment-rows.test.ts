// Segments: the values that KernelRows gives, whichever problem they are for; own segments computed once.

import { expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import type { KernelFunction } from "../../../src/solve/kernel-problem.ts";
import { KernelRows, kernelRowsBytes } from "../../../src/solve/kernel-rows.ts";
import { RowStore, rowStoreBytes } from "../../../src/solve/row-store.ts";
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
const CACHE = 100_000;

/** Segments in a memory of their own, with what the plain source says beside them. */
function setUp(keptBytes: number) {
  const task = taskHere(x, segmentsBytes(x, kernel, classes, keptBytes) + kernelRowsBytes(x) + 3 * rowStoreBytes(31, CACHE) + 100_000)();
  const segments = new Segments(task, kernel, classes, keptBytes);
  const all = task.space.rawWords(31);
  all.set(Array.from({ length: 31 }, (_, i) => i));
  const plain = new KernelRows(task, kernel, all);
  const problem = (pair: readonly [number, number]) => {
    const [a, b] = pair.map((m) => classes[m] as Uint32Array) as [Uint32Array, Uint32Array];
    const columns = task.space.rawWords(a.length + b.length);
    columns.set([...a, ...b]);
    const source = new PairRows(segments, pair);
    return { columns, source, store: new RowStore(task, source, columns, CACHE) };
  };
  const wanted = (row: number, columns: Uint32Array): number[] => {
    const out = task.space.rawFloats(columns.length + 4).byteOffset;
    for (const _ of plain.fill([row], [out], columns, 0, columns.length));
    return Array.from(task.space.floatsAt(out, columns.length));
  };
  const held = ({ store, columns }: ReturnType<typeof problem>, place: number): number[] =>
    Array.from(task.space.floatsAt(store.rowOf[place] as number, columns.length));
  return { segments, problem, wanted, held };
}

for (const keptBytes of [0, 400, 100_000]) {
  test(`three problems get what each would get alone, ${keptBytes} bytes for own segments`, () => {
    const { problem, wanted, held } = setUp(keptBytes);
    const problems = pairs.map(problem);
    for (let turn = 0; turn < 2; turn++) {
      for (const own of problems) {
        const { columns, store } = own;
        const places = [turn, 3, columns.length - 1 - turn];
        for (const _ of store.bring(places, columns.length, 0xffffffff, turn));
        for (const place of places) expect(held(own, place)).toEqual(wanted(columns[place] as number, columns));
      }
    }
  });
}

test("an own segment is computed once, if there is room to keep it", () => {
  const [own, one, other] = classes.map(({ length }) => length) as [number, number, number];
  for (const keptBytes of [0, 100_000]) {
    const { problem } = setUp(keptBytes);
    const computed = ([pairs[0], pairs[1]] as const).map((pair) => {
      const { columns, store } = problem(pair);
      for (const _ of store.bring([2], columns.length, 0xffffffff, 1));
      return store.computed;
    });
    expect(computed).toEqual([own + one, other + (keptBytes === 0 ? own : 0)]);
  }
});

test("positions in another order are filled as they are, and the core no longer brings rows in", () => {
  const { problem, wanted, held } = setUp(1000);
  const own = problem(pairs[2]);
  const { columns, source, store } = own;
  expect(store.segments).toBeGreaterThan(0);
  columns.reverse();
  const order = Uint32Array.from(columns, (_, k) => columns.length - 1 - k);
  store.permute(order, columns.length);
  expect([source.segments, store.segments]).toEqual([undefined, 0]);
  for (const _ of store.bring([0, 5], columns.length, 0xffffffff, 1));
  for (const place of [0, 5]) expect(held(own, place)).toEqual(wanted(columns[place] as number, columns));
});

test("sums in float64: those of all rows whose value is not 0", () => {
  const task = taskHere(x, segmentsBytes(x, kernel, classes, 0) + kernelRowsBytes(x) + 100_000)();
  const { exact } = new Segments(task, kernel, classes, 0);
  const ids = task.space.rawWords(31);
  ids.set(Array.from({ length: 31 }, (_, i) => i));
  const values = task.space.rawDoubles(31);
  values.set(Array.from({ length: 31 }, (_, i) => (i % 4 === 1 ? 0 : Math.cos(3 * i))));
  const columns = task.space.rawWords(5);
  columns.set([3, 30, 0, 7, 3]);
  const [quick, plain] = [task.space.rawDoubles(5).fill(2), task.space.rawDoubles(5).fill(2)];
  exact.sumAtOnce({ ids, values, columns, f: quick, count: 5 });
  const holding = Array.from(ids).filter((i) => values[i] !== 0);
  for (let begin = 0; begin < holding.length; begin += 8) {
    const group = holding.slice(begin, begin + 8);
    for (const _ of exact.addExact(
      group,
      group.map((i) => values[i] as number),
      columns,
      plain,
      0,
      5,
    ));
  }
  expect(quick).toEqual(plain);
});
