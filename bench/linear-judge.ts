// Judges any linear classifier of any number of classes by P - D_best, problem by problem: the largest relative gap counts.

import { certifyCrammerSinger } from "../src/certify/crammer-singer.ts";
import { certifyLinear } from "../src/certify/linear.ts";
import { type LinearSettings, poseProblems } from "../src/estimators/linear-problems.ts";
import type { LabelledRows, LinearClassifier } from "../src/index.ts";

export interface ProblemsJudge {
  /** The largest (P - D_best) / P over the problems. */
  gapOf(model: LinearClassifier): number;
}

/** `best` is a model of ours to a small gap: the dual values of its problems are the bounds. */
export function problemsJudge({ x, y }: LabelledRows, settings: LinearSettings, best: LinearClassifier): ProblemsJudge {
  const posed = poseProblems(x.rowCount, y, settings);
  const bounds = best.report.run?.problems.map(({ certificate }) => certificate.dual) ?? [];
  const d = x.featureCount;

  const primalOf = (model: LinearClassifier, index: number): number => {
    if (posed.scheme === "crammer_singer") {
      return certifyCrammerSinger(x, { ...posed.joint(), bias: false }, { w: ordered(model), bias: model.biases, alpha: undefined }).primal;
    }
    const w = column(model, index);
    return certifyLinear(x, posed.binary(index), { w, bias: 0, alpha: undefined }).primal;
  };

  /** The weights of one decision value with the sign and the place that sorted classes give it. */
  const column = (model: LinearClassifier, index: number): Float64Array => {
    const features = model.featureCount;
    const full = new Float64Array(d);
    if (posed.scheme === "binary") {
      const sign = model.classes[1] === posed.classes[1] ? 1 : -1;
      full.set(model.coefficients.map((value) => sign * value));
      return full;
    }
    const at = (model.classes as readonly unknown[]).indexOf(posed.classes[index]);
    full.set(model.coefficients.subarray(at * features, (at + 1) * features));
    return full;
  };
  const ordered = (model: LinearClassifier): Float64Array => {
    const all = new Float64Array(d * posed.classes.length);
    posed.classes.forEach((_, m) => {
      all.set(column(model, m), m * d);
    });
    return all;
  };

  return {
    gapOf: (model) =>
      Math.max(
        ...bounds.map((bound, index) => {
          const primal = primalOf(model, index);
          return (primal - bound) / primal;
        }),
      ),
  };
}
