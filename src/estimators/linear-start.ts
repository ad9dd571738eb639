// Where a fit begins when it is given a model: its weights, and its dual variables where there are as many rows. Along C, dual variables
// at their bound grow in proportion, so all are scaled by the ratio of the prices. Solvers move any point into the box of their own
// problem: it only has to be near.

import { HingeError, shown } from "../base/errors.js";
import type { WarmStart } from "../base/options/linear.js";
import type { Label } from "../data/labels.js";
import type { BinaryProblem, BinarySolution, MultiClassProblem, MultiClassSolution } from "../solve/problem.js";

/** What the fit is about to solve. */
export interface StartedFit {
  readonly rowCount: number;
  readonly featureCount: number;
  readonly classes: readonly Label[];
  /** Decision values a row. */
  readonly outputs: number;
  readonly C: number;
}

export class LinearStart {
  readonly #model: WarmStart;
  readonly #rowCount: number;
  readonly #featureCount: number;
  /** From the model's price to that of the fit. */
  readonly #ratio: number;

  constructor(model: WarmStart, { rowCount, featureCount, classes, outputs, C }: StartedFit) {
    this.#model = model;
    this.#rowCount = rowCount;
    this.#featureCount = featureCount;
    this.#ratio = C / (model.C ?? C);
    const same = model.classes.length === classes.length && model.classes.every((label, k) => label === classes[k]);
    if (!same) {
      throw HingeError.input(`warmStart has the classes ${listed(model.classes)}, y has ${listed(classes)}; they must be the same`);
    }
    if (model.biases?.length !== outputs) {
      throw HingeError.input(
        `warmStart has ${model.biases?.length} decision values a row, this fit has ${outputs}; fit both with the same multiClass`,
      );
    }
    const features = model.coefficients.length / outputs;
    if (features !== featureCount) {
      throw HingeError.input(`warmStart has ${features} features, x has ${featureCount}; they must be as many`);
    }
  }

  binary(index: number, problem: BinaryProblem): BinarySolution {
    const { coefficients, biases } = this.#model;
    const d = this.#featureCount;
    const alpha = this.#dualOf(index * this.#rowCount, problem.rowIds, 1);
    return { w: coefficients.slice(index * d, (index + 1) * d), bias: biases[index] as number, alpha, iterations: 0 };
  }

  joint({ rowIds, classCount }: MultiClassProblem): MultiClassSolution {
    const { coefficients, biases } = this.#model;
    return { w: coefficients.slice(), bias: biases.slice(), alpha: this.#dualOf(0, rowIds, classCount), iterations: 0 };
  }

  /** The dual variables of these rows, if the model was fitted on as many. */
  #dualOf(from: number, rowIds: Uint32Array, columns: number): Float64Array | undefined {
    const { dual } = this.#model;
    if (dual?.length !== this.#rowCount * this.#model.biases.length) return undefined;
    const alpha = new Float64Array(rowIds.length * columns);
    rowIds.forEach((row, k) => {
      for (let m = 0; m < columns; m++) alpha[k * columns + m] = this.#ratio * (dual[from + row * columns + m] as number);
    });
    return alpha;
  }
}

const MOST_LISTED = 5;

function listed(classes: readonly Label[]): string {
  return classes.slice(0, MOST_LISTED).map(shown).join(", ") + (classes.length > MOST_LISTED ? ", …" : "");
}
