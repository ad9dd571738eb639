// What errors of F, which is kept with float32 kernel values, may do to the gap. In units of sqrt(K_tt) they are much alike, and are measured, against F in float64, on
// rows drawn in proportion to how much theirs count. A row counts |v_t - v*_t| times its error, where v*_t is what the variable would choose; and more where an error of
// three standard deviations would make it choose otherwise: so a variable that stands where it wants to be, but not by much, counts too.

import { chosenAt, farthestAt, lossAt, type Variables } from "./kernel-choice.js";

/** Rows on which the error is measured; the deviations by which what was measured is raised; and what kernel values may be wrong by (kernel-rows.ts). */
export const SAMPLE = 64;
const DEVIATIONS = 3;
const KERNEL_ERROR = 1e-5;

/** The first `size` positions of a problem as they stand. */
export interface Standing {
  readonly sides: readonly Variables[];
  readonly f: Float64Array;
  readonly size: number;
  readonly epsilon: number;
  /** sqrt(K_tt), or what bounds a kernel value there. */
  unit(t: number): number;
}

/** The positions on which to measure, SAMPLE of them, some perhaps more than once. `weights` is scratch. */
export function samplePlaces({ sides, f, size, epsilon, unit }: Standing, weights: Float64Array): Uint32Array {
  let sizes = 0;
  for (const { value } of sides) for (let t = 0; t < size; t++) sizes += unit(t) * Math.abs(value[t] as number);
  let total = 0;
  for (let t = 0; t < size; t++) {
    const own = unit(t);
    let weight = 0;
    for (const side of sides) weight += own * farthestAt(side, t, (f[t] as number) - side.rho, KERNEL_ERROR * sizes * own, epsilon);
    weights[t] = weight;
    total += weight;
  }
  // Variables that went far and came back are small themselves, but not what they did to F: then all rows count alike.
  if (total === 0) {
    weights.fill(1, 0, size);
    total = size;
  }
  const places = new Uint32Array(SAMPLE);
  let passed = 0;
  let drawn = 0;
  // At even distances along the sum: no luck in it.
  for (let t = 0; t < size; t++) {
    passed += weights[t] as number;
    while (drawn < SAMPLE && passed >= ((drawn + 0.5) * total) / SAMPLE) places[drawn++] = t;
  }
  while (drawn < SAMPLE) places[drawn] = places[drawn++ - 1] as number;
  return places;
}

/** What errors of F may do. */
export interface GapError {
  /** By how much the gap may be larger than it seems. */
  readonly gap: number;
  /** By how much D may be smaller: 1/2 sum_t v_t times the error of F_t. */
  readonly dual: number;
}

export const noError: GapError = { gap: 0, dual: 0 };

/** The errors, F at these places being `exact`. */
export function measuredError(standing: Standing, places: Uint32Array, exact: Float64Array): GapError {
  const { sides, size, f, unit } = standing;
  let sum = 0;
  let signed = 0;
  let squares = 0;
  places.forEach((t, k) => {
    const error = ((f[t] as number) - (exact[k] as number)) / unit(t);
    sum += Math.abs(error);
    signed += error;
    squares += error * error;
  });
  const mean = sum / SAMPLE;
  const deviation = Math.sqrt(Math.max(0, squares / SAMPLE - mean * mean));
  const usual = mean + (DEVIATIONS * deviation) / Math.sqrt(SAMPLE);
  // What all F have in common counts as often as sum v says, what differs from row to row like the root of squares.
  let [total, length] = [0, 0];
  for (const { value } of sides) {
    for (let t = 0; t < size; t++) {
      const own = unit(t) * (value[t] as number);
      total += own;
      length += own * own;
    }
  }
  const dual = 0.5 * (Math.abs((signed / SAMPLE) * total) + DEVIATIONS * Math.sqrt((squares / SAMPLE) * length));
  return { gap: Math.max(roundingError(standing), gapFrom(standing, usual, mean + DEVIATIONS * deviation)), dual };
}

/** By how much the gap may be larger where F was made anew in float64. Each term of its sums is rounded, now up, now down: roundings grow like the root of their squares. */
export function roundingError(standing: Standing): number {
  const { sides, size, unit } = standing;
  let squares = 0;
  for (const { value } of sides) for (let t = 0; t < size; t++) squares += (unit(t) * (value[t] as number)) ** 2;
  const error = (Number.EPSILON / 2) * Math.sqrt(squares);
  return gapFrom(standing, error, error);
}

/** What errors of F that are `usual`, and none larger than `most`, in units of sqrt(K_tt), do to the gap. */
function gapFrom({ sides, f, size, epsilon, unit }: Standing, usual: number, most: number): number {
  let measured = 0;
  for (const side of sides) {
    for (let t = 0; t < size; t++) {
      const own = unit(t);
      const e = (f[t] as number) - side.rho;
      const slope = Math.abs((side.value[t] as number) - chosenAt(side, t, e, epsilon));
      const here = lossAt(side, t, e, epsilon);
      const there = Math.max(lossAt(side, t, e - most * own, epsilon), lossAt(side, t, e + most * own, epsilon));
      measured += own * usual * slope + Math.max(0, there - here - own * most * slope);
    }
  }
  return measured;
}
