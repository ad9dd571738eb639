// LIBLINEAR's stopping rules, one a solver: what a fit returns obeys the rule, computed here from raw data, or gets better as the rule gets tighter.

import { describe, expect, test } from "vitest";
import { type CertifiedReport, LinearSVC, LinearSVR, LogisticRegression } from "../src/index.ts";
import { denseRows, sparseSet } from "./problems/generate.ts";
import { rejected } from "./thrown.ts";

const set = sparseSet(120, 15, 6, 4);
const rows = denseRows(set).map((row) => row.map(Math.fround));
const share = Math.min(set.y.filter((y) => y > 0).length, set.y.filter((y) => y < 0).length) / set.y.length;
const targets = set.y.map((y, i) => 2 * y + (i % 5) / 4);
const C = 0.7;

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, j) => sum + value * (b[j] as number), 0);
const norm = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));

/** sum_i C loss'(score_i) x_i, loss' by the score and the row's number. */
function lossSlope(w: ArrayLike<number>, slope: (score: number, i: number) => number): number[] {
  const sum = new Array<number>(15).fill(0);
  rows.forEach((row, i) => {
    const d = C * slope(dot(row, w), i);
    row.forEach((value, j) => {
      sum[j] = (sum[j] as number) + d * value;
    });
  });
  return sum;
}

const sign = (i: number): number => set.y[i] as number;
const slopes = {
  squared_hinge: (score: number, i: number) => -2 * sign(i) * Math.max(0, 1 - sign(i) * score),
  logistic: (score: number, i: number) => -sign(i) / (1 + Math.exp(sign(i) * score)),
  tube: (score: number, i: number) => 2 * (score - (targets[i] as number)),
};

describe("Newton: |g| is at most epsilon, times the smaller class's share, of what it is at w = 0", () => {
  const zero = new Float64Array(15);
  for (const epsilon of [0.1, 1e-4]) {
    const options = { C, bias: false, solver: "newton", stop: "violation", tolerance: epsilon } as const;
    for (const [name, loss, part, train] of [
      ["squared hinge", slopes.squared_hinge, share, (more: object) => LinearSVC.fit(rows, set.y, { ...options, ...more })],
      ["logistic", slopes.logistic, share, (more: object) => LogisticRegression.fit(rows, set.y, { ...options, ...more })],
      ["squared tube", slopes.tube, 1, (more: object) => LinearSVR.fit(rows, targets, { ...options, ...more })],
    ] as const) {
      test(`${name}, epsilon ${epsilon}, from nothing and from a start`, async () => {
        const first = norm(lossSlope(zero, loss));
        for (const more of [{}, { warmStart: await train({ tolerance: 0.5 }) }]) {
          const { coefficients, report } = await train(more);
          const g = lossSlope(coefficients, loss).map((value, j) => value + (coefficients[j] as number));
          expect(report.status).toBe("converged");
          expect(norm(g)).toBeLessThanOrEqual(epsilon * part * first * (1 + 1e-9));
        }
      });
    }
  }
});

describe("l1: the violations add up to at most epsilon, times the smaller class's share, of what they do at w = 0", () => {
  for (const [loss, slope] of [
    ["squared_hinge", slopes.squared_hinge],
    ["logistic", slopes.logistic],
  ] as const) {
    for (const epsilon of [0.1, 1e-4]) {
      test(`${loss}, epsilon ${epsilon}`, async () => {
        const options = { C, bias: false, penalty: "l1", stop: "violation", tolerance: epsilon } as const;
        const { coefficients: w, report } = await (loss === "logistic" ? LogisticRegression : LinearSVC).fit(
          rows,
          set.y,
          options as object,
        );
        const violation = (at: ArrayLike<number>): number =>
          lossSlope(at, slope).reduce(
            (sum, g, j) => sum + (at[j] === 0 ? Math.max(0, Math.abs(g) - 1) : Math.abs(g + Math.sign(at[j] as number))),
            0,
          );
        expect(report.status).toBe("converged");
        expect(violation(w)).toBeLessThanOrEqual(epsilon * share * violation(new Float64Array(15)) * (1 + 1e-9));
      });
    }
  }
});

describe("dual methods: a tighter rule, a better model after more passes", () => {
  const three = set.y.map((y, i) => (y > 0 ? 1 : i % 2 === 0 ? 2 : 3));
  for (const [name, train] of [
    ["logistic descent", (more: object) => LogisticRegression.fit(rows, set.y, { solver: "dual", bias: false, ...more })],
    [
      "sequential dual method",
      (more: object) => LinearSVC.fit(rows, three, { loss: "hinge", multiClass: "crammer_singer", bias: false, ...more }),
    ],
  ] as const) {
    test(name, async () => {
      const reports: CertifiedReport[] = [];
      for (const tolerance of [0.5, 1e-2, 1e-5]) reports.push((await train({ stop: "violation", tolerance })).report);
      expect(reports.map(({ status }) => status)).toEqual(["converged", "converged", "converged"]);
      const [loose, middle, tight] = reports.map(({ certificate }) => certificate.relativeGap) as [number, number, number];
      expect(loose).toBeGreaterThan(middle);
      expect(middle).toBeGreaterThan(tight);
      expect(tight).toBeLessThan(1e-4);
      expect(reports[0]?.run?.iterations).toBeLessThan(reports[2]?.run?.iterations ?? 0);
    });
  }
});

test("all classes at once in a logistic regression have no such rule", async () => {
  const error = await rejected(LogisticRegression.fit([[1], [2], [3]], [1, 2, 3], { stop: "violation" }));
  expect(error.message).toBe('LIBLINEAR has no rule for multiClass "multinomial"; use multiClass "ovr" or stop "gap"');
});
