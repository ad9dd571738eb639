// Data files of a precomputed kernel: "label 0:number 1:K(x, x1) 2:K(x, x2) …".

import type { Matrix } from "../../data/matrix.js";
import { matrix } from "../../index.js";

/** The rows of a file of kernel values without the numbers that stand before them. */
export function kernelValues(x: Matrix): Matrix {
  const rows = Array.from({ length: x.rowCount }, (_, i) => {
    const row = new Float32Array(x.featureCount - 1);
    x.forEachInRow(i, (j, value) => {
      if (j > 0) row[j - 1] = value;
    });
    return Array.from(row);
  });
  return matrix(rows);
}
