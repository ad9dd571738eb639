// A table of one row from an object of one value a column: what a form or a request holds.

import { HingeError, shown } from "../base/errors.js";
import type { ColumnKind } from "../base/options/csv.js";
import { type Column, MISSING_CODE, type Table } from "./table.js";

/** undefined, null and NaN are missing values; a column that is not named is missing, too. */
export type RecordOfOne = Readonly<Record<string, number | string | null | undefined>>;

/** The table with columns of these kinds. Names that are not among them are left out. */
export function tableOfOne(record: RecordOfOne, kinds: Readonly<Record<string, ColumnKind>>): Table {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw HingeError.input(`a row must be an object such as { age: 30, city: "Bern" }, got ${shown(record)}`);
  const columns = Object.entries(kinds).map(([name, kind]): Column => {
    const value = record[name] ?? undefined;
    const isMissing = value === undefined || (typeof value === "number" && Number.isNaN(value));
    const missingCount = isMissing ? 1 : 0;
    if (kind === "numeric") {
      if (!isMissing && typeof value !== "number")
        throw HingeError.input(`column ${shown(name)} of the row must be a number, got ${shown(value)}`);
      return { name, kind, values: Float64Array.of(isMissing ? Number.NaN : (value as number)), missingCount };
    }
    const text = isMissing ? undefined : String(value);
    if (kind === "text") return { name, kind, values: [text], missingCount };
    return {
      name,
      kind,
      levels: text === undefined ? [] : [text],
      codes: Uint32Array.of(text === undefined ? MISSING_CODE : 0),
      missingCount,
    };
  });
  return { rowCount: 1, columns };
}
