// What both vectorisers do: check texts, count terms, and make rows of counts.

import { HingeError, shown } from "../base/errors.js";
import { type TransformOptions, transformOptions } from "../base/options/scalers.js";
import { Matrix, NO_ROWS } from "../data/matrix.js";
import { beginCall, heldMatrix, runTask } from "../runtime/runtime.js";
import { type CountedTexts, type CountingSettings, TextCounter } from "../text/count-texts.js";
import type { TextRows } from "../text/counts.js";

/** Texts, one a row. */
export type Texts = readonly string[];

export function checkTexts(texts: unknown): asserts texts is Texts {
  if (!Array.isArray(texts)) throw HingeError.input(`texts must be an array of strings, got ${shown(texts)}`);
  const odd = texts.findIndex((text) => typeof text !== "string");
  if (odd >= 0) throw HingeError.input(`text ${odd} must be a string, got ${shown(texts[odd])}`);
}

/** Fewer characters than this, times sizes of n-grams, are counted at once, on the calling thread: that takes some milliseconds. */
const FEW_CHARACTERS = 2 ** 18;

/** Texts counted on other threads, unless there is little to count: in parts, in their order. */
export async function countedParts(texts: Texts, settings: CountingSettings, options: TransformOptions): Promise<CountedTexts[]> {
  const call = beginCall(transformOptions.check(options));
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  const [least, longest] = settings.ngrams;
  if (all * (longest - least + 1) < FEW_CHARACTERS) {
    const counter = new TextCounter(texts.length, settings);
    for (const text of texts) counter.add(text);
    return [counter.finish()];
  }
  const { hashed, analyzer, ngrams, lowercase, stopWords } = settings;
  const own: CountingSettings = { hashed, analyzer, ngrams, lowercase, stopWords };
  const most = Math.ceil(all / call.threads);
  const parts: Promise<CountedTexts>[] = [];
  for (let from = 0; from < texts.length; ) {
    let to = from;
    for (let length = 0; to < texts.length && length < most; to++) length += (texts[to] as string).length;
    const input = { texts: texts.slice(from, to), settings: own };
    parts.push(runTask<CountedTexts>({ task: "count-texts", matrix: NO_ROWS, regionBytes: 0, input }, call));
    from = to;
  }
  return Promise.all(parts);
}

/** Rows of counts, and the feature that each of their terms is, -1 where it is none; features rise with terms. */
export interface RowsPart {
  readonly rows: TextRows;
  /** i32[terms]; undefined where numbers are features. */
  readonly features: Int32Array | undefined;
}

/** The rows of a matrix: counts of terms through `value`, then norms of 1. What signs have cancelled is left out. */
export function rowsOf(
  parts: readonly RowsPart[],
  featureCount: number,
  value: (count: number, feature: number) => number,
  norm: "l2" | "l1" | "none",
): Matrix {
  const rowCount = parts.reduce((sum, { rows }) => sum + rows.starts.length - 1, 0);
  const most = parts.reduce((sum, { rows }) => sum + rows.ids.length, 0);
  const [values, indices, starts] = [new Float32Array(most), new Uint32Array(most), new Uint32Array(rowCount + 1)];
  let row = 0;
  let end = 0;
  for (const { rows, features } of parts) {
    const { ids, counts, starts: from } = rows;
    const exact = new Float64Array(ids.length);
    for (let i = 1; i < from.length; i++) {
      const first = end;
      let size = 0;
      for (let k = from[i - 1] as number; k < (from[i] as number); k++) {
        const id = ids[k] as number;
        const feature = features === undefined ? id : (features[id] as number);
        if (feature < 0) continue;
        const own = value(counts[k] as number, feature);
        if (own === 0) continue;
        size += norm === "l1" ? Math.abs(own) : own * own;
        indices[end] = feature;
        exact[end++ - first] = own;
      }
      const divisor = norm === "none" ? 1 : norm === "l1" ? size : Math.sqrt(size);
      for (let k = first; k < end; k++) values[k] = (exact[k - first] as number) / divisor;
      starts[++row] = end;
    }
  }
  const shape = { kind: "csr", rowCount, featureCount, valueCount: end } as const;
  return heldMatrix((allocate) => {
    const { arrays, slot } = allocate(shape);
    arrays.values.set(values.subarray(0, end));
    arrays.indices.set(indices.subarray(0, end));
    arrays.starts.set(starts);
    return new Matrix(shape, arrays, slot);
  });
}
