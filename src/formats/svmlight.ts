// svmlight text: one row a line, "label qid:query index:value index:value …  # comment". Indices rise along a line and begin at 1.
// The text is cut into blocks of whole lines, workers parse the blocks in the core, and their rows are collected in order
// straight into the memory of the matrix: the same result for any number of threads and any cut.

import { HingeError } from "../base/errors.js";
import { MOST_FEATURES, type SvmlightOptions, svmlightOptions } from "../base/options/data.js";
import { Matrix } from "../data/matrix.js";
import type { ByteSource } from "../runtime/byte-source.js";
import type { RowCollector } from "../runtime/row-collector.js";
import { beginCall, collectRows, runTask } from "../runtime/runtime.js";
import { blocksOf } from "./blocks.js";
import { markLength } from "./byte-order-mark.js";
import { drawn } from "./position.js";
import { type ParsedBlock, type SvmlightBlock, svmlightBlockBytes } from "./svmlight-block.js";
import { type DataSource, withSource } from "./with-source.js";

/** Rows and their labels. */
export interface LabelledRows {
  readonly x: Matrix;
  readonly y: Float64Array;
  /** The numbers behind "qid:", one a row; undefined if the file has none. */
  readonly queries: Float64Array | undefined;
}

/** Bytes of text a block: some milliseconds of work. */
const BLOCK_BYTES = 2 ** 21;

/** Returns the rows and labels of an svmlight file or stream. */
export async function readSvmlight(source: DataSource, options?: SvmlightOptions): Promise<LabelledRows> {
  const { name = typeof source === "string" ? source : "data", ...checked } = svmlightOptions.check(options);
  return withSource(source, name, (opened) => readRows(opened, { ...checked, name }));
}

interface ReadSettings {
  readonly name: string;
  readonly indexBase: 0 | 1;
  readonly featureCount: number | undefined;
  readonly threads: number | undefined;
}

/** Reads all rows; a test cuts the text finer than anybody else would. */
export async function readRows(source: ByteSource, settings: ReadSettings, blockBytes = BLOCK_BYTES): Promise<LabelledRows> {
  const { indexBase, featureCount, threads } = settings;
  const call = beginCall({ threads });
  const gathering = new Gathering(source.byteLength, settings.name);
  const underWay: Promise<ParsedBlock>[] = [];
  let isFirst = true;
  for await (const whole of blocksOf(source, blockBytes)) {
    const bytes = isFirst ? whole.subarray(markLength(whole)) : whole;
    isFirst = false;
    const input: SvmlightBlock = { bytes, base: indexBase, featureLimit: featureCount ?? MOST_FEATURES };
    const work = {
      task: "parse-svmlight",
      matrix: NO_ROWS,
      regionBytes: svmlightBlockBytes(bytes.length),
      input,
      transfer: [bytes.buffer],
      isBrief: true,
    };
    if (underWay.length >= call.threads) gathering.add(await (underWay.shift() as Promise<ParsedBlock>));
    const parsed = runTask<ParsedBlock>(work, call);
    parsed.catch(() => undefined); // seen below, unless an earlier block fails first
    underWay.push(parsed);
  }
  for (const parsed of underWay) gathering.add(await parsed);
  return gathering.finish(featureCount);
}

const NO_ROWS = new Matrix(
  { kind: "csr", rowCount: 0, featureCount: 0, valueCount: 0 },
  { values: new Float32Array(0), indices: new Uint32Array(0), starts: new Uint32Array(1) },
);

/** Puts the rows of block after block together. */
class Gathering {
  readonly #byteLength: number | undefined;
  readonly #name: string;
  readonly #labels: Float64Array[] = [];
  readonly #queries: Float64Array[] = [];
  #rows: RowCollector | undefined;
  #rowCount = 0;
  #queryCount = 0;
  #lineCount = 0;
  #featureCount = 0;

  constructor(byteLength: number | undefined, name: string) {
    this.#byteLength = byteLength;
    this.#name = name;
  }

  add(block: ParsedBlock): void {
    if (block.fault !== undefined) {
      const { column, message, excerpt } = block.fault;
      const line = this.#lineCount + block.fault.line;
      throw new HingeError("bad-file", `${message}\n${drawn(excerpt, line)}`, { file: this.#name, line, column });
    }
    this.#rows ??= collectRows(expectedSize(block, this.#byteLength));
    this.#rows.append(block);
    this.#labels.push(block.labels);
    this.#queries.push(block.queries);
    this.#rowCount += block.labels.length;
    this.#queryCount += block.queries.length;
    this.#lineCount += block.lineCount;
    this.#featureCount = Math.max(this.#featureCount, block.featureCount);
  }

  finish(featureCount: number | undefined): LabelledRows {
    if (this.#rows === undefined || this.#rowCount === 0) {
      throw new HingeError("bad-file", 'there are no rows; a row is a line such as "1 3:0.5 7:1"');
    }
    const x = this.#rows.finish(featureCount ?? this.#featureCount);
    return { x, y: joined(this.#labels, this.#rowCount), queries: this.#allQueries() };
  }

  #allQueries(): Float64Array | undefined {
    if (this.#queryCount === 0) return undefined;
    const parts = this.#queries.map((part, k) =>
      part.length > 0 ? part : new Float64Array((this.#labels[k] as Float64Array).length).fill(Number.NaN),
    );
    const queries = joined(parts, this.#rowCount);
    const missing = queries.findIndex(Number.isNaN);
    if (missing < 0) return queries;
    throw new HingeError("bad-file", `some rows have a "qid:" but row ${missing} has none; give it to all rows or to none`);
  }
}

/** Room for all rows, going by the density of the first block; a little more, so that it need not grow in the end. */
function expectedSize({ values, labels, byteCount }: ParsedBlock, byteLength: number | undefined): { values: number; rows: number } {
  const ratio = byteLength === undefined ? 1 : 1.03 * Math.max(1, byteLength / Math.max(byteCount, 1));
  return { values: Math.ceil(ratio * values.length), rows: Math.ceil(ratio * labels.length) };
}

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const all = new Float64Array(length);
  let next = 0;
  for (const part of parts) {
    all.set(part, next);
    next += part.length;
  }
  return all;
}
