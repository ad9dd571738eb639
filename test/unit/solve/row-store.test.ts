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
