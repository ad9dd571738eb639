// Every solver on every problem that it accepts, judged by src/certify alone.

import { describe, expect, test } from "vitest";
import { flowers, species } from "../data/iris.ts";
import {
  certify,
  LinearSVC,
  LinearSVR,
  type LinearSvcOptions,
  LogisticRegression,
  type LogisticRegressionOptions,
  matrix,
} from "../src/index.ts";
import { degenerate } from "./problems/degenerate.ts";
import { denseRows, sparseSet } from "./problems/generate.ts";

/** |a - b| relative to the larger. */
function relativeError(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}

/** A way to fit: options that choose a solver, and what it cannot do. */
interface Way {
  readonly name: string;
  fit(x: Parameters<typeof LinearSVC.fit>[0], y: ArrayLike<number | string>, options: object): ReturnType<typeof LinearSVC.fit>;
  readonly biases: readonly ("unregularised" | "augmented" | false)[];
  readonly multi: boolean;
}

const allBiases = ["unregularised", "augmented", false] as const;
const svc = (name: string, options: LinearSvcOptions, biases: Way["biases"] = allBiases): Way => ({
  name,
  fit: (x, y, more) => LinearSVC.fit(x, y as string[], { ...options, ...more }),
  biases,
  multi: options.multiClass !== undefined,
});
const logistic = (name: string, options: LogisticRegressionOptions, biases: Way["biases"] = allBiases): Way => ({
  name,
  fit: (x, y, more) => LogisticRegression.fit(x, y as string[], { ...options, ...more }) as unknown as ReturnType<typeof LinearSVC.fit>,
  biases,
  multi: options.multiClass !== undefined,
});

const ways: readonly Way[] = [
  svc("hinge by dual coordinate descent", { loss: "hinge", solver: "dual" }),
  svc("hinge by interior point", { loss: "hinge", solver: "interior-point" }),
  svc("hinge, automatic", { loss: "hinge" }),
  svc("squared hinge by dual coordinate descent", { solver: "dual" }),
  svc("squared hinge by Newton", { solver: "newton" }),
  svc("squared hinge, automatic", {}),
  svc("l1 squared hinge", { penalty: "l1" }),
  logistic("logistic by Newton", { solver: "newton" }),
  logistic("logistic by dual coordinate descent", { solver: "dual" }, ["augmented", false]),
  logistic("logistic, automatic", {}),
  logistic("l1 logistic", { penalty: "l1" }),
  svc("one-vs-rest hinge", { loss: "hinge", multiClass: "ovr" }),
  svc("pairs, squared hinge", { multiClass: "ovo" }),
  svc("Crammer-Singer", { loss: "hinge", multiClass: "crammer_singer" }, ["augmented", false]),
  logistic("multinomial logistic", { multiClass: "multinomial" }),
  logistic("one-vs-rest logistic", { multiClass: "ovr" }),
];

// What a way cannot do, each with its reason.
const exceptions: readonly { way: RegExp; problem: RegExp; reason: string }[] = [];

const set = sparseSet(300, 60, 8, 1);
const x = matrix(set.x, { featureCount: set.featureCount });
const weights = set.y.map((_, i) => (i % 11 === 0 ? 0 : 0.5 + (i % 4)));

for (const way of ways) {
  describe(way.name, () => {
    const data = way.multi ? { x: flowers, y: species } : { x, y: set.y };
    const sampleWeight = way.multi ? flowers.map((_, i) => (i % 11 === 0 ? 0 : 0.5 + (i % 4))) : weights;
    for (const bias of way.biases) {
      for (const C of [0.01, 1, 100]) {
        for (const weighted of [false, true]) {
          test(`bias ${bias}, C ${C}${weighted ? ", weighted" : ""}: certified 1e-6`, async () => {
            const options = { C, bias, tolerance: 1e-6, ...(weighted && { sampleWeight }) };
            const model = await way.fit(data.x, data.y, options);
            expect(model.report.status).toBe("converged");
            const judged = await certify(model, data.x, data.y as string[], weighted ? { sampleWeight } : {});
            expect(judged.relativeGap).toBeLessThanOrEqual(1e-6);
            // The worst of several problems may be another one for the audit, which looks for the best dual point of each.
            const primals = model.report.run?.problems.map(({ certificate }) => certificate.primal) ?? [];
            expect(Math.min(...primals.map((primal) => relativeError(judged.primal, primal)))).toBeLessThan(1e-9);
          });
        }
      }
    }

    for (const problem of degenerate) {
      if (way.multi || exceptions.some((exception) => exception.way.test(way.name) && exception.problem.test(problem.name))) continue;
      for (const bias of way.biases) {
        test(`${problem.name}, bias ${bias}: certified 1e-6`, async () => {
          const options = { bias, C: problem.C ?? 1, tolerance: 1e-6, maxIterations: problem.maxIterations };
          const model = await way.fit(problem.x, problem.y as number[], options);
          expect(model.report.status).toBe("converged");
          expect((await certify(model, problem.x, problem.y as number[])).relativeGap).toBeLessThanOrEqual(1e-6);
        });
      }
    }
  });
}

describe("dual coordinate descent", () => {
  const large = sparseSet(5000, 2000, 20, 1); // 10^5 non-zeros
  const rows = matrix(large.x, { featureCount: large.featureCount });
  for (const loss of ["hinge", "squared_hinge"] as const) {
    for (const C of [0.01, 1, 100]) {
      for (const tolerance of [1e-3, 1e-6]) {
        test(`10^5 non-zeros, ${loss}, C ${C}: certified ${tolerance}`, async () => {
          const model = await LinearSVC.fit(rows, large.y, { loss, C, tolerance, solver: "dual" });
          const judged = await certify(model, rows, large.y);
          expect(model.report.status).toBe("converged");
          expect(judged.relativeGap).toBeLessThanOrEqual(tolerance);
          expect(relativeError(judged.primal, model.report.certificate.primal)).toBeLessThan(1e-9);
          // The fit's own judge stops at the first dual point that proves the tolerance.
          expect(model.report.certificate.dual).toBeLessThanOrEqual(judged.dual * (1 + 1e-9));
          expect(model.report.certificate.relativeGap).toBeLessThanOrEqual(tolerance);
        });
      }
    }
  }

  for (const problem of degenerate) {
    for (const loss of ["hinge", "squared_hinge"] as const) {
      test(`${problem.name}, ${loss}: dual variables in their box, as many above 0 as there is support`, async () => {
        const options = { loss, C: problem.C ?? 1, tolerance: 1e-6, maxIterations: problem.maxIterations, solver: "dual" } as const;
        const model = await LinearSVC.fit(problem.x, problem.y, options);
        const dual = Array.from(model.dual ?? []);
        expect(dual).toHaveLength(problem.y.length);
        expect(Math.min(...dual)).toBeGreaterThanOrEqual(0);
        if (loss === "hinge") expect(Math.max(...dual)).toBeLessThanOrEqual(options.C);
        expect(model.report.run?.supportCount).toBe(dual.filter((a) => a > 0).length);
      });
    }
  }

  test("dense and sparse rows give the same optimum", async () => {
    const small = sparseSet(300, 40, 8, 5);
    for (const loss of ["hinge", "squared_hinge"] as const) {
      const sparse = await LinearSVC.fit(small.x, small.y, { loss, tolerance: 1e-9 });
      const dense = await LinearSVC.fit(denseRows(small), small.y, { loss, tolerance: 1e-9 });
      expect(relativeError(sparse.report.certificate.primal, dense.report.certificate.primal)).toBeLessThanOrEqual(1e-9);
    }
  });
});

describe("it always ends", () => {
  // One column times 10^4 and C of 10^4: hopeless for coordinate descent alone.
  const bad = { x: denseRows(set).map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value))), y: set.y };
  for (const [name, train] of [
    ["hinge", (C: number) => LinearSVC.fit(bad.x, bad.y, { loss: "hinge", C })],
    ["squared hinge", (C: number) => LinearSVC.fit(bad.x, bad.y, { C })],
    ["logistic", (C: number) => LogisticRegression.fit(bad.x, bad.y, { C })],
    ["l1 squared hinge", (C: number) => LinearSVC.fit(bad.x, bad.y, { C, penalty: "l1" })],
    ["l1 logistic", (C: number) => LogisticRegression.fit(bad.x, bad.y, { C, penalty: "l1" })],
  ] as const) {
    test(`${name}, a column times 10^4 and C 10^4: certified 1e-3, and the report says what ran and why`, async () => {
      const model = await train(1e4);
      expect(model.report.status).toBe("converged");
      expect((await certify(model, bad.x, bad.y)).relativeGap).toBeLessThanOrEqual(1e-3);
      for (const { solver, why } of model.report.run?.problems[0]?.stages ?? []) {
        expect(model.report.run?.solver).toContain(solver);
        expect(why.length).toBeGreaterThan(10);
      }
      expect(model.report.run?.problems[0]?.history.length).toBeGreaterThan(0);
    });
  }

  test("the hinge on a small set with few features goes to the interior point at once", async () => {
    const model = await LinearSVC.fit(bad.x, bad.y, { loss: "hinge", C: 1e4 });
    expect(model.report.run?.problems[0]?.stages.map(({ solver }) => solver)).toEqual(["interior point"]);
  });

  test("on one that is not small, or has more features than rows, it leaves dual coordinate descent for it", async () => {
    const large = sparseSet(3000, 50, 10, 6);
    const scaled = denseRows(large).map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value)));
    const model = await LinearSVC.fit(scaled, large.y, { loss: "hinge", C: 1e4 });
    expect(model.report.run?.problems[0]?.stages.map(({ solver }) => solver)).toEqual(["dual coordinate descent", "interior point"]);
    const wide = sparseSet(40, 60, 10, 6);
    const first = (await LinearSVC.fit(wide.x, wide.y, { loss: "hinge" })).report.run?.problems[0]?.stages[0];
    expect(first?.solver).toBe("dual coordinate descent");
  });

  test("large features far from 0, a free bias: the interior point's own point proves what its variables at bounds do not", async () => {
    for (const seed of [5, 6, 7, 8]) {
      const three = sparseSet(200, 3, 3, seed);
      const { y } = three;
      const far = denseRows(three).map((row) => row.map((value) => 1e6 * (value + 100)));
      const model = await LinearSVC.fit(far, y, { loss: "hinge", bias: "unregularised" });
      expect(model.report.status).toBe("converged");
      expect((await certify(model, far, y)).relativeGap).toBeLessThanOrEqual(1e-3);
    }
  });

  test.each([0.1, 1e-2, 1e-3])(
    "a free bias balances the dual variables where all of them go to a bound, tolerance %s",
    async (tolerance) => {
      const x = Array.from({ length: 9 }, (_, i) => [1e-3 * Math.sin(i), 1e-3 * Math.cos(3 * i)]);
      const y = x.map((_, i) => (i < 4 ? -1 : 1));
      const { dual, report } = await LinearSVC.fit(x, y, { loss: "hinge", bias: "unregularised", tolerance });
      expect(report.status).toBe("converged");
      const off = Array.from(dual ?? []).reduce((sum, a, i) => sum + a * (y[i] as number), 0);
      expect(Math.abs(off)).toBeLessThan(9 * 8 * Number.EPSILON);
    },
  );

  test("support vectors are counted where dual variables are at their bounds, and not where they are only near", async () => {
    const { x, y } = sparseSet(120, 4, 4, 3);
    const { report, dual } = await LinearSVC.fit(x, y, { loss: "hinge" });
    expect(report.run?.solver).toBe("interior point");
    const count = dual?.filter((a) => a !== 0).length as number;
    expect(count).toBeLessThan(120);
    expect(report.run?.supportCount).toBe(count);
    expect((await LinearSVC.fit(x, y, { loss: "hinge", maxIterations: 3 })).report.run?.supportCount).toBeUndefined();
    const uneven = flowers.map((row) => row.map((value, j) => value * 10 ** (2 * j)));
    const joint = await LinearSVC.fit(uneven, [...species], { loss: "hinge", multiClass: "crammer_singer", C: 10, tolerance: 1e-6 });
    expect(joint.report.run?.problems[0]?.stages.at(-1)?.solver).toBe("interior point");
    expect(joint.report.run?.supportCount).toBeUndefined();
  });

  test("rows that hold the same leave few enough for columns: there is room for them", async () => {
    const kinds = denseRows(sparseSet(500, 100, 30, 9));
    const rows = Array.from({ length: 20_000 }, (_, i) => kinds[i % 500] as number[]);
    const y = rows.map((_, i) => (Math.floor(i / 500) % 2 === 0 ? 1 : -1));
    const sampleWeight = rows.map((_, i) => (i < 2000 ? 1 : 0));
    const { report } = await LinearSVC.fit(rows, y, { loss: "hinge", solver: "interior-point", sampleWeight });
    expect(report.status).toBe("converged");
  });

  test("the interior point has room for rows as columns whatever they are the sides of", async () => {
    // 600 rows of 120 features are 635 kB as columns; twice as many would be more than what is kept so.
    const tube = sparseSet(600, 120, 30, 7);
    const targets = tube.y.map((sign, i) => sign + i / 600);
    const model = await LinearSVR.fit(denseRows(tube), targets, { loss: "epsilon_insensitive", solver: "interior-point" });
    expect(model.report.status).toBe("converged");
    expect((await certify(model, denseRows(tube), targets)).relativeGap).toBeLessThanOrEqual(1e-3);
  });
});
