// OneHotEncoder: one feature a category, 1 where the row has it.

import { HingeError, shown } from "../base/errors.js";
import { type OneHotEncoderOptions, oneHotEncoderOptions } from "../base/options/tables.js";
import { Matrix } from "../data/matrix.js";
import { type CategoricalColumn, type Column, checkTable, MISSING_CODE, type Table } from "../data/table.js";
import { type OneHotEncoderData, type OneHotEncoderJson, oneHotEncoderCodec } from "../model/tables.js";
import { kindError } from "./imputer.js";
import { StoredAsJson } from "./stored.js";

/** A fitted encoder: one feature a category of each column, in their order. Make one with `OneHotEncoder.fit`. Immutable. */
export class OneHotEncoder extends StoredAsJson {
  /** What each feature says, such as "city = Paris". */
  readonly featureNames: readonly string[];
  /** Categories by column, in the order of their features. */
  readonly levels: ReadonlyMap<string, readonly string[]>;
  readonly #data: OneHotEncoderData;

  private constructor(data: OneHotEncoderData) {
    super();
    this.#data = data;
    this.levels = new Map(data.columns.map(({ name, levels }) => [name, Object.freeze([...levels])]));
    this.featureNames = Object.freeze(
      data.columns.flatMap(({ name, levels }) => [
        ...levels.map((level) => `${name} = ${level}`),
        ...(data.missing === "category" ? [`${name} missing`] : []),
      ]),
    );
    Object.freeze(this);
  }

  /** Returns the encoder for all columns of `table`, which must be categorical; categories that no row has get no feature. Throws `HingeError` on wrong input. */
  static async fit(table: Table, options?: OneHotEncoderOptions): Promise<OneHotEncoder> {
    const { unknown, missing } = oneHotEncoderOptions.check(options);
    checkTable(table);
    const columns = table.columns.map((column) => {
      if (column.kind !== "categorical") {
        throw HingeError.input(
          `column ${shown(column.name)} is ${column.kind}; a OneHotEncoder is for categories. Say its kind to readCsv if it holds some`,
        );
      }
      if (missing === "error") refuseMissing(column);
      const seen = new Set(column.codes);
      return { name: column.name, levels: column.levels.filter((_, code) => seen.has(code)) };
    });
    return new OneHotEncoder({ unknown, missing, columns });
  }

  /** Returns a sparse matrix, one feature a category. */
  async transform(table: Table): Promise<Matrix> {
    checkTable(table);
    const { rowCount } = table;
    const chosen = this.#data.columns.map(({ name }) => {
      const column = table.columns.find((one) => one.name === name);
      if (column === undefined) throw HingeError.input(`the table has no column ${shown(name)}; the encoder was fitted with one`);
      return column;
    });
    let first = 0;
    const features = chosen.map((column, k) => {
      const { levels } = this.#data.columns[k] as OneHotEncoderData["columns"][number];
      const list = this.#featuresOf(column, levels, rowCount, first);
      first += levels.length + (this.#data.missing === "category" ? 1 : 0);
      return list;
    });
    const starts = new Uint32Array(rowCount + 1);
    for (let i = 0; i < rowCount; i++) {
      starts[i + 1] = (starts[i] as number) + features.reduce((count, list) => count + (list[i] === NONE ? 0 : 1), 0);
    }
    const valueCount = starts[rowCount] as number;
    const indices = new Uint32Array(valueCount);
    let at = 0;
    for (let i = 0; i < rowCount; i++) for (const list of features) if (list[i] !== NONE) indices[at++] = list[i] as number;
    const shape = { kind: "csr", rowCount, featureCount: first, valueCount } as const;
    return new Matrix(shape, { values: new Float32Array(valueCount).fill(1), indices, starts });
  }

  /** u32[rowCount]: the feature that is 1 in each row, NONE if there is none. */
  #featuresOf(column: Column, levels: readonly string[], rowCount: number, first: number): Uint32Array {
    const { missing, unknown } = this.#data;
    const absent = missing === "category" ? first + levels.length : NONE;
    if (missing === "error") refuseMissing(column);
    if (column.kind === "missing") return new Uint32Array(rowCount).fill(absent);
    if (column.kind !== "categorical") throw kindError(column, "categorical");
    const placeOf = new Map(levels.map((level, k) => [level, first + k]));
    const features = column.levels.map((level) => placeOf.get(level) ?? NONE);
    return column.codes.map((code, i) => {
      if (code === MISSING_CODE) return absent;
      const feature = features[code] as number;
      if (feature === NONE && unknown === "error") {
        const { name } = column;
        throw HingeError.input(
          `column ${shown(name)} at row ${i} has the category ${shown(column.levels[code])}, which was not there when the encoder was fitted`,
        );
      }
      return feature;
    });
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): OneHotEncoderJson {
    return oneHotEncoderCodec.toJson(this.#data);
  }

  /** Returns the encoder in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): OneHotEncoder {
    return new OneHotEncoder(oneHotEncoderCodec.fromJson(json));
  }
}

const NONE = MISSING_CODE;

function refuseMissing(column: Column): void {
  const row = column.kind === "missing" ? 0 : (column as CategoricalColumn).codes.indexOf(MISSING_CODE);
  if (row < 0) return;
  throw HingeError.input(
    `column ${shown(column.name)} at row ${row} is missing; put an Imputer before, or use missing: "ignore" or "category"`,
  );
}
