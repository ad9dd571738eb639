// What a model file of LIBLINEAR says of rows. Features that the model does not know are left out, as the original does; models of a single class say it always.

import { exp } from "../../base/math.js";
import type { Matrix } from "../../data/matrix.js";
import { LinearOutputs } from "../../estimators/linear-decision.js";
import { type LiblinearData, weightColumns } from "../../model/liblinear-file.js";
import { placeOfLargest } from "./classes.js";

export interface LiblinearOutputs {
  /** A label or a number, one a row. */
  readonly values: Float64Array;
  /** f64[rows][columns] */
  readonly decisions: Float64Array;
  readonly columns: number;
}

export async function outputsOf(file: LiblinearData, x: Matrix): Promise<LiblinearOutputs> {
  const { solverType, classCount, labels, featureCount, bias, rho, weights } = file;
  const columns = weightColumns(solverType, classCount);
  const coefficients = new Float64Array(columns * featureCount);
  const biases = new Float64Array(columns);
  for (let m = 0; m < columns; m++) {
    for (let j = 0; j < featureCount; j++) coefficients[m * featureCount + j] = weights[j * columns + m] as number;
    biases[m] = (bias > 0 ? bias * (weights[featureCount * columns + m] as number) : 0) - (rho ?? 0);
  }
  const decisions = await new LinearOutputs(coefficients, biases, featureCount, true).ofRows(x, undefined);
  if (labels === undefined)
    return { values: rho === undefined ? decisions : decisions.map((value) => (value > 0 ? 1 : -1)), decisions, columns };
  const values = Float64Array.from({ length: x.rowCount }, (_, i) => {
    if (columns === 1) return labels[classCount === 1 || (decisions[i] as number) > 0 ? 0 : 1] as number;
    return labels[placeOfLargest(decisions.subarray(i * columns, (i + 1) * columns))] as number;
  });
  return { values, decisions, columns };
}

/** Of a logistic regression: what each class has of a row, in the order of the labels. Classes that were fitted one by one get shares of 1. */
export function shares({ decisions, columns }: LiblinearOutputs, row: number, classCount: number): number[] {
  const own = Array.from(decisions.subarray(row * columns, (row + 1) * columns), (value) => 1 / (1 + exp(-value)));
  if (classCount === 2) return [own[0] as number, 1 - (own[0] as number)];
  const total = own.reduce((sum, share) => sum + share, 0);
  return own.map((share) => share / total);
}
