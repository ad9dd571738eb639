// Which decision values the coefficients of a kernel model are part of.

import { columnCount, type KernelModelData } from "../model/kernel-model.js";
import { pairs } from "../model/schemes.js";

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
  const list = pairs(classes.length);
  let from = 0;
  return Array.from(vectorCounts, (count, a) => {
    const places = Uint32Array.from({ length: columns }, (_, m) => {
      const other = m < a ? m : m + 1;
      return list.findIndex(([one, two]) => one === Math.min(a, other) && two === Math.max(a, other));
    });
    from += count;
    return { from: from - count, to: from, places };
  });
}
