// What a solver of linear problems is given, and what it gives back.

/** What all problems of a fit have in common. */
export interface LinearProblemSettings {
  readonly loss: "hinge" | "squared_hinge" | "logistic";
  /** l2: 1/2 w'w. l1: |w|_1. */
  readonly penalty: "l2" | "l1";
  /** augmented: b is biasScale times the weight of a constant feature, regularised like the others. unregularised: b is free. */
  readonly bias: "unregularised" | "augmented" | false;
  /** Value of the constant feature behind an augmented bias. */
  readonly biasScale: number;
  /** On the relative gap. */
  readonly tolerance: number;
  /** Stop by the originals' rule instead of the gap: the projected gradients of a pass lie within `epsilon` of each other. */
  readonly stop?: { readonly kind: "violation"; readonly epsilon: number } | undefined;
  readonly maxIterations: number;
  readonly shrinking: boolean;
  readonly seed: number;
}

/** min penalty(w) + sum_k cost_k loss(sign_k (w'x_row_k + b)) over some rows of a matrix. */
export interface BinaryProblem extends LinearProblemSettings {
  /** u32: the rows that take part. */
  readonly rowIds: Uint32Array;
  /** +1 or -1 for each of them. */
  readonly signs: Float32Array;
  /** C_i for each of them, above 0. */
  readonly costs: Float64Array;
}

/** Which part of the rows the smaller class is, one row at least: LIBLINEAR's primal solvers stop sooner where classes are even. */
export function lighterShare({ signs }: BinaryProblem): number {
  let positive = 0;
  for (const sign of signs) if (sign > 0) positive++;
  return Math.max(1, Math.min(positive, signs.length - positive)) / Math.max(1, signs.length);
}

/** Where a solver stands. */
export interface BinarySolution {
  /** f64[featureCount]. */
  readonly w: Float64Array;
  readonly bias: number;
  /** f64[rows of the problem]: the dual variables; undefined where the method has none and the margins suggest them. */
  readonly alpha: Float64Array | undefined;
  /** False where dual variables that go to a bound are only near it: those that are not 0 are then not the support vectors. */
  readonly isSparse?: boolean;
  /** Passes over the rows. */
  readonly iterations: number;
}

/** What a primal method begins from instead of w = 0. */
export type PrimalStart = Pick<BinarySolution, "w" | "bias">;

/** min 1/2 |W|^2 + sum_k cost_k loss(W x_row_k + b, class_k) over some rows of a matrix: all classes at once. */
export interface MultiClassProblem extends Omit<LinearProblemSettings, "loss" | "penalty"> {
  /** u32: the rows that take part. */
  readonly rowIds: Uint32Array;
  /** u32: the class of each of them, below classCount. */
  readonly classIds: Uint32Array;
  readonly classCount: number;
  /** C_i for each of them, above 0. */
  readonly costs: Float64Array;
}

export interface MultiClassSolution {
  /** f64[classCount][featureCount]. */
  readonly w: Float64Array;
  /** f64[classCount]. */
  readonly bias: Float64Array;
  /** f64[rows of the problem][classCount]; undefined where the method has none and the margins suggest them. */
  readonly alpha: Float64Array | undefined;
  /** False where dual variables that go to a bound are only near it: those that are not 0 are then not the support vectors. */
  readonly isSparse?: boolean;
  /** Passes over the rows. */
  readonly iterations: number;
}

/** The losses of a regression: of how far a prediction is from its target, beyond epsilon; or the square of that. */
export type TubeLoss = "epsilon_insensitive" | "squared_epsilon_insensitive";

/** min 1/2 w'w + sum_k cost_k loss(|w'x_row_k + b - target_k| - epsilon) over some rows of a matrix. */
export interface RegressionProblem extends Omit<LinearProblemSettings, "loss" | "penalty" | "stop"> {
  readonly loss: TubeLoss;
  /** Half the width of the tube in which nothing is lost, 0 or more. */
  readonly epsilon: number;
  /** Stop by the originals' rule instead of the gap: the violations of a pass sum to `epsilon` of what they did in the first. */
  readonly stop?: LinearProblemSettings["stop"];
  /** u32: the rows that take part. */
  readonly rowIds: Uint32Array;
  /** What each of them should be. */
  readonly targets: Float64Array;
  /** C_i for each of them, above 0. */
  readonly costs: Float64Array;
}

export interface RegressionSolution {
  /** f64[featureCount]. */
  readonly w: Float64Array;
  readonly bias: number;
  /** f64[rows of the problem]: the dual variables; undefined where the method has none and the residuals suggest them. */
  readonly beta: Float64Array | undefined;
  /** Passes over the rows. */
  readonly iterations: number;
}

/** min 1/2 w'w - nu (sum_k weight_k) rho + sum_k weight_k max(0, rho - w'x_row_k) over some rows of a matrix. */
export interface OneClassProblem extends Omit<LinearProblemSettings, "loss" | "penalty" | "bias" | "biasScale"> {
  /** u32: the rows that take part. */
  readonly rowIds: Uint32Array;
  /** How much each of them counts, above 0. */
  readonly weights: Float64Array;
  /** About which share of the weight may lie outside, in (0, 1]. */
  readonly nu: number;
}

export interface OneClassSolution {
  /** f64[featureCount]. */
  readonly w: Float64Array;
  /** A row is inside where w'x >= rho. */
  readonly rho: number;
  /** f64[rows of the problem]: the dual variables. */
  readonly alpha: Float64Array;
  /** Passes over the rows. */
  readonly iterations: number;
}
