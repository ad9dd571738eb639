// One kernel problem after the other, about the same rows and targets within other bounds, all kernel rows in memory: the pair steps of the machine (kernel-machine.ts)
// without what only large problems need. For searches, which solve hundreds of thousands of small problems and want to know of none how exact it is:
//
//   K            float32 values are taken for the kernel itself; the gap is that of the problem they make
//   another C    v is scaled with the bounds, and with it K v; variables between their bounds go back to where they were
//   shrinking    where many steps are needed, those that gain with somebody are laid side by side and solved among themselves
//   done         where the gap or, of classes, the largest sum of gains of a pair is at most the tolerance
//   given up     where steps lead nowhere: the caller has a machine for that
//
// Checked against the machine in test/unit/solve/kernel-chain.test.ts.

import { smoProgress } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import type { KernelProblem, KernelSide, KernelSolution } from "./kernel-problem.js";
import { AT_BOUND } from "./kernel-start.js";
import { type Measure, PairSteps, pairStepsBytes } from "./pair-steps.js";

type Doubles = Float64Array;

/** Steps between two looks at the gap, at least, and the part of those before. */
const LOOK = 32;
const LOOK_PART = 8;
/** Steps after which somebody else should try: at least these, and so many a row. */
const MOST_STEPS = 100_000;
const MOST_STEPS_A_ROW = 200;
/** Values of F passed over between two looks at the caller. */
const SLICE = 4_000_000;
/** Steps after which variables are left aside, at least, the part of them that may stay, and rows below which that saves nothing. */
const SHRINK_AFTER = 256;
const SHRINK_PART = 0.6;
const LEAST_TO_SHRINK = 96;
/** How much farther those that stay are solved than all are to be: by the others there is more to come. */
const FARTHER = 0.8;

/** Work space for problems of up to so many rows. */
export function kernelChainBytes(rowCount: number): number {
  return pairStepsBytes(rowCount) + pairStepsBytes(Math.ceil(SHRINK_PART * rowCount));
}

export class KernelChain {
  /** All variables, and those of them that are worked on alone. */
  readonly #whole: PairSteps;
  readonly #part: PairSteps;
  readonly #mostPart: number;
  readonly #deltas: Doubles;
  #problem!: KernelProblem;
  #floor = 0;
  /** Whether targets are +1 and -1. */
  #hasClasses = false;

  /** For problems of up to so many rows. */
  constructor(task: Task, most: number) {
    this.#mostPart = Math.ceil(SHRINK_PART * most);
    this.#whole = new PairSteps(task, most);
    this.#part = new PairSteps(task, this.#mostPart);
    this.#deltas = new Float64Array(most);
  }

  /** A problem of other rows, from where its sides begin; `fill` writes the kernel row of a position to an address. */
  begin(problem: KernelProblem, fill: (place: number, out: number) => void): void {
    const { sides, z, epsilon } = problem;
    this.#problem = problem;
    this.#floor = problem.floor;
    this.#hasClasses = sides.length === 1 && epsilon === 0 && z.every((target) => Math.abs(target) === 1);
    const whole = this.#whole;
    whole.open(z.length, sides.length, epsilon, problem.stop?.epsilon ?? 0);
    whole.z.set(z);
    whole.fillRows(fill);
    whole.sides.forEach((own, k) => {
      const { start, lo, hi } = sides[k] as KernelSide;
      own.value.set(start);
      own.lo.set(lo);
      own.hi.set(hi);
    });
    whole.setGains();
    whole.makeF();
  }

  /** The same problem with bounds that are so many times as large. */
  raise(ratio: number): void {
    const { f, z, size: n, sides } = this.#whole;
    this.#floor *= ratio;
    // K v is scaled with v; those that do not go along are taken back one by one. With two sides, whose sums grow with the bounds, all go along.
    for (let t = 0; t < n; t++) f[t] = ratio * ((f[t] as number) + (z[t] as number)) - (z[t] as number);
    const deltas = this.#deltas.fill(0, 0, n);
    for (const side of sides) {
      const { value, lo, hi } = side;
      if (sides.length === 1) raiseSide(side, n, ratio, deltas);
      else
        for (let t = 0; t < n; t++) value[t] = within(ratio * (value[t] as number), ratio * (lo[t] as number), ratio * (hi[t] as number));
      for (let t = 0; t < n; t++) {
        lo[t] = ratio * (lo[t] as number);
        hi[t] = ratio * (hi[t] as number);
      }
    }
    this.#whole.setGains();
    this.#whole.add(deltas);
  }

  /** Solves the problem from where it stands. Returns undefined where steps lead nowhere. Yields now and then. */
  *solve(): Generator<undefined, KernelSolution | undefined> {
    const whole = this.#whole;
    const most = Math.min(this.#problem.maxIterations, Math.max(MOST_STEPS, MOST_STEPS_A_ROW * whole.size));
    whole.isRough = true;
    let steps = 0;
    let passed = 0;
    for (;;) {
      whole.look();
      let measure = whole.measure();
      if (this.#isDone(measure) && whole.isDrifted) {
        // What passes in float32 have done to F is undone; from here on they are float64.
        whole.isRough = false;
        whole.makeF();
        whole.look();
        measure = whole.measure();
      }
      if (this.#isDone(measure)) return this.#solution(measure, steps);
      if (steps >= most) return undefined;
      const places = steps >= SHRINK_AFTER && whole.size >= LEAST_TO_SHRINK ? whole.gaining() : undefined;
      const isShrunk = places !== undefined && places.length >= 2 && places.length <= Math.min(SHRINK_PART * whole.size, this.#mostPart);
      const before = steps;
      if (isShrunk) steps += yield* this.#solvePart(places, measure, most - steps);
      else {
        // A look costs as much as some steps: the more there were, the fewer looks.
        const count = Math.max(LOOK, Math.floor(steps / LOOK_PART));
        const said = whole.advance(count);
        steps += count;
        if (said !== smoProgress.running) {
          if (!whole.isRough) return undefined;
          whole.isRough = false;
          if (whole.isDrifted) whole.makeF();
        }
      }
      // Whoever has nothing to do among themselves has to move with the others.
      if (isShrunk && steps === before) {
        const said = whole.advance(LOOK);
        steps += LOOK;
        if (said !== smoProgress.running && !whole.isRough) return undefined;
      }
      passed += (steps - before) * whole.size;
      if (passed < SLICE) continue;
      passed = 0;
      yield;
    }
  }

  /** Solves the variables at these places among themselves. Returns how many steps that took. */
  *#solvePart(places: Uint32Array, { primal, dual }: Measure, most: number): Generator<undefined, number> {
    const part = this.#part;
    const whole = this.#whole;
    const { epsilon, stop, tolerance } = this.#problem;
    part.open(places.length, whole.sides.length, epsilon, stop?.epsilon ?? 0);
    part.takeFrom(whole, places);
    part.isRough = whole.isRough;
    const scale = Math.max(Math.abs(primal), Math.abs(dual), this.#floor);
    let steps = 0;
    let passed = 0;
    for (;;) {
      part.look();
      const { gap, violation } = part.measure();
      const isClose =
        stop === undefined
          ? gap <= FARTHER * tolerance * scale || (this.#hasClasses && violation <= FARTHER * tolerance)
          : violation <= stop.epsilon;
      if (isClose || steps >= most) break;
      const count = Math.max(LOOK, Math.floor(steps / LOOK_PART));
      const said = part.advance(count);
      steps += count;
      if (said !== smoProgress.running) break;
      passed += count * part.size;
      if (passed < SLICE) continue;
      passed = 0;
      yield;
    }
    whole.giveBack(part, places);
    return steps;
  }

  #isDone({ gap, primal, dual, violation }: Measure): boolean {
    const { stop, tolerance } = this.#problem;
    if (stop !== undefined) return violation <= stop.epsilon;
    // The scale of classes is known: 1. A gap at a large C says little about a model that C does not bind.
    return (
      this.#rest(gap, dual) <= tolerance * Math.max(Math.abs(primal), Math.abs(dual), this.#floor) ||
      (this.#hasClasses && violation <= tolerance)
    );
  }

  /** The gap; that of the zero model where it is better. */
  #rest(gap: number, dual: number): number {
    return this.#problem.canRest ? Math.min(gap, -dual) : gap;
  }

  #solution({ gap, dual, violation, rho }: Measure, iterations: number): KernelSolution {
    const { size, sides } = this.#whole;
    const rests = this.#problem.canRest && -dual < gap;
    const own = this.#rest(gap, dual);
    const point = new Float64Array(size);
    for (const { value } of sides) for (let t = 0; t < size; t++) point[t] = (point[t] as number) + (value[t] as number);
    const value = rests ? new Float64Array(size) : point;
    const primal = dual + own;
    const relativeGap = own <= 0 ? 0 : own / Math.max(Math.abs(primal), Math.abs(dual), this.#floor);
    return { value, point, rho: rests ? rho.map(() => 0) : rho, primal, dual, relativeGap, violation, iterations, kernelValues: 0 };
  }
}

interface Bounded {
  readonly value: Doubles;
  readonly lo: Doubles;
  readonly hi: Doubles;
}

/** Variables at a bound go to the new one, the others stay, but for what the sum then lacks, to which each gives a part of the way that it has left. */
function raiseSide({ value, lo, hi }: Bounded, n: number, ratio: number, deltas: Doubles): void {
  let before = 0;
  let sum = 0;
  for (let t = 0; t < n; t++) {
    const v = value[t] as number;
    before += v;
    sum += isAtBound(v, lo[t] as number, hi[t] as number) ? ratio * v : v;
  }
  let left = before - sum;
  const ends = left > 0 ? hi : lo;
  let way = 0;
  for (let t = 0; t < n; t++) {
    const v = value[t] as number;
    if (!isAtBound(v, lo[t] as number, hi[t] as number)) way += Math.abs(ratio * (ends[t] as number) - v);
  }
  const part = way > Math.abs(left) ? left / way : Math.sign(left);
  for (let t = 0; t < n; t++) {
    const v = value[t] as number;
    let next = ratio * v;
    if (!isAtBound(v, lo[t] as number, hi[t] as number)) {
      next = v + part * Math.abs(ratio * (ends[t] as number) - v);
      left -= next - v;
      deltas[t] = next - ratio * v;
    }
    value[t] = next;
  }
  // What rounding has left, and what was more than they could take: to whoever can.
  for (let t = 0; t < n && left !== 0; t++) {
    const v = value[t] as number;
    const next = within(v + left, ratio * (lo[t] as number), ratio * (hi[t] as number));
    left -= next - v;
    deltas[t] = (deltas[t] as number) + (next - v);
    value[t] = next;
  }
}

/** 0 is a bound of classes, and where a tube has its kink. */
function isAtBound(v: number, lo: number, hi: number): boolean {
  return v === 0 || (v > 0 ? v >= AT_BOUND * hi : v <= AT_BOUND * lo);
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
