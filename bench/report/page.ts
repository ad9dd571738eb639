// docs/performance.md from bench/results: a table and, where there is something to see, a chart for every case that was run. What
// people wrote in the page stays; each case owns the lines between its two markers.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Row } from "../cases/case.ts";
import type { Machine, Spread } from "../protocol.ts";
import { barChart, short } from "./bar-chart.ts";
import { lineCharts, type SmallChart } from "./line-charts.ts";
import { ratioChart } from "./ratio-chart.ts";
import { tableLines, tableSection } from "./table.ts";

interface Results {
  readonly case: string;
  readonly title: string;
  readonly command: string;
  readonly machine: Machine;
  readonly rows: readonly Row[];
}

const PAGE = "docs/performance.md";

export function writePerformancePage(): void {
  let page = readFileSync(PAGE, "utf8");
  for (const file of readdirSync("bench/results")
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    const results = JSON.parse(readFileSync(`bench/results/${file}`, "utf8")) as Results;
    page = withSection(page, results.case, section(results));
  }
  const lines = tableLines(rowsOf);
  writeFileSync("docs/performance-table.svg", ratioChart("hinge and its peers", lines));
  writeFileSync(PAGE, withSection(page, "table", tableSection(lines)));
}

function rowsOf(name: string): readonly Row[] {
  const path = `bench/results/${name}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results).rows : [];
}

/** The page with the section between the case's markers replaced, or added at the end. */
function withSection(page: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const whole = `${open}\n${text}\n${close}`;
  const from = page.indexOf(open);
  const to = page.indexOf(close);
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${whole}\n`;
  return page.slice(0, from) + whole + page.slice(to + close.length);
}

function section({ case: name, title, command, machine, rows }: Results): string {
  // Sets may have been measured at different commits; the JSON tells which.
  const commits = [...new Set(rows.flatMap(({ commit }) => (typeof commit === "string" ? [commit] : [])))];
  // So may the processors be; rows from before they were written down have none.
  const cpus = [...new Set(rows.flatMap(({ cpu }) => (typeof cpu === "string" ? [cpu] : [])))];
  const made = `Made by \`${command}\` at ${commits.length > 0 ? commits.join(", ") : machine.commit} on ${machine.date}: ${machine.cores} cores of ${cpus.length > 0 ? cpus.join(", ") : machine.cpu}, Node ${machine.node}, load ${machine.load.toFixed(2)}. Medians, with the least and the most of all runs in brackets.`;
  const chart = chartOf(name, title, rows);
  return [`## ${title}`, "", made, "", ...(chart === undefined ? [] : [`![${title}](${chart})`, ""]), ...tablesOf(rows)].join("\n");
}

/** In the JSON only: what a table has no room for. */
const KEPT_BACK = ["measure", "runs", "points", "version", "flags", "rungs", "commit", "cpu", "part"];

/** One table a kind of measurement; columns are the figures that its rows have. Every run is in the JSON. */
export function tablesOf(rows: readonly Row[]): string[] {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  return measures.flatMap((measure) => {
    const own = rows.filter((row) => row.measure === measure).map(withTime);
    const columns = [...new Set(own.flatMap((row) => Object.keys(row)))].filter(
      (key) => !KEPT_BACK.includes(key) && own.some((row) => row[key] !== undefined),
    );
    const isFigure = (key: string): boolean => own.some((row) => typeof row[key] === "number" || isSpread(row[key]));
    return [
      `**${measure}**`,
      "",
      `| ${columns.map(words).join(" | ")} |`,
      `|${columns.map((key) => (isFigure(key) ? "--:" : "---")).join("|")}|`,
      ...own.map((row) => `| ${columns.map((key) => cell(row[key])).join(" | ")} |`),
      "",
    ];
  });
}

/** A row's times, which are fields of its own, as one figure in their place. */
function withTime(row: Row): Readonly<Record<string, unknown>> {
  const { median, least, most } = row;
  const figures = Object.entries(row).filter(([key]) => key !== "least" && key !== "most");
  return Object.fromEntries(figures.map(([key, value]) => (key === "median" ? ["milliseconds", { median, least, most }] : [key, value])));
}

/** "megabytesPerSecond" as "megabytes per second". */
function words(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function isSpread(value: unknown): value is Omit<Spread, "runs"> {
  return typeof value === "object" && value !== null && "median" in value && "least" in value && "most" in value;
}

function cell(value: unknown): string {
  if (isSpread(value)) return `${shown(value.median)} (${shown(value.least)}–${shown(value.most)})`;
  if (typeof value === "number") return shown(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === undefined || value === null ? "" : String(value);
}

function shown(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-2 ? value.toExponential(1) : short(value);
}

/** A chart of the rows' medians, if they have any. */
function chartOf(name: string, title: string, rows: readonly Row[]): string | undefined {
  const lines = lineChartsOf(rows);
  if (lines.length > 0) {
    writeFileSync(`docs/performance-${name}.svg`, lineCharts(title, lines));
    return `performance-${name}.svg`;
  }
  const bars = rows.flatMap((row) =>
    typeof row.median === "number"
      ? [{ group: [row.data, row.loss, row.part].filter(Boolean).join(", "), label: row.contender, value: row.median }]
      : [],
  );
  if (bars.length === 0) return undefined;
  const file = `performance-${name}.svg`;
  writeFileSync(`docs/${file}`, barChart(`${title}, milliseconds`, bars));
  return existsSync(`docs/${file}`) ? file : undefined;
}

/** Rows that say how one figure goes with another: gaps with time, or time with sizes. One chart a set and problem, or a size. */
function lineChartsOf(rows: readonly Row[]): SmallChart[] {
  const charts = new Map<string, SmallChart>();
  for (const row of rows) {
    const points = (row.points ?? []) as readonly { milliseconds: unknown; gap?: number; at?: number }[];
    const isCurve = points.some(({ gap }) => gap !== undefined);
    if (!isCurve && !points.some(({ at }) => at !== undefined)) continue;
    const title = isCurve ? `${row.data.replace(".train", "")}: ${row.problem}` : `time with ${row.over}`;
    const known = charts.get(title) ?? {
      title,
      xName: isCurve ? "seconds" : String(row.over),
      yName: isCurve ? "(P - D) / P" : "seconds",
      lines: [],
    };
    const own = points
      .map(({ milliseconds, gap, at }) => [Number(milliseconds) / 1000, gap, at] as const)
      .map(([time, gap, at]): readonly [number, number] => (isCurve ? [time, gap ?? 0] : [at ?? 0, time]))
      .filter(([x, y]) => x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y));
    const label = isCurve ? row.contender : row.contender.replace(/,.*/, "");
    charts.set(title, { ...known, lines: [...known.lines, { label, points: own }] });
  }
  return [...charts.values()].filter(({ lines }) => lines.some(({ points }) => points.length > 1));
}
