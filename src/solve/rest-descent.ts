// Hinge and squared hinge, many classes each against the rest, by one dual coordinate descent for all of them: lays its state out, drives it slice by slice, and decides
// when to look at gaps. What a pass does is core/linear/rest-descent.ts.
//
//   a sweep      sums the rows' gap terms as it meets them: an estimate of every class's gap, and D as it grows
//   a check      is made when few classes are left above the tolerance by that estimate; it sums the exact gap of each at one w
//   w            follows the variables in float32; after many passes it is made anew before an end
//   an end       is when none is left; or so few that the others are carried along for nothing: whoever called goes on with each of those alone (dual-descent.ts), and brings it back
//   another C    the best multiple of every class's variables; of the hinge that at which bounds stay bounds, unless it is worse than none
//   large costs  grow, all at once, as in core/linear/growing-costs.ts
//   a free bias  has a centre that moves after every sweep, as in core/linear/free-bias.ts, but y'a is not made 0. For any a in its box, D(a) - b* y'a <= P*, and the rows' gap terms sum to
//                P(w, b) - D(a) + b y'a; so P(w, b) - P* is at most that sum and |y'a| |b* - b|. The last factor is taken for 2 + |b|: the margin's width, and all of b
//
// Checked in test/unit/solve/rest-descent.test.ts.

import { exp } from "../base/math.js";
import { Random } from "../base/random.js";
import { sumOf } from "../base/sums.js";
import { coreProgress, losses, restStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { counting } from "./counting.js";
import { drive, type Ending } from "./drive.js";
import type { BinarySolution, LinearProblemSettings } from "./problem.js";

/** Problems that have everything in common but which rows are positive. */
export interface RestProblem extends Pick<LinearProblemSettings, "bias" | "biasScale" | "tolerance" | "maxIterations" | "seed"> {
  readonly loss: "hinge" | "squared_hinge" | "logistic";
  readonly rowIds: Uint32Array;
  /** C_i for each of them. */
  readonly costs: Float64Array;
  /** The class of each. */
  readonly classIds: Uint32Array;
  /** The classes that are to be told from all others, one a problem. */
  readonly classes: readonly number[];
}

/** Products between two checkpoints: some milliseconds. */
const SLICE = 4_000_000;
/** An estimate that a check refuted is believed this much less from then on; a stage of growing costs ends at this gap, or after so many passes. */
const LESS_TRUST = 0.7;
const STAGE_GAP = 0.03;
const STAGE_PASSES = 10;
/** C_i Q_ii, on the mean, from which on growing pays, and where it begins. */
const LARGE = 32;
const SMALL = 1.5;
/** Floor of the gap's denominator, relative to P(0). */
const FLOOR = 1e-12;
/** s^2 of a free bias in mean squared rows, as in core/linear/free-bias.ts. */
const ROW_SHARE = 0.125;
/** Costs, and costs times squares of rows, within which float32 has digits for everything. */
const MOST = 1e8;
const LEAST_TOLERANCE = 1e-5;
/** The same products of the logistic loss, whose steps are Newton's without a safeguard. */
const MOST_BEND = 2;

const vectorsOf = (classes: number): number => Math.ceil(classes / 4);

export function restBytes(rowCount: number, featureCount: number, classes: number): number {
  const lanes = 4 * vectorsOf(classes);
  const perRow = [4, 4, 4, 4, 4, 4 * lanes].map((bytes) => bytes * rowCount);
  const perLane = [4, 4, 4, 4, 4, 8, 8, 8].map((bytes) => bytes * lanes);
  return spaceFor(restStruct.size, ...perRow, 4 * lanes * featureCount, 4 * featureCount, ...perLane, 4 * 4);
}

/** Whether float32 is enough for these problems, and the steps of the logistic loss are (core/linear/rest-logistic.ts). `mostSquare`: the largest |x_i|^2, and that of the bias. */
export function isForRest({ costs, tolerance, loss }: Pick<RestProblem, "costs" | "tolerance" | "loss">, mostSquare: number): boolean {
  let [least, most] = [Infinity, 0];
  for (const cost of costs) {
    least = Math.min(least, cost);
    most = Math.max(most, cost);
  }
  const isWithin = least >= 1 / MOST && most <= MOST && mostSquare <= MOST && most * mostSquare <= (loss === "logistic" ? MOST_BEND : MOST);
  return tolerance >= LEAST_TOLERANCE && isWithin;
}

/** Passes after which rounding has moved w so far from what the variables say that it is made anew before an end. */
const FRESH = 16;

/** log(a / (C - a)) of the logistic loss at first, where a is nothing in float32; and passes after which the gap is looked at without an estimate, because what the first steps gain is not summed. */
const FIRST_LOGIT = -17;
const BLIND_PASSES = 2;

/** renew: w anew. */
type Phase = "sweep" | "check" | "renew";

export class RestDescent {
  readonly #task: Task;
  readonly #problem: RestProblem;
  readonly #state: StructView<keyof typeof restStruct.offsets>;
  /** Classes in fours, of which the last may hold some that are nobody's. */
  readonly lanes: number;
  /** The lane of every row's own class; `lanes` where it has none here. */
  readonly lanesOfRows: Uint32Array;
  #zeroPrimal: number;
  readonly #biasSquare: number;
  /** c of each class where the bias is free, else 0. */
  readonly #centres: Float64Array;
  readonly #limits: Float32Array;
  readonly #alpha: Float32Array;
  readonly #w: Float32Array;
  readonly #bias: Float32Array;
  readonly #estimates: Float32Array;
  readonly #rewards: Float32Array;
  readonly #gaps: Float64Array;
  readonly #losses: Float64Array;
  readonly #norms: Float64Array;
  readonly #dual: Float64Array;
  readonly #relative: Float64Array;
  #trust = 1;
  /** Whether D is not known yet, not even about. */
  #isBlind: boolean;
  #scale = 1;
  #stageStart = 0;
  #phase: Phase = "sweep";
  #passes = 0;
  #sinceMade = 0;

  /** `from`: another descent, and its lanes for the classes of this one: they go on from where they stand. */
  constructor(task: Task, problem: RestProblem, from?: { readonly other: RestDescent; readonly lanes: readonly number[] }) {
    const { space, matrix, rows } = task;
    const { rowIds, costs, classIds, classes, loss, bias, biasScale } = problem;
    const n = rowIds.length;
    const lanes = 4 * vectorsOf(classes.length);
    this.#task = task;
    this.#problem = problem;
    this.lanes = lanes;
    this.#zeroPrimal = sumOf(costs);
    this.#state = space.struct(restStruct);
    this.#centres = new Float64Array(classes.length);
    const ids = space.rawWords(n);
    ids.set(rowIds);
    const laneOf = new Map(classes.map((id, lane) => [id, lane]));
    const own = space.rawWords(n);
    for (let k = 0; k < n; k++) own[k] = laneOf.get(classIds[k] as number) ?? lanes;
    this.lanesOfRows = own;
    this.#limits = space.rawFloats(n);
    this.#limits.set(loss === "squared_hinge" ? costs.map((cost) => 1 / (2 * cost)) : costs);
    this.#isBlind = loss === "logistic";
    this.#alpha = space.rawFloats(n * lanes).fill(loss === "logistic" ? FIRST_LOGIT : 0);
    this.#w = space.rawFloats(matrix.featureCount * lanes).fill(0);
    this.#bias = space.rawFloats(lanes).fill(0);
    this.#estimates = space.rawFloats(lanes);
    this.#rewards = space.rawFloats(lanes);
    this.#gaps = space.rawDoubles(lanes);
    this.#losses = space.rawDoubles(lanes);
    this.#norms = space.rawDoubles(lanes);
    this.#dual = new Float64Array(classes.length);
    this.#relative = new Float64Array(classes.length).fill(1);
    const used = space.words(lanes);
    used.fill(0xffffffff, 0, classes.length);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    const isDense = matrix.kind === "dense";
    this.#state.assign({
      ...{ rows, rowIds: ids.byteOffset, classIds: own.byteOffset, order: counting(space.rawWords(n)).byteOffset },
      ...{ limits: this.#limits.byteOffset, curvatures: space.rawFloats(n).byteOffset, alpha: this.#alpha.byteOffset },
      ...{ w: this.#w.byteOffset, bias: this.#bias.byteOffset, scores: space.rawFloats(lanes).byteOffset, used: used.byteOffset },
      ...{ features: isDense ? counting(space.rawWords(matrix.featureCount)).byteOffset : 0, random: random.byteOffset },
      ...{ estimates: this.#estimates.byteOffset, rewards: this.#rewards.byteOffset },
      ...{ gaps: this.#gaps.byteOffset, losses: this.#losses.byteOffset },
      ...{ rowCount: n, vectors: lanes / 4, loss: losses[loss], cursor: 0, biasSquare: 0 },
    });
    task.core.restCurvatures(this.#state.pointer);
    const ownSquare = (): number => (bias === "augmented" ? biasScale * biasScale : bias === false ? 0 : this.#freeBiasWeight());
    // The same s^2 as where it comes from: b - c = s^2 y'a.
    this.#biasSquare = from === undefined ? ownSquare() : from.other.#biasSquare;
    if (this.#biasSquare > 0) {
      this.#state.set("biasSquare", this.#biasSquare);
      task.core.restCurvatures(this.#state.pointer);
    }
    if (from !== undefined) {
      this.take(from.other, from.lanes, Array.from(classes.keys()));
      this.#isBlind = false;
    } else if (loss === "hinge") this.#startGrowing();
  }

  /** Passes over the rows. */
  get passes(): number {
    return this.#passes;
  }

  /** Goes on until all classes, or all but a few, are at the tolerance, or a limit or the caller says stop. */
  solve(): Promise<Ending> {
    return this.#drive(() => this.#advance());
  }

  /** Ends the growing of costs: what a limit has left of it is made up for at once. */
  settle(): void {
    while (this.#scale < 1) this.#grow();
  }

  /** Looks at the gaps of all classes where they stand, at their whole costs. */
  measure(): Promise<Ending> {
    this.settle();
    return this.#drive(() => {
      if (!this.#task.core.restCheck(this.#state.pointer, SLICE)) return coreProgress.running;
      this.#sumUp();
      return coreProgress.converged;
    });
  }

  #drive(advance: () => number): Promise<Ending> {
    return drive(this.#task, () => ({ iterations: this.#passes, relativeGap: this.gap }), advance);
  }

  /** The largest gap of all classes, as far as it is known. */
  get gap(): number {
    return Math.max(...this.#relative);
  }

  /** The lanes of classes that are above the tolerance, by the last look. */
  get late(): number[] {
    return Array.from(this.#relative.keys()).filter((lane) => !((this.#relative[lane] as number) <= this.#problem.tolerance));
  }

  /** The dual variables of all lanes, f64[rows][lanes]; into and costs: in this memory. */
  putAlpha(costs: Float64Array, into: Float64Array): void {
    this.#task.core.restDuals(this.#state.pointer, costs.byteOffset, into.byteOffset);
  }

  bias(lane: number): number {
    return this.#bias[lane] as number;
  }

  /** The dual variables of a class. */
  alpha(lane: number): Float64Array {
    const own = new Float64Array(this.#limits.length);
    const isLogistic = this.#problem.loss === "logistic";
    for (let k = 0, at = lane; k < own.length; k++, at += this.lanes) {
      const kept = this.#alpha[at] as number;
      own[k] = isLogistic ? (this.#problem.costs[k] as number) / (1 + exp(-kept)) : kept;
    }
    return own;
  }

  /** Goes on with costs that are so many times as large. */
  raise(ratio: number): void {
    this.#zeroPrimal *= ratio;
    const isHinge = this.#problem.loss === "hinge";
    for (let k = 0; k < this.#limits.length; k++) this.#limits[k] = (this.#limits[k] as number) * (isHinge ? ratio : 1 / ratio);
    this.#task.core.restNorms(this.#state.pointer, this.#norms.byteOffset);
    this.#relative.forEach((_, lane) => {
      this.#rescale(lane, isHinge ? ratio : 1);
    });
    this.#relative.fill(1);
    this.#passes = 0;
    this.#trust = 1;
  }

  /** What another descent has made of classes: its lanes `theirs` as the lanes `own`. */
  take(other: RestDescent, theirs: readonly number[], own: readonly number[]): void {
    own.forEach((lane, k) => {
      const their = theirs[k] as number;
      for (const [from, to] of [
        [other.#alpha, this.#alpha],
        [other.#w, this.#w],
        [other.#bias, this.#bias],
      ] as const) {
        for (let a = their, b = lane; b < to.length; a += other.lanes, b += this.lanes) to[b] = from[a] as number;
      }
      this.#centres[lane] = other.#centres[their] as number;
      this.#dual[lane] = other.#dual[their] as number;
      this.#relative[lane] = other.#relative[their] as number;
    });
  }

  /** What somebody else has made of a class. */
  put(lane: number, { alpha, w, bias }: Pick<BinarySolution, "alpha" | "w" | "bias">): void {
    for (let k = 0, at = lane; at < this.#alpha.length; k++, at += this.lanes) this.#alpha[at] = alpha?.[k] as number;
    for (let j = 0, at = lane; at < this.#w.length; j++, at += this.lanes) this.#w[at] = w[j] as number;
    this.#bias[lane] = bias;
    if (this.#problem.bias === "unregularised") this.#centres[lane] = bias;
    this.#relative[lane] = 0;
  }

  /** f32[rows][stride]: w_m'x_i + b_m of these rows of the matrix, into `out`. Returns the stride. */
  decide(rowIds: Uint32Array, out: Float32Array): number {
    this.#task.core.restDecide(this.#state.pointer, rowIds.byteOffset, rowIds.length, out.byteOffset);
    return this.lanes;
  }

  #clear(): void {
    this.#w.fill(0);
    this.#bias.set(this.#centres);
    this.#sinceMade = 0;
  }

  #startGrowing(): void {
    const work = (this.#zeroPrimal * this.#meanCurvature()) / Math.max(1, this.#limits.length);
    if (work <= LARGE) return;
    while (this.#scale * work > SMALL && this.#scale > 1e-30) this.#scale /= 2;
    for (let k = 0; k < this.#limits.length; k++) this.#limits[k] = (this.#limits[k] as number) * this.#scale;
  }

  #meanCurvature(): number {
    const curvatures = this.#task.space.floatsAt(this.#state.get("curvatures"), this.#limits.length);
    return sumOf(curvatures) / Math.max(1, curvatures.length);
  }

  /** s^2 of a free bias, or what carries it over the margin's width in a sweep: core/linear/free-bias.ts. */
  #freeBiasWeight(): number {
    return Math.max(ROW_SHARE * this.#meanCurvature(), 4 / this.#zeroPrimal);
  }

  #advance(): number {
    const { core } = this.#task;
    const { pointer } = this.#state;
    const isSpent = (): boolean => this.#passes >= this.#problem.maxIterations;
    switch (this.#phase) {
      case "renew":
        if (core.restRebuild(pointer, SLICE)) this.#phase = "check";
        return coreProgress.running;
      case "sweep":
        if (!core.restSweep(pointer, SLICE)) return coreProgress.running;
        this.#phase = this.#finishSweep();
        return this.#phase === "sweep" && isSpent() ? coreProgress.iterationLimit : coreProgress.running;
      case "check":
        if (!core.restCheck(pointer, SLICE)) return coreProgress.running;
        this.#phase = "sweep";
        if (this.#finishCheck()) {
          if (this.#sinceMade <= FRESH) return coreProgress.converged;
          this.#clear();
          this.#phase = "renew";
          return coreProgress.running;
        }
        return isSpent() ? coreProgress.iterationLimit : coreProgress.running;
    }
  }

  /** The best multiple of a class's variables; of the hinge `wanted` times them, unless that is worse than none (core/linear/warm-start.ts). |w|^2 is known. */
  #rescale(lane: number, wanted: number): void {
    const isHinge = this.#problem.loss === "hinge";
    let [reward, quadratic] = [0, 0.5 * (this.#norms[lane] as number) + this.#biasCost(lane)];
    for (let k = 0, at = lane; k < this.#limits.length; k++, at += this.lanes) {
      const a = this.#alpha[at] as number;
      reward += a;
      if (!isHinge) quadratic += 0.5 * (this.#limits[k] as number) * a * a;
    }
    const isWorth = reward >= wanted * quadratic;
    const t = quadratic === 0 || (isHinge && isWorth) ? wanted : reward / (2 * quadratic);
    if (t !== 1) this.#multiply(lane, t);
    this.#dual[lane] = t * (reward - t * quadratic);
  }

  #multiply(lane: number, t: number): void {
    for (let at = lane; at < this.#alpha.length; at += this.lanes) this.#alpha[at] = t * (this.#alpha[at] as number);
    for (let at = lane; at < this.#w.length; at += this.lanes) this.#w[at] = t * (this.#w[at] as number);
    const b = this.#bias[lane] as number;
    // A free bias does not grow with the variables, only how far it is from its centre: s^2 y'a.
    if (this.#problem.bias === "unregularised") this.#centres[lane] = b - t * (b - (this.#centres[lane] as number));
    else this.#bias[lane] = t * b;
  }

  #biasCost(lane: number): number {
    return this.#biasSquare === 0 ? 0 : (0.5 * ((this.#bias[lane] as number) - (this.#centres[lane] as number)) ** 2) / this.#biasSquare;
  }

  /** Of a free bias: what y'a, which should be 0, may hide of the gap. */
  #excessCost(lane: number): number {
    if (this.#problem.bias !== "unregularised") return 0;
    const b = this.#bias[lane] as number;
    return (Math.abs(b - (this.#centres[lane] as number)) / this.#biasSquare) * (2 + Math.abs(b));
  }

  /** c <- b, and b as far beyond it as it came. */
  #moveCentres(): void {
    if (this.#problem.bias !== "unregularised") return;
    this.#centres.forEach((centre, lane) => {
      const b = this.#bias[lane] as number;
      // The term -c y'a of what the steps climb.
      this.#dual[lane] = (this.#dual[lane] as number) - 2 * this.#biasCost(lane);
      this.#centres[lane] = b;
      this.#bias[lane] = 2 * b - centre;
    });
  }

  #finishSweep(): Phase {
    this.#passes++;
    this.#sinceMade++;
    this.#relative.forEach((_, lane) => {
      this.#dual[lane] = (this.#dual[lane] as number) + (this.#rewards[lane] as number);
      this.#measure(lane, (this.#estimates[lane] as number) + this.#excessCost(lane));
    });
    if (this.#isBlind) {
      if (this.#passes >= BLIND_PASSES) return "check";
    } else if (this.#scale < 1) {
      if (Math.max(...this.#relative) <= STAGE_GAP || this.#passes - this.#stageStart >= STAGE_PASSES) this.#grow();
    } else if (this.#isNearlyDone(this.#trust * this.#problem.tolerance)) return "check";
    this.#moveCentres();
    return "sweep";
  }

  /** The relative gap of a class whose D is known. */
  #measure(lane: number, gap: number): void {
    const dual = this.#dual[lane] as number;
    this.#relative[lane] = gap / Math.max(dual + gap, Math.abs(dual), FLOOR * this.#scale * this.#zeroPrimal);
  }

  /** Whether so few are left above the tolerance that half the lanes would hold them, or none is. */
  #isNearlyDone(tolerance: number): boolean {
    const left = this.#relative.reduce((count, gap) => (gap <= tolerance ? count : count + 1), 0);
    return vectorsOf(left) <= Math.floor(this.lanes / 8);
  }

  /** After a check of all rows. */
  #sumUp(): void {
    this.#task.core.restNorms(this.#state.pointer, this.#norms.byteOffset);
    this.#relative.forEach((_, lane) => {
      const gap = this.#gaps[lane] as number;
      const primal = 0.5 * (this.#norms[lane] as number) + this.#biasCost(lane) + (this.#losses[lane] as number);
      this.#dual[lane] = primal - gap;
      this.#measure(lane, gap + this.#excessCost(lane));
    });
  }

  #finishCheck(): boolean {
    this.#sumUp();
    if (this.#isNearlyDone(this.#problem.tolerance)) return true;
    if (!this.#isBlind) this.#trust *= LESS_TRUST;
    this.#isBlind = false;
    this.#moveCentres();
    return false;
  }

  #grow(): void {
    const sums = new Float64Array(this.#dual.length);
    for (let k = 0; k < this.#limits.length; k++) {
      for (let lane = 0; lane < sums.length; lane++) sums[lane] = (sums[lane] as number) + (this.#alpha[k * this.lanes + lane] as number);
      this.#limits[k] = 2 * (this.#limits[k] as number);
    }
    sums.forEach((linear, lane) => {
      this.#dual[lane] = 2 * linear + 4 * ((this.#dual[lane] as number) - linear);
      this.#multiply(lane, 2);
    });
    this.#scale *= 2;
    this.#stageStart = this.#passes;
  }
}
