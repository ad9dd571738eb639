// Probabilities of classes from those of pairs: with r_ab the probability of a where a or b is right, the p that minimises
//
//   sum_a sum_{b != a} (r_ba p_a - r_ab p_b)^2,   sum p = 1          (Wu, Lin and Weng 2004, the second method)
//
// With Q_aa = sum_b r_ba^2 and Q_ab = -r_ba r_ab the minimum has Q p = (p'Q p) e. One p_a after the other is set to what its equation says, and all are scaled to sum 1.
// Checked in test/calibration.test.ts.

/** Probabilities nearer to 0 or 1 than this say no more. */
const NEAREST = 1e-7;
const MOST_ROUNDS = 1000;
/** How far from its equation each may be, as a part of 1 / classes. */
const ENOUGH = 1e-10;

/** `pairs`: the probability of b for every pair (a, b), a < b, in their order. `enough`, `most`: when to stop, if earlier than at the minimum. */
export function coupled(pairs: ArrayLike<number>, classCount: number, enough = ENOUGH, most = MOST_ROUNDS): Float64Array {
  const n = classCount;
  const r = new Float64Array(n * n);
  let at = 0;
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      const ofB = Math.min(Math.max(pairs[at++] as number, NEAREST), 1 - NEAREST);
      r[b * n + a] = ofB;
      r[a * n + b] = 1 - ofB;
    }
  }
  const q = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) {
      if (a === b) continue;
      const other = r[b * n + a] as number;
      q[a * n + a] = (q[a * n + a] as number) + other * other;
      q[a * n + b] = -other * (r[a * n + b] as number);
    }
  }
  const p = new Float64Array(n).fill(1 / n);
  const qp = new Float64Array(n);
  for (let round = 0; round < most; round++) {
    // Anew every round: what is carried along gathers rounding.
    let pqp = 0;
    for (let a = 0; a < n; a++) {
      let sum = 0;
      for (let b = 0; b < n; b++) sum += (q[a * n + b] as number) * (p[b] as number);
      qp[a] = sum;
      pqp += (p[a] as number) * sum;
    }
    let off = 0;
    for (let a = 0; a < n; a++) off = Math.max(off, Math.abs((qp[a] as number) - pqp));
    if (off <= enough / n) break;
    for (let a = 0; a < n; a++) {
      const own = q[a * n + a] as number;
      const step = (pqp - (qp[a] as number)) / own;
      pqp = (pqp + step * (step * own + 2 * (qp[a] as number))) / ((1 + step) * (1 + step));
      p[a] = (p[a] as number) + step;
      for (let b = 0; b < n; b++) {
        qp[b] = ((qp[b] as number) + step * (q[a * n + b] as number)) / (1 + step);
        p[b] = (p[b] as number) / (1 + step);
      }
    }
  }
  return p;
}
