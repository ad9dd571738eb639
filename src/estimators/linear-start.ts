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
    this.#rowCount = rowCount;
    this.#featureCount = featureCount;
    this.#ratio = C / (model.C ?? C);
    checkSameClasses(model.classes, classes);
    if (model.biases?.length !== outputs) {
      throw HingeError.input(
        `warmStart has ${model.biases?.length} decision values a row, this fit has ${outputs}; fit both with the same multiClass`,
      );
    }
    const features = model.coefficients.length / outputs;
    if (features !== featureCount) {
      throw HingeError.input(`warmStart has ${features} features, x has ${featureCount}; they must be as many`);
    }
    this.#model = inOrder(model, classes);
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

/** Throws unless the model to begin from has the classes of the fit, in whatever order. */
export function checkSameClasses(own: readonly Label[], classes: readonly Label[]): void {
  if (own.length === classes.length && classes.every((label) => own.includes(label))) return;
  throw HingeError.input(`warmStart has the classes ${listed(own)}, y has ${listed(classes)}; they must be the same`);
}

const MOST_LISTED = 5;

function listed(classes: readonly Label[]): string {
  return classes.slice(0, MOST_LISTED).map(shown).join(", ") + (classes.length > MOST_LISTED ? ", …" : "");
}

/**
 * The model with its classes in the order of `classes`; those of LIBLINEAR's files have another one. Pairs of classes are in no such file, and its models have no
 * dual variables.
 */
function inOrder(model: WarmStart, classes: readonly Label[]): WarmStart {
  const places = classes.map((label) => model.classes.indexOf(label));
  if (places.every((place, k) => place === k)) return model;
  const outputs = model.biases.length;
  if (outputs === 1) {
    const opposite = (value: number): number => 0 - value;
    return { ...model, coefficients: model.coefficients.map(opposite), biases: model.biases.map(opposite), dual: undefined };
  }
  const d = model.coefficients.length / outputs;
  const coefficients = new Float64Array(model.coefficients.length);
  places.forEach((place, k) => {
    coefficients.set(model.coefficients.subarray(place * d, (place + 1) * d), k * d);
  });
  return { ...model, coefficients, biases: Float64Array.from(places, (place) => model.biases[place] as number), dual: undefined };
}
