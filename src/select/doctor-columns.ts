// What there is to say about columns: scales, constants, and features that hardly occur.

import { counted, grouped } from "../base/words.js";
import { columnStatistics } from "../data/column-statistics.js";
import { Matrix } from "../data/matrix.js";
import { type Finding, MOST_PLACES, type Place, rounded } from "./doctor-finding.js";

/** The columns; where they are far more than the values, only those that any row has. */
interface ColumnTable {
  /** Feature of the matrix, from 0, of each of them. */
  readonly features: Uint32Array;
  /** Rows in which it is not 0. */
  readonly rows: Uint32Array;
  /** Whether all its values are whole. */
  readonly isWhole: Uint8Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

/** `indexBase`: what the first feature is called. */
export function columnFindings(x: Matrix, indexBase: number): Finding[] {
  if (x.rowCount === 0 || x.featureCount === 0) return [];
  const columns = tableOf(x);
  const all = Array.from(columns.features, (_, k) => k);
  const places = (some: readonly number[]): Place[] =>
    some.slice(0, MOST_PLACES).map((k) => ({ feature: (columns.features[k] as number) + indexBase }));
  return [
    ...unscaled(x, columns, all, places),
    ...farFromZero(columns, all, places),
    ...lostDigits(columns, all, places),
    ...constant(x, columns, all, places),
    ...seldom(x, columns, all, places),
    ...manyFeatures(x),
  ];
}

type PlacesOf = (some: readonly number[]) => Place[];

const at = (numbers: ArrayLike<number>, k: number): number => numbers[k] as number;

function tableOf(x: Matrix): ColumnTable {
  const { features, packed } = packedColumns(x);
  const { minimum, maximum, mean, variance } = columnStatistics(packed, new Float64Array(x.rowCount).fill(1));
  const rows = new Uint32Array(features.length);
  const isWhole = new Uint8Array(features.length).fill(1);
  for (let i = 0; i < packed.rowCount; i++) {
    packed.forEachInRow(i, (k, value) => {
      if (value === 0) return;
      rows[k] = at(rows, k) + 1;
      if (!Number.isInteger(value)) isWhole[k] = 0;
    });
  }
  return { features, rows, isWhole, minimum, maximum, mean, variance };
}

/** Features for which a table of all of them is small, whatever the rows; or small beside the rows. */
const FEW_FEATURES = 2 ** 21;
const VALUES_A_FEATURE = 16;

/** A matrix of the used columns alone: hashed features may have numbers of billions, and a table of so many columns fits nowhere. */
function packedColumns(x: Matrix): { features: Uint32Array; packed: Matrix } {
  if (x.kind === "dense" || x.featureCount <= Math.max(FEW_FEATURES, x.valueCount / VALUES_A_FEATURE)) {
    return { features: Uint32Array.from({ length: x.featureCount }, (_, j) => j), packed: x };
  }
  const sorted = x.indices.slice().sort();
  const features = sorted.filter((feature, k) => feature !== sorted[k - 1]);
  const shape = { kind: "csr", rowCount: x.rowCount, featureCount: features.length, valueCount: x.valueCount } as const;
  const indices = x.indices.map((feature) => placeOf(features, feature));
  return { features, packed: new Matrix(shape, { values: x.values, indices, starts: x.starts }) };
}

/** Where a number is in a rising list that has it. */
function placeOf(rising: Uint32Array, wanted: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(rising, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ranges that differ by more than this drown the smaller ones; sparse columns, as of words, differ more without harm. */
const DENSE_RATIO = 100;
const SPARSE_RATIO = 1000;
const SPARSE = 0.1;
/** Ranges of all columns for which C = 1 is far from anything sensible. */
const LARGE_RANGE = 1000;
const SMALL_RANGE = 1e-3;

function unscaled(x: Matrix, columns: ColumnTable, all: readonly number[], places: PlacesOf): Finding[] {
  const range = (k: number): number => at(columns.maximum, k) - at(columns.minimum, k);
  // A feature of one row says nothing about a scale.
  const varied = all.filter((k) => range(k) > 0 && at(columns.rows, k) > 1).sort((a, b) => range(a) - range(b));
  if (varied.length === 0) return [];
  const isSparse = x.valueCount < SPARSE * x.rowCount * x.featureCount;
  const ratio = isSparse ? SPARSE_RATIO : DENSE_RATIO;
  const middle = range(varied[(varied.length - 1) >>> 1] as number);
  const outlying = varied.filter((k) => range(k) >= ratio * middle || middle >= ratio * range(k));
  const [least, most] = [range(varied[0] as number), range(varied.at(-1) as number)];
  const scaler = isSparse ? "MaxAbsScaler" : "StandardScaler";
  const remedy = `scale the features: pipeline(${scaler}, …), or hinge scale; see docs/guides/scaling.md`;
  if (outlying.length > 0) {
    const shown = `the ranges of the columns go from ${rounded(least)} to ${rounded(most)}`;
    const off = `${counted(outlying.length, "column is", "columns are")} over ${ratio} times off the middle, ${rounded(middle)}`;
    const message = `${shown}: ${off}`;
    const worstFirst = outlying.reverse();
    return [{ kind: "unscaled-columns", severity: "warning", message, remedy, count: outlying.length, places: places(worstFirst) }];
  }
  if (middle < LARGE_RANGE && middle > SMALL_RANGE) return [];
  const message = `the columns have ranges of about ${rounded(middle)}, and the default C is for ranges of about 1`;
  return [{ kind: "unscaled-columns", severity: "warning", message, remedy, count: varied.length, places: places(varied) }];
}

/** |mean| over the standard deviation from which a column is mostly a second bias. */
const FAR = 30;

function farFromZero({ mean, variance }: ColumnTable, all: readonly number[], places: PlacesOf): Finding[] {
  const far = all.filter((k) => at(variance, k) > 0 && Math.abs(at(mean, k)) > FAR * Math.sqrt(at(variance, k)));
  if (far.length === 0) return [];
  const first = far[0] as number;
  const example = `the first: mean ${rounded(at(mean, first))}, standard deviation ${rounded(Math.sqrt(at(variance, first)))}`;
  const what = far.length === 1 ? "column is far from 0 and hardly varies" : "columns are far from 0 and hardly vary";
  const message = `${grouped(far.length)} ${what} (${example})`;
  const remedy = "centre them: pipeline(StandardScaler, …); years and codes may be better off as categories";
  return [{ kind: "far-from-zero", severity: "warning", message, remedy, count: far.length, places: places(far) }];
}

/** Whole numbers up to here are float32 numbers. */
const MOST_WHOLE = 2 ** 24;
/** Steps of float32 within the range of a column below which values that differ fall together. */
const FEW_STEPS = 10_000;

function lostDigits({ minimum, maximum, isWhole }: ColumnTable, all: readonly number[], places: PlacesOf): Finding[] {
  const lost = all.filter((k) => {
    const size = Math.max(Math.abs(at(minimum, k)), Math.abs(at(maximum, k)));
    const range = at(maximum, k) - at(minimum, k);
    return range > 0 && range < FEW_STEPS * size * 2 ** -23 && !(isWhole[k] === 1 && size <= MOST_WHOLE);
  });
  if (lost.length === 0) return [];
  const message = `${counted(lost.length, "column differs", "columns differ")} only in digits that float32, which holds seven, rounds away`;
  const remedy = "subtract a constant near the mean before the file is written: times as seconds since the first one";
  return [{ kind: "lost-digits", severity: "warning", message, remedy, count: lost.length, places: places(lost) }];
}

function constant(x: Matrix, { minimum, maximum, rows }: ColumnTable, all: readonly number[], places: PlacesOf): Finding[] {
  if (x.rowCount < 2) return [];
  const same = all.filter((k) => minimum[k] === maximum[k] && at(rows, k) > 0);
  if (same.length === 0) return [];
  const value = rounded(at(minimum, same[0] as number));
  const message = `${counted(same.length, "column is", "columns are")} the same in all rows (the first is ${value})`;
  const remedy = `remove ${same.length === 1 ? "it" : "them"}: the bias is a constant already`;
  return [{ kind: "constant-columns", severity: "warning", message, remedy, count: same.length, places: places(same) }];
}

/** Rows from which it is worth telling that a column is nearly always 0, and what that means. */
const ENOUGH_ROWS = 200;
const RARE = 0.01;

function seldom(x: Matrix, { rows }: ColumnTable, all: readonly number[], places: PlacesOf): Finding[] {
  const unused = x.featureCount - all.filter((k) => at(rows, k) > 0).length;
  const once = x.rowCount < 10 ? [] : all.filter((k) => rows[k] === 1);
  const rare = x.rowCount < ENOUGH_ROWS ? [] : all.filter((k) => at(rows, k) > 1 && at(rows, k) <= RARE * x.rowCount);
  const findings: Finding[] = [];
  if (unused > 0) {
    const message = `${grouped(unused)} of ${counted(x.featureCount, "feature")} ${unused === 1 ? "is" : "are"} 0 in all rows`;
    const remedy = "harmless where few; a linear model has a weight a feature, so number features without gaps where many";
    const severity = x.featureCount > FEW_FEATURES && 2 * unused > x.featureCount ? "warning" : "note";
    findings.push({ kind: "unused-columns", severity, message, remedy, count: unused, places: [] });
  }
  if (rare.length > 0) {
    const message = `${counted(rare.length, "column is", "columns are")} 0 in 99 % of the rows or more`;
    const remedy = 'usual in text; elsewhere see whether they are worth having: penalty: "l1" (--penalty l1) leaves out what is not';
    findings.push({ kind: "rare-columns", severity: "note", message, remedy, count: rare.length, places: places(rare) });
  }
  if (once.length > 0) {
    const message = `${counted(once.length, "feature occurs", "features occur")} in one row only`;
    const remedy = "they cannot help with other rows: leave them out (minDocuments: 2 of TfidfVectorizer)";
    findings.push({ kind: "single-row-columns", severity: "note", message, remedy, count: once.length, places: places(once) });
  }
  return findings;
}

function manyFeatures(x: Matrix): Finding[] {
  if (x.featureCount <= x.rowCount) return [];
  const message = `there are more features (${grouped(x.featureCount)}) than rows (${grouped(x.rowCount)})`;
  const remedy = "a linear model suffices: linear-svc or logistic-regression; a kernel adds time, seldom accuracy";
  return [{ kind: "more-features-than-rows", severity: "note", message, remedy, count: x.featureCount, places: [] }];
}
