// What there is to say about a table: what each column holds, and what about it will hurt.

import { counted } from "../base/words.js";
import type { Label } from "../data/labels.js";
import type { Column, Table } from "../data/table.js";
import { MISSING_CODE } from "../data/table.js";
import { bySeverity, type Finding, type Severity } from "./doctor-finding.js";
import { type LabelSummary, labelFindings, summarize } from "./doctor-labels.js";

export interface ColumnSummary {
  readonly name: string;
  readonly kind: Column["kind"];
  readonly missingCount: number;
  /** How many different values there are. */
  readonly valueCount: number;
  /** Of numbers. */
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface TableDiagnosis {
  readonly rowCount: number;
  readonly columns: readonly ColumnSummary[];
  readonly labels: LabelSummary;
  /** The most serious first. */
  readonly findings: readonly Finding[];
}

/** Returns what there is to say about a table and the labels of its rows, if it has any. */
export function examineTable(table: Table, y: ArrayLike<Label> | undefined): TableDiagnosis {
  const columns = table.columns.map(summaryOf);
  const labels = y === undefined ? ({ kind: "none" } as const) : summarize(y);
  return { rowCount: table.rowCount, columns, labels, findings: bySeverity([...labelFindings(labels), ...columnFindings(columns)]) };
}

function summaryOf(column: Column): ColumnSummary {
  const { name, kind, missingCount } = column;
  if (column.kind === "missing") return { name, kind, missingCount, valueCount: 0 };
  if (column.kind !== "numeric") {
    const values = new Set<unknown>(column.kind === "text" ? column.values : column.codes);
    values.delete(column.kind === "text" ? undefined : MISSING_CODE);
    return { name, kind, missingCount, valueCount: values.size };
  }
  const values = column.values.filter((value) => !Number.isNaN(value));
  const [minimum, maximum] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  return { name, kind, missingCount, valueCount: new Set(values).size, ...(values.length > 0 && { minimum, maximum }) };
}

const MOST_NAMED = 5;

function columnFindings(columns: readonly ColumnSummary[]): Finding[] {
  const found = (
    kind: Finding["kind"],
    severity: Severity,
    which: readonly ColumnSummary[],
    what: readonly [string, string],
    remedy: string,
  ): Finding[] => {
    if (which.length === 0) return [];
    const names = `${which
      .slice(0, MOST_NAMED)
      .map(({ name }) => name)
      .join(", ")}${which.length > MOST_NAMED ? ", …" : ""}`;
    const message = `${counted(which.length, `column ${what[0]}`, `columns ${what[1]}`)}: ${names}`;
    return [{ kind, severity, message, remedy, count: which.length, places: [] }];
  };
  const hasValues = columns.filter(({ valueCount }) => valueCount > 0);
  return [
    ...found(
      "empty-columns",
      "warning",
      columns.filter(({ valueCount }) => valueCount === 0),
      ["has no values", "have no values"],
      "it is left out of training; remove it, or fill it in",
    ),
    ...found(
      "constant-columns",
      "warning",
      hasValues.filter(({ valueCount }) => valueCount === 1),
      ["holds one value only", "hold one value only"],
      "remove what is the same in every row: nothing can be learnt from it",
    ),
    ...found(
      "missing-values",
      "note",
      hasValues.filter(({ missingCount }) => missingCount > 0),
      ["lacks values", "lack values"],
      "hinge train puts the mean in the place of numbers and leaves categories and texts without a feature",
    ),
  ];
}
