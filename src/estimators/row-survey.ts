// What kernels want to know of rows before they are computed: how large they are, for what float32 may lose in sums of products, and of what unit their values are multiples. Zeros lose nothing, and are
// multiples of all, so dense and sparse rows are treated alike.

import { type Matrix, rowStart } from "../data/matrix.js";
import { rowKinds, rowsStruct } from "../runtime/layout.js";
import { withCore, withCoreOn } from "../runtime/runtime.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import { counting } from "../solve/counting.js";
import type { LargestSquare } from "../solve/kernel-error.js";
import { misfitIn, type Unit } from "../solve/units.js";

export interface RowSurvey {
  readonly largest: LargestSquare;
  /** The first value that is no multiple of the unit, or NaN. */
  misfit(unit: Unit): number;
}

/** By plain loops. */
export function surveyIn(x: Matrix, ids: ArrayLike<number>): RowSurvey {
  return { largest: (base, per) => largestIn(x, ids, base, per), misfit: (unit) => misfitIn(x, ids, unit) };
}

function largestIn(x: Matrix, ids: ArrayLike<number>, base: number, per: number): number {
  const { values } = x;
  let most = 0;
  for (let k = 0; k < ids.length; k++) {
    const i = ids[k] as number;
    let square = 0;
    let count = 0;
    const end = rowStart(x, i + 1);
    for (let e = rowStart(x, i); e < end; e++) {
      const value = values[e] as number;
      square += value * value;
      if (value !== 0) count++;
    }
    most = Math.max(most, square * Math.sqrt(base + count / per));
  }
  return most;
}

/** The same by the core, where the matrix is in its memory. */
export function surveyWithin(x: Matrix, ids: Uint32Array): RowSurvey {
  const byCore = (use: (core: Parameters<Parameters<typeof withCoreOn>[2]>[0], rows: number, ids: number) => number): number | undefined =>
    withCoreOn(x, 4 * ids.length, (core, rows, space) => {
      const own = space.rawWords(ids.length);
      own.set(ids);
      return use(core, rows, own.byteOffset);
    });
  const plain = surveyIn(x, ids);
  return {
    largest: (base, per) => byCore((core, rows, own) => core.largestSquare(rows, own, ids.length, base, per)) ?? plain.largest(base, per),
    misfit: (unit) => byCore((core, rows, own) => core.misfit(rows, own, ids.length, unit.perOne, unit.tolerance)) ?? plain.misfit(unit),
  };
}

/** The same for all rows of a sparse matrix that is elsewhere: `use` is given them in the core's memory, if there is any. */
export function withSurvey<T>(x: Matrix, use: (survey: RowSurvey) => T): T {
  const { rowCount, values, starts } = x;
  const found = withCore((core, home) => {
    const region = home.take(spaceFor(rowsStruct.size, values.byteLength, starts.byteLength, 4 * rowCount));
    const space = new WorkSpace(home.memory.buffer, region); // the buffer is another where the memory had to grow
    const rows = space.struct(rowsStruct);
    const own = { values: space.rawFloats(values.length), starts: space.rawWords(starts.length) };
    own.values.set(values);
    own.starts.set(starts);
    rows.assign({ kind: rowKinds.csr, rowCount, values: own.values.byteOffset, starts: own.starts.byteOffset });
    const ids = counting(space.rawWords(rowCount)).byteOffset;
    const result = use({
      largest: (base, per) => core.largestSquare(rows.pointer, ids, rowCount, base, per),
      misfit: ({ perOne, tolerance }) => core.misfit(rows.pointer, ids, rowCount, perOne, tolerance),
    });
    return { result };
  });
  return found === undefined ? use(surveyIn(x, counting(new Uint32Array(rowCount)))) : found.result;
}
