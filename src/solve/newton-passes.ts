// The passes of a primal Newton method over blocks of rows, from the core's functions for one loss.

import type { MatrixShape } from "../data/matrix.js";
import type { Core } from "../runtime/core.js";
import type { NewtonPasses } from "./newton.js";
import type { NewtonSpace } from "./newton-space.js";
import type { RowPass } from "./row-sums.js";

// A row costs its stored values plus about this many more. Only the size of a slice depends on it.
const VISIT_COST = 8;

/** What the core does on some rows of a block, for one loss. */
export interface RowFunctions {
  readonly losses: Core["lossRows"];
  readonly line: Core["lineRows"];
  readonly curve: Core["curveRows"];
  readonly diagonal: Core["diagonalRows"];
  readonly sample: Core["sampleRows"];
}

export function newtonPasses(space: NewtonSpace, x: MatrixShape, rows: RowFunctions): NewtonPasses {
  const { core, pointer, blockStarts, activeCounts, width, factorOrder } = space;
  const numbers = VISIT_COST * width;
  const values = numbers + (width * x.valueCount) / Math.max(1, x.rowCount);
  const startOf = (block: number): number => blockStarts[block] as number;
  const overAll = (run: RowPass["run"]) => ({ length: (b: number) => space.blockLength(b), run });
  const overActive = (run: RowPass["run"]) => ({ length: (b: number) => activeCounts[b] as number, run });
  return {
    losses(t, fresh) {
      activeCounts.fill(0);
      const run: RowPass["run"] = (b, from, to) => rows.losses(pointer, b, startOf(b) + from, startOf(b) + to, t, fresh ? 1 : 0);
      return { ...overAll(run), readsRows: true, cost: values };
    },
    line: (t) => ({
      ...overAll((b, from, to) => rows.line(pointer, b, startOf(b) + from, startOf(b) + to, t)),
      readsRows: false,
      cost: numbers,
    }),
    curve: () => ({ ...overActive((b, from, to) => rows.curve(pointer, b, from, to)), readsRows: true, cost: values }),
    diagonal: () => ({ ...overActive((b, from, to) => rows.diagonal(pointer, b, from, to)), readsRows: true, cost: values }),
    sample: (share, sampleCount) => ({
      ...overActive((b, from, to) => rows.sample(pointer, b, from, to, share)),
      readsRows: true,
      isOrdered: true,
      cost:
        numbers +
        ((values * values) / 2) *
          (sampleCount /
            Math.max(
              1,
              activeCounts.reduce((sum, count) => sum + count, 0),
            )),
    }),
    factor: () => ({
      length: (b) => (b === 0 ? factorOrder : 0),
      run: (_, from, to) => core.factorRows(pointer, from, to),
      readsRows: false,
      isOrdered: true,
      cost: factorOrder ** 2 / 4,
    }),
  };
}
