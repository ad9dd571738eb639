// The options of LogisticRegression.

import { running, stopping, weighting } from "./fit.js";
import { linearFields, SOLVER_HELP, warmStart } from "./linear.js";
import { type Checked, type Input, oneOf, table } from "./table.js";

export const logisticRegressionOptions = table(
  "LogisticRegression",
  {
    C: linearFields.C,
    penalty: linearFields.penalty,
    multiClass: oneOf(["multinomial", "ovr"], {
      default: "multinomial",
      help: "three classes or more: one model of all probabilities (multinomial; under l1 always ovr), or each class against the rest (ovr)",
    }),
    bias: linearFields.bias,
    biasScale: linearFields.biasScale,
    ...weighting,
    solver: oneOf(["auto", "newton", "dual"], { default: "auto", help: SOLVER_HELP }),
    ...stopping,
    stop: linearFields.stop,
    shrinking: linearFields.shrinking,
    warmStart,
    ...running,
  },
  together,
);

function together({ penalty, solver, bias }: { penalty: string; solver: string; bias: string | false }): string | undefined {
  if (penalty === "l1" && solver !== "auto") return `penalty "l1" has one solver of its own, not "${solver}"; use solver "auto"`;
  if (solver === "dual" && bias === "unregularised") {
    return 'solver "dual" has no unregularised bias for the logistic loss; use solver "newton" or bias "augmented"';
  }
  return undefined;
}

/** What `LogisticRegression.fit` accepts. */
export type LogisticRegressionOptions = Input<typeof logisticRegressionOptions>;
export type CheckedLogisticRegressionOptions = Checked<typeof logisticRegressionOptions>;
