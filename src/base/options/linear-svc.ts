// The options of LinearSVC.

import { running, stopping, weighting } from "./fit.js";
import { linearFields, warmStart } from "./linear.js";
import { type Checked, type Input, oneOf, table } from "./table.js";

export const linearSvcOptions = table(
  "LinearSVC",
  {
    C: linearFields.C,
    loss: oneOf(["squared_hinge", "hinge"], {
      default: "squared_hinge",
      help: "what a violation of size v costs: v^2 (squared_hinge) or v (hinge: fewer support vectors)",
    }),
    penalty: linearFields.penalty,
    multiClass: oneOf(["ovr", "ovo", "crammer_singer"], {
      default: "ovr",
      help: "three classes or more: each against the rest (ovr), each pair (ovo), or all jointly (crammer_singer, hinge and l2 only)",
    }),
    bias: linearFields.bias,
    biasScale: linearFields.biasScale,
    ...weighting,
    solver: linearFields.solver,
    ...stopping,
    stop: linearFields.stop,
    shrinking: linearFields.shrinking,
    warmStart,
    ...running,
  },
  together,
);

function together(options: {
  loss: string;
  penalty: string;
  multiClass: string;
  bias: string | false;
  solver: string;
  stop: string;
}): string | undefined {
  const { loss, penalty, multiClass, bias, solver, stop } = options;
  if (stop === "violation" && solver === "interior-point") return 'LIBLINEAR has no rule for solver "interior-point"; use stop "gap"';
  if (penalty === "l1" && loss === "hinge") return 'penalty "l1" needs a smooth loss; use loss "squared_hinge"';
  if (penalty === "l1" && solver !== "auto") return `penalty "l1" has one solver of its own, not "${solver}"; use solver "auto"`;
  if (multiClass === "crammer_singer") {
    if (loss !== "hinge") return 'multiClass "crammer_singer" has the hinge loss; use loss "hinge"';
    if (bias === "unregularised") return 'multiClass "crammer_singer" has no unregularised bias; use bias "augmented" or false';
    if (solver !== "auto") return `multiClass "crammer_singer" has one solver of its own, not "${solver}"; use solver "auto"`;
  }
  if (solver === "newton" && loss === "hinge") return 'solver "newton" needs a smooth loss; use loss "squared_hinge" or another solver';
  if (solver === "interior-point" && loss !== "hinge") return 'solver "interior-point" is for the hinge loss; use solver "newton"';
  return undefined;
}

/** What `LinearSVC.fit` accepts. */
export type LinearSvcOptions = Input<typeof linearSvcOptions>;
export type CheckedLinearSvcOptions = Checked<typeof linearSvcOptions>;
