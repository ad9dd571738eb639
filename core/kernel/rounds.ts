// Steps of a kernel machine (solve/kernel-machine.ts), and every 64 of them a look at the gap: the part of its method that needs nothing from the host.
//
//   look     F as it is (quick.ts: smoFold), the largest gains, whether passes may be made in float32 from here on
//   gap      P - D over the rows in use, at offsets in the middle of what the gains allow, with what is known of errors (side.ts: sideGap)
//   rests    where the zero model costs nothing P is 0 there, and D the whole of the gap
//
// Looks come after the same steps always, whatever rows are in memory.
// Checked in test/kernel-machine.test.ts and test/unit/core/kernel-rounds.test.ts.

import { Rounds, Segments, Side, Smo } from "../layout/kernel";
import { descentAdvance, descentLook } from "./descent";
import { smoFold } from "./quick";
import { bringWanted } from "./segments";
import { sideExtremes, sideGap } from "./side";
import { SmoProgress, smoAdvance } from "./smo";

/** Steps between two looks at the gap. */
const LOOK: f64 = 64;
/** Gains of so many times what rounding may have done are those of another problem. */
const CLEAN: f64 = 8;
/** The part of the best one that a gap must be to count as smaller. */
const SMALLER: f64 = 0.9;
/** What bringing rows in costs, in passes over the positions. */
const ROWS_COST: i64 = 32;
/**
 * Passes in float32 are precise enough as long as what is gained stands out from the rounding of F, and squares of F, over twice the diagonal, are numbers of float32 (solve/pair-steps.ts has the same
 * for searches).
 */
const QUICK_PART: f64 = 1.0 / 32768.0;
const LEAST_QUICK: f64 = 1e-8;
const MOST_QUICK: f64 = 1e12;

/** What `smoRounds` returns besides what SmoProgress says. */
export const enum RoundsProgress {
  Looked = 4, // the gap is small enough, or F should be made anew, or the gap has not become smaller for long
}

/**
 * Makes steps until there were `until` in all, or about `budget` positions were passed (Running), or something is for the host to do: a row to bring, a look that tells of the end.
 */
export function smoRounds(r: Rounds, until: f64, budget: u32): u32 {
  const m = changetype<Smo>(r.smo);
  const size = <i64>changetype<Side>(m.first).size;
  let left: i64 = budget;
  // From somebody's guess there may be nothing to do.
  if (isDone(r)) return RoundsProgress.Looked;
  while (m.steps < until && left > 0) {
    const before = m.steps;
    const slice = <f64>max<i64>(1, left / max<i64>(1, size));
    const count = <u32>min(min(r.looked + LOOK, until) - before, slice);
    let said: u32 = r.isFree != 0 ? descentAdvance(m, count) : smoAdvance(m, count);
    left -= (<i64>(m.steps - before) + 1) * size;
    if (said == SmoProgress.Wanted && r.segments != 0) {
      if (!bringWanted(changetype<Segments>(r.segments), m)) return said;
      left -= ROWS_COST * size;
      said = SmoProgress.Running;
    }
    // That nobody gains is for float64 to say.
    if ((said == SmoProgress.Converged || said == SmoProgress.Stuck) && r.isFree == 0 && m.isQuick != 0) {
      smoLook(r);
      m.isQuick = 0;
      said = SmoProgress.Running;
    }
    if (m.steps >= r.looked + LOOK) {
      r.looked = m.steps;
      smoMeasure(r);
      if (said == SmoProgress.Running && (isDone(r) || r.needsCleansing != 0 || m.steps >= r.patience)) return RoundsProgress.Looked;
    }
    if (said != SmoProgress.Running) return said;
  }
  return SmoProgress.Running;
}

function isDone(r: Rounds): bool {
  return (r.byViolation != 0 ? r.violation : r.relativeGap) <= r.tolerance;
}

/** The largest gains. Passes are made in float32 from here on if that is precise enough. */
export function smoLook(r: Rounds): void {
  const m = changetype<Smo>(r.smo);
  let most: f64 = 0;
  if (r.isFree != 0) descentLook(m);
  else {
    most = smoFold(m);
    sideExtremes(changetype<Side>(m.first));
    if (m.other != 0) sideExtremes(changetype<Side>(m.other));
  }
  setViolation(r, m);
  const isQuick = r.canBeQuick != 0 && most > LEAST_QUICK && most < MOST_QUICK && r.violation > QUICK_PART * most;
  m.isQuick = isQuick ? 1 : 0;
  if (isQuick) r.isDrifted = 1;
}

/** From the extremes, which steps in float64 know. */
function setViolation(r: Rounds, m: Smo): void {
  r.violation = max<f64>(0, violationOf(r, changetype<Side>(m.first)));
  if (m.other != 0) r.violation = max(r.violation, violationOf(r, changetype<Side>(m.other)));
}

function violationOf(r: Rounds, s: Side): f64 {
  return r.isFree != 0 ? max(s.mostUp, s.mostLow) : s.mostUp + s.mostLow;
}

/** A look: primal, dual and gap over the rows in use, whether the gap has become smaller, and whether F is still what it should be. */
export function smoMeasure(r: Rounds): void {
  const m = changetype<Smo>(r.smo);
  // Folding changes the gains by their rounding.
  if (m.isQuick != 0) smoLook(r);
  else setViolation(r, m);
  sideGap(changetype<Side>(m.first), middleOf(r, changetype<Side>(m.first)));
  if (m.other != 0) sideGap(changetype<Side>(m.other), middleOf(r, changetype<Side>(m.other)));
  smoSum(r);
  // What passes in float32 have done to F no step undoes where kernel rows are like each other: before gains become as small as that, F is to be made anew.
  r.needsCleansing = r.isDrifted != 0 && r.violation <= CLEAN * m.noise ? 1 : 0;
  const gap = r.isGapless != 0 ? r.violation : r.relativeGap;
  if (!(gap <= SMALLER * r.bestGap)) return;
  r.bestGap = gap;
  r.patience = m.steps + r.stretch;
}

/** The offset in the middle of what the gains allow. */
function middleOf(r: Rounds, s: Side): f64 {
  if (r.isFree != 0) return 0;
  const middle = (s.mostLow - s.mostUp) / 2;
  return abs(middle) < Infinity ? middle : 0;
}

/** Primal, dual and gap from those of the sides, with what is known of errors. */
export function smoSum(r: Rounds): void {
  const m = changetype<Smo>(r.smo);
  const first = changetype<Side>(m.first);
  let gap = first.gap;
  let dual = first.dual;
  if (m.other != 0) {
    gap += changetype<Side>(m.other).gap;
    dual += changetype<Side>(m.other).dual;
  }
  // While rows are set aside their part of it is not known; steps have kept account of it.
  if (r.isWhole != 0) {
    r.gained += m.dual - r.counted;
    m.dual = dual - r.errorDual;
    r.counted = m.dual;
  }
  gap += r.errorGap + r.errorDual;
  r.rests = r.canRest != 0 && -m.dual < gap ? 1 : 0;
  if (r.rests != 0) gap = -m.dual;
  r.primal = m.dual + gap;
  r.relativeGap = gap <= 0 ? 0 : gap / max(max(abs(r.primal), abs(m.dual)), r.floor);
}
