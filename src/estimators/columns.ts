// columns(…): each column of a table through transformers of its own, side by side as one matrix; saved with the model, so that predicting from a file never forgets
// an encoding.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import type { ColumnKind } from "../base/options/csv.js";
import { type ColumnsOptions, columnsOptions } from "../base/options/tables.js";
import { beside } from "../data/beside.js";
import type { Matrix } from "../data/matrix.js";
import { checkTable, type Table } from "../data/table.js";
import { numericMatrix } from "../formats/numeric-matrix.js";
import { type ColumnsData, type ColumnsJson, columnsCodec } from "../model/tables.js";
import { fitStage } from "./fit-stage.js";
import { HashingVectorizer } from "./hashing-vectorizer.js";
import { Imputer } from "./imputer.js";
import { OneHotEncoder } from "./one-hot-encoder.js";
import { MaxAbsScaler, MinMaxScaler, StandardScaler } from "./scalers.js";
import { StoredAsJson } from "./stored.js";
import { TfidfVectorizer } from "./tfidf-vectorizer.js";

/** What a column can go through, by the name under which files know it. */
const stageClasses = { Imputer, OneHotEncoder, TfidfVectorizer, HashingVectorizer, MinMaxScaler, StandardScaler, MaxAbsScaler } as const;
type StageClass = (typeof stageClasses)[keyof typeof stageClasses];
type FittedStage = Imputer | OneHotEncoder | TfidfVectorizer | HashingVectorizer | MinMaxScaler | StandardScaler | MaxAbsScaler;
/** Stages that do not count rows by weight. */
const unweighted: readonly unknown[] = [OneHotEncoder, TfidfVectorizer, HashingVectorizer];

/** A class, or a class with options for its fit. */
type ColumnStage = StageClass | readonly [StageClass, object];
/** What becomes of a column: transformers, one after the other; `"keep"`: its numbers as they are; `"drop"`: it is left out. */
export type ColumnInput = "keep" | "drop" | ColumnStage | readonly ColumnStage[];

/**
 * Returns a stage for the beginning of a pipeline that takes tables: each column by its name through transformers of its own, and the others by their kind.
 * `columns({ age: StandardScaler, city: OneHotEncoder, id: "drop" })`.
 */
export function columns(named: Readonly<Record<string, ColumnInput>> = {}, options?: ColumnsOptions): ColumnsRecipe {
  const { others } = columnsOptions.check(options);
  const chosen = new Map(Object.entries(named).map(([name, input]) => [name, chainOf(name, input)]));
  return new ColumnsRecipe(chosen, others);
}

interface ChainStage {
  readonly kind: StageClass;
  readonly options: object;
}
type Chain = readonly ChainStage[] | "drop";

function chainOf(name: string, input: unknown): Chain {
  if (input === "drop") return "drop";
  if (input === "keep") return [];
  const isClass = (value: unknown): value is StageClass => (Object.values(stageClasses) as unknown[]).includes(value);
  const isPair = (value: unknown): value is readonly [StageClass, object] =>
    Array.isArray(value) &&
    value.length === 2 &&
    isClass(value[0]) &&
    typeof value[1] === "object" &&
    value[1] !== null &&
    !Array.isArray(value[1]);
  const list: readonly unknown[] = Array.isArray(input) && !isPair(input) ? input : [input];
  return list.map((stage) => {
    if (isClass(stage)) return { kind: stage, options: {} };
    if (isPair(stage)) return { kind: stage[0], options: stage[1] };
    const names = Object.keys(stageClasses).join(", ");
    throw HingeError.option(
      `what column ${shown(name)} goes through`,
      `"keep", "drop", one of the classes ${names}, [class, options], or a list of those`,
      stage,
    );
  });
}

const automatic: Readonly<Record<"numeric" | "categorical", readonly ChainStage[]>> = {
  numeric: [
    { kind: Imputer, options: {} },
    { kind: StandardScaler, options: {} },
  ],
  categorical: [{ kind: OneHotEncoder, options: {} }],
};

/** Columns that are not fitted: which go through what. Make one with `columns(…)`. Immutable. */
export class ColumnsRecipe {
  readonly #named: ReadonlyMap<string, Chain>;
  readonly #others: "auto" | "drop" | "error";

  /** @internal */
  constructor(named: ReadonlyMap<string, Chain>, others: "auto" | "drop" | "error") {
    this.#named = named;
    this.#others = others;
    Object.freeze(this);
  }

  /** Returns the transformer for tables like `table`. */
  async fit(table: Table, options: { readonly sampleWeight?: ArrayLike<number> | undefined } = {}): Promise<Columns> {
    checkTable(table);
    const groups = this.#groups(table);
    if (groups.length === 0) throw HingeError.input("no column of the table is left to learn from; name one that is not dropped");
    const parts: Part[] = [];
    for (const { names, kind, chain } of groups) {
      const stages: FittedStage[] = [];
      let rows: Table | Matrix = subTable(table, names);
      for (const { kind: stage, options: own } of chain) {
        const weights = !unweighted.includes(stage) && options.sampleWeight !== undefined ? { sampleWeight: options.sampleWeight } : {};
        const both = await fitStage<FittedStage>(stage, inputOf(stage, rows), { ...weights, ...own }).catch((error: unknown) => {
          throw isVectorizer(stage) ? ofColumn(names[0] as string, error) : error;
        });
        rows = both.rows as Table | Matrix;
        stages.push(both.fitted);
      }
      parts.push({ names, kind, stages });
    }
    return Columns.of(parts);
  }

  /** Named columns one by one, the others together by their kind. */
  #groups(table: Table): { names: string[]; kind: ColumnKind; chain: readonly ChainStage[] }[] {
    const known = table.columns.map(({ name }) => name);
    for (const name of this.#named.keys()) {
      if (!known.includes(name)) throw HingeError.input(`the table has no column ${shown(name)}${suggestion(name, known)}`);
    }
    const groups: { names: string[]; kind: ColumnKind; chain: readonly ChainStage[] }[] = [];
    const rest: Record<"numeric" | "categorical", string[]> = { numeric: [], categorical: [] };
    for (const { name, kind } of table.columns) {
      const chain = this.#named.get(name);
      if (chain === "drop" || (chain === undefined && this.#others === "drop")) continue;
      if (chain !== undefined) {
        if (kind === "missing") throw HingeError.input(`column ${shown(name)} has no values to learn from; drop it`);
        groups.push({ names: [name], kind, chain });
      } else if (this.#others === "error") {
        throw HingeError.input(`column ${shown(name)} is not named; say what becomes of it, or others: "auto" or "drop"`);
      } else if (kind === "text") {
        throw HingeError.input(
          `column ${shown(name)} is text; say what becomes of it, such as { ${JSON.stringify(name)}: TfidfVectorizer } or "drop"`,
        );
      } else if (kind !== "missing") rest[kind].push(name);
    }
    for (const kind of ["numeric", "categorical"] as const) {
      if (rest[kind].length > 0) groups.push({ names: rest[kind], kind, chain: automatic[kind] });
    }
    return groups;
  }
}

interface Part {
  readonly names: readonly string[];
  readonly kind: ColumnKind;
  readonly stages: readonly FittedStage[];
}

/** Fitted columns: from a table to a matrix, always the same features. Make one with `columns(…).fit`. Immutable. */
export class Columns extends StoredAsJson {
  /** What each feature is. */
  readonly featureNames: readonly string[];
  /** The kinds of the columns it needs: `readCsv(file, { kinds })` reads another file alike. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    super();
    this.#parts = parts;
    this.kinds = Object.freeze(Object.fromEntries(parts.flatMap(({ names, kind }) => names.map((name) => [name, kind]))));
    this.featureNames = Object.freeze(parts.flatMap(featuresOf));
    Object.freeze(this);
  }

  /** @internal */
  static of(parts: readonly Part[]): Columns {
    return new Columns(parts);
  }

  get featureCount(): number {
    return this.featureNames.length;
  }

  /** Returns the rows of a table as features. Columns that were not there at the fit are left out; one that is missing is an error. */
  async transform(table: Table): Promise<Matrix> {
    checkTable(table);
    const blocks: Matrix[] = [];
    for (const { names, stages } of this.#parts) {
      let rows: Table | Matrix = subTable(table, names);
      for (const stage of stages) rows = (await stage.transform(inputOf(stage.constructor, rows) as never)) as Table | Matrix;
      blocks.push(isTable(rows) ? numericMatrix(rows) : rows);
    }
    return beside(blocks);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): ColumnsJson {
    const parts = this.#parts.map(({ names, kind, stages }) => ({
      names: [...names],
      kind,
      stages: stages.map((stage) => stage.toJSON()),
    }));
    return columnsCodec.toJson({ parts: parts as unknown as ColumnsData["parts"] });
  }

  /** Returns the columns in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): Columns {
    const { parts } = columnsCodec.fromJson(json);
    return new Columns(
      parts.map(({ names, kind, stages }) => ({
        names,
        kind,
        stages: stages.map((stage) => {
          if (!Object.hasOwn(stageClasses, stage.estimator))
            throw new HingeError("bad-model", `no column goes through a ${shown(stage.estimator)}`);
          return stageClasses[stage.estimator as keyof typeof stageClasses].fromJSON(stage);
        }),
      })),
    );
  }
}

function isTable(rows: Table | Matrix): rows is Table {
  return "columns" in rows;
}

function isVectorizer(stage: unknown): boolean {
  return stage === TfidfVectorizer || stage === HashingVectorizer;
}

/** What a vectoriser complains about, which knows texts but not whose they are. */
function ofColumn(name: string, error: unknown): unknown {
  if (!(error instanceof HingeError) || error.code !== "bad-input") return error;
  return HingeError.input(`column ${shown(name)} as text: ${error.message}; if it holds categories, read it with the kind "categorical"`);
}

/** Imputer and OneHotEncoder take tables, vectorisers texts, scalers rows of numbers. */
function inputOf(stage: unknown, rows: Table | Matrix): Table | Matrix | readonly string[] {
  if (isVectorizer(stage)) return textsOf(rows);
  const takesTable = stage === Imputer || stage === OneHotEncoder;
  if (takesTable && !isTable(rows)) throw HingeError.input("an Imputer or OneHotEncoder must come before anything that scales");
  return !takesTable && isTable(rows) ? numericMatrix(rows) : rows;
}

/** The texts of the one column; a missing one has no words. */
function textsOf(rows: Table | Matrix): readonly string[] {
  const column = isTable(rows) ? rows.columns[0] : undefined;
  if (column === undefined) throw HingeError.input("a vectoriser must be the first that a column goes through");
  if (column.kind === "missing") return new Array<string>(column.missingCount).fill("");
  if (column.kind === "text") return column.values.map((text) => text ?? "");
  if (column.kind === "categorical") return Array.from(column.codes, (code) => column.levels[code] ?? "");
  throw HingeError.input(`column ${shown(column.name)} is numeric; a vectoriser is for texts. Say its kind to readCsv if it holds some`);
}

function subTable(table: Table, names: readonly string[]): Table {
  const chosen = names.map((name) => {
    const column = table.columns.find((one) => one.name === name);
    if (column !== undefined) return column;
    const near = suggestion(
      name,
      table.columns.map((one) => one.name),
    );
    throw HingeError.input(`the table has no column ${shown(name)}, which the model was fitted with${near}`);
  });
  return { rowCount: table.rowCount, columns: chosen };
}

function featuresOf({ names, stages }: Part): readonly string[] {
  let own: readonly string[] = names;
  for (const stage of stages) {
    if (stage instanceof OneHotEncoder) own = stage.featureNames;
    else if (stage instanceof TfidfVectorizer) own = stage.featureNames.map((term) => `${names[0]}: ${term}`);
    else if (stage instanceof HashingVectorizer) own = Array.from({ length: stage.featureCount }, (_, k) => `${names[0]}: feature ${k}`);
    else if (stage instanceof Imputer && stage.hasIndicator) own = own.flatMap((name) => [name, `${name} missing`]);
  }
  return own;
}
