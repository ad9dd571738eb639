// From a model as its file has it to what predictions want: one pass each, which the host's engine, that runs a command's code for the first time, would take milliseconds for. The host does the same
// where there is no memory for it (src/model/libsvm-models.ts, src/estimators/coefficients.ts, src/solve/kernel-rows.ts). Checked in test/unit/core/kernel-loaded.test.ts.

import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { rowValues } from "../rows";

/** Counts features from 0 instead of 1, in place, and returns how many there are; 0, with some of them changed, where one was counted from 0 already. */
export function lowerFeatures(features: usize, count: u32): u32 {
  let most: u32 = 0;
  let least: u32 = u32.MAX_VALUE;
  for (let k: u32 = 0; k < count; k++) {
    const feature = at<u32>(features, k);
    most = max(most, feature);
    least = min(least, feature);
    put<u32>(features, k, feature - 1);
  }
  return least == 0 ? 0 : most;
}

/** values *= sign, and no zero has a sign. */
export function turnSigns(values: usize, count: u32, sign: f64): void {
  for (let k: u32 = 0; k < count; k++) put<f64>(values, k, sign * at<f64>(values, k) + 0);
}

/**
 * The coefficients of vectors [from, to) that are not 0, and the decision value places[m] that column m is part of, behind the first `next` of all; starts[i + 1] is where those of vector i end. Returns
 * how many there are then. dense: f64[][columns].
 */
export function gatherCoefficients(
  dense: usize,
  from: u32,
  to: u32,
  columns: u32,
  places: usize,
  starts: usize,
  outPlaces: usize,
  outValues: usize,
  next: u32,
): u32 {
  let p = dense + ((<usize>from * columns) << 3);
  for (let i = from; i < to; i++) {
    for (let m: u32 = 0; m < columns; m++, p += 8) {
      const value = load<f64>(p);
      if (value == 0) continue;
      put<u32>(outPlaces, next, at<u32>(places, m));
      put<f64>(outValues, next, value);
      next++;
    }
    put<u32>(starts, i + 1, next);
  }
  return next;
}

/** The largest |x_i|^2 sqrt(base + c / per) of the rows in ids[0, count), c the values of x_i that are not 0; summed in their order. */
export function largestSquare(x: Rows, ids: usize, count: u32, base: f64, per: f64): f64 {
  let most: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const row = at<u32>(ids, k);
    const end = rowValues(x, row + 1);
    let square: f64 = 0;
    let used: u32 = 0;
    for (let p = rowValues(x, row); p < end; p += 4) {
      const value = <f64>load<f32>(p);
      square += value * value;
      used += u32(value != 0);
    }
    most = max(most, square * sqrt(base + <f64>used / per));
  }
  return most;
}
