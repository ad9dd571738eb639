// Which classes are found and which are taken for which: the matrix, by class, and the pairs that are mixed up most.

import { type ClassScores, type ConfusionMatrix, classReport, confusionMatrix } from "../metrics/classes.js";
import { heatMap } from "./heat-map.js";
import type { TestedRows } from "./input.js";
import { scrolling, type TableColumn, table } from "./tables.js";
import { type ClassCurve, rowsNote, rowsText, type TestedClasses } from "./tested.js";
import { cut, escaped, fixed, grouped, share } from "./text.js";

/** Up to so many classes the matrix is a table with numbers. */
const MOST_WITH_NUMBERS = 12;
/** So many classes are listed; of more, the worst of them, and all where the reader asks. */
const MOST_LISTED = 12;
const MOST_PAIRS = 10;

export function classResults(tested: TestedClasses, curves: readonly ClassCurve[], rows: TestedRows | undefined): string {
  const { y, predicted, leftOut } = tested;
  const matrix = confusionMatrix(y, predicted);
  const note = rowsNote(leftOut, rows);
  const opening = `<p>${escaped(openingText(tested))}${note === "" ? "" : ` ${escaped(note)}`}</p>`;
  const count = matrix.classes.length;
  const figure = `<figure>\n<h3>Confusion matrix</h3>\n<p class="note">${matrixNote(count, rowsText(y.length, rows))}</p>\n${
    count <= MOST_WITH_NUMBERS ? matrixTable(matrix) : matrixMap(matrix)
  }\n</figure>`;
  const pairs = count > 2 ? confusedPairs(matrix) : "";
  const byClass = classTable(tested, curves);
  const isNarrow = count <= 4;
  if (isNarrow) return `${opening}\n<div class="pair">${figure}\n<div class="stack">${byClass}${pairs}</div></div>`;
  return `${opening}\n${figure}\n<div class="pair"><div>${byClass}</div><div>${pairs}</div></div>`;
}

function openingText({ y, predicted }: TestedClasses): string {
  const { classes } = classReport(y, predicted);
  const most = classes.reduce((largest, one) => (one.support > largest.support ? one : largest));
  const wrong = y.filter((label, i) => label !== predicted[i]).length;
  const missed =
    wrong === 0
      ? "No row was taken for another class."
      : `${grouped(wrong)} of ${grouped(y.length)} rows ${wrong === 1 ? "was" : "were"} taken for another class.`;
  const guess = `Always saying ${cut(String(most.label), 40)} would be right for ${share(most.support / y.length)}`;
  return `${missed} ${guess}: no class is more frequent.`;
}

function matrixNote(count: number, rows: string): string {
  const shade = "Shades are shares of the row's class: blue where it was found, orange where it was taken for another.";
  return count <= MOST_WITH_NUMBERS ? `${escaped(rows)}, and the share of their class.` : `${escaped(rows)}. ${shade}`;
}

/** How strong a cell of the matrix is: errors are rare and must be seen, so theirs grows faster. */
function strengthOf(part: number, isRight: boolean): number {
  return isRight ? part : Math.sqrt(part);
}

function rowSums({ counts }: ConfusionMatrix): number[] {
  return counts.map((row) => row.reduce((sum, count) => sum + count, 0));
}

function matrixTable(matrix: ConfusionMatrix): string {
  const { classes, counts } = matrix;
  const sums = rowSums(matrix);
  const names = classes.map((label) => escaped(cut(String(label), 40)));
  const cell = (row: number, column: number): string => {
    const count = counts[row]?.[column] as number;
    const part = (sums[row] as number) > 0 ? count / (sums[row] as number) : 0;
    const parts = row === column ? "accent" : "wrong";
    // Not stronger than numbers can be read on.
    const strength = count === 0 ? 0 : 0.04 + 0.46 * strengthOf(part, row === column);
    const shade = count === 0 ? "" : ` style="--shade:var(--${parts}-parts) / ${fixed(strength, 2)}"`;
    return `<td${shade}><b>${grouped(count)}</b><small>${share(part)}</small></td>`;
  };
  const body = classes.map(
    (_, row) => `<tr><th scope="row">${names[row]}</th>${classes.map((_label, column) => cell(row, column)).join("")}</tr>`,
  );
  const head = `<tr><td></td><th class="axis" scope="colgroup" colspan="${classes.length}">predicted →</th></tr>
<tr><th class="axis" scope="col">actual ↓</th>${names.map((name) => `<th scope="col">${name}</th>`).join("")}</tr>`;
  const look = classes.length <= 2 ? "matrix two" : "matrix";
  return scrolling("Confusion matrix", `<table class="${look}"><thead>${head}</thead><tbody>\n${body.join("\n")}\n</tbody></table>`);
}

function matrixMap(matrix: ConfusionMatrix): string {
  const { classes, counts } = matrix;
  const sums = rowSums(matrix);
  const names = classes.map(String);
  // All of it fits on a page of usual width; names that do not fit are left out.
  const size = Math.min(30, Math.max(5, Math.floor(740 / classes.length)));
  const { text, width } = heatMap({
    id: "confusion",
    title: "Confusion matrix",
    description:
      `A cell for each of ${classes.length} classes, down, and the class it was predicted as, across. ` +
      "The list of confused pairs says the most frequent errors in words.",
    ...{ rows: names, columns: names, names: ["actual", "predicted"], size: [size, size], isSteep: true },
    cell: (row, column) => {
      const count = counts[row]?.[column] as number;
      if (count === 0) return undefined;
      const part = count / (sums[row] as number);
      const strength = 0.2 + 0.8 * strengthOf(part, row === column);
      const hint = `${names[row]} predicted as ${names[column]}: ${grouped(count)} (${share(part)})`;
      return { strength, look: row === column ? "accent" : "wrong", hint };
    },
  });
  return scrolling("Confusion matrix", `<div style="width:${Math.round(width)}px;max-width:none">${text}</div>`);
}

function confusedPairs(matrix: ConfusionMatrix): string {
  const { classes, counts } = matrix;
  const sums = rowSums(matrix);
  const pairs = classes.flatMap((_, row) =>
    classes.flatMap((_label, column) => {
      const count = counts[row]?.[column] as number;
      return row === column || count === 0 ? [] : [{ row, column, count }];
    }),
  );
  if (pairs.length === 0) return "";
  const worst = pairs.sort((a, b) => b.count - a.count || a.row - b.row || a.column - b.column).slice(0, MOST_PAIRS);
  const name = (k: number): string => escaped(cut(String(classes[k]), 40));
  const columns: TableColumn[] = [
    { head: "Class" },
    { head: "taken for" },
    { head: "rows", isNumber: true },
    { head: "of its class", isNumber: true },
  ];
  const lines = worst.map(({ row, column, count }) => [name(row), name(column), grouped(count), share(count / (sums[row] as number))]);
  return `<h3>Most confused</h3>\n${table("Most confused classes", columns, lines)}`;
}

function classTable(tested: TestedClasses, curves: readonly ClassCurve[]): string {
  const { classes, macro } = classReport(tested.y, tested.predicted);
  const areas = new Map(curves.map(({ label, roc }) => [label, roc.area]));
  const hasAreas = areas.size > 0;
  const columns: TableColumn[] = [
    { head: "Class" },
    ...["precision", "recall", "F1", ...(hasAreas ? ["ROC area"] : []), "rows"].map((head) => ({ head, isNumber: true })),
  ];
  const cells = ({ label, precision, recall, f1, support }: ClassScores): string[] => [
    escaped(cut(String(label), 40)),
    ...[precision, recall, f1].map((value) => fixed(value)),
    ...(hasAreas ? [fixed(areas.get(label) ?? Number.NaN)] : []),
    grouped(support),
  ];
  const mean = [
    "mean",
    ...[macro.precision, macro.recall, macro.f1].map((value) => fixed(value)),
    ...(hasAreas ? [""] : []),
    grouped(tested.y.length),
  ];
  const all = [...classes.map(cells), mean];
  if (classes.length <= MOST_LISTED) return `<h3>By class</h3>\n${table("By class", columns, all)}\n`;
  const worst = [...classes].sort((a, b) => a.f1 - b.f1 || (a.label < b.label ? -1 : 1)).slice(0, MOST_PAIRS);
  return `<h3>Weakest classes</h3>\n${table("Weakest classes", columns, worst.map(cells))}
<details><summary>All ${classes.length} classes</summary>${table("All classes", columns, all)}</details>\n`;
}
