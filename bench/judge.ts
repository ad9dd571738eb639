// Every contender is judged alike: by P - D_best, where P is its own objective from raw data and D_best the best dual value known of
// the problem in its form of the bias.

import { certifyLinear } from "../src/certify/linear.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { LinearSVC } from "../src/index.ts";
import { bestBias } from "./best-bias.ts";
import type { BiasForm } from "./contenders/contender.ts";

export interface JudgedData {
  readonly x: Matrix;
  /** Two labels; the larger is the positive one. */
  readonly y: ArrayLike<number>;
  readonly loss: "hinge" | "squared_hinge";
  readonly C: number;
}

export interface Verdict {
  /** (P - D_best) / P. */
  readonly gap: number;
  /** The same with the contender's own bias, where `gap` takes the best one for its w: the form leaves it free. */
  readonly gapAtOwnBias?: number;
}

export interface Judge {
  /** Of a model of this problem. */
  judge(w: Float64Array, bias: number): Verdict;
}

const BOUND_TOLERANCE = 1e-8;

/** One judge a form, each made when first asked for. */
export function judgesOf(data: JudgedData): (form: BiasForm) => Promise<Judge> {
  const made = new Map<BiasForm, Promise<Judge>>();
  return (form) => {
    const judge = made.get(form) ?? judgeOf(data, form);
    made.set(form, judge);
    return judge;
  };
}

/** The bound is that of a fit of ours, proven by its certificate. */
async function judgeOf({ x, y, loss, C }: JudgedData, form: BiasForm): Promise<Judge> {
  if (form === "unregularised" && loss !== "hinge") throw new Error("no contender has a free bias but under the hinge loss");
  const bias: "augmented" | "unregularised" | false = form === "none" ? false : form;
  const labels = Array.from(y);
  const best = await LinearSVC.fit(x, labels, { loss, C, bias, tolerance: BOUND_TOLERANCE, timeLimitSeconds: 120 });
  const { dual } = best.report.certificate;
  const signs = signsOf(y);
  const problem = {
    rowIds: labels.map((_, i) => i),
    signs,
    costs: new Float64Array(y.length).fill(C),
    loss,
    penalty: "l2" as const,
    bias,
    biasScale: 1,
  };
  const gapAt = (w: Float64Array, b: number): number => {
    const { primal } = certifyLinear(x, problem, { w, bias: b, alpha: undefined });
    return (primal - dual) / primal;
  };
  return {
    judge(weights, b) {
      const w = padded(weights, x.featureCount);
      if (form !== "unregularised") return { gap: gapAt(w, b) };
      const gapAtOwnBias = gapAt(w, b);
      return { gap: Math.min(gapAtOwnBias, gapAt(w, bestBias(x, signs, w))), gapAtOwnBias };
    },
  };
}

function signsOf(y: ArrayLike<number>): Float64Array {
  const positive = Array.from(y).reduce((most, label) => Math.max(most, label), -Infinity);
  return Float64Array.from(y, (label) => (label === positive ? 1 : -1));
}

function padded(w: Float64Array, length: number): Float64Array {
  const full = new Float64Array(length);
  full.set(w.subarray(0, length));
  return full;
}
