// The options of LinearSVR.

import { running, stopping, weighting } from "./fit.js";
import { linearFields, warmStartOf } from "./linear.js";
import { type Checked, type Input, number, oneOf, table, toggle } from "./table.js";

/** A fitted LinearSVR: what it looks like is for the estimator to check. */
export interface RegressionStart {
  readonly C: number | undefined;
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly dual: Float64Array | undefined;
}

export const linearSvrOptions = table(
  "LinearSVR",
  {
    C: linearFields.C,
    epsilon: number({ atLeast: 0, default: 0, help: "half the width of the tube around the targets in which nothing is lost" }),
    loss: oneOf(["squared_epsilon_insensitive", "epsilon_insensitive"], {
      default: "squared_epsilon_insensitive",
      help: "what a distance of v beyond the tube costs: v^2 (squared_epsilon_insensitive) or v (epsilon_insensitive: outliers pull less)",
    }),
    bias: oneOf(["unregularised", "augmented", false], {
      default: "unregularised",
      help: "unregularised: a free intercept; augmented: the weight of a constant feature, regularised like the others; false: none",
    }),
    biasScale: linearFields.biasScale,
    centreTarget: toggle({
      default: true,
      help: "takes the mean off the targets before an augmented bias is fitted and gives it back after: else large targets are predicted too small",
    }),
    sampleWeight: weighting.sampleWeight,
    solver: linearFields.solver,
    ...stopping,
    stop: linearFields.stop,
    shrinking: linearFields.shrinking,
    warmStart: warmStartOf<RegressionStart>(
      ["coefficients", "bias"],
      "a LinearSVR of as many features, of another C or epsilon for example, to begin from; changes the time, not the optimum",
    ),
    ...running,
  },
  together,
);

function together({ loss, solver, stop }: { loss: string; solver: string; stop: string }): string | undefined {
  if (stop === "violation" && solver === "interior-point") return 'LIBLINEAR has no rule for solver "interior-point"; use stop "gap"';
  if (solver === "newton" && loss === "epsilon_insensitive")
    return 'solver "newton" needs a smooth loss; use loss "squared_epsilon_insensitive" or another solver';
  if (solver === "interior-point" && loss !== "epsilon_insensitive")
    return 'solver "interior-point" is for loss "epsilon_insensitive"; use solver "newton"';
  return undefined;
}

/** What `LinearSVR.fit` accepts. */
export type LinearSvrOptions = Input<typeof linearSvrOptions>;
export type CheckedLinearSvrOptions = Checked<typeof linearSvrOptions>;
