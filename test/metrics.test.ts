// Metrics against values that scikit-learn computed (test/parity/scikit-learn), and on cases small enough to see.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  accuracy,
  balancedAccuracy,
  brierScore,
  calibrationCurve,
  classReport,
  confusionMatrix,
  f1,
  HingeError,
  logLoss,
  meanAbsoluteError,
  meanSquaredError,
  prCurve,
  precision,
  r2,
  recall,
  rocCurve,
  squaredCorrelation,
} from "../src/index.ts";
import { thrown } from "./thrown.ts";

interface Recorded {
  readonly classes: readonly {
    readonly [name: string]: unknown;
    readonly name: string;
    readonly y: string[];
    readonly predicted: string[];
    readonly weight: number[] | null;
    readonly classes: string[];
    readonly confusion: number[][];
    readonly accuracy: number;
    readonly balancedAccuracy: number;
    readonly averages: Readonly<Record<"macro" | "micro" | "weighted", Readonly<Record<"precision" | "recall" | "f1", number>>>>;
  }[];
  readonly scores: readonly ({
    readonly name: string;
    readonly y: number[];
    readonly positive: number;
    readonly score: number[];
    readonly probability: number[];
    readonly weight: number[] | null;
  } & Readonly<Record<string, unknown>>)[];
  readonly logLoss: readonly {
    readonly y: string[];
    readonly probabilities: number[];
    readonly weight: number[] | null;
    readonly logLoss: number;
  }[];
  readonly numbers: readonly ({
    readonly name: string;
    readonly y: number[];
    readonly predicted: number[];
    readonly weight: number[] | null;
  } & Readonly<Record<string, unknown>>)[];
}

const recorded = JSON.parse(readFileSync("test/parity/scikit-learn/metrics.json", "utf8")) as Recorded;

function near(got: number | ArrayLike<number>, wanted: unknown): void {
  const [own, theirs] = [typeof got === "number" ? [got] : Array.from(got), typeof wanted === "number" ? [wanted] : (wanted as number[])];
  expect(own).toHaveLength(theirs.length);
  own.forEach((value, k) => {
    expect(Math.abs(value - (theirs[k] as number))).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(theirs[k] as number)));
  });
}

const weighted = (weight: number[] | null) => (weight === null ? {} : { sampleWeight: weight });

describe("as scikit-learn: classes", () => {
  for (const one of recorded.classes) {
    test(one.name, () => {
      const { y, predicted, weight } = one;
      const options = weighted(weight);
      near(accuracy(y, predicted, options), one.accuracy);
      near(balancedAccuracy(y, predicted, options), one.balancedAccuracy);
      const { classes, counts } = confusionMatrix(y, predicted, options);
      expect(classes).toEqual(one.classes);
      for (const [k, row] of one.confusion.entries()) near(counts[k] as Float64Array, row);
      const report = classReport(y, predicted, options);
      for (const name of ["precision", "recall", "f1", "support"] as const)
        near(
          report.classes.map((own) => own[name]),
          one[name],
        );
      for (const average of ["macro", "micro", "weighted"] as const) {
        for (const [name, metric] of Object.entries({ precision, recall, f1 })) {
          const wanted = one.averages[average][name as "f1"];
          near(metric(y, predicted, { average, ...options }), wanted);
          near(report[average][name as "f1"], wanted);
        }
      }
      const [first] = classes;
      near(f1(y, predicted, { positive: first as string, ...options }), (one.f1 as number[])[0]);
    });
  }
});

describe("as scikit-learn: scores and probabilities", () => {
  for (const one of recorded.scores) {
    test(one.name, () => {
      const { y, score, probability, positive } = one;
      const options = { positive, ...weighted(one.weight) };
      const roc = rocCurve(y, score, options);
      near(roc.falsePositiveRates, one.fpr);
      near(roc.truePositiveRates, one.tpr);
      expect(roc.thresholds[0]).toBe(Infinity);
      near(roc.thresholds.slice(1), one.thresholds);
      near(roc.area, one.rocArea);
      const pr = prCurve(y, score, options);
      near(pr.precisions, one.precision);
      near(pr.recalls, one.recall);
      near(pr.thresholds, one.cuts);
      near(pr.averagePrecision, one.averagePrecision);
      near(pr.area, one.prArea);
      near(brierScore(y, probability, options), one.brier);
      const isPositive = Array.from(y as ArrayLike<unknown>, (label) => (label === positive ? 1 : 0));
      near(logLoss(isPositive, probability, weighted(one.weight)), one.logLoss);
      for (const strategy of ["uniform", "quantile"] as const) {
        for (const bins of [5, 10]) {
          const wanted = one[`${strategy}${bins}`] as { observed: number[]; predicted: number[] } | undefined;
          if (wanted === undefined) continue;
          const curve = calibrationCurve(y, probability, { positive, strategy, bins });
          near(curve.observed, wanted.observed);
          near(curve.predicted, wanted.predicted);
          expect(curve.weights.reduce((sum, count) => sum + count, 0)).toBe(y.length);
        }
      }
    });
  }

  test("log loss of three classes", () => {
    for (const { y, probabilities, weight, logLoss: wanted } of recorded.logLoss) near(logLoss(y, probabilities, weighted(weight)), wanted);
  });
});

describe("as scikit-learn: numbers", () => {
  for (const { name, y, predicted, weight, ...wanted } of recorded.numbers) {
    test(name, () => {
      for (const [metric, own] of Object.entries({ meanSquaredError, meanAbsoluteError, r2 }))
        near(own(y, predicted, weighted(weight)), wanted[metric]);
      // Through a covariance: an offset of 1e6 leaves ten digits.
      expect(Math.abs(squaredCorrelation(y, predicted, weighted(weight)) - (wanted.squaredCorrelation as number))).toBeLessThan(1e-9);
    });
  }
});

test("weight 2 is the row twice, weight 0 the row absent, in every metric", () => {
  const y = [0, 1, 1, 0, 1, 0, 1];
  const predicted = [0, 1, 0, 1, 1, 0, 1];
  const score = [0.1, 0.9, 0.4, 0.6, 0.9, 0.2, 0.4];
  const weight = [2, 1, 0, 1, 2, 0, 1];
  const repeat = <T>(list: readonly T[]): T[] => list.flatMap((value, i) => new Array<T>(weight[i] as number).fill(value));
  const options = { sampleWeight: weight };
  for (const metric of [accuracy, balancedAccuracy, precision, recall, f1, meanSquaredError, meanAbsoluteError, r2, squaredCorrelation]) {
    near(metric(y, predicted, options), metric(repeat(y), repeat(predicted)));
  }
  for (const metric of [brierScore, logLoss]) near(metric(y, score, options), metric(repeat(y), repeat(score)));
  const [roc, roc2] = [rocCurve(y, score, options), rocCurve(repeat(y), repeat(score))];
  near(roc.area, roc2.area);
  near(roc.thresholds.slice(1), Array.from(roc2.thresholds.slice(1)));
  near(prCurve(y, score, options).averagePrecision, prCurve(repeat(y), repeat(score)).averagePrecision);
  const [bins, bins2] = [calibrationCurve(y, score, { bins: 3, ...options }), calibrationCurve(repeat(y), repeat(score), { bins: 3 })];
  near(bins.predicted, Array.from(bins2.predicted));
  near(bins.observed, Array.from(bins2.observed));
});

test("what cannot be: constant targets, perfect and hopeless scores", () => {
  expect([r2([3, 3], [3, 3]), r2([3, 3], [3, 4])]).toEqual([1, 0]);
  expect(squaredCorrelation([1, 2, 3], [5, 5, 5])).toBe(0);
  expect(squaredCorrelation([1, 2, 3], [3, 2, 1])).toBe(1);
  expect(rocCurve(["no", "yes"], [0, 1]).area).toBe(1);
  expect(rocCurve(["no", "yes"], [1, 0]).area).toBe(0);
  expect(rocCurve(["no", "yes", "no", "yes"], [0, 0, 0, 0]).area).toBe(0.5);
  expect(prCurve([1, 1], [0, 1]).averagePrecision).toBe(1);
  expect(logLoss([0, 1], [1, 0])).toBeCloseTo(36.04, 1);
});

test("wrong input is told what must be", () => {
  for (const [call, message] of [
    [() => accuracy([1, 2], [1]), "1 values in predicted for 2 rows; there must be one a row"],
    [() => accuracy([], []), "y is empty: there is nothing to measure"],
    [() => accuracy("ab" as never, ["a", "b"]), 'y must be an array, got "ab"'],
    [() => accuracy([1, Number.NaN], [1, 1]), "label of row 1 must be a finite number or a string, got NaN"],
    [() => confusionMatrix([1, 2], ["1", "2"]), 'labels must be all numbers or all strings, got 1 and "1"'],
    [() => f1([1, 2], [1, 2], { positive: 3 }), "positive must be one of the labels, 1, 2, got 3"],
    [() => f1([1, 2], [1, 2], { positive: 1, average: "macro" }), "average and positive cannot be given together: leave one of them out"],
    [() => f1([1, 2], [1, 2], { averge: "macro" } as never), 'precision, recall and f1 has no option "averge"; did you mean "average"?'],
    [() => rocCurve([1, 2, 3], [1, 2, 3]), "y has 3 classes; say with positive which of them is looked for"],
    [() => rocCurve([1, 1], [1, 2]), "all rows are positive: a ROC curve needs others to tell them from"],
    [() => rocCurve([1, 2], [1, Number.NaN]), "the score of row 1 must be a finite number, got NaN"],
    [() => brierScore([1, 2], [0.5, 1.5]), "probability 1 must be between 0 and 1, got 1.5"],
    [() => logLoss([1, 1], [0.5, 1]), "y has one class only; give all labels as classes"],
    [() => logLoss([1, 4], [0.5, 1], { classes: [1, 2] }), "label of row 1, 4, is none of the classes"],
    [() => r2([1, 2], [1, 2], { sampleWeight: [0, 0] }), "the sample weights add up to 0; a sum above 0 is needed"],
    [() => r2([1, 2], [1, 2], { sampleWeight: [1, -1] }), "sampleWeight of row 1 must be at least 0, got -1"],
    [() => r2([1, 2], [1, 2], { sampleWeight: [1] }), "1 sample weights for 2 rows; there must be one a row"],
  ] as const) {
    const error = thrown(call);
    expect(error).toBeInstanceOf(HingeError);
    expect((error as HingeError).message).toBe(message);
  }
});
