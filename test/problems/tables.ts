// Generated tables, and their parts, for property tests of formats.

import fc from "fast-check";
import { type Column, MISSING_CODE, type Table } from "../../src/data/table.ts";

/** Texts that a careless writer or reader would spoil. */
export const nastyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab1,;\t \"'\n\r.eNA?\ufeff\u00e9\u{1f600}\0#"), maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", "NA", "NaN", "?", '"', '""', "1e5", "-0", "\r\n", ","),
);

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 5e-324, 1.7976931348623157e308, 0.1, 1e21, 1e-7),
);

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 5 });

function numeric(name: string, list: readonly (number | undefined)[]): Column {
  return { name, kind: "numeric", values: Float64Array.from(list, (x) => x ?? Number.NaN), missingCount: countMissing(list) };
}

function categorical(name: string, list: readonly (string | undefined)[]): Column {
  const levels = [...new Set(list.filter((text) => text !== undefined))].sort();
  const codes = Uint32Array.from(list, (text) => (text === undefined ? MISSING_CODE : levels.indexOf(text)));
  return { name, kind: "categorical", levels, codes, missingCount: countMissing(list) };
}

function countMissing(list: readonly unknown[]): number {
  return list.filter((value) => value === undefined).length;
}

/** A column of `rowCount` rows, of any kind. */
function column(rowCount: number, name: string): fc.Arbitrary<Column> {
  const size = { minLength: rowCount, maxLength: rowCount };
  return fc.oneof(
    fc.array(optional(finite), size).map((list) => numeric(name, list)),
    fc.array(optional(nastyText), size).map((list) => categorical(name, list)),
    fc.array(optional(nastyText), size).map((values): Column => ({ name, kind: "text", values, missingCount: countMissing(values) })),
    fc.constant<Column>({ name, kind: "missing", missingCount: rowCount }),
  );
}

/** Tables of up to five columns and eight rows. */
export const anyTable: fc.Arbitrary<Table> = fc
  .tuple(
    fc.integer({ min: 1, max: 8 }),
    fc.uniqueArray(
      nastyText.filter((name) => name !== ""),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .chain(([rowCount, names]) =>
    fc.tuple(...names.map((name) => column(rowCount, name))).map((columns) => ({ rowCount, columns: columns as Column[] })),
  );
