// The largest |x_i|^2 of some rows, times what grows with the values that a row has: what float32 may lose in sums of products. Zeros lose nothing, so dense and sparse rows are treated alike.

import { type Matrix, rowStart } from "../data/matrix.js";
import { rowKinds, rowsStruct } from "../runtime/layout.js";
import { withCore, withCoreOn } from "../runtime/runtime.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import { counting } from "../solve/counting.js";
import type { LargestSquare } from "../solve/kernel-rows.js";

/** By a plain loop. */
export function largestIn(x: Matrix, ids: ArrayLike<number>): LargestSquare {
  const { values } = x;
  return (base, per) => {
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
  };
}

/** The same by the core, where the matrix is in its memory. */
export function largestWithin(x: Matrix, ids: Uint32Array): LargestSquare {
  return (base, per) => {
    const found = withCoreOn(x, 4 * ids.length, (core, rows, space) => {
      const own = space.rawWords(ids.length);
      own.set(ids);
      return core.largestSquare(rows, own.byteOffset, ids.length, base, per);
    });
    return found ?? largestIn(x, ids)(base, per);
  };
}

/** The same of all rows of a sparse matrix that is elsewhere. */
export function largestOfAll(x: Matrix): LargestSquare {
  const { rowCount, values, starts } = x;
  return (base, per) => {
    const found = withCore((core, home) => {
      const region = home.take(spaceFor(rowsStruct.size, values.byteLength, starts.byteLength, 4 * rowCount));
      const space = new WorkSpace(home.memory.buffer, region); // the buffer is another where the memory had to grow
      const rows = space.struct(rowsStruct);
      const own = { values: space.rawFloats(values.length), starts: space.rawWords(starts.length) };
      own.values.set(values);
      own.starts.set(starts);
      rows.assign({ kind: rowKinds.csr, rowCount, values: own.values.byteOffset, starts: own.starts.byteOffset });
      return core.largestSquare(rows.pointer, counting(space.rawWords(rowCount)).byteOffset, rowCount, base, per);
    });
    return found ?? largestIn(x, counting(new Uint32Array(rowCount)))(base, per);
  };
}
