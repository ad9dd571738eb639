// The weights of a linear model as LIBLINEAR's files have them: a line a feature, one number a class. Some lines at a time, because models keep them class by class, and all of them turned round
// would be the model once more.

/** Lines of numbers. */
export interface WeightLines {
  readonly rows: number;
  readonly columns: number;
  /** Whether a part is column by column. */
  readonly isTurned: boolean;
  /** The lines from `from` to `to`, f64[to - from][columns], or f64[columns][to - from] where they are turned; in memory of their own. */
  part(from: number, to: number): Float64Array<ArrayBuffer>;
}

/** Lines that are there already, one after the other. */
export function plainLines(values: Float64Array, columns: number): WeightLines {
  const part = (from: number, to: number): Float64Array<ArrayBuffer> => new Float64Array(values.subarray(from * columns, to * columns));
  return { rows: values.length / columns, columns, isTurned: false, part };
}

/** The lines of f64[columns][rows], and a last one if there is one. */
export function turnedLines(values: Float64Array, columns: number, last?: Float64Array): WeightLines {
  const count = values.length / columns;
  const rows = count + (last === undefined ? 0 : 1);
  const part = (from: number, to: number): Float64Array<ArrayBuffer> => {
    const lines = new Float64Array((to - from) * columns);
    const end = Math.min(to, count);
    for (let m = 0; m < columns; m++) lines.set(values.subarray(m * count + from, m * count + end), m * (to - from));
    if (to > count) for (let m = 0; m < columns; m++) lines[(m + 1) * (to - from) - 1] = last?.[m] as number;
    return lines;
  };
  return { rows, columns, isTurned: true, part };
}

/** The numbers of a part line by line, from the `from`-th on, as many as `into` holds. */
export function lineByLine(part: Float64Array, columns: number, isTurned: boolean, from: number, into: Float64Array): void {
  if (!isTurned) {
    into.set(part.subarray(from, from + into.length));
    return;
  }
  const rows = part.length / columns;
  let column = from % columns;
  let row = (from - column) / columns;
  for (let k = 0; k < into.length; k++) {
    into[k] = part[column * rows + row] as number;
    if (++column < columns) continue;
    column = 0;
    row++;
  }
}
