// Every solver begun from something: near, far, of the wrong scale, of other rows. The judge decides; passes are counted.

import { describe, expect, test } from "vitest";
import { certifyCrammerSinger } from "../src/certify/crammer-singer.ts";
import { certifyLinear } from "../src/certify/linear.ts";
import { certifyMultinomial } from "../src/certify/multinomial.ts";
import { LinearSVC, LogisticRegression, matrix } from "../src/index.ts";
import { makeBinarySolver, makeJointSolver } from "../src/solve/make-solver.ts";
import type { SolverName } from "../src/solve/plan.ts";
import type { BinarySolution, LinearProblemSettings, MultiClassProblem, MultiClassSolution } from "../src/solve/problem.ts";
import { solveProven } from "../src/solve/proven.ts";
import { problemOf } from "./judged.ts";
import { multiClassSet, sparseSet } from "./problems/generate.ts";
import { taskHere } from "./solve-here.ts";

const TOLERANCE = 1e-3;
const MANY = 100_000;

/** What a start may hold: the fields of either kind of solution. */
interface Start {
  readonly w: Float64Array;
  readonly bias: number | Float64Array;
  readonly alpha: Float64Array | undefined;
  readonly iterations: number;
}

interface Solved {
  readonly status: string;
  readonly relativeGap: number;
  readonly primal: number;
  readonly point: Start;
}

interface Way {
  readonly name: string;
  solve(settings: { C: number; weights?: readonly number[] }, start?: Start): Promise<Solved>;
}

const set = sparseSet(2000, 100, 10, 1);
const x = matrix(set.x, { featureCount: set.featureCount });
const SPACE = 64 << 20;
const task = taskHere(x, SPACE);

function binary(solver: SolverName, loss: LinearProblemSettings["loss"], bias: "unregularised" | "augmented"): Way {
  const penalty = solver === "proximal Newton" ? "l1" : "l2";
  return {
    name: `${solver}, ${loss}, bias ${bias}`,
    async solve({ C, weights }, start) {
      const problem = problemOf(set.y, { loss, penalty, bias, C, tolerance: TOLERANCE, maxIterations: MANY }, weights);
      const made = makeBinarySolver(problem)(task(), { solver }, start as BinarySolution, MANY);
      const { status, certificate, solution } = await solveProven(made, (point) => certifyLinear(x, problem, point), TOLERANCE);
      return { status, ...certificate, point: solution };
    },
  };
}

const classes = multiClassSet(1000, 60, 10, 4, 1);
const rows = matrix(classes.x, { featureCount: classes.featureCount });
const jointTask = taskHere(rows, SPACE);

function joint(solver: SolverName): Way {
  return {
    name: `${solver}, all classes`,
    async solve({ C, weights }, start) {
      const problem = {
        ...{ rowIds: Uint32Array.from(classes.y, (_, i) => i), classIds: Uint32Array.from(classes.y), classCount: 4 },
        ...({ costs: Float64Array.from(classes.y, (_, i) => C * (weights?.[i] ?? 1)), bias: "augmented", biasScale: 1 } as const),
        ...{ tolerance: TOLERANCE, maxIterations: MANY, shrinking: true, seed: 0 },
      } satisfies MultiClassProblem;
      const judge = (point: MultiClassSolution) =>
        solver === "Newton" ? certifyMultinomial(rows, problem, point) : certifyCrammerSinger(rows, problem, point);
      const made = makeJointSolver(problem)(jointTask(), { solver }, start as MultiClassSolution, MANY);
      const { status, certificate, solution } = await solveProven(made, judge, TOLERANCE);
      return { status, ...certificate, point: solution };
    },
  };
}

const ways: readonly Way[] = [
  ...(["unregularised", "augmented"] as const).flatMap((bias) => [
    binary("dual coordinate descent", "hinge", bias),
    binary("dual coordinate descent", "squared_hinge", bias),
    binary("Newton", "squared_hinge", bias),
    binary("Newton", "logistic", bias),
    binary("proximal Newton", "squared_hinge", bias),
    binary("proximal Newton", "logistic", bias),
  ]),
  binary("dual coordinate descent", "logistic", "augmented"),
  joint("sequential dual method"),
  joint("Newton"),
];

/** The same start with its numbers changed. */
function changed({ w, bias, alpha, iterations }: Start, change: (value: number, k: number) => number): Start {
  return { w: w.map(change), bias: typeof bias === "number" ? change(bias, 0) : bias.map(change), alpha: alpha?.map(change), iterations };
}

for (const way of ways) {
  describe(way.name, () => {
    // The optimum of every start is within the tolerance of the same value from above.
    const expectSolved = (cold: Solved, warm: Solved): void => {
      expect(warm.status).toBe("converged");
      expect(warm.relativeGap).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.abs(warm.primal - cold.primal)).toBeLessThanOrEqual(TOLERANCE * Math.max(warm.primal, cold.primal));
    };

    test("from its own end it needs no steps", async () => {
      const cold = await way.solve({ C: 1 });
      const again = await way.solve({ C: 1 }, cold.point);
      expectSolved(cold, again);
      // Newton measures where it begins by a pass, and once more with the bias at its best.
      expect(again.point.iterations).toBeLessThanOrEqual(way.name.startsWith("Newton") ? 2 : 0);
    });

    test("from another C: the same answer in at most half the passes for a near one, in fewer for twice and half of it", async () => {
      const cold = await way.solve({ C: 1 });
      for (const [ratio, share] of [
        [1.1, 0.5],
        [2, 0.8],
        [0.5, 0.8],
      ] as const) {
        const { point } = await way.solve({ C: 1 / ratio });
        const alpha = point.alpha?.map((a) => ratio * a);
        const warm = await way.solve({ C: 1 }, { ...point, alpha });
        expectSolved(cold, warm);
        expect(warm.point.iterations, `C times ${ratio}`).toBeLessThanOrEqual(share * cold.point.iterations);
      }
    });

    test("from hostile starts: the same answer, in passes of the same order", async () => {
      const cold = await way.solve({ C: 1 });
      const { point } = cold;
      const weights = (way.name.includes("classes") ? classes.y : set.y).map((_, i) => 0.25 + (i % 5));
      const starts: Readonly<Record<string, Start>> = {
        "a millionth": changed(point, (value) => 1e-6 * value),
        "a million times": changed(point, (value) => 1e6 * value),
        "the wrong way": changed(point, (value) => -value),
        huge: changed(point, (_, k) => (k % 2 === 0 ? 1e300 : -1e300)),
        garbage: changed(point, (_, k) => ((k * 7919) % 101) - 50),
        zero: changed(point, () => 0),
        "other weights": (await way.solve({ C: 1, weights })).point,
        "other C, unscaled": (await way.solve({ C: 0.01 })).point,
        "fewer rows": { ...point, alpha: point.alpha?.slice(0, 500) },
        "no rows": { ...point, alpha: point.alpha && new Float64Array(0) },
      };
      for (const [name, start] of Object.entries(starts)) {
        const warm = await way.solve({ C: 1 }, start);
        expectSolved(cold, warm);
        // Three times the cold solve, and a few passes for those that need a handful only.
        expect(warm.point.iterations, name).toBeLessThanOrEqual(3 * cold.point.iterations + 5);
      }
    });
  });
}

describe("estimators", () => {
  const options = { tolerance: 1e-6 };
  for (const [name, train] of [
    ["logistic by dual coordinate descent", (more: object) => LogisticRegression.fit(x, set.y, { ...options, solver: "dual", ...more })],
    ["l1 squared hinge", (more: object) => LinearSVC.fit(x, set.y, { ...options, penalty: "l1", ...more })],
    [
      "Crammer-Singer",
      (more: object) =>
        LinearSVC.fit(rows, Array.from(classes.y), { tolerance: 1e-3, loss: "hinge", multiClass: "crammer_singer", ...more }),
    ],
  ] as const) {
    test(`${name}: warmStart of another C takes fewer passes`, async () => {
      const cold = await train({ C: 0.5 });
      const warm = await train({ C: 0.5, warmStart: await train({ C: 0.45 }) });
      expect(warm.report.status).toBe("converged");
      expect(warm.report.run?.iterations).toBeLessThan(cold.report.run?.iterations as number);
    });
  }

  test("a model of fewer or of more rows is a start too", async () => {
    for (const rowCount of [1000, 2000]) {
      const some = matrix(set.x.slice(0, rowCount), { featureCount: set.featureCount });
      const other = rowCount === 1000 ? 2000 : 1000;
      const rest = matrix(set.x.slice(0, other), { featureCount: set.featureCount });
      for (const solver of ["dual", "newton"] as const) {
        const warmStart = await LogisticRegression.fit(some, set.y.slice(0, rowCount), { solver });
        const model = await LogisticRegression.fit(rest, set.y.slice(0, other), { solver, warmStart });
        expect(model.report.status).toBe("converged");
      }
    }
  });
});
