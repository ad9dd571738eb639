import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { judgedLosses } from "../../../src/certify/losses.ts";
import { L1UnderTest } from "../../core/l1.ts";
import { denseRows, normal, sparseSet } from "../../problems/generate.ts";

const set = sparseSet(40, 7, 4, 3);
const x = denseRows(set).map((row) => row.map(Math.fround));
const random = new Random(7);
const margins = set.y.map(() => 2 * normal(random));
const costs = set.y.map((_, i) => 1 + (i % 3));
const at = (list: readonly number[], k: number): number => list[k] as number;
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
/** y_i times row i, with the constant feature behind it. */
const rows = x.map((row, i) => [...row, 1].map((value) => at(set.y, i) * value));
/** Sums of at most 40 terms below 100. */
const ROUNDING = 40 * 100 * Number.EPSILON;
const expectClose = (got: readonly number[], wanted: readonly number[]): void => {
  expect(got.length).toBe(wanted.length);
  got.forEach((value, k) => {
    expect(Math.abs(value - at(wanted, k))).toBeLessThanOrEqual(ROUNDING * Math.max(1, Math.abs(at(wanted, k))));
  });
};

for (const loss of ["squared_hinge", "logistic"] as const) {
  for (const kind of ["dense", "csr"] as const) {
    const setting = { x, y: set.y, costs, margins, loss, kind };
    const judged = judgedLosses[loss];
    const alpha = margins.map((m, i) => judged.suggest?.(m, at(costs, i)) as number);
    const bends = margins.map((m, i) =>
      loss === "logistic" ? at(alpha, i) * (1 - at(alpha, i) / at(costs, i)) : m < 1 ? 2 * at(costs, i) : 0,
    );
    const gradient = rows[0]?.map((_, j) => -sum(rows.map((row, i) => at(alpha, i) * at(row, j)))) as number[];
    const hessian = (a: number, b: number): number => sum(rows.map((row, i) => at(bends, i) * at(row, a) * at(row, b)));
    const slopes = (cut = 40): L1UnderTest => {
      const l1 = new L1UnderTest(setting);
      l1.core.call.clearSums?.(l1.rows.pointer);
      for (let from = 0; from < 40; from += cut) l1.core.call.slopePass?.(l1.rows.pointer, from, Math.min(40, from + cut));
      return l1;
    };

    describe(`${loss}, ${kind}: passes over rows`, () => {
      test("slopePass: slopes, curvatures, sums and the gradient, whatever the ranges", () => {
        for (const cut of [40, 7, 1]) {
          const l1 = slopes(cut);
          expectClose(l1.column("slopes"), alpha);
          expectClose(l1.column("curvatures"), bends);
          const up = l1.core.readDoubles(l1.rows.get("up"), 7);
          const down = l1.core.readDoubles(l1.rows.get("down"), 7);
          expectClose(
            up.map((value, j) => at(down, j) - value),
            gradient.slice(0, 7),
          );
          expectClose([l1.rows.get("negativeSum") - l1.rows.get("positiveSum")], [at(gradient, 7)]);
          const second = alpha.map((a, i) => (loss === "logistic" ? a * at(margins, i) : (a * a) / (4 * at(costs, i))));
          expectClose([l1.rows.get("positiveSecond") + l1.rows.get("negativeSecond")], [sum(second)]);
          expectClose([l1.rows.get("curvatureSum"), l1.rows.get("bentCount")], [sum(bends), bends.filter((c) => c > 0).length]);
        }
      });

      test("turnPass, sumLoss, moveMargins and dualPass are their formulas", () => {
        const l1 = new L1UnderTest(setting);
        const { call } = l1.core;
        const pointer = l1.rows.pointer;
        const v = [0.5, -1, 0, 2, 0, 0, 1, -0.25];
        call.turnPass?.(pointer, l1.core.doubles(v), 0, 40);
        const wanted = rows.map((row) => sum(row.map((value, j) => value * at(v, j))));
        expectClose(l1.column("turns"), wanted);
        call.sumLoss?.(pointer, 0.3, 0, 40);
        expectClose([l1.rows.get("lossSum")], [sum(margins.map((m, i) => at(costs, i) * judged.value(m + 0.3 * at(wanted, i))))]);
        call.moveMargins?.(pointer, 0.3, 0, 40);
        expectClose(
          l1.column("margins"),
          margins.map((m, i) => m + 0.3 * at(wanted, i)),
        );
        l1.rows.set("lossSum", 0);
        call.dualPass?.(pointer, l1.core.doubles(alpha), 0.5, 0.75, 0, 40);
        const scaled = alpha.map((a, i) => judged.dualValue(a * (at(set.y, i) > 0 ? 0.5 : 0.75), at(costs, i)));
        expectClose([l1.rows.get("lossSum")], [sum(scaled)]);
      });
    });

    describe(`${loss}, ${kind}: H`, () => {
      for (const features of [[0, 1, 2, 3, 4, 5, 6, 7], [1, 4, 7], [2]]) {
        test(`over ${features.join(" ")}: built, kept up to date and factored`, () => {
          const l1 = slopes();
          const { call } = l1.core;
          const size = features.length;
          const gram = l1.gram(features, new Array(size).fill(1));
          const g = gram.pointer;
          call.gramRows?.(g, l1.rows.pointer, 0, 0, 0, 25);
          call.gramRows?.(g, l1.rows.pointer, 0, 0, 25, 40);
          call.gramRows?.(g, l1.rows.pointer, 0, 0, 0, 40);
          call.mirror?.(g);
          const wanted = features.flatMap((a) => features.map((b) => hessian(a, b)));
          expectClose(l1.core.readDoubles(gram.get("matrix"), size * size), wanted);
          expect(call.gramLine?.(g, size - 1)).toBe(gram.get("matrix") + 8 * size * (size - 1));

          const right = features.map((j) => at(gradient, j));
          new Float64Array(l1.core.buffer, gram.get("step"), size).set(right);
          new Uint32Array(l1.core.buffer, gram.get("chosen"), size).set(features.map((_, k) => k));
          call.factorLines?.(g, size, 1e-12, 0, 1);
          call.factorLines?.(g, size, 1e-12, 1, size);
          call.solveFactor?.(g, size);
          const solved = l1.core.readDoubles(gram.get("step"), size);
          const back = features.map((a) => sum(features.map((b, k) => hessian(a, b) * at(solved, k))));
          back.forEach((value, k) => {
            expect(Math.abs(value - at(right, k))).toBeLessThan(1e-6 * Math.max(...right.map(Math.abs)));
          });
        });
      }

      test("a sample of rows: their sum, and the diagonal of all rows where that is larger", () => {
        const l1 = slopes();
        const { call } = l1.core;
        const features = [0, 1, 2, 4, 5, 7];
        const gram = l1.gram(features, new Array(6).fill(1));
        for (const [from, to] of [
          [0, 13],
          [13, 40],
        ] as const) {
          call.gramSample?.(gram.pointer, l1.rows.pointer, 4, from, to);
        }
        call.raiseDiagonal?.(gram.pointer);
        call.mirror?.(gram.pointer);
        const sampled = (a: number, b: number): number =>
          sum(rows.map((row, i) => (i % 4 === 0 ? 4 * at(bends, i) * at(row, a) * at(row, b) : 0)));
        const wanted = features.flatMap((a) => features.map((b) => (a === b ? Math.max(sampled(a, a), hessian(a, a)) : sampled(a, b))));
        expectClose(l1.core.readDoubles(gram.get("matrix"), 36), wanted);
      });

      test("sweeps reach the model's minimum and keep its slopes true", () => {
        const l1 = slopes();
        const { call } = l1.core;
        const features = [0, 1, 2, 3, 4, 5, 6, 7];
        const gram = l1.gram(features, [1, 1, 1, 1, 1, 1, 1, 0]);
        call.gramRows?.(gram.pointer, l1.rows.pointer, 0, 0, 0, 40);
        call.mirror?.(gram.pointer);
        new Float64Array(l1.core.buffer, gram.get("slope"), 8).set(gradient);
        call.movePoint?.(gram.pointer, 2, 0.5);
        let violation = Infinity;
        for (let k = 0; k < 3000 && violation > 1e-9; k++) violation = call.gramSweep?.(gram.pointer) as number;
        expect(violation).toBeLessThanOrEqual(1e-9);
        const point = l1.core.readDoubles(gram.get("point"), 8);
        expectClose(
          l1.core.readDoubles(gram.get("slope"), 8).map((value) => Math.round(value * 1e9) / 1e9),
          features.map((a) => Math.round((at(gradient, a) + sum(features.map((b) => hessian(a, b) * at(point, b)))) * 1e9) / 1e9),
        );
      });
    });

    describe(`${loss}, ${kind}: columns`, () => {
      const transposed = (): { l1: L1UnderTest; columns: ReturnType<L1UnderTest["columns"]> } => {
        const l1 = slopes();
        const { call } = l1.core;
        const columns = l1.columns([0.5, 0, -0.25, 0, 0, 0, 0, 0], 0);
        call.countColumns?.(columns.pointer, l1.rows.pointer, 0, 11);
        call.countColumns?.(columns.pointer, l1.rows.pointer, 11, 40);
        call.startColumns?.(columns.pointer);
        call.scatterColumns?.(columns.pointer, l1.rows.pointer, 0, 30);
        call.scatterColumns?.(columns.pointer, l1.rows.pointer, 30, 40);
        call.startSlopes?.(columns.pointer, l1.rows.pointer, l1.rows.get("slopes"), 0.5, 1);
        return { l1, columns };
      };

      test("transposed: every value in its column, rows rising", () => {
        const { l1, columns } = transposed();
        const starts = l1.core.readWords(columns.get("starts"), 9);
        for (let j = 0; j < 8; j++) {
          const count = at(starts, j + 1) - at(starts, j);
          const wanted = rows.flatMap((row, i) => (row[j] === 0 ? [] : [i]));
          expect(l1.core.readWords(columns.get("indices") + 4 * at(starts, j), count)).toEqual(wanted);
          const values = new Float32Array(l1.core.buffer, columns.get("values") + 4 * at(starts, j), count);
          expect(Array.from(values)).toEqual(wanted.map((i) => at(rows[i] as number[], j)));
        }
      });

      test("curvatureOf, product, moveColumn and penaltyOf look at one column", () => {
        const { l1, columns } = transposed();
        const { call } = l1.core;
        call.startModel?.(columns.pointer, l1.rows.pointer);
        call.moveColumn?.(columns.pointer, 3, 0.5);
        call.moveColumn?.(columns.pointer, 7, -0.25);
        for (let j = 0; j < 8; j++) {
          expectClose([call.curvatureOf?.(columns.pointer, j) as number], [hessian(j, j)]);
          expectClose([call.product?.(columns.pointer, j) as number], [0.5 * hessian(j, 3) - 0.25 * hessian(j, 7)]);
          expect(call.penaltyOf?.(columns.pointer, j)).toBe(j === 7 ? 0 : 1);
        }
      });

      test("columnSlopes: gradient, violation, reach and list; columnReach the reach alone", () => {
        for (const budget of [1, 1e6]) {
          const { l1, columns } = transposed();
          while (!l1.core.call.columnSlopes?.(columns.pointer, 0.8, budget));
          expectClose(l1.core.readDoubles(columns.get("gradient"), 8), gradient);
          const scaled = alpha.map((a, i) => a * (at(set.y, i) > 0 ? 0.5 : 1));
          const reach = Math.max(...[0, 1, 2, 3, 4, 5, 6].map((j) => Math.abs(sum(rows.map((row, i) => at(scaled, i) * at(row, j))))));
          expectClose([columns.get("reach")], [reach]);
          const list = [0, 1, 2, 3, 4, 5, 6, 7].filter((j) => j === 0 || j === 2 || Math.abs(at(gradient, j)) > (j === 7 ? 0 : 0.8));
          expect(l1.core.readWords(columns.get("list"), columns.get("listCount"))).toEqual(list);
          l1.core.call.startSlopes?.(columns.pointer, l1.rows.pointer, l1.rows.get("slopes"), 0.5, 1);
          while (!l1.core.call.columnReach?.(columns.pointer, budget));
          expectClose([columns.get("reach")], [reach]);
        }
      });

      test("sweeps reach the minimum of the same model as H's, by any slices with the same bits; the turns are its changes of the margins", () => {
        const results = [1, 13, 1e6].map((budget) => {
          const { l1, columns } = transposed();
          const { call } = l1.core;
          while (!call.columnSlopes?.(columns.pointer, 0, budget));
          call.startModel?.(columns.pointer, l1.rows.pointer);
          for (let k = 0; k < 3000 && (k === 0 || columns.get("violation") > 1e-9); k++) {
            call.startSweep?.(columns.pointer);
            while (!call.columnSweep?.(columns.pointer, budget));
          }
          expect(columns.get("violation")).toBeLessThanOrEqual(1e-9);
          call.endModel?.(columns.pointer, l1.rows.pointer);
          return { point: l1.core.readDoubles(columns.get("point"), 8), turns: l1.column("turns") };
        });
        for (const other of results.slice(1)) expect(other).toEqual(results[0]);
        const { point, turns: got } = results[0] as (typeof results)[0];
        const step = point.map((u, j) => u - at([0.5, 0, -0.25, 0, 0, 0, 0, 0], j));
        const wanted = rows.map((row) => sum(row.map((value, j) => value * at(step, j))));
        got.forEach((value, i) => {
          expect(Math.abs(value - at(wanted, i))).toBeLessThan(1e-9);
        });
        const q = step.map((_, a) => at(gradient, a) + sum(step.map((d, b) => hessian(a, b) * d)));
        q.forEach((value, j) => {
          const p = j === 7 ? 0 : 1;
          const u = at(point, j);
          const violation = u === 0 ? Math.max(Math.abs(value) - p, 0) : Math.abs(value + p * Math.sign(u));
          expect(violation).toBeLessThan(1e-8);
        });
      });

      test("a polished dual point is inside its constraints and its box, up to what was asked", () => {
        const { l1, columns } = transposed();
        const { call } = l1.core;
        while (!call.columnSlopes?.(columns.pointer, 0, 1e6));
        call.startModel?.(columns.pointer, l1.rows.pointer);
        for (let k = 0; k < 2000 && (k === 0 || columns.get("worst") > 1.01); k++) {
          call.startPolish?.(columns.pointer);
          while (!call.polishSweep?.(columns.pointer, 17));
        }
        expect(columns.get("worst")).toBeLessThanOrEqual(1.01);
        call.endPolish?.(columns.pointer, l1.rows.pointer, loss === "logistic" ? 1 : 0);
        const point = l1.column("turns");
        const pairs = l1.core.readDoubles(columns.get("pairs"), 80);
        point.forEach((a, i) => {
          const free = at(alpha, i) - at(pairs, 2 * i) * at(pairs, 2 * i + 1);
          const upper = loss === "logistic" ? at(costs, i) : Infinity;
          expect(Math.abs(a - Math.min(Math.max(0, free), upper))).toBeLessThan(1e-9);
        });
        expectClose([l1.rows.get("positiveSum") + l1.rows.get("negativeSum")], [sum(point)]);
      });
    });
  }
}
