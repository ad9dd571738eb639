// Scores by name: what is computed from rows that were not trained on, and whether more of it is better.

import { HingeError } from "../base/errors.js";
import type { HeldOut, Scoring, ScoringName } from "../base/options/cross-validate.js";
import { accuracy, balancedAccuracy, f1, precision, recall } from "../metrics/classes.js";
import { brierScore, logLoss, prCurve, rocCurve } from "../metrics/curves.js";
import { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from "../metrics/numbers.js";

export interface Scorer {
  /** 1 where more is better, -1 where less is. */
  readonly sign: 1 | -1;
  /** Whether it asks what was predicted and nothing else. */
  readonly isOfPredictions: boolean;
  score(held: HeldOut): number;
}

type Kind = "classes" | "two" | "probabilities" | "numbers";

interface Named {
  readonly of: Kind;
  readonly sign: 1 | -1;
  score(held: HeldOut, options: { readonly sampleWeight: Float64Array }): number;
}

const numbers = (list: ArrayLike<number | string>): ArrayLike<number> => list as ArrayLike<number>;
const positive = ({ classes }: HeldOut): number | string => classes?.[1] as number | string;
/** Of the second class: f64[rows]. */
const ofPositive = ({ probabilities = new Float64Array() }: HeldOut): Float64Array => probabilities.filter((_, k) => k % 2 === 1);

const byName: Readonly<Record<ScoringName, Named>> = {
  accuracy: { of: "classes", sign: 1, score: ({ y, predicted }, options) => accuracy(y, predicted, options) },
  "balanced-accuracy": { of: "classes", sign: 1, score: ({ y, predicted }, options) => balancedAccuracy(y, predicted, options) },
  precision: { of: "classes", sign: 1, score: ({ y, predicted }, options) => precision(y, predicted, options) },
  recall: { of: "classes", sign: 1, score: ({ y, predicted }, options) => recall(y, predicted, options) },
  f1: { of: "classes", sign: 1, score: ({ y, predicted }, options) => f1(y, predicted, options) },
  "roc-area": {
    of: "two",
    sign: 1,
    score: (held, options) => rocCurve(held.y, held.decision, { positive: positive(held), ...options }).area,
  },
  "average-precision": {
    of: "two",
    sign: 1,
    score: (held, options) => prCurve(held.y, held.decision, { positive: positive(held), ...options }).averagePrecision,
  },
  "log-loss": {
    of: "probabilities",
    sign: -1,
    score: ({ y, probabilities = new Float64Array(), classes }, options) => logLoss(y, probabilities, { classes, ...options }),
  },
  brier: {
    of: "probabilities",
    sign: -1,
    score: (held, options) => brierScore(held.y, ofPositive(held), { positive: positive(held), ...options }),
  },
  r2: { of: "numbers", sign: 1, score: ({ y, predicted }, options) => r2(numbers(y), numbers(predicted), options) },
  "mean-squared-error": {
    of: "numbers",
    sign: -1,
    score: ({ y, predicted }, options) => meanSquaredError(numbers(y), numbers(predicted), options),
  },
  "mean-absolute-error": {
    of: "numbers",
    sign: -1,
    score: ({ y, predicted }, options) => meanAbsoluteError(numbers(y), numbers(predicted), options),
  },
  "squared-correlation": {
    of: "numbers",
    sign: 1,
    score: ({ y, predicted }, options) => squaredCorrelation(numbers(y), numbers(predicted), options),
  },
};

/** What is asked of the models: checked before anything is fitted. */
export interface Scored {
  readonly isRegression: boolean;
  readonly classCount: number;
  readonly hasProbabilities: boolean;
}

/** The scorer of this name, or of the user's own function; accuracy or R^2 if none is given. Throws where the models cannot be scored so. */
export function scorerOf(scoring: Scoring | undefined, { isRegression, classCount, hasProbabilities }: Scored): Scorer {
  if (typeof scoring === "function") return { sign: 1, isOfPredictions: false, score: (held) => checkedScore(scoring(held)) };
  const name = scoring ?? (isRegression ? "r2" : "accuracy");
  const { of, sign, score } = byName[name];
  const refuse = (why: string): never => {
    throw new HingeError("bad-option", `scoring: ${JSON.stringify(name)} ${why}`);
  };
  if ((of === "numbers") !== isRegression)
    refuse(isRegression ? "is for classes, this is a regression" : "is for a regression, these are classes");
  if ((of === "two" || name === "brier") && classCount !== 2) refuse(`is for two classes, y has ${classCount}`);
  if (of === "probabilities" && !hasProbabilities) refuse("needs probabilities, which of these models only LogisticRegression has");
  return { sign, isOfPredictions: of === "classes" || of === "numbers", score: (held) => score(held, { sampleWeight: held.weights }) };
}

function checkedScore(score: unknown): number {
  if (typeof score === "number" && !Number.isNaN(score)) return score;
  throw HingeError.option("what the scoring function returns", "a number", score);
}
