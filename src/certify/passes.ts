// A judge's passes over the rows of a problem: x_i'w of each, and a sum of them. By plain loops, or by the judge's own code in the core (core/certify/linear-sums.ts),
// with the same bits in a fraction of the time.

import type { Matrix } from "../data/matrix.js";
import { clear, spaceFor, type Task } from "../runtime/task.js";
import { addRow, rowTimes } from "./rows.js";

/** What either gives may be written over by the next pass. */
export interface Passes {
  /** x_i'w of the rows in the list. */
  times(rowIds: ArrayLike<number>, w: Float64Array): Float64Array;
  /** The sum of the rows in the list, each times its coefficient: f64[features]. */
  sum(rowIds: ArrayLike<number>, coefficients: Float64Array): Float64Array;
}

export function plainPasses(x: Matrix): Passes {
  return {
    times: (rowIds, w) => {
      const products = new Float64Array(rowIds.length);
      for (let k = 0; k < products.length; k++) products[k] = rowTimes(x, rowIds[k] as number, w);
      return products;
    },
    sum: (rowIds, coefficients) => {
      const u = new Float64Array(x.featureCount);
      for (let k = 0; k < coefficients.length; k++) if (coefficients[k] !== 0) addRow(u, coefficients[k] as number, x, rowIds[k] as number);
      return u;
    },
  };
}

/** Work space of `corePasses` over lists of so many rows. */
export function passesBytes(rowCount: number, featureCount: number): number {
  return spaceFor(4 * rowCount, 8 * rowCount, 8 * featureCount);
}

/** Rows a call: an engine changes to its optimised code between calls, not within one. */
const ROWS = 256;

/** Passes over lists of at most `rowCount` rows, in the first `passesBytes` of the task's work space. */
export function corePasses({ core, rows, space, matrix }: Task, rowCount: number): Passes {
  const ids = space.rawWords(rowCount);
  const numbers = space.rawDoubles(rowCount);
  const features = space.rawDoubles(matrix.featureCount);
  const slices = (count: number, call: (size: number, ids: number, numbers: number) => void): void => {
    for (let k = 0; k < count; k += ROWS) call(Math.min(ROWS, count - k), ids.byteOffset + 4 * k, numbers.byteOffset + 8 * k);
  };
  return {
    times: (rowIds, w) => {
      if (w.length < features.length) throw new RangeError(`${w.length} weights for ${features.length} features`);
      ids.set(rowIds);
      features.set(w.subarray(0, features.length)); // a model may know features that no row here has
      slices(rowIds.length, (size, list, out) => core.judgeTimes(rows, list, size, features.byteOffset, out));
      return numbers.subarray(0, rowIds.length);
    },
    sum: (rowIds, coefficients) => {
      ids.set(rowIds);
      numbers.set(coefficients);
      clear(features);
      slices(rowIds.length, (size, list, own) => core.judgeSum(rows, list, own, size, features.byteOffset));
      return features;
    },
  };
}
