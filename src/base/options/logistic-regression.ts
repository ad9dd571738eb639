// The options of LogisticRegression.

import { running, stopping, weighting } from "./fit.js";
import { linearFields, warmStart } from "./linear.js";
import { type Checked, type Input, oneOf, table, toggle } from "./table.js";

export const logisticRegressionOptions = table("LogisticRegression", {
  C: linearFields.C,
  penalty: linearFields.penalty,
  multiClass: oneOf(["multinomial", "ovr"], {
    default: "multinomial",
    help: "three classes or more: one model of all probabilities (multinomial, l2 only), or each class against the rest (ovr)",
  }),
  bias: linearFields.bias,
  biasScale: linearFields.biasScale,
  ...weighting,
  solver: oneOf(["auto", "newton", "dual"], {
    default: "auto",
    help: "how the optimum is found; changes the time, not the optimum. auto chooses, and leaves a method that stalls",
  }),
  ...stopping,
  shrinking: toggle({ default: true, help: "leaving features or rows alone that will not move; changes the time, not the optimum" }),
  warmStart,
  ...running,
});

/** What `LogisticRegression.fit` accepts. */
export type LogisticRegressionOptions = Input<typeof logisticRegressionOptions>;
export type CheckedLogisticRegressionOptions = Checked<typeof logisticRegressionOptions>;
