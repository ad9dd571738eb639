// The losses of binary classification as the judge knows them: value, the dual variable that a margin suggests, and what a dual
// variable adds to the dual objective. With h(a) = -C loss*(-a / C), the dual is  max_a sum_i h_i(a_i) - regulariser*(sum_i a_i y_i x_i).
//
//   loss            loss(m)               h(a)                                      box          suggested by the margin: -C loss'(m)
//   hinge           max(0, 1 - m)         a                                         [0, C]       none at the kink
//   squared hinge   max(0, 1 - m)^2       a - a^2 / (4 C)                           [0, inf)     2 C max(0, 1 - m)
//   logistic        log(1 + e^-m)         -a log(a / C) - (C - a) log(1 - a / C)    [0, C]       C / (1 + e^m)
//
// Checked in test/unit/certify/losses.test.ts: h is the conjugate (Fenchel's inequality, equality at the suggested point).

import { exp, log, log1p } from "../base/math.js";

export type LossName = "hinge" | "squared_hinge" | "logistic";

/** One loss; C is the price of the row in question. */
export interface JudgedLoss {
  /** loss(m). */
  value(margin: number): number;
  /** h(a), for an a in its box. */
  dualValue(a: number, C: number): number;
  /** h'(a) and h''(a). */
  dualSlopes(a: number, C: number): readonly [number, number];
  /** The upper end of a's box; the lower one is 0. */
  upper(C: number): number;
  /** -C loss'(m), where the loss is smooth. */
  readonly suggest: ((margin: number, C: number) => number) | undefined;
}

export const judgedLosses: Readonly<Record<LossName, JudgedLoss>> = {
  hinge: {
    value: (margin) => Math.max(0, 1 - margin),
    dualValue: (a) => a,
    dualSlopes: () => [1, 0],
    upper: (C) => C,
    suggest: undefined,
  },
  squared_hinge: {
    value: (margin) => Math.max(0, 1 - margin) * Math.max(0, 1 - margin),
    dualValue: (a, C) => a - (a * a) / (4 * C),
    dualSlopes: (a, C) => [1 - a / (2 * C), -1 / (2 * C)],
    upper: () => Infinity,
    suggest: (margin, C) => 2 * C * Math.max(0, 1 - margin),
  },
  logistic: {
    // The larger of the two terms is taken out, so that nothing overflows.
    value: (margin) => Math.max(0, -margin) + log1p(exp(-Math.abs(margin))),
    dualValue: (a, C) => entropy(Math.min(a, C - a), C),
    dualSlopes: (a, C) => [log((C - a) / a), -C / (a * (C - a))],
    upper: (C) => C,
    suggest: (margin, C) => (margin > 0 ? (C * exp(-margin)) / (1 + exp(-margin)) : C / (1 + exp(margin))),
  },
};

/**
 * -a log(a / C) - (C - a) log(1 - a / C) for 0 <= a <= C / 2, which is all that is needed: the same for a and C - a. Exact to some units
 * in its own last place; with 1 - a / C rounded it would be wrong by C times the rounding, more than all of it where C is large.
 */
function entropy(a: number, C: number): number {
  return a > 0 ? -a * log(a / C) - (C - a) * log1p(-a / C) : 0;
}
