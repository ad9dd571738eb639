// svmlight text: one row a line, "label qid:query index:value index:value …  # comment". Indices rise along a line and begin at 1.
// The text is cut into blocks of whole lines, and workers or the calling thread parse them in the core, straight into the memory of the matrix: the
// same result for any number of threads and any cut.

import { HingeError } from "../base/errors.js";
import { MOST_FEATURES, type ReadProgress, type SvmlightOptions, svmlightOptions } from "../base/options/data.js";
import type { Matrix } from "../data/matrix.js";
import type { ByteSource } from "../runtime/byte-source.js";
import { beginCallHere, landRows, prepareReaders, tasksAtOnce } from "../runtime/runtime.js";
import { blocksOf } from "./blocks.js";
import { markLength } from "./byte-order-mark.js";
import { drawn } from "./position.js";
import type { BlockSummary } from "./svmlight-block.js";
import { CopiedSink, PlacedSink } from "./svmlight-rows.js";
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
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Blocks that wait for a thread to be free, so that none waits for this one to ask for the next. */
const WAITING = 2;

/** Seconds between two words of progress. */
const BETWEEN = 0.1;

/** Reads all rows; a test cuts the text finer than anybody else would, and places even small ones. */
export async function readRows(
  source: ByteSource,
  settings: ReadSettings,
  blockBytes = BLOCK_BYTES,
  landing = landRows(source.byteLength),
): Promise<LabelledRows> {
  const { indexBase, featureCount, onProgress } = settings;
  const call = beginCallHere({ threads: settings.threads });
  const numbering = { base: indexBase, featureLimit: featureCount ?? MOST_FEATURES };
  const sink = landing === undefined ? new CopiedSink(numbering, call) : new PlacedSink(landing, numbering, call, source.byteLength);
  const { byteLength = Infinity } = source;
  prepareReaders(Math.min(call.threads, Math.ceil(byteLength / blockBytes)), byteLength);
  const atOnce = tasksAtOnce(call.threads, true) + WAITING;
  const tally = new Tally(settings.name);
  const underWay: Promise<BlockSummary>[] = [];
  let told: ReadProgress = { rowCount: 0, seconds: 0 };
  const settleAbove = async (count: number): Promise<void> => {
    while (underWay.length > count) tally.add(await (underWay.shift() as Promise<BlockSummary>));
    const seconds = call.seconds();
    if (onProgress === undefined || seconds - told.seconds < BETWEEN || tally.rowCount === told.rowCount) return;
    told = { rowCount: tally.rowCount, seconds };
    onProgress(told);
  };
  let isFirst = true;
  try {
    for await (const whole of blocksOf(source, blockBytes, sink)) {
      const text = isFirst ? whole.subarray(markLength(whole)) : whole;
      isFirst = false;
      const most = sink.measure(text);
      await settleAbove(atOnce - 1);
      if (!sink.hasRoomFor(most)) {
        await settleAbove(0);
        sink.makeRoomFor(most, text.length);
      }
      const parsed = sink.parse(text, most);
      parsed.catch(() => undefined); // seen by settleAbove, unless an earlier block fails first
      underWay.push(parsed);
    }
    await settleAbove(0);
    if (tally.rowCount === 0) throw new HingeError("bad-file", 'there are no rows; a row is a line such as "1 3:0.5 7:1"');
  } catch (error) {
    await Promise.allSettled(underWay);
    sink.abandon();
    throw error;
  }
  const { x, labels, queries } = sink.finish(featureCount ?? tally.featureCount, tally.queryCount > 0);
  return { x, y: labels, queries: queries && complete(queries) };
}

/** What the blocks held, in the order of the text. */
class Tally {
  readonly #name: string;
  rowCount = 0;
  queryCount = 0;
  featureCount = 0;
  #lineCount = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add({ rowCount, queryCount, featureCount, lineCount, fault }: BlockSummary): void {
    if (fault !== undefined) {
      const { column, message, excerpt } = fault;
      const line = this.#lineCount + fault.line;
      throw new HingeError("bad-file", `${message}\n${drawn(excerpt, line)}`, { file: this.#name, line, column });
    }
    this.rowCount += rowCount;
    this.queryCount += queryCount;
    this.featureCount = Math.max(this.featureCount, featureCount);
    this.#lineCount += lineCount;
  }
}

function complete(queries: Float64Array): Float64Array {
  const missing = queries.findIndex(Number.isNaN);
  if (missing < 0) return queries;
  throw new HingeError("bad-file", `some rows have a "qid:" but row ${missing} has none; give it to all rows or to none`);
}
