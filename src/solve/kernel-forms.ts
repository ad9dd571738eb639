// The five kernel problems as the one that the solver knows (kernel-problem.ts), and its answer as theirs. N = nu sum_i c_i.
//
//   form         z    sides                                                            b                     width
//   c_svc        y    [0, c] or [-c, 0] by y_i, sum 0                                  -rho
//   epsilon_svr  t    [-c, c], sum 0, with its epsilon                                 -rho
//   one_class    0    [0, c], sum N                                                    -rho
//   nu_svc       0    y = 1: [0, c], sum N/2;   y = -1: [-c, 0], sum -N/2              -(rho_1 + rho_2) / 2  r = (rho_1 - rho_2) / 2
//   nu_svr       t    above: [0, c], sum N/2;   below: [-c, 0], sum -N/2               -(rho_1 + rho_2) / 2  e = (rho_2 - rho_1) / 2
//
// Of c_svc and epsilon_svr there is a form without b: no sum, rho = 0.
//
// A free variable has F = rho: with z = 0 that is y_i (f_i + b) = r, with z = t it is f_i + b = t_i -+ e. Checked in test/kernel-machine.test.ts.

import { sumOf } from "../base/sums.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import type { KernelProblem, KernelSide, KernelSolution } from "./kernel-problem.js";

/** What a form is posed for. */
export interface PosedForm {
  readonly form: LibsvmType;
  /** y_i, +1 or -1, or the targets; of no meaning for one class. */
  readonly targets: Float64Array;
  /** c_i. */
  readonly costs: Float64Array;
  readonly nu: number;
  readonly epsilon: number;
  /** The largest K(x_i, x_i). */
  readonly mostDiagonal: number;
  /** False: c_svc or epsilon_svr without b. */
  readonly hasBias?: boolean | undefined;
}

// Design of the relative gap (docs/notation.md): parts of what the zero model costs, or of what |w|^2 / 2 could be where that is nothing.
const FLOOR = 1e-12;
const NU_FLOOR = 1e-6;

/** How many sums the variables of a form have. */
export const sideCount = (form: LibsvmType): number => (form === "nu_svc" || form === "nu_svr" ? 2 : 1);

type Posed = Pick<KernelProblem, "z" | "sides" | "epsilon" | "floor" | "canRest">;

export function poseForm(posed: PosedForm): Posed & Pick<KernelProblem, "isFree"> {
  return { ...poseSides(posed), isFree: posed.hasBias === false };
}

function poseSides(posed: PosedForm): Posed {
  const { form, targets, costs, epsilon, mostDiagonal } = posed;
  const zero = new Float64Array(costs.length);
  const total = posed.nu * sumOf(costs);
  // The costs of targets above 0 (1) or below it (-1), or of all, with a sign. Plain loops: this is done once a pair of classes, in processes that have just begun.
  const where = (which: 1 | -1, sign: number): Float64Array => {
    const limits = new Float64Array(costs.length);
    for (let k = 0; k < limits.length; k++) if (which * (targets[k] as number) > 0) limits[k] = sign * (costs[k] as number) + 0;
    return limits;
  };
  const all = (sign: number): Float64Array => costs.map((cost) => sign * cost + 0);
  const nuFloor = NU_FLOOR * 0.5 * total * total * mostDiagonal;
  if (form === "c_svc") {
    return {
      z: targets,
      sides: [{ lo: where(-1, -1), hi: where(1, 1), start: zero }],
      epsilon: 0,
      floor: FLOOR * sumOf(costs),
      canRest: false,
    };
  }
  if (form === "one_class") return { z: zero, sides: [filled(costs, 1, total)], epsilon: 0, floor: nuFloor, canRest: true };
  if (form === "nu_svc") {
    return {
      z: zero,
      sides: [filled(where(1, 1), 1, total / 2), filled(where(-1, 1), -1, total / 2)],
      epsilon: 0,
      floor: nuFloor,
      canRest: true,
    };
  }
  const tube = form === "epsilon_svr" ? epsilon : 0;
  const floor = FLOOR * costs.reduce((sum, c, k) => sum + c * Math.max(0, Math.abs(targets[k] as number) - tube), 0);
  if (form === "epsilon_svr") return { z: targets, sides: [{ lo: all(-1), hi: all(1), start: zero }], epsilon, floor, canRest: false };
  return { z: targets, sides: [filled(costs, 1, total / 2), filled(costs, -1, total / 2)], epsilon: 0, floor, canRest: false };
}

/** From 0 to the limits on one side of it, filled from the first one on until their sum is `total`. */
function filled(limits: Float64Array, sign: 1 | -1, total: number): KernelSide {
  let left = total;
  const start = limits.map((limit) => {
    const taken = Math.min(limit, Math.max(0, left));
    left -= taken;
    return sign * taken + 0;
  });
  const ends = limits.map((limit) => sign * limit + 0);
  const zero = new Float64Array(limits.length);
  return sign > 0 ? { lo: zero, hi: ends, start } : { lo: ends, hi: zero, start };
}

/** What replaces parts of a problem whose kernel allows no gap, for this reason: LIBSVM's rule is what is left, tolerance is about that, and a D of 0 does not say that the zero model is best. */
export function withoutGap(reason: string | undefined, tolerance: number): Partial<KernelProblem> {
  return reason === undefined ? {} : { gapless: reason, canRest: false, stop: { kind: "violation", epsilon: tolerance } };
}

/** b and, for the nu forms, the width that was found: r or e. */
export function offsetsOf(form: LibsvmType, { rho }: Pick<KernelSolution, "rho">): { bias: number; width: number } {
  const [first = 0, second = first] = rho;
  const width = form === "nu_svc" ? (first - second) / 2 : form === "nu_svr" ? (second - first) / 2 : 0;
  return { bias: -(first + second) / 2, width };
}

/** The largest nu that the weights of two classes allow: 2 min(W+, W-) / W. */
export function mostNu(targets: ArrayLike<number>, weights: ArrayLike<number>): number {
  let above = 0;
  let below = 0;
  for (let k = 0; k < weights.length; k++) {
    if ((targets[k] as number) > 0) above += weights[k] as number;
    else below += weights[k] as number;
  }
  return (2 * Math.min(above, below)) / (above + below);
}
