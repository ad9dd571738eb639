// Every contender is judged alike: by P - D_best, where P is its own objective from raw data and D_best the best dual value known.

import { certifyLinear } from "../src/certify/linear.ts";
import { type LabelledRows, LinearSVC, readSvmlight } from "../src/index.ts";
import type { LinearProblem } from "./contenders/contender.ts";

export interface Judge {
  /** (P - D_best) / P of a model of this problem. */
  gapOf(w: Float64Array): number;
}

const BOUND_TOLERANCE = 1e-8;

export async function judgeOf({ file, loss, C }: LinearProblem): Promise<Judge> {
  const { x, y }: LabelledRows = await readSvmlight(file.path);
  const best = await LinearSVC.fit(x, y, { loss, C, bias: false, tolerance: BOUND_TOLERANCE, timeLimitSeconds: 120 });
  const { dual } = best.report.certificate;
  const positive = best.classes[1];
  const problem = {
    rowIds: y.map((_, i) => i),
    signs: y.map((label) => (label === positive ? 1 : -1)),
    costs: new Float64Array(y.length).fill(C),
    loss,
    penalty: "l2" as const,
    bias: false as const,
    biasScale: 1,
  };
  return {
    gapOf(w) {
      const full = new Float64Array(x.featureCount);
      full.set(w.subarray(0, x.featureCount));
      const { primal } = certifyLinear(x, problem, { w: full, bias: 0, alpha: new Float64Array(y.length) });
      return (primal - dual) / primal;
    },
  };
}
