// Files whose features begin at 0, which LIBSVM takes. Fits and models of ours count from 1 in its files, so such rows lie one place further on, and so do the support
// vectors until they are written.

import type { LibsvmData } from "../../model/libsvm-file.js";

export function hasFeatureZero({ vectors }: LibsvmData): boolean {
  return vectors.indices.includes(0);
}

/** The same model with `by` added to the index of every feature. */
export function renumbered(file: LibsvmData, by: 1 | -1): LibsvmData {
  const indices = file.vectors.indices.map((index) => index + by);
  return { ...file, vectors: { ...file.vectors, indices, forModel: undefined } };
}
