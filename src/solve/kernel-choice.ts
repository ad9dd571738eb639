// What the variables of a kernel problem would choose, given an offset: each minimises its own part of the Lagrangian,
//
//   c_t(v) = v e + epsilon |v|   over [lo_t, hi_t],   e = F_t - rho
//
// and what it costs where it is, less what it would cost there, is its part of the gap. Checked through the machine's proofs, test/kernel-machine.test.ts.

/** The variables under one sum constraint, by position, and the offset that belongs to it. */
export interface Variables {
  readonly value: Float64Array;
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly rho: number;
}

/** The variables, and what -F and F lack to the gains of raising and lowering them (core/kernel/side.ts). */
export interface GainingVariables extends Omit<Variables, "rho"> {
  readonly up: Float64Array;
  readonly low: Float64Array;
}

/** Moves a variable, and sets what its gains lack. */
export function putAt({ value, lo, hi, up, low }: GainingVariables, t: number, next: number, epsilon: number): void {
  value[t] = next;
  up[t] = next >= (hi[t] as number) ? -Infinity : next < 0 ? epsilon : -epsilon;
  low[t] = next <= (lo[t] as number) ? -Infinity : next > 0 ? epsilon : -epsilon;
}

/** What the variable at position t chooses; where several are as good, what it has. */
export function chosenAt({ lo, hi, value }: Variables, t: number, e: number, epsilon: number): number {
  if (e === epsilon || e === -epsilon) return value[t] as number;
  if (e > epsilon) return lo[t] as number;
  return e < -epsilon ? (hi[t] as number) : kinkOf(lo[t] as number, hi[t] as number);
}

/** How far it is at most from what it would choose, if e were off by up to `reach`. */
export function farthestAt(side: Variables, t: number, e: number, reach: number, epsilon: number): number {
  const own = side.value[t] as number;
  return Math.max(Math.abs(own - chosenAt(side, t, e - reach, epsilon)), Math.abs(own - chosenAt(side, t, e + reach, epsilon)));
}

/** Where |v| has its kink, or the bound next to it. */
function kinkOf(lo: number, hi: number): number {
  return Math.min(Math.max(lo, 0), hi);
}
