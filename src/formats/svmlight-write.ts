// Rows and labels to svmlight text that `readSvmlight` reads back to the same bits.

import { HingeError, shown } from "../base/errors.js";
import { type SvmlightWriteOptions, svmlightWriteOptions } from "../base/options/csv.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { matrix } from "../runtime/runtime.js";
import { shortestDouble, shortestFloat } from "./number-text.js";
import { TextBuilder } from "./text-builder.js";

/**
 * Returns the bytes of an svmlight file with rows `x` and numbers `y`. Zeros are left out, so trailing features without a value
 * come back only if `featureCount` tells `readSvmlight` of them.
 */
export function writeSvmlight(x: RowsInput | Matrix, y: LabelsInput, options?: SvmlightWriteOptions): Uint8Array {
  const { indexBase, queries } = svmlightWriteOptions.check(options);
  const rows = matrix(x);
  checkNumbers(y, "y", "a finite number; svmlight files hold no other labels", rows.rowCount, Number.isFinite);
  if (queries !== undefined) checkNumbers(queries, "queries", "a whole number from 0", rows.rowCount, isQuery);
  const text = new TextBuilder();
  for (let i = 0; i < rows.rowCount; i++) {
    let line = shortestDouble(y[i] as number);
    if (queries !== undefined) line += ` qid:${queries[i]}`;
    rows.forEachInRow(i, (feature, value) => {
      if (value !== 0) line += ` ${feature + indexBase}:${shortestFloat(value)}`;
    });
    text.add(`${line}\n`);
  }
  return text.finish();
}

const isQuery = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function checkNumbers(list: ArrayLike<unknown>, name: string, must: string, rowCount: number, isRight: (value: unknown) => boolean): void {
  if (!(Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView)))) {
    throw HingeError.input(`${name} must be an array of one number a row, got ${shown(list)}`);
  }
  if (list.length !== rowCount) throw HingeError.input(`${name} has ${list.length} values for ${rowCount} rows; there must be one a row`);
  for (let i = 0; i < rowCount; i++) {
    if (!isRight(list[i])) throw HingeError.input(`${name} at row ${i} must be ${must}, got ${shown(list[i])}`);
  }
}
