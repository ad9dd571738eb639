import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { L1UnderTest } from "../../core/l1.ts";
import { denseRows, normal, sparseSet } from "../../problems/generate.ts";

const set = sparseSet(40, 7, 4, 3);
const x = denseRows(set).map((row) => row.map(Math.fround));
const at = (list: readonly number[], k: number): number => list[k] as number;
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
/** y_i times row i, with the constant feature behind it. */
const rows = x.map((row, i) => [...row, 1].map((value) => at(set.y, i) * value));
const start = [0.5, 0, -0.25, 0, 0, 0, 0, 0.1];
const marginsAt = (w: readonly number[]): number[] => rows.map((row) => sum(row.map((value, j) => value * at(w, j))));
const margins = marginsAt(start);

for (const [name, costs] of [
  ["one cost", set.y.map(() => 0.15)],
  ["many costs", set.y.map((_, i) => 0.1 * (1 + (i % 3)))],
] as const) {
  const descent = () => {
    const l1 = new L1UnderTest({ x, y: set.y, costs, margins, loss: "squared_hinge" });
    const columns = l1.columns(start, 0);
    const { call } = l1.core;
    const [c, s] = [columns.pointer, l1.rows.pointer];
    call.countColumns?.(c, s, 0, 40);
    call.startColumns?.(c);
    call.scatterColumns?.(c, s, 0, 40);
    for (let j = 0; j < 8; j++) new Uint32Array(l1.core.buffer, columns.get("list"), 8)[j] = j;
    columns.set("listCount", 8);
    call.startDescent?.(c, s);
    return { l1, columns, call, c, s };
  };
  const lossAt = (m: readonly number[]): number => sum(m.map((value, i) => at(costs, i) * Math.max(0, 1 - value) ** 2));

  describe(`descent on the squared hinge, ${name}`, () => {
    test("moveSlack moves the slacks and tells how the loss changes", () => {
      const { l1, columns, call, c, s } = descent();
      const random = new Random(1);
      const w = [...start];
      for (let k = 0; k < 30; k++) {
        const j = k % 8;
        const step = normal(random);
        const before = lossAt(marginsAt(w));
        w[j] = at(w, j) + step;
        const change = call.moveSlack?.(c, j, step) as number;
        // Sums of 40 squares of numbers below 20.
        expect(Math.abs(change - (lossAt(marginsAt(w)) - before))).toBeLessThan(40 * 400 * 10 * Number.EPSILON);
      }
      call.endDescent?.(c, s);
      const turns = marginsAt(w).map((m, i) => m - at(margins, i));
      l1.column("turns").forEach((turn, i) => {
        expect(Math.abs(turn - at(turns, i))).toBeLessThan(1e-12);
      });
      expect(columns.get("prices") === 0).toBe(name === "one cost");
    });

    test("sweeps reach the minimum of the problem itself, by any slices with the same bits, and P falls with every sweep", () => {
      const results = [1, 13, 1e6].map((budget) => {
        const { l1, columns, call, c, s } = descent();
        let last = Infinity;
        for (let k = 0; k < 3000 && (k === 0 || columns.get("violation") > 1e-10); k++) {
          call.startSweep?.(c);
          while (!call.descentSweep?.(c, budget));
          const point = l1.core.readDoubles(columns.get("point"), 8);
          const P = lossAt(marginsAt(point)) + sum(point.slice(0, 7).map(Math.abs));
          expect(P).toBeLessThanOrEqual(last * (1 + 1e-13));
          last = P;
        }
        call.endDescent?.(c, s);
        return { point: l1.core.readDoubles(columns.get("point"), 8), turns: l1.column("turns") };
      });
      for (const other of results.slice(1)) expect(other).toEqual(results[0]);
      const { point } = results[0] as (typeof results)[0];
      const m = marginsAt(point);
      point.forEach((u, j) => {
        const p = j === 7 ? 0 : 1;
        const q = -sum(rows.map((row, i) => 2 * at(costs, i) * Math.max(0, 1 - at(m, i)) * at(row, j)));
        const violation = u === 0 ? Math.max(Math.abs(q) - p, 0) : Math.abs(q + p * Math.sign(u));
        expect(violation).toBeLessThan(1e-9);
      });
      expect(point.slice(0, 7)).toContain(0);
    });

    test("a zero feature that wants to stay zero leaves the active set", () => {
      const { columns, call, c } = descent();
      call.startSweep?.(c);
      while (!call.descentSweep?.(c, 1e6));
      columns.set("shrinkBelow", 0);
      for (let k = 0; k < 200; k++) {
        call.startSweep?.(c);
        while (!call.descentSweep?.(c, 1e6));
      }
      expect(columns.get("activeCount")).toBeLessThan(8);
      expect(columns.get("violation")).toBeLessThan(1e-6);
    });
  });
}
