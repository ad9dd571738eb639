// Steps on kernel values in float64, for problems that float32 rows lead astray: where rows are much alike, or kernel values large, what variables gain is less than
// what rounding K to float32 does to it, and steps go on for ever between models that are as good as each other.
//
//   pair     i, the largest gain of raising;  j, the largest decrease (gain_i + gain_j)^2 / eta;  eta = K_ii + K_jj - 2 K_ij
//   alone    t, the largest decrease gain_t^2 / K_tt, where there is no sum constraint
//   free     now and then a Newton step of those that stand between their bounds (free-step.ts)
//   F        += delta (K_i - K_j), or delta K_t
//
// The same method as core/kernel/smo.ts and descent.ts, over all rows, on the same arrays. An eta below what its own rounding may be is taken for that: a step is then too
// short rather than too long. Checked in test/kernel-fine.test.ts.

import { smoProgress } from "../runtime/layout.js";
import { endOf, type Free, FreePath, freeDirection, isBetween } from "./free-step.js";
import { type GainingVariables, putAt } from "./kernel-choice.js";
import type { RowSource } from "./row-source.js";

type Doubles = Float64Array;

export interface FineProblem {
  /** Rows of the matrix by position. */
  readonly columns: Uint32Array;
  readonly f: Doubles;
  readonly sides: readonly GainingVariables[];
  readonly isFree: boolean;
  readonly epsilon: number;
  /** Sums of gains up to which nobody gains. */
  readonly tolerance: number;
}

/** What came of some steps. */
export interface FineProgress {
  readonly said: number;
  readonly steps: number;
  /** By how much they raised D. */
  readonly gained: number;
}

/** Rounding of K_ii + K_jj - 2 K_ij: each of the three, and the two sums. */
const ROUNDING = 4 * Number.EPSILON;
const TINY = 1e-12;
/** Steps after which those between their bounds move together at the latest, how often in a row at most, and how many they may be. */
const MOST_APART = 256;
const MOST_TOGETHER = 256;
const MOST_FREE = 512;
/** Lengths of a bent step that are tried, each a quarter of the one before. */
const BENDS = 6;
/** Numbers passed over between two yields. */
const SLICE = 4_000_000;

export class FineSteps {
  readonly #exact: RowSource;
  readonly #problem: FineProblem;
  readonly #diagonal: Doubles;
  /** Rows in memory by position, the one used longest ago first. */
  readonly #rows = new Map<number, Doubles>();
  readonly #free: Doubles[] = [];
  #isStarted = false;
  /** Steps after which those between their bounds move together, steps since they did, and what these gained. */
  #every = 1;
  #apart = 0;
  #gainedApart = 0;
  #turn = 0;

  /** `memory`: where rows can be, in the task's memory; at least three of them, one for the diagonal. */
  constructor(exact: RowSource, problem: FineProblem, memory: Doubles) {
    const n = problem.columns.length;
    this.#exact = exact;
    this.#problem = problem;
    this.#diagonal = memory.subarray(0, n);
    for (let begin = n; begin + n <= memory.length; begin += n) this.#free.push(memory.subarray(begin, begin + n));
  }

  /** Makes up to `limit` steps. */
  *advance(limit: number): Generator<undefined, FineProgress> {
    if (!this.#isStarted) yield* this.#start();
    const { sides, isFree } = this.#problem;
    const perYield = Math.max(1, Math.floor(SLICE / this.#diagonal.length));
    let steps = 0;
    let gained = 0;
    const saying = (said: number): FineProgress => ({ said, steps, gained });
    while (steps < limit) {
      const gain = isFree ? yield* this.#stepAlone(sides[0] as GainingVariables) : yield* this.#stepPair();
      if (typeof gain !== "number") return saying(gain.said);
      gained += gain;
      steps++;
      if (steps % perYield === 0) yield;
      this.#gainedApart += gain;
      if (++this.#apart < this.#every) continue;
      let together = 0;
      for (let k = 0; k < MOST_TOGETHER && steps < limit; k++) {
        const more = yield* this.#stepTogether();
        yield;
        if (more === undefined) break;
        together += more;
        steps++;
      }
      gained += together;
      // A step together costs as much as many others: more of these where it brings less.
      this.#every = together > this.#gainedApart ? Math.max(1, this.#every / 2) : Math.min(MOST_APART, 2 * this.#every);
      this.#apart = 0;
      this.#gainedApart = 0;
    }
    return saying(smoProgress.running);
  }

  /** K of each row with itself. */
  *#start(): Generator<undefined, void> {
    const { columns } = this.#problem;
    const diagonal = this.#diagonal.fill(0);
    for (let t = 0; t < columns.length; t++) {
      yield* this.#exact.addExact([columns[t] as number], [1], columns, diagonal, t, t + 1);
      if (t % 1024 === 1023) yield;
    }
    this.#isStarted = true;
  }

  *#row(place: number): Generator<undefined, Doubles> {
    const held = this.#rows.get(place);
    if (held !== undefined) {
      this.#rows.delete(place);
      this.#rows.set(place, held);
      return held;
    }
    if (this.#free.length === 0) {
      const [oldest, row] = this.#rows.entries().next().value as [number, Doubles];
      this.#rows.delete(oldest);
      this.#free.push(row);
    }
    const { columns } = this.#problem;
    const row = (this.#free.pop() as Doubles).fill(0);
    yield* this.#exact.addExact([columns[place] as number], [1], columns, row, 0, columns.length);
    this.#rows.set(place, row);
    return row;
  }

  /** What the best pair gained; what is to be said where none does. */
  *#stepPair(): Generator<undefined, number | { said: number }> {
    const { f, sides, epsilon, tolerance } = this.#problem;
    const n = f.length;
    const best = { side: sides[0] as GainingVariables, i: 0, gain: -Infinity, sum: -Infinity };
    for (const side of sides) {
      const { up, low } = side;
      let [i, raising, lowering] = [0, -Infinity, -Infinity];
      for (let t = 0; t < n; t++) {
        const own = f[t] as number;
        const gain = (up[t] as number) - own;
        if (gain > raising) {
          raising = gain;
          i = t;
        }
        lowering = Math.max(lowering, (low[t] as number) + own);
      }
      if (raising + lowering > best.sum) Object.assign(best, { side, i, gain: raising, sum: raising + lowering });
    }
    if (!(best.sum > tolerance)) return { said: smoProgress.converged };
    const { side, i, gain } = best;
    const rowI = yield* this.#row(i);
    const j = this.#partner(side.low, rowI, i, gain);
    if (j < 0) return { said: smoProgress.stuck };
    const rowJ = yield* this.#row(j);
    const sum = gain + (side.low[j] as number) + (f[j] as number);
    const eta = this.#eta(rowI, i, j);
    const [vi, vj] = [side.value[i] as number, side.value[j] as number];
    const [endI, endJ] = [endOf(side, i, 1, epsilon), endOf(side, j, -1, epsilon)];
    const delta = Math.min(sum / eta, endI - vi, vj - endJ);
    const nextI = delta >= endI - vi ? endI : vi + delta;
    const nextJ = delta >= vj - endJ ? endJ : vj - delta;
    if (nextI === vi && nextJ === vj) return { said: smoProgress.stuck };
    putAt(side, i, nextI, epsilon);
    putAt(side, j, nextJ, epsilon);
    for (let t = 0; t < n; t++) f[t] = (f[t] as number) + delta * ((rowI[t] as number) - (rowJ[t] as number));
    return delta * sum - 0.5 * delta * delta * eta;
  }

  /** The j whose pair with i decreases the objective most, -1 where none gains. */
  #partner(low: Doubles, rowI: Doubles, i: number, gain: number): number {
    const { f } = this.#problem;
    let most = 0;
    let j = -1;
    for (let t = 0; t < f.length; t++) {
      const sum = gain + (low[t] as number) + (f[t] as number);
      // Of the row itself there is nothing to gain, whatever rounding says.
      if (!(sum > 0) || t === i) continue;
      const decrease = (sum * sum) / this.#eta(rowI, i, t);
      if (decrease > most) {
        most = decrease;
        j = t;
      }
    }
    return j;
  }

  #eta(rowI: Doubles, i: number, j: number): number {
    const own = (this.#diagonal[i] as number) + (this.#diagonal[j] as number);
    return Math.max(own - 2 * (rowI[j] as number), ROUNDING * Math.abs(own), TINY);
  }

  /** The same for the variable of a problem without a sum constraint that decreases the objective most. */
  *#stepAlone(side: GainingVariables): Generator<undefined, number | { said: number }> {
    const { f, epsilon, tolerance } = this.#problem;
    const { value, up, low } = side;
    let [place, most, violation] = [-1, 0, -Infinity];
    for (let t = 0; t < f.length; t++) {
      const own = f[t] as number;
      const gain = Math.max((up[t] as number) - own, (low[t] as number) + own);
      violation = Math.max(violation, gain);
      if (!(gain > 0)) continue;
      const decrease = (gain * gain) / Math.max(this.#diagonal[t] as number, TINY);
      if (decrease > most) {
        most = decrease;
        place = t;
      }
    }
    if (!(violation > tolerance)) return { said: smoProgress.converged };
    if (place < 0) return { said: smoProgress.stuck };
    const row = yield* this.#row(place);
    const v = value[place] as number;
    const raising = (up[place] as number) - (f[place] as number);
    const lowering = (low[place] as number) + (f[place] as number);
    const sign = raising >= lowering ? 1 : -1;
    const gain = Math.max(raising, lowering);
    const end = endOf(side, place, sign, epsilon);
    const curvature = Math.max(this.#diagonal[place] as number, TINY);
    const length = gain / curvature;
    const next = length >= Math.abs(end - v) ? end : v + sign * length;
    const delta = next - v;
    if (delta === 0) return { said: smoProgress.stuck };
    putAt(side, place, next, epsilon);
    for (let t = 0; t < f.length; t++) f[t] = (f[t] as number) + delta * (row[t] as number);
    return Math.abs(delta) * gain - 0.5 * delta * delta * curvature;
  }

  /** What a step of those between their bounds gained; undefined where there are too few, or nothing is gained. */
  *#stepTogether(): Generator<undefined, number | undefined> {
    const { f, sides, isFree, epsilon } = this.#problem;
    const all = sides.flatMap((side, s) => {
      const places: Free<GainingVariables>[] = [];
      for (let t = 0; t < f.length; t++) if (isBetween(side, t, epsilon)) places.push({ side, s, t });
      return places;
    });
    if (all.length < 2) return undefined;
    // Of too many a part, the next one the next time.
    const turn = all.length > MOST_FREE ? this.#turn++ % Math.ceil(all.length / MOST_FREE) : 0;
    const free = all.length > MOST_FREE ? all.filter((_, a) => a % Math.ceil(all.length / MOST_FREE) === turn) : all;
    const m = free.length;
    const matrix = new Float64Array(m * m);
    for (const [a, { t }] of free.entries()) {
      const row = yield* this.#row(t);
      for (let b = 0; b < m; b++) matrix[a * m + b] = row[(free[b] as Free<GainingVariables>).t] as number;
    }
    const gradient = Float64Array.from(free, ({ side, t }) => (f[t] as number) + epsilon * Math.sign(side.value[t] as number));
    const sideOf = isFree ? undefined : free.map(({ s }) => s);
    const direction = freeDirection(matrix, gradient, sideOf);
    const path = new FreePath(free, { matrix, gradient, sideOf, epsilon }, direction);
    const change = path.best(BENDS);
    if (change === undefined) return undefined;
    // Looked up once more: where memory is short, not all of them are here together.
    for (const [a, { side, t }] of free.entries()) {
      const own = change.by[a] as number;
      if (own === 0) continue;
      const row = yield* this.#row(t);
      putAt(side, t, change.to[a] as number, epsilon);
      for (let p = 0; p < f.length; p++) f[p] = (f[p] as number) + own * (row[p] as number);
    }
    return change.gain;
  }
}
