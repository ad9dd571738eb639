// Which decision values the coefficients of a kernel model are part of.

import { columnCount, type KernelModelData } from "../model/kernel-model.js";
import { pairPlace } from "../model/schemes.js";

/** Support vectors [from, to): column m of their coefficients is part of decision value places[m]. */
export interface VectorGroup {
  readonly from: number;
  readonly to: number;
  readonly places: Uint32Array;
}

/** Which decision value each column of a group of support vectors belongs to. */
export function groupsOf({ scheme, classes, vectors, vectorCounts }: KernelModelData): VectorGroup[] {
  const columns = columnCount(scheme, classes.length);
  if (scheme !== "ovo") return [{ from: 0, to: vectors.count, places: Uint32Array.from({ length: columns }, (_, m) => m) }];
  let from = 0;
  return Array.from(vectorCounts, (count, a) => {
    const places = Uint32Array.from({ length: columns }, (_, m) => {
      const other = m < a ? m : m + 1;
      return pairPlace(Math.min(a, other), Math.max(a, other), classes.length);
    });
    from += count;
    return { from: from - count, to: from, places };
  });
}
