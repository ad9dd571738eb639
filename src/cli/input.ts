// Data as the commands take it: svmlight, CSV or TSV, plain or packed by gzip, xz, bzip2 or zstd, from a file or from stdin.

import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { counted } from "../base/words.js";
import { type Matrix, readCsv, readSvmlight, type Table } from "../index.js";

export type Labels = Float64Array | readonly (number | string)[];

export type Input =
  | { readonly kind: "rows"; readonly x: Matrix; readonly y: Float64Array }
  | { readonly kind: "table"; readonly x: Table; readonly y: Labels | undefined };

export interface InputFlags {
  readonly format: "svmlight" | "csv" | "tsv";
  /** The label column of a table, by name or number. */
  readonly label: string | number | undefined;
  readonly header: boolean;
  readonly indexBase: 0 | 1;
}

export const DATA_HELP =
  "data file, - for stdin: svmlight (label index:value …), or CSV and TSV by their endings; plain, .gz, .xz, .bz2 or .zst";

export function addInputFlags(command: Command): void {
  command
    .option(
      "--format <name>",
      "what the data file is, if its ending does not say: svmlight, csv or tsv (default: by the ending, else svmlight)",
    )
    .option("--label <column>", "of CSV and TSV: the column to learn, by its name or its number from 0, negative from the end")
    .option("--no-header", "of CSV and TSV: the first line holds values, not names")
    .option("--index-base <base>", "of svmlight: number of the first feature; 0 or 1 (default 1)");
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
  const label = given.label as string | undefined;
  return {
    format,
    label: label !== undefined && /^-?\d+$/.test(label) ? Number(label) : label,
    header: given.header !== false,
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

/** The value of --index-base as the reader takes it. */
export function indexBase(text: unknown): 0 | 1 {
  if (text === undefined || text === "1") return 1;
  if (text === "0") return 0;
  throw HingeError.option("--index-base", "0 or 1", text);
}

export async function readInput(
  path: string,
  { format, label, header, indexBase: base }: InputFlags,
  options: { readonly threads?: number | undefined } = {},
): Promise<Input> {
  const name = path === "-" ? "stdin" : path;
  const source = await unpacked(path);
  if (format === "svmlight") return { kind: "rows", ...(await readSvmlight(source, { indexBase: base, name, threads: options.threads })) };
  const csv = { name, header, delimiter: format === "tsv" ? "\t" : "auto" } as const;
  if (label === undefined) return { kind: "table", x: (await readCsv(source, csv)).table, y: undefined };
  const { table, y } = await readCsv(source, { ...csv, label });
  return { kind: "table", x: table, y };
}

/** What was read, in a few words. */
export function sizeOf({ kind, x }: Input): string {
  if (kind === "table") return `${counted(x.rowCount, "row")}, ${counted(x.columns.length, "column")}`;
  return `${counted(x.rowCount, "row")}, ${counted(x.featureCount, "feature")}, ${counted(x.valueCount, "value")}`;
}

/** Where output goes if nothing is said: here, by the name of the data. */
export function besideName(dataPath: string, ending: string): string {
  return `${dataPath === "-" ? "stdin" : basename(dataPath)}${ending}`;
}

/** The labels of what is to be learnt from. */
export function labelsOf({ kind, x, y }: Input): Labels {
  if (y !== undefined) return y;
  const names = kind === "table" ? x.columns.map((column) => column.name) : [];
  throw new HingeError(
    "bad-option",
    `--label must say which column is to be learnt; the columns are ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`,
  );
}

const magics = [
  { kind: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { kind: "bzip2", bytes: [0x42, 0x5a, 0x68] },
  { kind: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
] as const;

/** What the readers can take: a path where the library reads it itself, which is plain or gzip and goes in blocks to all threads. */
async function unpacked(path: string): Promise<string | Uint8Array | ReadableStream<Uint8Array>> {
  if (path === "-") {
    const bytes = await allOf(process.stdin);
    return (await unpackedBytes(bytes, "stdin")) ?? bytes;
  }
  const begin = await beginOf(path);
  if (!magics.some(({ bytes }) => startsWith(begin, bytes))) return path;
  return (await unpackedBytes(await readFile(path), path)) ?? path;
}

async function unpackedBytes(bytes: Uint8Array, name: string): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined> {
  const kind = magics.find((magic) => startsWith(bytes, magic.bytes))?.kind;
  try {
    if (kind === "zstd") return (await import("fzstd")).decompress(bytes);
    if (kind === "bzip2") return await unpackBzip(bytes);
  } catch (cause) {
    throw new HingeError("bad-file", `${name}: the ${kind} data is damaged or cut off`, undefined, { cause });
  }
  if (kind !== "xz") return undefined;
  // CommonJS: what it exports has other names when it is bundled and when it is not.
  const xz = (await import("xz-decompress")) as typeof import("xz-decompress") & { default?: typeof import("xz-decompress") };
  const { XzReadableStream } = xz.default ?? xz;
  return checkedStream(new XzReadableStream(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()), name);
}

/** It makes its buffers in a way of which Node warns; nobody here can do anything about it. */
async function unpackBzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: bzip } = await import("seek-bzip");
  const before = process.noDeprecation === true;
  process.noDeprecation = true;
  try {
    return bzip.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  } finally {
    process.noDeprecation = before;
  }
}

/** What the unpacker throws on the way, in our words. */
function checkedStream(stream: ReadableStream<Uint8Array>, name: string): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value.slice());
      } catch (cause) {
        controller.error(new HingeError("bad-file", `${name}: the xz data is damaged or cut off`, undefined, { cause }));
      }
    },
  });
}

async function beginOf(path: string): Promise<Uint8Array> {
  const file = await open(path).catch(() => undefined);
  // The reader says what is the matter with it.
  if (file === undefined) return new Uint8Array(0);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return new Uint8Array(0);
  } finally {
    await file.close();
  }
}

async function allOf(stream: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function startsWith(bytes: Uint8Array, begin: readonly number[]): boolean {
  return begin.every((byte, k) => bytes[k] === byte);
}
