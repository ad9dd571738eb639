// A matrix with rows and columns exchanged.

/** Columns that are turned at a time: as many lines of memory as the smallest cache holds with ease. */
const STRIP = 16;

/** f64[columns][rows] of f64[rows][columns]. */
export function transposed(values: Float64Array, rows: number, columns: number): Float64Array {
  const into = new Float64Array(values.length);
  for (let from = 0; from < columns; from += STRIP) {
    const to = Math.min(from + STRIP, columns);
    for (let i = 0; i < rows; i++) for (let j = from; j < to; j++) into[j * rows + i] = values[i * columns + j] as number;
  }
  return into;
}
