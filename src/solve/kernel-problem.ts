// What a kernel solver is given and gives back.
//
//   min_v  1/2 v'Kv - z'v + epsilon |v|_1,   v = sum of the sides,   lo <= v_side <= hi,   sum v_side as it is at the start
//
// C-SVC: v_i = y_i a_i, z = y. Epsilon-SVR: v = beta, z the targets. One-class: z = 0. The nu forms have two sides, nu-SVC one for each class, nu-SVR one
// for what lies above the tube and one for what lies below it. The model is f(x) = sum_i v_i K(x_i, x) - rho.

import type { kernelKinds } from "../runtime/layout.js";
import type { LinearProblemSettings } from "./problem.js";
import type { Unit } from "./units.js";

/** K(u, v) and its constants. */
export interface KernelFunction {
  readonly kind: keyof typeof kernelKinds;
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
  /** Whether dot products are summed in float64; by what the rows need where it is not said. */
  readonly isWide?: boolean | undefined;
  /** What all values of the rows are whole multiples of, if they are: dot products are sums of whole numbers, then. */
  readonly unit?: Unit | undefined;
}

/** A function of the caller's own, which only the caller's thread can call: the solver asks for values (custom-rows.ts). */
export interface AskedKernel {
  readonly kind: "custom";
  /** K of each row of the matrix with itself; of those that the problem has. */
  readonly diagonal: Float64Array;
}

/** Variables under one sum constraint, or under none, one a row of the problem; lo = hi = 0 for rows that have none. */
export interface KernelSide {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** Where to begin: inside the bounds. Its sum is the constraint, where there is one. */
  readonly start: Float64Array;
  /** Where one begins who knows nothing, if `start` is a guess: its sum over all sides is 0, or the zero model costs nothing. */
  readonly cold?: Float64Array | undefined;
}

export interface KernelProblem {
  readonly kernel: KernelFunction | AskedKernel;
  readonly rowIds: Uint32Array;
  readonly z: Float64Array;
  readonly sides: readonly KernelSide[];
  /** Whether there is no sum constraint: one side, and a model without an offset, rho = 0. */
  readonly isFree: boolean;
  readonly epsilon: number;
  /** Floor of the gap's denominator. */
  readonly floor: number;
  /** Whether the zero model costs nothing: z = 0. */
  readonly canRest: boolean;
  /** Whether the start is somebody's guess of the solution. */
  readonly isWarm?: boolean | undefined;
  /** On the relative gap. */
  readonly tolerance: number;
  /** LIBSVM's own rule instead of the gap: end when no pair gains more than its epsilon. */
  readonly stop: LinearProblemSettings["stop"];
  /** Why the kernel allows no gap, and `stop` is given; undefined where it does. */
  readonly gapless?: string | undefined;
  /** Steps. */
  readonly maxIterations: number;
  readonly shrinking: boolean;
  /** For kernel rows that are kept. */
  readonly cacheBytes: number;
  /** Of those who help with kernel values (runtime/crew.ts), if anybody does. */
  readonly crew?: SharedArrayBuffer | undefined;
}

export interface KernelSolution {
  /** The model's, one a row of the problem: the sum of the sides, or all zero where that costs less. */
  readonly value: Float64Array;
  /** The sum of the sides: the dual point behind the gap. */
  readonly point: Float64Array;
  /** One a side. */
  readonly rho: readonly number[];
  readonly primal: number;
  readonly dual: number;
  readonly relativeGap: number;
  /** The largest sum of gains of a pair, or the largest gain where there is no sum constraint. */
  readonly violation: number;
  /** Steps. */
  readonly iterations: number;
  /** Rows of kernel values that were computed, counted in values. */
  readonly kernelValues: number;
}
