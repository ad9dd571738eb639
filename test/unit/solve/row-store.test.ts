// How many rows are kept where they cost little, and which rows those are.

import { expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import type { KernelFunction } from "../../../src/solve/kernel-problem.ts";
import { areCountable, KernelRows, kernelRowsBytes } from "../../../src/solve/kernel-rows.ts";
import type { RowSource } from "../../../src/solve/row-source.ts";
import { RowStore, rowStoreBytes } from "../../../src/solve/row-store.ts";
import { taskHere } from "../../solve-here.ts";

const NONE = 0xffffffff;
/** Rows of which 64 MiB do not hold all. */
const N = 4200;
const ALLOWED = Math.floor(2 ** 26 / (4 * (N + 4)));

/** A store of rows that hold nothing in particular, and what brings some of them in. */
function storeOf(roomPerReturn?: number, isAptAlone = false): { store: RowStore; bring: (from: number, to: number, step: number) => void } {
  const cacheBytes = 2 ** 28;
  const x = matrix(Array.from({ length: N }, (_, i) => [i]));
  const task = taskHere(x, rowStoreBytes(N, cacheBytes) + 100_000)();
  const columns = task.space.rawWords(N);
  for (let i = 0; i < N; i++) columns[i] = i;
  const nothing = function* (): Generator<undefined, void> {};
  const source: RowSource = { computed: 0, roomPerReturn, isAptAlone, fill: nothing, addExact: nothing };
  const store = new RowStore(task, source, columns, cacheBytes);
  const bring = (from: number, to: number, step: number): void => {
    for (let place = from; place < to; place++) for (const _ of store.bring([place], N, NONE, step));
  };
  return { store, bring };
}

const heldIn = (store: RowStore): number => Array.from({ length: N }, (_, place) => store.holds(place)).filter(Boolean).length;

test("rows that cost more than memory stay", () => {
  const { store, bring } = storeOf();
  bring(0, N, 1);
  expect(heldIn(store)).toBe(N);
});

test("those that cost little give way beyond 64 MiB, and room grows by each that comes back", () => {
  const { store, bring } = storeOf(1);
  bring(0, 100, 1);
  bring(100, N, 2);
  expect(heldIn(store)).toBe(ALLOWED);
  const gone = N - ALLOWED;
  expect(gone).toBeGreaterThan(100);
  // The oldest went first.
  for (let place = 0; place < 100; place++) expect(store.holds(place)).toBe(false);
  bring(0, 100, 3);
  expect(heldIn(store)).toBe(ALLOWED + 100);
  // One that never gave way makes no room.
  bring(N - 1, N, 4);
  expect(heldIn(store)).toBe(ALLOWED + 100);
});

test("or by a third of each, where values cost less still", () => {
  const { store, bring } = storeOf(1 / 3);
  bring(0, 100, 1);
  bring(100, N, 2);
  bring(0, 100, 3);
  expect(heldIn(store)).toBe(ALLOWED + 33);
});

test("rows that came along and were not used bring no more along, until positions are in a new order and others were", () => {
  const { store } = storeOf(undefined, true);
  const come = (from: number, to: number, isUsed: boolean): void => {
    for (let place = from; place < to; place += 8) {
      const others = Array.from({ length: 7 }, (_, k) => place + 1 + k);
      for (const _ of store.bring([place], N, NONE, 5, others));
      if (isUsed) for (const other of others) store.stamps[other] = 6;
    }
  };
  expect(store.companions()).toBe(7);
  come(0, 400, false);
  expect(store.companions()).toBe(0);
  expect(Array.from({ length: 400 }, (_, place) => store.holds(place)).every(Boolean)).toBe(true);
  // Of those that came before, nothing is asked any more: by their new places they would seem to have been used.
  store.permute(
    Uint32Array.from({ length: N }, (_, k) => k),
    N,
  );
  store.stamps.fill(9);
  for (let k = 0; k < 8; k++) come(400 + 8 * k, 408 + 8 * k, true);
  expect(store.companions()).toBe(0);
  come(800, 2000, true);
  expect(store.companions()).toBe(7);
});

test("where a row by itself costs as much as eight, company stays", () => {
  const { store } = storeOf();
  for (let place = 0; place < 800; place += 8)
    for (const _ of store.bring(
      [place],
      N,
      NONE,
      5,
      Array.from({ length: 7 }, (_, k) => place + 1 + k),
    ));
  expect(store.companions()).toBe(7);
});

/** A store of n rows whose values say what they are, with what was computed of which rows; and what the machine does when it sets rows aside. */
function valuedStore(n: number, cacheBytes = 2 ** 20) {
  const x = matrix(Array.from({ length: n }, (_, i) => [i]));
  const task = taskHere(x, rowStoreBytes(n, cacheBytes) + 100_000)();
  const columns = task.space.rawWords(n);
  for (let i = 0; i < n; i++) columns[i] = i;
  const kernelOf = (i: number, j: number): number => 1000 * i + j;
  const computed: { rows: readonly number[]; from: number; to: number }[] = [];
  const source: RowSource = {
    computed: 0,
    *fill(rows, outs, own, from, to) {
      computed.push({ rows, from, to });
      rows.forEach((i, lane) => {
        const out = task.space.floatsAt(outs[lane] as number, to + 3);
        for (let t = from; t < to; t++) out[t] = kernelOf(i, own[t] as number);
        out.fill(-1, to); // up to three positions more are overwritten
      });
      yield;
    },
    *addExact() {},
  };
  const store = new RowStore(task, source, columns, cacheBytes);
  let size = n;
  const valuesAt = (pointer: number, from: number, to: number): number[] => Array.from(task.space.floatsAt(pointer, to).subarray(from));
  const wanted = (place: number, from: number, to: number): number[] =>
    Array.from(columns.subarray(from, to), (j) => kernelOf(columns[place] as number, j));
  return {
    store,
    /** What was computed since this was last asked. */
    news: () => computed.splice(0),
    bring: (places: readonly number[]): void => {
      for (let k = 0; k < places.length; k += 8) for (const _ of store.bring(places.slice(k, k + 8), size, NONE, 1));
    },
    beyond: (places: readonly number[], from: number, to: number): number[] => {
      const run = store.beyond(places, from, to);
      for (;;) {
        const { done, value } = run.next();
        if (done === true) return value as number[];
      }
    },
    /** Positions in use of which `isKept` says so stay in use; rows go by their numbers in the matrix. */
    shrink: (isKept: (row: number) => boolean): void => {
      const all = Array.from({ length: size }, (_, t) => t);
      const kept = all.filter((t) => isKept(columns[t] as number));
      const order = Uint32Array.from([...kept, ...all.filter((t) => !isKept(columns[t] as number))]);
      columns.set(Array.from(order, (t) => columns[t] as number));
      store.permute(order, kept.length);
      size = kept.length;
    },
    takeBack: (): void => {
      size = n;
      store.reopen();
    },
    placeOf: (row: number): number => columns.indexOf(row),
    size: (): number => size,
    /** The first `to` values of a row, as the machine finds it. */
    expectHeld: (place: number, to: number): void => {
      expect(valuesAt(store.rowOf[place] as number, 0, to), `place ${place}`).toEqual(wanted(place, 0, to));
    },
    expectAt: (pointer: number, place: number, from: number, to: number): void => {
      expect(valuesAt(pointer, from, to), `place ${place}`).toEqual(wanted(place, from, to));
    },
  };
}

test("a row that is all there stays so while others are set aside: once, twice in a row, and after all were taken back", () => {
  const n = 53;
  const own = valuedStore(n);
  const { store, news, bring, shrink, takeBack, placeOf, size, expectHeld } = own;
  const whole = [0, 5, 6, 7, 12, 33, 52];
  bring(whole);
  news();
  const look = (rows: readonly number[]): void => {
    const places = rows.map(placeOf).filter((place) => place < size());
    bring(places);
    expect(news()).toEqual([]);
    // Those set aside, too, in their order.
    for (const place of places) expectHeld(place, n);
  };
  shrink((row) => row % 4 !== 2);
  expect(Array.from(store.rowOf).every((at) => at === 0)).toBe(true);
  look([0, 5, 7]);
  shrink((row) => row % 3 !== 1);
  // 0 and 5 are put in order by one shrinking, 12 and 33 by two.
  look([0, 5, 12, 33]);
  takeBack();
  expect(Array.from(store.rowOf).every((at) => at === 0)).toBe(true);
  // 6 and 52 were set aside themselves and catch up now.
  look(whole);
  shrink((row) => row % 5 !== 3);
  shrink((row) => row % 7 !== 1);
  shrink((row) => row % 2 === 0);
  takeBack();
  look(whole);
});

test("of a row that was not all there stays what it has of those that were kept, and only the rest is computed", () => {
  const n = 40;
  const { news, bring, shrink, takeBack, placeOf, size, expectHeld } = valuedStore(n);
  shrink((row) => row < 30);
  bring([placeOf(4)]);
  expect(news()).toEqual([{ rows: [4], from: 0, to: 30 }]);
  // It has all positions in use: 20 of them that are kept, and then ten that are not.
  shrink((row) => row % 3 !== 0);
  bring([placeOf(4)]);
  expect(news()).toEqual([]);
  expectHeld(placeOf(4), 30);
  takeBack();
  // Of the first 30 positions 15 are of even rows: those are at the beginning.
  shrink((row) => row % 2 === 0);
  expect(size()).toBe(20);
  bring([placeOf(4)]);
  expect(news()).toEqual([{ rows: [4], from: 15, to: 20 }]);
  expectHeld(placeOf(4), 20);
});

test("values beyond those in use, of many rows at once: only those that are missing are computed, in groups of eight", () => {
  const n = 60;
  const { store, news, bring, beyond, shrink, takeBack, placeOf, size, expectHeld, expectAt } = valuedStore(n);
  const whole = [2, 4, 8, 10, 20, 22, 30];
  bring(whole);
  shrink((row) => row % 2 === 0);
  const short = [0, 6, 40];
  bring(short.map(placeOf));
  news();
  const others = Array.from({ length: 19 }, (_, k) => 21 + 2 * k);
  const rows = [...others.slice(0, 9), ...whole, ...short, ...others.slice(9)];
  expect(store.mostBeyond).toBe(32);
  expect(rows.length).toBeLessThanOrEqual(store.mostBeyond);
  const places = rows.map(placeOf);
  const pointers = beyond(places, size(), n);
  const missing = rows.filter((row) => !whole.includes(row));
  expect(news()).toEqual([0, 8, 16].map((k) => ({ rows: missing.slice(k, k + 8), from: 30, to: 60 })));
  for (const [k, pointer] of pointers.entries()) expectAt(pointer, places[k] as number, 30, 60);
  // Those that had what is in use are all there from now on: asked again, none of them is computed.
  beyond([...whole, ...short].map(placeOf), size(), n);
  expect(news()).toEqual([]);
  takeBack();
  bring([...whole, ...short].map(placeOf));
  expect(news()).toEqual([]);
  for (const row of [...whole, ...short]) expectHeld(placeOf(row), n);
  // Of the others nothing was there but what is beyond.
  bring([placeOf(21)]);
  expect(news()).toEqual([{ rows: [21], from: 0, to: 60 }]);
  expectHeld(placeOf(21), n);
});

test("a row that has more than what is in use, but not all, has all once values beyond were asked for", () => {
  const n = 40;
  const { news, bring, beyond, shrink, takeBack, placeOf, size, expectHeld, expectAt } = valuedStore(n);
  shrink((row) => row < 30);
  bring([placeOf(6)]);
  shrink((row) => row % 3 === 0);
  expect(size()).toBe(10);
  news();
  const [pointer] = beyond([placeOf(6)], size(), n);
  expect(news()).toEqual([{ rows: [6], from: 10, to: 40 }]);
  expectAt(pointer as number, placeOf(6), 10, 40);
  takeBack();
  bring([placeOf(6)]);
  expect(news()).toEqual([]);
  expectHeld(placeOf(6), n);
});

test("as many rows beyond as can be asked for, where there is room for hardly more: none gives way to another", () => {
  const n = 60;
  const { store, news, bring, beyond, placeOf, shrink, expectAt } = valuedStore(n, 0);
  bring(Array.from({ length: 48 }, (_, row) => row));
  shrink((row) => row >= 8);
  news();
  const rows = [...Array.from({ length: store.mostBeyond - 8 }, (_, k) => 59 - k), ...Array.from({ length: 8 }, (_, k) => k)];
  const places = rows.map(placeOf);
  const pointers = beyond(places, 52, n);
  expect(new Set(pointers).size).toBe(store.mostBeyond);
  for (const [k, pointer] of pointers.entries()) expectAt(pointer, places[k] as number, 52, n);
  // Rows 48 to 59 were not there; all others were whole.
  expect(news().flatMap((one) => one.rows)).toEqual(rows.filter((row) => row >= 48));
});

test("dense rows of few features are apt to come alone; sparse, wide, precomputed and long ones are not", () => {
  const isApt = (rows: Parameters<typeof matrix>[0], kernel: Partial<KernelFunction> = {}): boolean => {
    const x = matrix(rows);
    const task = taskHere(x, 2 * kernelRowsBytes(x) + 1000)();
    return new KernelRows(task, { kind: "rbf", gamma: 0.3, coef0: 0, degree: 0, ...kernel }, task.space.words(x.rowCount)).isAptAlone;
  };
  const dense = (featureCount: number): number[][] =>
    Array.from({ length: featureCount }, (_, i) => Array.from({ length: featureCount }, (_, j) => i + j + 1));
  expect(isApt(dense(2))).toBe(true);
  expect(isApt(dense(32), { isWide: false })).toBe(true);
  expect(isApt(dense(33), { isWide: false })).toBe(false);
  expect(isApt(dense(2), { isWide: true })).toBe(false);
  expect(isApt(dense(2), { kind: "precomputed" })).toBe(false);
  expect(isApt(Array.from({ length: 9 }, (_, i) => [[i % 4], [2]] as const))).toBe(false);
});

test("rows of ones are what costs little", () => {
  const kernel: KernelFunction = { kind: "rbf", gamma: 0.3, coef0: 0, degree: 0 };
  for (const [featureCount, value, room] of [
    [4, 1, 1],
    [8, 1, 1 / 3],
    [8, 2, undefined],
  ] as const) {
    const x = matrix(Array.from({ length: 9 }, (_, i) => [[i % featureCount], [value]] as const));
    const task = taskHere(x, 2 * kernelRowsBytes(x) + 1000)();
    const ids = task.space.words(9);
    expect(new KernelRows(task, kernel, ids).roomPerReturn).toBe(room);
    expect(new KernelRows(task, kernel, ids, { isExact: true }).roomPerReturn).toBeUndefined();
  }
});

test("rows are counted as long as 16 bits and the room behind the lanes allow it", () => {
  const core = { areOnes: () => 1 } as unknown as Parameters<typeof areCountable>[0];
  const can = (featureCount: number, others?: number): boolean => areCountable(core, 0, featureCount, others);
  expect([1, 2, 3, 65_534, 65_535].map((d) => can(d))).toEqual([false, false, true, true, false]);
  // A table of 4 (d - 1) numbers, of which three are written too much: for arguments up to the features of whoever has more.
  expect([24, 31, 32, 33].map((others) => can(10, others))).toEqual([true, true, true, false]);
  expect(can(60_000, 65_535)).toBe(false);
});
