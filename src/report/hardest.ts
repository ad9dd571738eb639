// The rows that a model got most wrong: found among predictions, and shown.

import type { ClassTest, HardRow, NumberTest, TestPart } from "./input.js";
import { type TableColumn, table } from "./tables.js";
import { type TestedScores, testedClasses } from "./tested.js";
import { brief, cut, escaped, fixed, valueText } from "./text.js";

type Label = number | string;

const LONGEST_TEXT = 240;

export interface HardestOptions {
  /** Default 10. */
  readonly count?: number;
  /** What the reader calls a row of the test; if not given, they are counted from 1. */
  readonly rowOf?: (index: number) => number | string;
  readonly textOf?: (index: number) => string | undefined;
}

/** Returns the rows with the smallest margins, or of a regression with the largest errors, the hardest first. None without scores. */
export function hardestRows(test: TestPart, { count = 10, rowOf, textOf }: HardestOptions = {}): HardRow[] {
  const found = test.kind === "numbers" ? largestErrors(test) : smallestMargins(test);
  return found.slice(0, count).map(({ index, ...rest }) => ({ row: rowOf?.(index) ?? index + 1, ...rest, text: textOf?.(index) }));
}

interface Found extends Omit<HardRow, "row" | "text"> {
  readonly index: number;
}

function largestErrors({ y, predicted }: NumberTest): Found[] {
  const residual = (i: number): number => (predicted[i] as number) - (y[i] as number);
  return Array.from({ length: y.length }, (_, i) => i)
    .filter((i) => Number.isFinite(residual(i)))
    .sort((a, b) => Math.abs(residual(b)) - Math.abs(residual(a)) || a - b)
    .map((index) => ({ index, label: y[index] as number, predicted: predicted[index] as number, residual: residual(index) }));
}

function smallestMargins(test: ClassTest): Found[] {
  const scores = testedClasses(test)?.scores;
  if (scores === undefined) return [];
  const { rows, y, predicted } = scores;
  return rows
    .map((index, i) => ({ index, label: y[i] as Label, predicted: predicted[i] as Label, margin: marginOf(scores, i) }))
    .filter(({ margin }) => Number.isFinite(margin))
    .sort((a, b) => a.margin - b.margin || a.index - b.index);
}

/** The score of the row's own class less the best of the others; of two classes the decision value, or the lead in probability. */
function marginOf({ y, classes, lists, isProbability }: TestedScores, i: number): number {
  const own = classes.indexOf(y[i] as Label);
  if (own < 0) return Number.NaN;
  if (classes.length === 2) {
    const value = lists[0]?.[i] as number;
    return (own === 1 ? 1 : -1) * (isProbability ? 2 * value - 1 : value);
  }
  const others = lists.reduce((most, list, k) => (k === own ? most : Math.max(most, list[i] as number)), -Infinity);
  return (lists[own]?.[i] as number) - others;
}

/** The table of a report. */
export function hardestTable(rows: readonly HardRow[]): string {
  if (rows.length === 0) return "";
  const isNumeric = rows.some(({ residual }) => residual !== undefined);
  const hasMargin = rows.some(({ margin }) => margin !== undefined);
  const hasText = rows.some(({ text }) => text !== undefined && text !== "");
  const columns: TableColumn[] = [
    { head: "Row" },
    { head: "actual", isNumber: isNumeric },
    { head: "predicted", isNumber: isNumeric },
    ...(isNumeric ? [{ head: "residual", isNumber: true }] : hasMargin ? [{ head: "margin", isNumber: true }] : []),
    ...(hasText ? [{ head: "what it says", isText: true }] : []),
  ];
  const value = (label: number | string): string =>
    escaped(isNumeric && typeof label === "number" ? brief(label) : cut(valueText(label), 40));
  const lines = rows.map(({ row, label, predicted, margin, residual, text }) => [
    escaped(valueText(row)),
    value(label),
    label === predicted || isNumeric ? value(predicted) : `<span class="miss">${value(predicted)}</span>`,
    ...(isNumeric ? [brief(residual ?? Number.NaN)] : hasMargin ? [fixed(margin ?? Number.NaN)] : []),
    ...(hasText ? [escaped(cut(text ?? "", LONGEST_TEXT))] : []),
  ]);
  const meaning = isNumeric
    ? "The rows with the largest errors. Some may be mistakes of the data."
    : hasMargin
      ? "The rows furthest on the wrong side. A margin is by how much the row's own class is ahead; below 0 another one is. " +
        "Labels here are worth a second look."
      : "Rows that are worth a second look.";
  return `<p>${meaning}</p>\n${table("Hardest rows", columns, lines)}`;
}
