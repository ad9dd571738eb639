// Data as the commands take it: svmlight, CSV or TSV, plain or packed by gzip, xz, bzip2 or zstd, from a file or from stdin.

import { basename } from "node:path";
import type { Command } from "commander";
import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { type ColumnKind, kindNames } from "../base/options/csv.js";
import type { ReadProgress } from "../base/options/data.js";
import { counted } from "../base/words.js";
import { readCsvAlike } from "../formats/csv.js";
import { columnKinds, type Matrix, readSvmlight, type Table } from "../index.js";
import { settled } from "./guessed-kinds.js";
import { sourceName } from "./text.js";
import { unpacked } from "./unpack.js";

export type Labels = Float64Array | readonly (number | string)[];

export type Input =
  | { readonly kind: "rows"; readonly x: Matrix; readonly y: Float64Array }
  | { readonly kind: "table"; readonly x: Table; readonly y: Labels | undefined };

export interface InputFlags {
  readonly format: "svmlight" | "csv" | "tsv";
  /** The label column of a table, by name or number. */
  readonly label: string | number | undefined;
  readonly header: boolean;
  /** Kinds of a table's columns that the user says. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  readonly indexBase: 0 | 1;
}

/** What another file, or the model of it, says of a table. */
export interface Known {
  /** Kinds of the columns that must be there. */
  readonly columns: ReadonlyMap<string, ColumnKind>;
  readonly label: ColumnKind | undefined;
}

export const DATA_HELP =
  "data file, - for stdin: svmlight (label index:value …), or CSV and TSV by their endings; plain, .gz, .xz, .bz2 or .zst";

/** `hasModel`: of a command that reads with the kinds that its model knows. */
export function addInputFlags(command: Command, { hasModel = false } = {}): void {
  command
    .option(
      "--format <name>",
      "what the data file is, if its ending does not say: svmlight, csv or tsv (default: by the ending, else svmlight)",
    )
    .option("--label <column>", "of CSV and TSV: the column to learn, by its name or its number from 0, negative from the end")
    .option("--no-header", "of CSV and TSV: the first line holds values, not names")
    .option("--index-base <base>", "of svmlight: number of the first feature; 0 or 1 (default 1)");
  if (!hasModel)
    command.option(
      "--kinds <column=kind,…>",
      `of CSV and TSV: what columns hold, ${kindNames.join(", ")}, such as zip=categorical,note=text (default: found from their values)`,
    );
}

/** The flags for a file, checked before anything is read. */
export function inputFlags(path: string, given: Readonly<Record<string, unknown>>): InputFlags {
  const format = formatOf(path, given.format);
  const isTable = format !== "svmlight";
  if (!isTable && given.label !== undefined)
    throw new HingeError(
      "bad-option",
      "--label is for CSV and TSV; in svmlight files the label stands first. --format says what the file is",
    );
  if (isTable && given.indexBase !== undefined) throw new HingeError("bad-option", "--index-base is for svmlight files; this is a table");
  if (!isTable && given.kinds !== undefined)
    throw new HingeError("bad-option", "--kinds is for CSV and TSV; in svmlight files all is numbers. --format says what the file is");
  if (!isTable && given.header === false)
    throw new HingeError("bad-option", "--no-header is for CSV and TSV; svmlight files have none. --format says what the file is");
  const label = given.label as string | undefined;
  return {
    format,
    label: label !== undefined && /^-?\d+$/.test(label) ? Number(label) : label,
    header: given.header !== false,
    kinds: kindsFrom(given.kinds as string | undefined),
    indexBase: indexBase(given.indexBase),
  };
}

const formats = ["svmlight", "csv", "tsv"] as const;

function formatOf(path: string, given: unknown): InputFlags["format"] {
  if (given !== undefined) {
    const found = formats.find((name) => name === given);
    if (found !== undefined) return found;
    throw new HingeError(
      "bad-option",
      `--format must be svmlight, csv or tsv, got ${JSON.stringify(given)}${suggestion(String(given), [...formats])}`,
    );
  }
  const ending = /\.(\w+)$/.exec(path.toLowerCase().replace(/\.(gz|xz|bz2|zst)$/, ""))?.[1];
  return ending === "csv" || ending === "tsv" ? ending : "svmlight";
}

/** "zip=categorical,note=text". A comma parts two columns only behind a kind: names may hold some. */
function kindsFrom(text: string | undefined): InputFlags["kinds"] {
  if (text === undefined) return {};
  const kinds = new Map<string, ColumnKind>();
  for (const part of text.split(/(?<==\w*),/)) {
    const at = part.lastIndexOf("=");
    const [name, word] = [part.slice(0, at), part.slice(at + 1)];
    const kind = kindNames.find((known) => known === word);
    if (at < 1 || kind === undefined) {
      const must = `column=kind with a kind of ${kindNames.join(", ")}, and commas between columns`;
      throw new HingeError("bad-option", `--kinds must be ${must}, got ${shown(part)}${at < 1 ? "" : suggestion(word, kindNames)}`);
    }
    if (kinds.has(name)) throw new HingeError("bad-option", `--kinds names column ${shown(name)} twice; leave one out`);
    kinds.set(name, kind);
  }
  return Object.fromEntries(kinds);
}

/** The value of --index-base as the reader takes it. */
export function indexBase(text: unknown): 0 | 1 {
  if (text === undefined || text === "1") return 1;
  if (text === "0") return 0;
  throw HingeError.option("--index-base", "0 or 1", text);
}

/** `known`: of a file that must be read like another one. */
export interface ReadSettings {
  readonly threads?: number | undefined;
  readonly known?: Known | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

export async function readInput(
  path: string,
  { format, label, header, kinds, indexBase: base }: InputFlags,
  { threads, known, onProgress }: ReadSettings = {},
): Promise<Input> {
  const name = sourceName(path);
  const source = await unpacked(path);
  if (format === "svmlight") return { kind: "rows", ...(await readSvmlight(source, { indexBase: base, name, threads, onProgress })) };
  const options = { name, header, delimiter: format === "tsv" ? "\t" : "auto", label } as const;
  if (known === undefined) return { kind: "table", ...settled(await readCsvAlike(source, { ...options, kinds }), { name, label, kinds }) };
  const { table, y } = await readCsvAlike(source, options, (column, isLabel) => (isLabel ? known.label : known.columns.get(column)));
  checkColumnsThere(table, known, name);
  return { kind: "table", x: table, y };
}

/** What a file that is read like this one must hold. */
export function knownFrom({ kind, x, y }: Input): Known | undefined {
  if (kind === "rows") return undefined;
  return { columns: new Map(Object.entries(columnKinds(x))), label: y !== undefined && typeof y[0] === "string" ? "text" : undefined };
}

function checkColumnsThere({ columns }: Table, known: Known, name: string): void {
  const there = columns.map((column) => column.name);
  const absent = [...known.columns.keys()].filter((column) => !there.includes(column));
  if (absent.length === 0) return;
  const words = absent.length === 1 ? ["column", "it"] : ["columns", "them"];
  throw new HingeError(
    "bad-file",
    `${name}: there must be the ${words[0]} ${listed(absent)}, which the model learnt from; besides the label the file has ${listed(there) || "none"}. Add ${words[1]}, or rename what stands for ${words[1]}`,
  );
}

const MOST_LISTED = 20;

/** The first names of many. */
export function listed(names: readonly string[]): string {
  return `${names.slice(0, MOST_LISTED).join(", ")}${names.length > MOST_LISTED ? ", …" : ""}`;
}

/** What was read, in a few words. */
export function sizeOf({ kind, x }: Input): string {
  if (kind === "table") return `${counted(x.rowCount, "row")}, ${counted(x.columns.length, "column")}`;
  return `${counted(x.rowCount, "row")}, ${counted(x.featureCount, "feature")}, ${counted(x.valueCount, "value")}`;
}

/** Where output goes if nothing is said: here, by the name of the data. */
export function besideName(dataPath: string, ending: string): string {
  return `${basename(sourceName(dataPath))}${ending}`;
}

/** The labels of what is to be learnt from. */
export function labelsOf({ kind, x, y }: Input): Labels {
  if (y !== undefined) return y;
  const names = kind === "table" ? x.columns.map((column) => column.name) : [];
  throw new HingeError("bad-option", `--label must say which column is to be learnt; the columns are ${listed(names)}`);
}
