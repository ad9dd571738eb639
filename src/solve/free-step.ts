// A Newton step of the variables that stand between their bounds, all at once, in a problem of which pair steps take thousands to go a little way: along directions in
// which K hardly curves.
//
//   d   min g'd + 1/2 d'(K + ridge I)d   over directions whose sums over each side are 0
//       = -M g + sum_s lambda_s M e_s,   M = (K + ridge I)^-1,   e_s: the variables of side s
//
// Where K does not curve at all d is as long as the ridge allows. The step goes straight to the first bound, or, where that gains more, on along a path that is bent at
// the bounds: who has come to his stays there, and the others share what their sum then lacks. So one step can bring many variables to their bounds.
// Checked in test/kernel-fine.test.ts.

import { cholesky, solveCholesky } from "./cholesky.js";
import type { Variables } from "./kernel-choice.js";

type Doubles = Float64Array;

/** The parts of the mean of the diagonal that are added to it, the first that leaves a positive definite matrix: given kernel values may be rounded, and not be one. */
const RIDGES = [1e-10, 1e-7, 1e-4, 1];
/** What stands for a pivot that rounding has eaten: cholesky.ts. */
const EATEN = 1e60;

/** The direction. `kernel`: K of the variables among themselves, m x m; `sideOf`: of each variable, undefined where sums are free. */
export function freeDirection(kernel: Doubles, gradient: Doubles, sideOf: readonly number[] | undefined): Doubles {
  const m = gradient.length;
  const matrix = factored(kernel, m);
  const d = gradient.map((g) => -g);
  solveCholesky(matrix, d);
  if (sideOf === undefined) return d;
  // One side after the other: what brings the second sum to 0 leaves the first one alone.
  const done: { readonly own: Doubles; readonly z: Doubles }[] = [];
  for (const side of new Set(sideOf)) {
    const own = Float64Array.from(sideOf, (s) => (s === side ? 1 : 0));
    const z = own.slice();
    solveCholesky(matrix, z);
    for (const other of done) addTo(z, other.z, -dot(z, other.own) / dot(other.z, other.own));
    addTo(d, z, -dot(d, own) / dot(z, own));
    done.push({ own, z });
  }
  // Sums of large numbers that cancel are 0 only about: variables would leave their sums by as much.
  for (const { own } of done) addTo(d, own, -dot(d, own) / dot(own, own));
  return d;
}

function factored(kernel: Doubles, m: number): Doubles {
  const matrix = new Float64Array(m * m);
  let trace = 0;
  for (let a = 0; a < m; a++) trace += Math.abs(kernel[a * m + a] as number);
  for (const ridge of RIDGES) {
    matrix.set(kernel);
    for (let a = 0; a < m; a++) matrix[a * m + a] = (matrix[a * m + a] as number) + (ridge * trace) / m;
    cholesky(matrix, m);
    if (isPositive(matrix, m)) break;
  }
  return matrix;
}

function isPositive(factor: Doubles, m: number): boolean {
  for (let a = 0; a < m; a++) if ((factor[a * m + a] as number) > EATEN) return false;
  return true;
}

/** The variables of a side, by position. */
type BoundedSide = Omit<Variables, "rho">;

/** A variable between its bounds: of which side, the number of that side, and its position. */
export interface Free<S extends BoundedSide = BoundedSide> {
  readonly side: S;
  readonly s: number;
  readonly t: number;
}

/** Whether a variable is neither at a bound nor at the kink of |v|. */
export function isBetween({ value, lo, hi }: BoundedSide, t: number, epsilon: number): boolean {
  const v = value[t] as number;
  return v > (lo[t] as number) && v < (hi[t] as number) && (epsilon === 0 || v !== 0);
}

/** How far it may go in a direction: to the bound, or to the kink. */
export function endOf({ value, lo, hi }: BoundedSide, t: number, direction: number, epsilon: number): number {
  const v = value[t] as number;
  if (direction > 0) return epsilon > 0 && v < 0 ? Math.min(0, hi[t] as number) : (hi[t] as number);
  return epsilon > 0 && v > 0 ? Math.max(0, lo[t] as number) : (lo[t] as number);
}

/** Where variables go, by how much, and what that gains. */
export interface FreeChange {
  readonly to: Doubles;
  readonly by: Doubles;
  readonly gain: number;
}

interface FreeProblem {
  /** K of the variables among themselves. */
  readonly matrix: Doubles;
  readonly gradient: Doubles;
  readonly sideOf: readonly number[] | undefined;
  readonly epsilon: number;
}

/** Halvings of the distance between two shifts of which one is too small and one too large: as many as a double has digits. */
const HALVINGS = 60;

/** The ways along a direction. */
export class FreePath {
  readonly #problem: FreeProblem;
  readonly #direction: Doubles;
  readonly #values: Doubles;
  readonly #lo: Doubles;
  readonly #hi: Doubles;

  constructor(free: readonly Free[], problem: FreeProblem, direction: Doubles) {
    const { epsilon } = problem;
    this.#problem = problem;
    this.#direction = direction;
    this.#values = Float64Array.from(free, ({ side, t }) => side.value[t] as number);
    this.#lo = Float64Array.from(free, ({ side, t }) => endOf(side, t, -1, epsilon));
    this.#hi = Float64Array.from(free, ({ side, t }) => endOf(side, t, 1, epsilon));
  }

  /** The best of the straight step and of `bends` bent ones; undefined if none gains. */
  best(bends: number): FreeChange | undefined {
    const { gradient } = this.#problem;
    const slope = dot(this.#direction, gradient);
    if (!(slope < 0)) return undefined;
    const curvature = this.#curvature(this.#direction);
    const ways = this.#values.map(
      (v, a) =>
        Math.abs((((this.#direction[a] as number) > 0 ? this.#hi : this.#lo)[a] as number) - v) / Math.abs(this.#direction[a] as number),
    );
    const room = ways.reduce((least, way) => Math.min(least, way), Infinity);
    const farthest = ways.reduce((most, way) => (way < Infinity ? Math.max(most, way) : most), 0);
    const full = curvature > 0 ? -slope / curvature : Infinity;
    let best = this.#straight(Math.min(full, room), room);
    if (full <= room) return best;
    let length = Math.min(full, farthest);
    for (let k = 0; k < bends && length > room; k++, length /= 4) {
      const bent = this.#bent(length);
      if (bent !== undefined && bent.gain > (best?.gain ?? 0)) best = bent;
    }
    return best;
  }

  #straight(length: number, room: number): FreeChange | undefined {
    if (!Number.isFinite(length)) return undefined;
    const to = this.#values.map((v, a) => {
      const own = this.#direction[a] as number;
      const end = (own > 0 ? this.#hi : this.#lo)[a] as number;
      const next = v + length * own;
      // At the end of their way they are exactly there.
      const isThere = length === room && Math.abs(next - end) <= 4 * Number.EPSILON * Math.max(Math.abs(end), Math.abs(v));
      return isThere || (own > 0 ? next >= end : next <= end) ? end : next;
    });
    return this.#changeTo(to);
  }

  #bent(length: number): FreeChange | undefined {
    const { sideOf } = this.#problem;
    const wanted = this.#values.map((v, a) => v + length * (this.#direction[a] as number));
    const to = wanted.map((v, a) => this.#clipped(v, a));
    for (const side of new Set(sideOf)) {
      const own = Array.from(to.keys()).filter((a) => sideOf?.[a] === side);
      const sum = own.reduce((total, a) => total + (this.#values[a] as number), 0);
      let [low, high] = [0, 0];
      for (const a of own) {
        low = Math.min(low, (this.#lo[a] as number) - (wanted[a] as number));
        high = Math.max(high, (this.#hi[a] as number) - (wanted[a] as number));
      }
      for (let k = 0; k < HALVINGS; k++) {
        const middle = (low + high) / 2;
        const total = own.reduce((all, a) => all + this.#clipped((wanted[a] as number) + middle, a), 0);
        if (total < sum) low = middle;
        else high = middle;
      }
      for (const a of own) to[a] = this.#clipped((wanted[a] as number) + low, a);
      mend(to, own, sum, this.#lo, this.#hi);
    }
    return this.#changeTo(to);
  }

  #clipped(v: number, a: number): number {
    return Math.min(Math.max(v, this.#lo[a] as number), this.#hi[a] as number);
  }

  #changeTo(to: Doubles): FreeChange | undefined {
    const by = to.map((v, a) => v - (this.#values[a] as number));
    const gain = -dot(by, this.#problem.gradient) - 0.5 * this.#curvature(by);
    return gain > 0 ? { to, by, gain } : undefined;
  }

  /** d'Kd. */
  #curvature(d: Doubles): number {
    const { matrix } = this.#problem;
    const m = d.length;
    let sum = 0;
    for (let a = 0; a < m; a++) {
      const own = d[a] as number;
      if (own === 0) continue;
      let product = 0;
      for (let b = 0; b < m; b++) product += (matrix[a * m + b] as number) * (d[b] as number);
      sum += own * product;
    }
    return sum;
  }
}

/** What rounding has left of a sum, to the first that can take it. */
function mend(to: Doubles, own: readonly number[], sum: number, lo: Doubles, hi: Doubles): void {
  let left = sum - own.reduce((total, a) => total + (to[a] as number), 0);
  for (const a of own) {
    if (left === 0) return;
    const before = to[a] as number;
    to[a] = Math.min(Math.max(before + left, lo[a] as number), hi[a] as number);
    left -= (to[a] as number) - before;
  }
}

function addTo(into: Doubles, other: Doubles, factor: number): void {
  for (let a = 0; a < into.length; a++) into[a] = (into[a] as number) + factor * (other[a] as number);
}

function dot(one: Doubles, other: Doubles): number {
  return one.reduce((sum, value, a) => sum + value * (other[a] as number), 0);
}
