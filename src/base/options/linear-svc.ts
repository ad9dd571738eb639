// The options of LinearSVC.

import { running, stopping, weighting } from "./fit.js";
import { type Checked, type Input, number, oneOf, table, toggle } from "./table.js";

export const linearSvcOptions = table("LinearSVC", {
  C: number({ above: 0, default: 1, help: "price of a margin violation; large C fits the training rows harder" }),
  loss: oneOf(["squared_hinge", "hinge"], {
    default: "squared_hinge",
    help: "what a violation of size v costs: v^2 (squared_hinge) or v (hinge: fewer support vectors)",
  }),
  bias: oneOf(["augmented", false], {
    default: "augmented",
    help: "augmented: the bias is the weight of a constant feature, regularised like the others; false: none",
  }),
  biasScale: number({
    atLeast: 1e-10,
    atMost: 1e10,
    default: 1,
    help: "value of the constant feature behind an augmented bias; a larger one is regularised less",
  }),
  ...weighting,
  ...stopping,
  shrinking: toggle({ default: true, help: "leaving rows alone that will not move; changes the time, not the optimum" }),
  ...running,
});

/** What `LinearSVC.fit` accepts. */
export type LinearSvcOptions = Input<typeof linearSvcOptions>;
export type CheckedLinearSvcOptions = Checked<typeof linearSvcOptions>;
