// A thread of bench/kernel-judge.ts: sum_s v_s K(x_s, x) of an rbf machine for a share of the points, plainly in float64, four support vectors in one pass over
// the points. A file of its own because a worker starts from a file.

import { parentPort, workerData } from "node:worker_threads";

const LANES = 4;

/** @type {import("./kernel-judge.ts").SumsInput} */
const { points, pointIds, machine, from, to } = workerData;
const { gamma, vectors, coefficients, columns, ids, width } = machine;
const { starts, indices, values } = points;
const scores = new Float64Array((to - from) * columns);
const lanes = new Float64Array(LANES * width);
const pointSquares = squaresOf(points);
const vectorSquares = squaresOf(vectors);

for (let s = 0; s < vectors.count; s += LANES) {
  const held = Math.min(LANES, vectors.count - s);
  lay(s, held, true);
  for (let i = from; i < to; i++) {
    let d0 = 0;
    let d1 = 0;
    let d2 = 0;
    let d3 = 0;
    const end = starts[i + 1];
    for (let k = starts[i]; k < end; k++) {
      const value = values[k];
      const at = LANES * indices[k];
      d0 += value * lanes[at];
      d1 += value * lanes[at + 1];
      d2 += value * lanes[at + 2];
      d3 += value * lanes[at + 3];
    }
    add(i, s, d0);
    if (held > 1) add(i, s + 1, d1);
    if (held > 2) add(i, s + 2, d2);
    if (held > 3) add(i, s + 3, d3);
  }
  lay(s, held, false);
}
parentPort.postMessage(scores);

/** K of point i and support vector s goes to all pairs of their class, or to the one that their two classes have in common. */
function add(i, s, dot) {
  const value = Math.exp(-gamma * Math.max(0, pointSquares[i] + vectorSquares[s] - 2 * dot));
  const [own, other, row] = [pointIds[i], ids[s], (i - from) * columns];
  if (own === other) for (let m = 0; m < columns; m++) scores[row + m] += coefficients[s * columns + m] * value;
  else scores[row + slotOf(own, other)] += coefficients[s * columns + slotOf(other, own)] * value;
}

/** Where a row of class `own` keeps what belongs to its pair with `other`. */
function slotOf(own, other) {
  return other < own ? other : other - 1;
}

/** Rows s to s + held side by side, feature by feature; or taken away again. */
function lay(s, held, isIn) {
  for (let lane = 0; lane < held; lane++) {
    for (let k = vectors.starts[s + lane]; k < vectors.starts[s + lane + 1]; k++) {
      lanes[LANES * vectors.indices[k] + lane] = isIn ? vectors.values[k] : 0;
    }
  }
}

function squaresOf(rows) {
  return Float64Array.from({ length: rows.count }, (_, i) => {
    let sum = 0;
    for (let k = rows.starts[i]; k < rows.starts[i + 1]; k++) sum += rows.values[k] ** 2;
    return sum;
  });
}
