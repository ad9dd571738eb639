// The doctor: what a data set is, and everything about it that will hurt, each with its remedy. Findings are data; the command line prints them.

import type { Matrix } from "../data/matrix.js";
import { columnFindings } from "./doctor-columns.js";
import { bySeverity, type Finding, type Place } from "./doctor-finding.js";
import { type LabelSummary, labelFindings, summarize } from "./doctor-labels.js";
import { rowFindings } from "./doctor-rows.js";

export type { Finding, FindingKind, Place, Severity } from "./doctor-finding.js";
export type { ClassCount, LabelSummary } from "./doctor-labels.js";

export interface Diagnosis {
  readonly rowCount: number;
  readonly featureCount: number;
  readonly valueCount: number;
  /** Stored values over rows times features; 0 without any. */
  readonly density: number;
  readonly labels: LabelSummary;
  /** The most serious first. */
  readonly findings: readonly Finding[];
}

export interface ExamineOptions {
  /** What the first feature is called where findings name features. */
  readonly indexBase: 0 | 1;
  /** What was found while the text was read. */
  readonly reading?: readonly Finding[];
}

/** Returns what there is to say about rows and their labels or targets; a label that is NaN is none. Places of rows count from 0. */
export async function examine(x: Matrix, y: Float64Array, { indexBase, reading = [] }: ExamineOptions): Promise<Diagnosis> {
  const { rowCount, featureCount, valueCount } = x;
  const labels = summarize(y);
  const findings = [
    ...reading,
    ...labelFindings(labels),
    ...columnFindings(x, indexBase),
    ...(await rowFindings(x, y, labels.kind === "classes")),
  ];
  const cells = rowCount * featureCount;
  const density = cells === 0 ? 0 : valueCount / cells;
  return { rowCount, featureCount, valueCount, density, labels, findings: bySeverity(findings) };
}

/** The rows that findings name, rising. */
export function rowsNamed({ findings }: Diagnosis): number[] {
  const rows = findings.flatMap(({ places }) => places.flatMap(({ row }) => (row === undefined ? [] : [row])));
  return [...new Set(rows)].sort((a, b) => a - b);
}

/** The diagnosis with the line of each row that findings name. */
export function withLines(diagnosis: Diagnosis, lines: ReadonlyMap<number, number>): Diagnosis {
  const placed = (place: Place): Place => {
    const line = place.row === undefined ? undefined : lines.get(place.row);
    return line === undefined ? place : { ...place, line };
  };
  return { ...diagnosis, findings: diagnosis.findings.map((finding) => ({ ...finding, places: finding.places.map(placed) })) };
}
