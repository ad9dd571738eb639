// Options that linear estimators share.

import * as v from "valibot";
import { custom, type Field, number, oneOf, toggle } from "./table.js";

export const SOLVER_HELP = "how the optimum is found; changes the time, not the optimum. auto chooses, and leaves a method that stalls";

export const linearFields = {
  C: number({ above: 0, default: 1, help: "price of a loss of 1; large C fits the training rows harder" }),
  penalty: oneOf(["l2", "l1"], {
    default: "l2",
    help: "what keeps the weights small: 1/2 |w|^2 (l2) or |w|_1 (l1: many weights become exactly 0)",
  }),
  bias: oneOf(["auto", "unregularised", "augmented", false], {
    default: "auto",
    help: "unregularised: a free intercept; augmented: the weight of a constant feature, regularised like the others; false: none. auto: unregularised for LinearSVC unless crammer_singer, otherwise augmented",
  }),
  stop: oneOf(["gap", "violation"], {
    default: "gap",
    help: "what tolerance is about: the relative gap, or LIBLINEAR's own rule for the solver that runs, of which it is the -e",
  }),
  biasScale: number({
    atLeast: 1e-10,
    atMost: 1e10,
    default: 1,
    help: "value of the constant feature behind an augmented bias; a larger one is regularised less",
  }),
  solver: oneOf(["auto", "dual", "newton", "interior-point"], { default: "auto", help: SOLVER_HELP }),
  shrinking: toggle({ default: true, help: "leaving rows or features alone that will not move; changes the time, not the optimum" }),
};

/** A fitted model of the same kind: what it looks like is for the estimator to check. */
export interface WarmStart {
  readonly C: number | undefined;
  readonly classes: readonly (number | string)[];
  readonly coefficients: Float64Array;
  readonly biases: Float64Array;
  readonly dual: Float64Array | undefined;
}

/** The option `warmStart` of an estimator whose models have these fields. */
export function warmStartOf<Start>(fields: readonly (keyof Start & string)[], help: string): Field<Start, Start | undefined> {
  return custom<Start, Start | undefined>({
    schema: v.custom<Start>((value) => typeof value === "object" && value !== null && fields.every((field) => field in value)),
    allowed: "a fitted model",
    default: undefined,
    help,
  });
}

export const warmStart = warmStartOf<WarmStart>(
  ["coefficients", "classes"],
  "a model of the same classes and features, of another C for example, to begin from; changes the time, not the optimum",
);

/** The form of the bias that `auto` means: what docs/performance.md shows to cost little. */
export function biasForm(bias: "auto" | BiasForm, isFreeCheap: boolean): BiasForm {
  return bias === "auto" ? (isFreeCheap ? "unregularised" : "augmented") : bias;
}

export const biasForms = ["unregularised", "augmented", false] as const;
export type BiasForm = (typeof biasForms)[number];
