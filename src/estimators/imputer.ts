// Imputer: puts something in the place of what is missing in a table.

import { HingeError, shown } from "../base/errors.js";
import { type CheckedImputerOptions, type ImputerOptions, imputerOptions } from "../base/options/tables.js";
import { sampleWeights } from "../data/labels.js";
import { type CategoricalColumn, type Column, checkTable, MISSING_CODE, type NumericColumn, type Table } from "../data/table.js";
import { type ImputerData, type ImputerJson, imputerCodec } from "../model/tables.js";
import { StoredAsJson } from "./stored.js";

/** A fitted imputer: knows what to put in the place of a missing number or category, column by column. Make one with `Imputer.fit`. Immutable. */
export class Imputer extends StoredAsJson {
  /** What takes the place of a missing value, by column. */
  readonly fills: ReadonlyMap<string, number | string>;
  /** Whether each column is followed by one that says where values were missing. */
  readonly hasIndicator: boolean;
  readonly #data: ImputerData;

  private constructor(data: ImputerData) {
    super();
    this.#data = data;
    this.hasIndicator = data.indicator;
    this.fills = new Map(data.columns.map(({ name, fill }) => [name, fill]));
    Object.freeze(this);
  }

  /** Returns the imputer for all columns of `table`, which must be numeric or categorical. Throws `HingeError` on wrong input. */
  static async fit(table: Table, options?: ImputerOptions): Promise<Imputer> {
    const checked = imputerOptions.check(options);
    checkTable(table);
    const weights = sampleWeights(checked.sampleWeight, table.rowCount);
    return new Imputer({
      indicator: checked.indicator,
      columns: table.columns.map((column) => ({ name: column.name, fill: fillOf(column, weights, checked) })),
    });
  }

  /** Returns the table without missing values; with `indicator`, each column is followed by one that says where they were. */
  async transform(table: Table): Promise<Table> {
    checkTable(table);
    const columns = table.columns.flatMap((column) => {
      const fill = this.fills.get(column.name);
      if (fill === undefined) throw HingeError.input(`column ${shown(column.name)} was not there when the imputer was fitted`);
      const filled = typeof fill === "number" ? filledNumbers(column, fill, table.rowCount) : filledLevels(column, fill, table.rowCount);
      return this.hasIndicator ? [filled, indicatorOf(column, table.rowCount)] : [filled];
    });
    return { rowCount: table.rowCount, columns };
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): ImputerJson {
    return imputerCodec.toJson(this.#data);
  }

  /** Returns the imputer in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): Imputer {
    return new Imputer(imputerCodec.fromJson(json));
  }
}

function fillOf(column: Column, weights: Float64Array, { strategy, value }: CheckedImputerOptions): number | string {
  const refuse = (why: string): never => {
    throw HingeError.input(`column ${shown(column.name)} ${why}`);
  };
  if (column.kind === "numeric") {
    if (strategy === "constant")
      return typeof value === "number" ? value : refuse(`is numeric: value must be a number, got ${shown(value)}`);
    const rows = Array.from(weights.keys()).filter((i) => (weights[i] as number) > 0 && !Number.isNaN(column.values[i]));
    if (rows.length === 0) return refuse('has no values to learn from; leave it out, or use strategy: "constant"');
    const weightOf = (i: number): number => weights[i] as number;
    if (strategy === "median") return weightedMedian(column.values, rows, weightOf);
    if (strategy === "most-frequent") return mostFrequent(rows, (i) => column.values[i] as number, weightOf);
    const total = rows.reduce((sum, i) => sum + weightOf(i), 0);
    const first = column.values[rows[0] as number] as number;
    return first + rows.reduce((sum, i) => sum + weightOf(i) * ((column.values[i] as number) - first), 0) / total;
  }
  if (column.kind !== "categorical") return refuse(`is ${column.kind}; an Imputer is for numbers and categories`);
  if (strategy === "constant")
    return typeof value === "string" ? value : refuse(`is categorical: value must be a string, got ${shown(value)}`);
  if (strategy === "mean" || strategy === "median") return refuse(`is categorical and has no ${strategy}; use strategy: "most-frequent"`);
  const rows = Array.from(weights.keys()).filter((i) => (weights[i] as number) > 0 && column.codes[i] !== MISSING_CODE);
  if (rows.length === 0) return refuse('has no values to learn from; leave it out, or use strategy: "constant"');
  const code = mostFrequent(
    rows,
    (i) => column.codes[i] as number,
    (i) => weights[i] as number,
  );
  return column.levels[code] as string;
}

/** Half of the weight lies below it; between two values where it is exactly half. */
function weightedMedian(values: Float64Array, rows: readonly number[], weightOf: (i: number) => number): number {
  const order = [...rows].sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
  const half = order.reduce((sum, i) => sum + weightOf(i), 0) / 2;
  let passed = 0;
  for (const [k, i] of order.entries()) {
    passed += weightOf(i);
    if (passed > half) return values[i] as number;
    if (passed === half) return ((values[i] as number) + (values[order[k + 1] ?? i] as number)) / 2;
  }
  return values[order.at(-1) as number] as number;
}

/** The one with the largest weight, the smallest of several. */
function mostFrequent(rows: readonly number[], valueAt: (i: number) => number, weightOf: (i: number) => number): number {
  const sums = new Map<number, number>();
  for (const i of rows) sums.set(valueAt(i), (sums.get(valueAt(i)) ?? 0) + weightOf(i));
  return [...sums].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best))[0];
}

/** A column without a single value can stand for one of numbers or of categories. */
function filledNumbers(column: Column, fill: number, rowCount: number): NumericColumn {
  if (column.kind === "missing")
    return { name: column.name, kind: "numeric", values: new Float64Array(rowCount).fill(fill), missingCount: 0 };
  if (column.kind !== "numeric") throw kindError(column, "numeric");
  return { ...column, values: column.values.map((value) => (Number.isNaN(value) ? fill : value)), missingCount: 0 };
}

function filledLevels(column: Column, fill: string, rowCount: number): CategoricalColumn {
  if (column.kind !== "categorical" && column.kind !== "missing") throw kindError(column, "categorical");
  const own = column.kind === "missing" ? [] : column.levels;
  const levels = own.includes(fill) ? own : [...own, fill].sort((a, b) => (a < b ? -1 : 1));
  const codeOf = new Map(levels.map((level, code) => [level, code]));
  const codes = new Uint32Array(rowCount).fill(codeOf.get(fill) as number);
  if (column.kind === "categorical") {
    column.codes.forEach((code, i) => {
      if (code !== MISSING_CODE) codes[i] = codeOf.get(own[code] as string) as number;
    });
  }
  return { name: column.name, kind: "categorical", levels, codes, missingCount: 0 };
}

function indicatorOf(column: Column, rowCount: number): NumericColumn {
  const isMissing = (i: number): boolean =>
    column.kind === "numeric"
      ? Number.isNaN(column.values[i])
      : column.kind === "categorical"
        ? column.codes[i] === MISSING_CODE
        : column.kind === "missing";
  const values = Float64Array.from({ length: rowCount }, (_, i) => (isMissing(i) ? 1 : 0));
  return { name: `${column.name} missing`, kind: "numeric", values, missingCount: 0 };
}

/** @internal What is said of a column that is of another kind than when the transformer was fitted. */
export function kindError({ name, kind }: Column, wanted: string): HingeError {
  return HingeError.input(
    `column ${shown(name)} is ${kind}, it was ${wanted} when the transformer was fitted; read the file with the same kinds: readCsv(file, { kinds })`,
  );
}
