// Sequential minimal optimisation: one pair of variables after the other, over all rows in use, as long as their kernel rows are at hand.
//
//   i      the largest gain of raising, up_i - F_i
//   j      the pair (i, j) with the largest decrease: (gain_i + gain_j)^2 / eta,  eta = K_ii + K_jj - 2 K_ij,  over pairs that gain
//   step   pair.ts;  beyond the optimum of the pair where the host says so, as in successive over-relaxation: where variables hang together each step undoes part of those before
//   F      += delta (K_i - K_j); the same pass finds the next i
//
// Passes are made in float32 (quick.ts) while what is gained stands out from its rounding, which the caller says; then in float64.
// A pass over many positions is made in two halves, of which a second thread takes one if it is there: the same values either way.
//
// Second-order selection: Fan, Chen, Lin, JMLR 2005. Checked in test/unit/core/kernel-block.test.ts.

import { HalfPass, Part, Relay, Second, Side, Smo } from "../layout/kernel";
import { at, put } from "../memory";
import { pairGain, pairStep, TINY } from "./pair";
import { copyGain, driftedF, quickMove, quickPartner } from "./quick";
import { sideExtremes } from "./side";

/** What `smoAdvance` returns. */
export const enum SmoProgress {
  Running = 0, // made as many steps as it was to
  Converged = 1, // no pair gains more than the tolerance
  Wanted = 2, // needs the row of position `wanted`
  Stuck = 3, // rounding leaves nothing of the best step
}

const NONE: u32 = 0xffffffff;
/** How many times its rounding a sum of gains must be to be worth going beyond its optimum. */
const CLEAR: f64 = 8;
/** Positions from which on a pass has two halves: below, the other thread would be waited for longer than it helps. */
const HALVES: u32 = 2048;
/**
 * Looks at the other half after which it is late; passes that are then made alone, twice as many each time up to a limit, until it was in time for as many; looks
 * without a pass after which the helper goes.
 */
const LATE: u32 = 200000;
const ALONE: u32 = 64;
const MOST_ALONE: u32 = 4096;
const IDLE: u32 = 1000000;

/** Makes up to `count` pair steps. The extremes of all sides must be known: sideExtremes. */
export function smoAdvance(m: Smo, count: u32): SmoProgress {
  for (let left = count; left > 0; left--) {
    const first = changetype<Side>(m.first);
    const other = changetype<Side>(m.other);
    let s = first;
    if (m.other != 0 && other.mostUp + other.mostLow > first.mostUp + first.mostLow) s = other;
    m.violation = s.mostUp + s.mostLow;
    if (!(m.violation > m.tolerance)) return SmoProgress.Converged;
    const i = s.upPlace;
    const rowI = <usize>at<u32>(m.rowOf, i);
    if (rowI == 0) return want(m, s, i, true);
    const j = partnerOf(m, s, i, rowI);
    if (j == NONE) return SmoProgress.Stuck;
    const rowJ = <usize>at<u32>(m.rowOf, j);
    if (rowJ == 0) return want(m, s, j, false);
    const delta = step(m, s, i, j, rowI);
    if (delta == 0) return SmoProgress.Stuck;
    m.steps += 1;
    put<u32>(m.stamps, i, <u32>m.steps);
    put<u32>(m.stamps, j, <u32>m.steps);
    move(m, s, rowI, rowJ, delta);
    if (m.other == 0) continue;
    const rest = s == first ? other : first;
    // Nothing moves, but the pass finds the extremes.
    if (m.isQuick != 0) move(m, rest, rowI, rowJ, 0);
    else sideExtremes(rest);
  }
  return SmoProgress.Running;
}

function want(m: Smo, s: Side, place: u32, isUp: bool): SmoProgress {
  m.wanted = place;
  m.wantedSide = s == changetype<Side>(m.first) ? 0 : 1;
  m.wantedUp = isUp ? 1 : 0;
  return SmoProgress.Wanted;
}

/** The j whose pair with i decreases the objective most. */
function partnerOf(m: Smo, s: Side, i: u32, rowI: usize): u32 {
  const own = changetype<Part>(m.own);
  const others = changetype<Part>(m.others);
  const middle = middleOf(s);
  const isShared = offer(m, HalfPass.Partner, s, i, rowI, 0, s.mostUp);
  partnerIn(m, s, i, s.mostUp, rowI, middle, s.size, own);
  if (isShared) awaitOther(m);
  else partnerIn(m, s, i, s.mostUp, rowI, 0, middle, others);
  return own.most > others.most ? own.which : others.which;
}

/** F += delta (K_i - K_j), and the extremes of the side. */
function move(m: Smo, s: Side, rowI: usize, rowJ: usize, delta: f64): void {
  const own = changetype<Part>(m.own);
  const others = changetype<Part>(m.others);
  const middle = middleOf(s);
  const isShared = offer(m, HalfPass.Move, s, 0, rowI, rowJ, delta);
  moveIn(m, s, rowI, rowJ, delta, middle, s.size, own);
  if (isShared) awaitOther(m);
  else moveIn(m, s, rowI, rowJ, delta, 0, middle, others);
  const best = own.most > others.most ? own : others;
  s.mostUp = best.most;
  s.upPlace = best.which;
  s.mostLow = max(own.low, others.low);
}

/** Where the halves meet: a multiple of what the loops take at a time, 0 where there is one pass only. */
function middleOf(s: Side): u32 {
  return s.size < HALVES ? 0 : ((s.size >>> 1) - 256) & ~7;
}

/** Leaves the first half of a pass to the second thread; false if nobody is there. */
function offer(m: Smo, pass: HalfPass, s: Side, place: u32, rowI: usize, rowJ: usize, amount: f64): bool {
  const middle = middleOf(s);
  if (middle == 0) return false;
  if (m.alone > 0) {
    m.alone--;
    return false;
  }
  const r = changetype<Relay>(m.relay);
  r.pass = pass;
  r.side = changetype<usize>(s);
  r.place = place;
  r.middle = middle;
  r.rowI = rowI;
  r.rowJ = rowJ;
  r.amount = amount;
  return atomic.cmpxchg<u32>(m.relay, Second.Ready, Second.Busy) == Second.Ready;
}

/** Waits for the other half. Who has to wait for long, because the other thread was put to sleep, goes on alone for a while. */
function awaitOther(m: Smo): void {
  let looks: u32 = 0;
  while (atomic.load<u32>(m.relay) == Second.Busy) looks++;
  const r = changetype<Relay>(m.relay);
  const others = changetype<Part>(m.others);
  others.most = r.most;
  others.low = r.low;
  others.which = r.which;
  if (looks > LATE) {
    m.penalty = min(max(2 * m.penalty, ALONE), MOST_ALONE);
    m.alone = m.penalty;
    m.inTime = 0;
  } else if (++m.inTime >= m.penalty) {
    m.penalty >>>= 1;
    m.inTime = 0;
  }
}

/** Tells the second thread whether there are passes to share, or whether it is to leave. */
export function smoGather(m: Smo, isOpen: bool): void {
  atomic.store<u32>(m.relay, isOpen ? 0 : 1, offsetof<Relay>("isClosed"));
}

/** The second thread: takes halves of passes until there are no more for now. One at a time can be it; others return at once. */
export function smoHelp(m: Smo): void {
  const relay = m.relay;
  if (atomic.cmpxchg<u32>(relay, Second.Absent, Second.Ready) != Second.Absent) return;
  const r = changetype<Relay>(relay);
  const part = changetype<Part>(m.theirs);
  let looks: u32 = 0;
  while (true) {
    if (atomic.load<u32>(relay) == Second.Busy) {
      const s = changetype<Side>(r.side);
      if (r.pass == HalfPass.Partner) partnerIn(m, s, r.place, r.amount, r.rowI, 0, r.middle, part);
      else moveIn(m, s, r.rowI, r.rowJ, r.amount, 0, r.middle, part);
      r.most = part.most;
      r.low = part.low;
      r.which = part.which;
      atomic.store<u32>(relay, Second.Ready);
      looks = 0;
    } else if (++looks > IDLE || atomic.load<u32>(relay, offsetof<Relay>("isClosed")) != 0) {
      // Fails if a pass was offered in this very moment.
      if (atomic.cmpxchg<u32>(relay, Second.Ready, Second.Absent) == Second.Ready) return;
    }
  }
}

/** The best j of [from, to) for i, which gains `gain`. Without a division: sum^2 / eta is larger than the best where sum^2 > best eta. */
function partnerIn(m: Smo, s: Side, i: u32, gain: f64, rowI: usize, from: u32, to: u32, part: Part): void {
  if (m.isQuick != 0) {
    quickPartner(m, s, i, gain, rowI, from, to, part);
    return;
  }
  const own = <f64>at<f32>(m.diagonal, i);
  const gains = f64x2.splat(gain);
  const owns = f64x2.splat(own);
  const tiny = f64x2.splat(TINY);
  const zero = f64x2.splat(0);
  let best: f64 = 0;
  let bests = zero;
  let which = NONE;
  // Read once: what is read in the loop is read again in every turn of it.
  let low = s.low + ((<usize>from) << 3);
  let f = s.f + ((<usize>from) << 3);
  let row = rowI + ((<usize>from) << 2);
  let diagonal = m.diagonal + ((<usize>from) << 2);
  let t = from;
  for (const end = from + ((to - from) & ~3); t < end; t += 4) {
    // A sum below 0 has a square as well: only what is above 0 counts.
    const sum0 = f64x2.pmax(f64x2.add(gains, f64x2.add(v128.load(low), v128.load(f))), zero);
    const sum1 = f64x2.pmax(f64x2.add(gains, f64x2.add(v128.load(low, 16), v128.load(f, 16))), zero);
    const k0 = f64x2.promote_low_f32x4(v128.load64_zero(row));
    const k1 = f64x2.promote_low_f32x4(v128.load64_zero(row, 8));
    const d0 = f64x2.promote_low_f32x4(v128.load64_zero(diagonal));
    const d1 = f64x2.promote_low_f32x4(v128.load64_zero(diagonal, 8));
    const eta0 = f64x2.pmax(f64x2.sub(f64x2.add(owns, d0), f64x2.add(k0, k0)), tiny);
    const eta1 = f64x2.pmax(f64x2.sub(f64x2.add(owns, d1), f64x2.add(k1, k1)), tiny);
    low += 32;
    f += 32;
    row += 16;
    diagonal += 16;
    const isBetter0 = f64x2.gt(f64x2.mul(sum0, sum0), f64x2.mul(bests, eta0));
    const isBetter1 = f64x2.gt(f64x2.mul(sum1, sum1), f64x2.mul(bests, eta1));
    if (!v128.any_true(v128.or(isBetter0, isBetter1))) continue;
    for (let p = t; p < t + 4; p++) {
      const decrease = decreaseOf(m, s, p, rowI, gain, own);
      if (decrease > best) {
        best = decrease;
        which = p;
      }
    }
    bests = f64x2.splat(best);
  }
  for (; t < to; t++) {
    const decrease = decreaseOf(m, s, t, rowI, gain, own);
    if (decrease > best) {
      best = decrease;
      which = t;
    }
  }
  part.most = best;
  part.which = which;
}

function decreaseOf(m: Smo, s: Side, t: u32, rowI: usize, gain: f64, own: f64): f64 {
  const sum = gain + (at<f64>(s.low, t) + at<f64>(s.f, t));
  if (!(sum > 0)) return 0;
  const eta = own + <f64>at<f32>(m.diagonal, t) - 2 * <f64>at<f32>(rowI, t);
  return (sum * sum) / max(eta, TINY);
}

/** Moves the two variables; returns by how much. */
function step(m: Smo, s: Side, i: u32, j: u32, rowI: usize): f64 {
  const isQuick = m.isQuick != 0;
  // What float32 found need not be what float64 finds: both from the same F.
  const gain = isQuick ? at<f64>(s.up, i) - driftedF(m, s, i) : s.mostUp;
  const sum = gain + (at<f64>(s.low, j) + (isQuick ? driftedF(m, s, j) : at<f64>(s.f, j)));
  if (!(sum > 0)) return 0;
  const eta = <f64>at<f32>(m.diagonal, i) + <f64>at<f32>(m.diagonal, j) - 2 * <f64>at<f32>(rowI, j);
  // Near the rounding of gains what is beyond the optimum may be nothing but rounding.
  const beyond = isQuick && sum < CLEAR * m.noise ? 0 : m.beyond;
  const delta = pairStep(s.value, s.lo, s.hi, s.up, s.low, s.epsilon, i, j, sum, eta, beyond);
  m.dual += pairGain(delta, sum, eta);
  if (isQuick) {
    copyGain(s, i);
    copyGain(s, j);
  }
  return delta;
}

/** F += delta (K_i - K_j) on [from, to), and its extremes there. */
function moveIn(m: Smo, s: Side, rowI: usize, rowJ: usize, delta: f64, from: u32, to: u32, part: Part): void {
  if (m.isQuick != 0) {
    quickMove(m, s, rowI, rowJ, delta, from, to, part);
    return;
  }
  const deltas = f64x2.splat(delta);
  let lows0 = f64x2.splat(-Infinity);
  let lows1 = lows0;
  let most: f64 = -Infinity;
  let mosts = lows0;
  let which: u32 = 0;
  const f = s.f;
  const up = s.up;
  const low = s.low;
  let t = from;
  let at4 = (<usize>from) << 2;
  let at8 = (<usize>from) << 3;
  for (const end = from + ((to - from) & ~3); t < end; t += 4) {
    const i0 = f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4));
    const i1 = f64x2.promote_low_f32x4(v128.load64_zero(rowI + at4, 8));
    const j0 = f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at4));
    const j1 = f64x2.promote_low_f32x4(v128.load64_zero(rowJ + at4, 8));
    const f0 = f64x2.add(v128.load(f + at8), f64x2.mul(deltas, f64x2.sub(i0, j0)));
    const f1 = f64x2.add(v128.load(f + at8, 16), f64x2.mul(deltas, f64x2.sub(i1, j1)));
    v128.store(f + at8, f0);
    v128.store(f + at8, f1, 16);
    lows0 = f64x2.pmax(lows0, f64x2.add(v128.load(low + at8), f0));
    lows1 = f64x2.pmax(lows1, f64x2.add(v128.load(low + at8, 16), f1));
    const gains0 = f64x2.sub(v128.load(up + at8), f0);
    const gains1 = f64x2.sub(v128.load(up + at8, 16), f1);
    at4 += 16;
    at8 += 32;
    if (!v128.any_true(v128.or(f64x2.gt(gains0, mosts), f64x2.gt(gains1, mosts)))) continue;
    for (let p = t; p < t + 4; p++) {
      const gain = at<f64>(up, p) - at<f64>(f, p);
      if (gain > most) {
        most = gain;
        which = p;
      }
    }
    mosts = f64x2.splat(most);
  }
  const lows = f64x2.pmax(lows0, lows1);
  let mostLow = max(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  for (; t < to; t++) {
    const value = at<f64>(f, t) + delta * (<f64>at<f32>(rowI, t) - <f64>at<f32>(rowJ, t));
    put<f64>(f, t, value);
    mostLow = max(mostLow, at<f64>(low, t) + value);
    if (at<f64>(up, t) - value > most) {
      most = at<f64>(up, t) - value;
      which = t;
    }
  }
  part.most = most;
  part.low = mostLow;
  part.which = which;
}
