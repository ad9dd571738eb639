// Kinds of columns that were found from their values, looked at once more: what a table learns from must make sense.

import { HingeError, shown } from "../base/errors.js";
import type { ColumnKind } from "../base/options/csv.js";
import { type CategoricalColumn, type Column, MISSING_CODE, type Table, type TextColumn } from "../data/table.js";
import { hasTerms } from "../estimators/tfidf-vectorizer.js";
import type { TableAndLabels } from "../formats/csv.js";

interface Said {
  /** What messages call the file. */
  readonly name: string;
  readonly label: string | number | undefined;
  /** Kinds that the user said, which are left alone. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
}

/** The table with the kinds that it learns from: a column of texts without a single term, such as single letters, holds categories. */
export function settled({ table, y }: TableAndLabels, { name, label, kinds }: Said): { x: Table; y: TableAndLabels["y"] } {
  const isSaid = (column: string | number | undefined): boolean => column !== undefined && Object.hasOwn(kinds, column);
  const columns = table.columns.map((column) => {
    if (isSaid(column.name) || (column.kind !== "text" && column.kind !== "categorical")) return column;
    const texts = column.kind === "text" ? column.values : column.levels;
    refuseCommas(texts, `${name}: column ${shown(column.name)}`, column.name);
    return column.kind === "text" && !hasTerms(texts) ? asCategories(column) : column;
  });
  const isNamed = typeof label === "string";
  if (y !== undefined && typeof y[0] === "string" && !isSaid(label))
    refuseCommas(y as readonly string[], `${name}: the label column${isNamed ? ` ${shown(label)}` : ""}`, isNamed ? label : "<its name>");
  return { x: { ...table, columns }, y };
}

/** Numbers as they are written where the comma is the decimal sign. As categories or texts they would teach nothing. */
function refuseCommas(texts: readonly (string | undefined)[], where: string, column: string): void {
  const example = texts.find((text) => text?.includes(","));
  if (example === undefined || !texts.every((text) => text === undefined || /^[+-]?[\d.,]*\d$/.test(text))) return;
  throw new HingeError(
    "bad-file",
    `${where} must hold numbers with decimal points, got commas as in ${shown(example)}; write points, or say --kinds ${column}=categorical if these are no numbers`,
  );
}

function asCategories({ name, values, missingCount }: TextColumn): Column {
  const levels = [...new Set(values.filter((value) => value !== undefined))].sort();
  const codeOf = new Map<string | undefined, number>(levels.map((level, code) => [level, code]));
  const codes = Uint32Array.from(values, (value) => codeOf.get(value) ?? MISSING_CODE);
  return { name, kind: "categorical", levels, codes, missingCount } satisfies CategoricalColumn;
}
