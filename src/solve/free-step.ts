// A Newton step of the variables that stand between their bounds, all at once, in a problem of which pair steps take thousands to go a little way: along directions in
// which K hardly curves.
//
//   d   min g'd + 1/2 d'(K + ridge I)d   over directions whose sums over each side are 0
//       = -M g + sum_s lambda_s M e_s,   M = (K + ridge I)^-1,   e_s: the variables of side s
//
// Where K does not curve at all d is as long as the ridge allows, and the step ends at a bound: one variable less between them. Checked in test/kernel-fine.test.ts.

import { cholesky, solveCholesky } from "./cholesky.js";

type Doubles = Float64Array;

/** The part of the mean of the diagonal that is added to it. */
const RIDGE = 1e-10;

/** The direction. `matrix`: K of the variables among themselves, m x m, overwritten; `sideOf`: of each variable, undefined where sums are free. */
export function freeDirection(matrix: Doubles, gradient: Doubles, sideOf: readonly number[] | undefined): Doubles {
  const m = gradient.length;
  let trace = 0;
  for (let a = 0; a < m; a++) trace += matrix[a * m + a] as number;
  for (let a = 0; a < m; a++) matrix[a * m + a] = (matrix[a * m + a] as number) + (RIDGE * trace) / m;
  cholesky(matrix, m);
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

function addTo(into: Doubles, other: Doubles, factor: number): void {
  for (let a = 0; a < into.length; a++) into[a] = (into[a] as number) + factor * (other[a] as number);
}

function dot(one: Doubles, other: Doubles): number {
  return one.reduce((sum, value, a) => sum + value * (other[a] as number), 0);
}
