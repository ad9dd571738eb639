// What there is to say about rows: equal ones, equal ones with different labels, empty ones, and how they are written.

import { counted, grouped } from "../base/words.js";
import { type Matrix, rowStart } from "../data/matrix.js";
import { equalRows } from "../estimators/equal-rows.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { type Finding, MOST_PLACES, type Place } from "./doctor-finding.js";

/** `hasClasses`: whether labels are classes, so that equal rows with different ones contradict each other. */
export async function rowFindings(x: Matrix, y: Float64Array, hasClasses: boolean): Promise<Finding[]> {
  const empty = emptyRows(x);
  const zeros = x.values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  return [
    ...(await equalFindings(x, y, hasClasses, empty.isEmpty)),
    ...(empty.count === 0 ? [] : [emptyFinding(empty.count, empty.places)]),
    ...(zeros === 0 ? [] : [zeroFinding(zeros)]),
    ...denseFinding(x),
  ];
}

function emptyRows(x: Matrix): { count: number; places: Place[]; isEmpty: Uint8Array } {
  const isEmpty = new Uint8Array(x.rowCount);
  const places: Place[] = [];
  let count = 0;
  for (let i = 0; i < x.rowCount; i++) {
    let at = rowStart(x, i);
    const to = rowStart(x, i + 1);
    while (at < to && x.values[at] === 0) at++;
    if (at < to) continue;
    isEmpty[i] = 1;
    count++;
    if (places.length < MOST_PLACES) places.push({ row: i });
  }
  return { count, places, isEmpty };
}

async function equalFindings(x: Matrix, y: Float64Array, hasClasses: boolean, isEmpty: Uint8Array): Promise<Finding[]> {
  const firstOf = await withMatrix(x, (packed) => equalRows(packed, beginCall({ threads: 1 })));
  if (firstOf === undefined) return [];
  const places: Place[] = [];
  let copies = 0;
  for (let i = 0; i < x.rowCount; i++) {
    if (firstOf[i] === i || isEmpty[i] === 1) continue;
    copies++;
    if (places.length < MOST_PLACES) places.push({ row: i });
  }
  const findings: Finding[] = hasClasses ? conflicts(y, firstOf, isEmpty) : [];
  if (copies > 0) {
    const message = `${counted(copies, "row repeats", "rows repeat")} an earlier one`;
    const remedy = "remove repeated rows or keep equal ones in one fold (groups): else a cross-validation tests on what it has seen";
    findings.push({ kind: "duplicate-rows", severity: "note", message, remedy, count: copies, places });
  }
  return findings;
}

/** Rows that hold the same and are labelled differently. */
function conflicts(y: Float64Array, firstOf: Uint32Array, isEmpty: Uint8Array): Finding[] {
  const disputed = new Map<number, Map<number, number>>();
  for (let i = 0; i < y.length; i++) if (isEmpty[i] === 0 && firstOf[i] !== i) disputed.set(firstOf[i] as number, new Map());
  const members = new Map<number, number[]>();
  for (let i = 0; i < y.length; i++) {
    const votes = disputed.get(firstOf[i] as number);
    if (votes === undefined || Number.isNaN(y[i] as number)) continue;
    votes.set(y[i] as number, (votes.get(y[i] as number) ?? 0) + 1);
    const rows = members.get(firstOf[i] as number) ?? [];
    if (rows.length === 0) members.set(firstOf[i] as number, rows);
    // The first, and the first that contradicts it, are enough to show.
    if (rows.length === 0 || (rows.length === 1 && y[rows[0] as number] !== y[i])) rows.push(i);
  }
  const places: Place[] = [];
  let [count, wrong, groups] = [0, 0, 0];
  for (const [first, votes] of disputed) {
    if (votes.size < 2) continue;
    const sizes = [...votes.values()];
    const total = sizes.reduce((a, b) => a + b, 0);
    groups++;
    count += total;
    wrong += total - sizes.reduce((a, b) => Math.max(a, b), 0);
    if (places.length < MOST_PLACES - 1) places.push(...(members.get(first) ?? []).map((row) => ({ row })));
  }
  if (groups === 0) return [];
  const which = `${counted(count, "row")} in ${counted(groups, "group")}`;
  const message = `${which} are equal but for their labels; any model gets at least ${grouped(wrong)} wrong`;
  const remedy = "look where their labels come from; keep one of each, or bring the feature that tells them apart";
  return [{ kind: "conflicting-rows", severity: "warning", message, remedy, count, places }];
}

function emptyFinding(count: number, places: readonly Place[]): Finding {
  const message = `${counted(count, "row has", "rows have")} no feature that is not 0`;
  const remedy = "see why: all empty rows get the same answer, that of the bias; remove them if they mean nothing";
  return { kind: "empty-rows", severity: "note", message, remedy, count, places };
}

function zeroFinding(count: number): Finding {
  const message = `${counted(count, "stored value is", "stored values are")} 0, or so small that it is 0 in float32`;
  return { kind: "stored-zeros", severity: "note", message, remedy: "leave zeros out: absent is 0", count, places: [] };
}

/** Below this many values the difference is nobody's business. */
const WORTH_MENTIONING = 1000;
const DENSE = 0.5;

function denseFinding(x: Matrix): Finding[] {
  const cells = x.rowCount * x.featureCount;
  if (x.kind === "dense" || x.valueCount < WORTH_MENTIONING || x.valueCount < DENSE * cells) return [];
  const message = `${Math.round((100 * x.valueCount) / cells)} % of all values are there: this file is dense, written as if it were sparse`;
  const remedy = "as CSV (readCsv, numericMatrix) or as plain arrays the rows take half the memory";
  return [{ kind: "dense-rows", severity: "note", message, remedy, count: x.valueCount, places: [] }];
}
