// From the times of fits on samples to that of a fit on all rows. Of all curves a + b n^p with an exponent that the method may have, those that meet the
// measurements about as well as the best one are followed to all rows: the forecast reaches from the lowest to the highest.

import { exp, log } from "../base/math.js";

/** A fit that was timed. */
export interface TimedFit {
  readonly rowCount: number;
  readonly seconds: number;
  /** Whether it came to its end; otherwise it took longer than that. */
  readonly isDone: boolean;
}

/** `high` is null where nothing was measured to its end. */
export interface SecondsRange {
  readonly low: number;
  readonly high: number | null;
}

/** Exponents that time may grow with; `surplus`: times as long because not all kernel rows are kept. */
export interface Growth {
  readonly least: number;
  readonly most: number;
  readonly surplus: number;
}

/** What two runs of the same fit may differ by. */
const NOISE = 1.4;
const EXPONENT_STEP = 0.1;
/** Measurements that curves are to meet: the largest samples, as small ones are of what a call costs. */
const MOST_MET = 4;
/** A curve is as good as another if its error is at most so much larger: 20 % of the time of the largest sample. */
const TOLERATED = 0.04;

/** The time for `rowCount` rows. `startSeconds`: what the first fit of a process takes besides. */
export function extrapolated(measured: readonly TimedFit[], rowCount: number, growth: Growth, startSeconds: number): SecondsRange {
  const done = measured.filter(({ isDone }) => isDone);
  const last = (done.at(-1) ?? measured.at(-1)) as TimedFit;
  if (done.length === 0) return { low: last.seconds * power(rowCount / last.rowCount, growth.least), high: null };
  const curves: Curve[] = [];
  const latest = done.slice(-MOST_MET);
  for (let p = growth.least; p < growth.most + EXPONENT_STEP / 2; p += EXPONENT_STEP) curves.push(curveThrough(latest, p));
  const best = Math.min(...curves.map(({ error }) => error));
  const ends = curves.filter(({ error }) => error <= best + TOLERATED).map(({ at }) => at(rowCount));
  // All rows take no less than some of them, whatever a curve says.
  const times = rowCount === last.rowCount ? [last.seconds] : ends.map((end) => Math.max(end, last.seconds));
  return { low: Math.min(...times) / NOISE, high: Math.max(...times) * NOISE * growth.surplus + startSeconds };
}

interface Curve {
  at(rowCount: number): number;
  /** Sum of the squared relative errors, each times the share of its rows in the largest sample: small ones are the noisiest. */
  readonly error: number;
}

/** a + b n^p, a and b at least 0, of least error. */
function curveThrough(fits: readonly TimedFit[], p: number): Curve {
  const most = fits.at(-1)?.rowCount ?? 1;
  // Columns 1 / t and n^p / t, right-hand side 1.
  let [s11, s12, s22, r1, r2] = [0, 0, 0, 0, 0];
  for (const { rowCount, seconds } of fits) {
    const [one, other, weight] = [1 / seconds, power(rowCount, p) / seconds, rowCount / most];
    s11 += weight * one * one;
    s12 += weight * one * other;
    s22 += weight * other * other;
    r1 += weight * one;
    r2 += weight * other;
  }
  const determinant = s11 * s22 - s12 * s12;
  let a = fits.length < 2 ? 0 : (s22 * r1 - s12 * r2) / determinant;
  let b = fits.length < 2 ? r2 / s22 : (s11 * r2 - s12 * r1) / determinant;
  if (!(a >= 0)) [a, b] = [0, r2 / s22];
  else if (!(b >= 0)) [a, b] = [r1 / s11, 0];
  const at = (rowCount: number): number => a + b * power(rowCount, p);
  return { at, error: fits.reduce((sum, { rowCount, seconds }) => sum + (rowCount / most) * (at(rowCount) / seconds - 1) ** 2, 0) };
}

const power = (base: number, exponent: number): number => exp(exponent * log(base));
