// Rows that come along with a wanted one. Eight rows cost little more than one; but where few of the other seven are ever used, and a row by itself costs little (dense ones of few features), a
// wanted row is better brought in alone: what is not computed needs no memory either, and memory that nobody has touched yet takes as long to be had as the values in it.
//
//   used     a step has used the row, or it was brought in again, before as many more had come along as are remembered
//   share    of those, of late; every sixteenth wanted row has company whatever the share is, so that it can rise again
//
// Which rows come along changes the time, never a value. Checked in test/unit/core/kernel-company.test.ts.

import { Company } from "../layout/kernel";
import { at, put } from "../memory";

/** How many rows a wanted one has with it at most. */
const OTHERS: u32 = 7;
/** How many rows the share stands for. */
const MEMORY: f64 = 64;
/** The share from which on company is worth what it costs: docs/performance.md. */
const WORTH: f64 = 0.5;
/** One in so many wanted rows has company all the same. */
const TRIAL: f64 = 16;

/** How many rows are to come along with the next that is wanted. */
export function companions(c: Company): u32 {
  if (c.isApt == 0 || load<f64>(c.shared) >= WORTH) return OTHERS;
  const alone = load<f64>(c.shared, 8) + 1;
  store<f64>(c.shared, alone < TRIAL ? alone : 0, 8);
  return alone < TRIAL ? 0 : OTHERS;
}

/** The row of a position comes along, at this step; the one that came along a while ago has been used by now or not. `stamps`: the step that used each position's row last. */
export function cameAlong(c: Company, stamps: usize, place: u32, step: u32): void {
  const k = c.met % c.ringSize;
  if (c.met >= c.ringSize) {
    const used: f64 = at<u32>(stamps, at<u32>(c.places, k)) > at<u32>(c.steps, k) ? 1 : 0;
    const share = load<f64>(c.shared);
    store<f64>(c.shared, share + (used - share) / MEMORY);
  }
  put<u32>(c.places, k, place);
  put<u32>(c.steps, k, step);
  c.met++;
}
