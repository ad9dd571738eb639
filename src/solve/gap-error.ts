// What errors of F, which is kept with float32 kernel values, may do to the gap. In units of sqrt(K_tt) they are much alike, and are measured, against F in float64, on
// rows drawn in proportion to how much theirs count. A row counts |v_t - v*_t| times its error, where v*_t is what the variable would choose; and more where an error of
// three standard deviations would make it choose otherwise: so a variable that stands where it wants to be, but not by much, counts too.

import { rowsWhere } from "../base/rows-where.js";
import type { Core } from "../runtime/core.js";
import type { Variables } from "./kernel-choice.js";
import { NARROW_ERROR } from "./kernel-error.js";

/** Rows on which the error is measured; and the deviations by which what was measured is raised. */
export const SAMPLE = 64;
const DEVIATIONS = 3;

/** The first `size` positions of a problem as they stand. */
export interface Standing {
  readonly sides: readonly Variables[];
  readonly f: Float64Array;
  readonly size: number;
  readonly epsilon: number;
}

/** The same in the core's memory. */
export interface PlacedStanding extends Standing {
  readonly core: Core;
  readonly sides: readonly (Variables & { readonly state: { readonly pointer: number } })[];
  /** sqrt(K_tt), or what bounds a kernel value there. */
  readonly units: Float64Array;
  /** f64[size], f64[3] and u32[SAMPLE], scratch. */
  readonly weights: Float64Array;
  readonly sums: Float64Array;
  readonly places: Uint32Array;
}

/** The positions on which to measure, SAMPLE of them, some perhaps more than once. */
export function samplePlaces(standing: PlacedStanding): Uint32Array {
  const { core, sides, size, units, weights, places } = standing;
  const { absolute } = sizesOf(standing);
  weights.fill(0, 0, size);
  let total = 0;
  for (const { state, rho } of sides)
    total += core.sideReach(state.pointer, rho, units.byteOffset, NARROW_ERROR * absolute, weights.byteOffset);
  // Variables that went far and came back are small themselves, but not what they did to F: then all rows count alike.
  if (total === 0) {
    weights.fill(1, 0, size);
    total = size;
  }
  core.drawEvenly(weights.byteOffset, size, total, places.byteOffset, SAMPLE);
  return places;
}

/** sum |v_t|, sum v_t and sum v_t^2 in units of sqrt(K_tt). */
function sizesOf({ core, sides, units, sums }: PlacedStanding): { absolute: number; total: number; squares: number } {
  sums.fill(0);
  for (const { state } of sides) core.sideSizes(state.pointer, units.byteOffset, sums.byteOffset);
  return { absolute: sums[0] as number, total: sums[1] as number, squares: sums[2] as number };
}

/** What errors of F may do. */
export interface GapError {
  /** By how much the gap may be larger than it seems. */
  readonly gap: number;
  /** By how much D may be smaller: 1/2 sum_t v_t times the error of F_t. */
  readonly dual: number;
}

/** The same with what was measured, in units: errors of F as they usually are, and three deviations from that; their mean with its sign, and the mean of their squares. */
export interface MeasuredError extends GapError {
  readonly usual: number;
  readonly most: number;
  readonly signed: number;
  readonly squared: number;
}

export const noError: GapError = { gap: 0, dual: 0 };

/** The errors, F at the sampled places being `exact`; no smaller than `least`, those of rows that may not be among them, because others count more. */
export function measuredError(standing: PlacedStanding, exact: Float64Array, least?: MeasuredError): MeasuredError {
  const { f, units, places } = standing;
  let sum = 0;
  let signed = 0;
  let squares = 0;
  for (let k = 0; k < SAMPLE; k++) {
    const t = places[k] as number;
    const error = ((f[t] as number) - (exact[k] as number)) / (units[t] as number);
    sum += Math.abs(error);
    signed += error;
    squares += error * error;
  }
  const mean = sum / SAMPLE;
  const deviation = Math.sqrt(Math.max(0, squares / SAMPLE - mean * mean));
  const own = {
    usual: Math.max(mean + (DEVIATIONS * deviation) / Math.sqrt(SAMPLE), least?.usual ?? 0),
    most: Math.max(mean + DEVIATIONS * deviation, least?.most ?? 0),
    signed: Math.max(Math.abs(signed / SAMPLE), Math.abs(least?.signed ?? 0)),
    squared: Math.max(squares / SAMPLE, least?.squared ?? 0),
  };
  return { gap: Math.max(roundingError(standing), gapFrom(standing, own.usual, own.most)), dual: dualFrom(standing, own), ...own };
}

/** The positions that count: all but those whose variable stands where it wants to be, and would with errors of F of up to `reach` units, so that F may be off by as much there and the gap is the same. */
export function countingPlaces({ core, sides, size, units, weights }: PlacedStanding, reach: number): Uint32Array {
  weights.fill(0, 0, size);
  for (const { state, rho } of sides) core.sideReach(state.pointer, rho, units.byteOffset, reach, weights.byteOffset);
  return rowsWhere(size, (t) => weights[t] !== 0);
}

/** What is left of an error that was measured once F is right at the positions that counted. */
export function errorElsewhere(standing: PlacedStanding, error: MeasuredError, places: Uint32Array): GapError {
  const rounding = roundingError(standing);
  for (const t of places) standing.units[t] = 0;
  return { gap: rounding + gapFrom(standing, error.usual, error.most), dual: dualFrom(standing, error) };
}

/** What errors of F do to D. What all F have in common counts as often as sum v says, what differs from row to row like the root of squares. */
function dualFrom(standing: PlacedStanding, { signed, squared }: Pick<MeasuredError, "signed" | "squared">): number {
  const { total, squares } = sizesOf(standing);
  return 0.5 * (Math.abs(signed * total) + DEVIATIONS * Math.sqrt(squared * squares));
}

/** By how much the gap may be larger where F was made anew in float64. Each term of its sums is rounded, now up, now down: roundings grow like the root of their squares. */
export function roundingError(standing: PlacedStanding): number {
  return roundingOf(standing, sizesOf(standing).squares);
}

function roundingOf(standing: PlacedStanding, squares: number): number {
  const error = (Number.EPSILON / 2) * Math.sqrt(squares);
  return gapFrom(standing, error, error);
}

/** What errors of F that are `usual`, and none larger than `most`, in units of sqrt(K_tt), do to the gap. */
function gapFrom({ core, sides, units }: PlacedStanding, usual: number, most: number): number {
  return sides.reduce((sum, { state, rho }) => sum + core.sideErrors(state.pointer, rho, units.byteOffset, usual, most), 0);
}
