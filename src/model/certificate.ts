// The proof that comes with every model.

/** Objective values of a model's training problem, from raw data, in float64. See docs/notation.md. */
export interface Certificate {
  /** P: objective of the model as it predicts. The optimum is not above it. */
  readonly primal: number;
  /** D: objective of the dual point found with it. The optimum is not below it. */
  readonly dual: number;
  /** (P - D) / max(|P|, |D|, floor): the model's objective is above the optimum by at most this share of that maximum. */
  readonly relativeGap: number;
}
