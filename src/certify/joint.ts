// The problems of all classes at once, as the judges see them.

export interface JointProblem {
  readonly rowIds: ArrayLike<number>;
  /** Below classCount. */
  readonly classIds: ArrayLike<number>;
  readonly classCount: number;
  readonly costs: ArrayLike<number>;
  /** hinge: Crammer and Singer's. logistic: multinomial. */
  readonly loss: "hinge" | "squared_hinge" | "logistic";
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

export interface JointPoint {
  /** f64[classCount][featureCount]. */
  readonly w: Float64Array;
  /** f64[classCount]. */
  readonly bias: Float64Array;
  /** f64[rows of the problem][classCount]; undefined where only the margins can suggest a dual point. */
  readonly alpha: Float64Array | undefined;
}
