// What both vectorisers do: check texts, count terms, and make rows of counts.

import { HingeError, shown } from "../base/errors.js";
import { Matrix } from "../data/matrix.js";
import type { Analyzer } from "../text/analyzer.js";
import { Counts } from "../text/counts.js";

/** Texts, one a row. */
export type Texts = readonly string[];

export function checkTexts(texts: unknown): asserts texts is Texts {
  if (!Array.isArray(texts)) throw HingeError.input(`texts must be an array of strings, got ${shown(texts)}`);
  const odd = texts.findIndex((text) => typeof text !== "string");
  if (odd >= 0) throw HingeError.input(`text ${odd} must be a string, got ${shown(texts[odd])}`);
}

/** How often each text has each term. `idOf`: the number of the term at a place, -1 where it does not count; a sign, where it has one, is told by `signOf`. */
export function countTerms(
  texts: Texts,
  analyzer: Analyzer,
  idOf: (bytes: Uint8Array, from: number, to: number) => number,
  signOf: () => number = () => 1,
): Counts {
  const counts = new Counts(texts.length);
  for (const text of texts) {
    analyzer.read(text);
    const { bytes, places, count } = analyzer;
    for (let k = 0; k < count; k++) {
      const id = idOf(bytes, places[2 * k] as number, places[2 * k + 1] as number);
      if (id >= 0) counts.add(id, signOf());
    }
    counts.endRow();
  }
  return counts;
}

/**
 * The rows of a matrix: counts of terms, each with the feature that it is, or with none (-1), through `value`; then norms of 1. Features rise along a row because all values are put
 * feature by feature first, and from there into their rows.
 */
export function rowsOf(
  { ids, counts, starts }: Counts,
  featureCount: number,
  featureOf: (id: number) => number,
  value: (count: number, feature: number) => number,
  norm: "l2" | "l1" | "none",
): Matrix {
  const rowCount = starts.length - 1;
  const all = starts[rowCount] as number;
  const features = new Int32Array(all);
  const next = new Uint32Array(featureCount + 1);
  for (let k = 0; k < all; k++) {
    const feature = featureOf(ids[k] as number);
    features[k] = feature;
    if (feature >= 0) next[feature + 1] = (next[feature + 1] as number) + 1;
  }
  for (let j = 0; j < featureCount; j++) next[j + 1] = (next[j + 1] as number) + (next[j] as number);
  const valueCount = next[featureCount] as number;
  const ends = new Uint32Array(rowCount + 1);
  const [rows, sorted] = [new Uint32Array(valueCount), new Float32Array(valueCount)];
  for (let i = 0; i < rowCount; i++) {
    let held = ends[i] as number;
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) {
      const feature = features[k] as number;
      if (feature < 0) continue;
      const at = next[feature] as number;
      next[feature] = at + 1;
      rows[at] = i;
      sorted[at] = counts[k] as number;
      held++;
    }
    ends[i + 1] = held;
  }
  const [values, indices] = [new Float64Array(valueCount), new Uint32Array(valueCount)];
  const fill = ends.slice(0, rowCount);
  for (let j = 0, at = 0; j < featureCount; j++) {
    for (const end = next[j] as number; at < end; at++) {
      const row = rows[at] as number;
      const place = fill[row] as number;
      fill[row] = place + 1;
      indices[place] = j;
      values[place] = value(sorted[at] as number, j);
    }
  }
  return normalised(values, indices, ends, featureCount, norm);
}

/** Rows of norm 1; what signs have cancelled is left out. */
function normalised(
  values: Float64Array,
  indices: Uint32Array,
  ends: Uint32Array,
  featureCount: number,
  norm: "l2" | "l1" | "none",
): Matrix {
  const rowCount = ends.length - 1;
  const out = { values: new Float32Array(values.length), indices, starts: new Uint32Array(rowCount + 1) };
  let end = 0;
  for (let i = 0; i < rowCount; i++) {
    const [from, to] = [ends[i] as number, ends[i + 1] as number];
    let size = 0;
    for (let k = from; k < to; k++) size += norm === "l1" ? Math.abs(values[k] as number) : (values[k] as number) ** 2;
    const divisor = norm === "none" || size === 0 ? 1 : norm === "l1" ? size : Math.sqrt(size);
    for (let k = from; k < to; k++) {
      if (values[k] === 0) continue;
      out.indices[end] = indices[k] as number;
      out.values[end++] = (values[k] as number) / divisor;
    }
    out.starts[i + 1] = end;
  }
  const arrays = { ...out, values: out.values.subarray(0, end), indices: out.indices.subarray(0, end) };
  return new Matrix({ kind: "csr", rowCount, featureCount, valueCount: end }, arrays);
}
