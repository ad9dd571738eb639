// The options of LinearOneClassSVM.

import { running, stopping, weighting } from "./fit.js";
import { linearFields, warmStartOf } from "./linear.js";
import { type Input, number, table } from "./table.js";

/** A fitted LinearOneClassSVM: what it looks like is for the estimator to check. */
export interface OneClassStart {
  readonly coefficients: Float64Array;
  readonly rho: number;
  readonly nu: number | undefined;
  readonly dual: Float64Array | undefined;
}

export const linearOneClassOptions = table("LinearOneClassSVM", {
  nu: number({
    above: 0,
    atMost: 1,
    default: 0.5,
    help: "about which share of the rows may lie outside: at most this share lies beyond the border, and at least this share are support vectors: beyond it or on it",
  }),
  sampleWeight: { ...weighting.sampleWeight, help: "how much each row counts: weight 2 is the row twice, weight 0 the row absent" },
  ...stopping,
  stop: linearFields.stop,
  shrinking: linearFields.shrinking,
  warmStart: warmStartOf<OneClassStart>(
    ["coefficients", "rho"],
    "a LinearOneClassSVM of the same rows, of another nu for example, to begin from; changes the time, not the optimum",
  ),
  ...running,
});

/** What `LinearOneClassSVM.fit` accepts. */
export type LinearOneClassOptions = Input<typeof linearOneClassOptions>;
