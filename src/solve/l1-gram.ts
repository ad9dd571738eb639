// The quadratic model of an L1-regularised problem over a working set, with its matrix H held and minimised in the core:
// coordinate sweeps find the signs, a Cholesky factor over the non-zero features finishes. core/linear/gram.ts and gram-descent.ts hold the formulas.

import { gramStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { Slices, SmoothRows } from "./smooth-rows.js";

/** Part of the outer violation to which a model is taken. */
const DEPTH = 0.03;
const NOWHERE = 0xffffffff;
/** Newton steps in a row, each on fewer features because some of the last one's have come to zero. */
const STEPS = 8;
/** Sweeps before the first of them. */
const SWEEPS = 4;
/** Rounds of sweeps that a singular H is given to make features zero before factors do that: one a step, but surely. */
const SINGULAR_ROUNDS = 2;
/** Multiplications for one model. More are wanted only where H is nearly singular, and a fresh model is as good there. */
const MODEL_WORK = 2e8;
/** What a call of a sweep and a Newton step cost beside their multiplications, in these: rough guesses, which bound the time of a small model. */
const SWEEP_CALL = 100;
const NEWTON_CALL = 5000;
/** Rounding of a model's value, relative to the sum of its terms' sizes: below, a round has brought nothing. */
const ROUNDING = 4 * Number.EPSILON;
/** A row whose curvature has moved by less than this part of the mean, times the slack, is not touched. */
const FLOOR = 0.03;
/** Added to the diagonal, relative to it: about what rounding does to H. */
const RIDGE = 1e-12;
/** The least that is added where a step along what hardly bends the loss goes nowhere, as in Levenberg's method, and the most, relative to the largest of the diagonal. */
const DAMPING = 1e-8;
const MOST_DAMPING = 1e4;
/** Multiplications of a factor between two yields. */
const SLICE = 4_000_000;

export function l1GramBytes(rowCount: number, featureCount: number, limit: number): number {
  const size = Math.min(featureCount + 1, limit);
  const lists = [4, 8, 8, 8, 8, 4, 8, 32, 8].map((bytes) => bytes * (size + 1));
  return spaceFor(gramStruct.size, 4 * (featureCount + 1), 8 * rowCount, ...lists, 8 * size * size, 8 * size * size, 4 * 8);
}

export class L1Gram {
  /** The working set: features in rising order, the bias (featureCount) last. */
  features: Uint32Array = new Uint32Array(0);
  readonly #task: Task;
  readonly #rows: SmoothRows;
  readonly #state: StructView<keyof typeof gramStruct.offsets>;
  readonly #place: Uint32Array;
  readonly #applied: Float64Array;
  readonly #matrix: Float64Array;
  readonly #squares: Float64Array;
  readonly #point: Float64Array;
  readonly #slope: Float64Array;
  readonly #penalty: Float64Array;
  readonly #chosen: Uint32Array;
  readonly #step: Float64Array;
  readonly #perRow: number;
  /** Whether H is that of a sample. */
  #isSample = false;
  /** What is added to the diagonal, relative to its largest element. */
  #damping = 0;
  /** Multiplications for the present model; and what calls cost beside them. */
  #work = 0;
  #calls = 0;

  constructor(task: Task, rows: SmoothRows, limit: number) {
    const { space, matrix } = task;
    const size = Math.min(matrix.featureCount + 1, limit);
    this.#task = task;
    this.#rows = rows;
    this.#state = space.struct(gramStruct);
    this.#place = space.rawWords(matrix.featureCount + 1);
    this.#applied = space.rawDoubles(rows.rowCount);
    const places = space.rawWords(size + 1);
    const values = space.rawDoubles(size + 1);
    this.#point = space.rawDoubles(size + 1);
    this.#slope = space.rawDoubles(size + 1);
    this.#penalty = space.rawDoubles(size + 1);
    this.#chosen = space.rawWords(size + 1);
    this.#step = space.rawDoubles(size + 1);
    this.#matrix = space.rawDoubles(size * size);
    this.#squares = space.rawDoubles(size + 1);
    this.#state.assign({
      place: this.#place.byteOffset,
      applied: this.#applied.byteOffset,
      places: places.byteOffset,
      values: values.byteOffset,
      matrix: this.#matrix.byteOffset,
      factor: space.rawDoubles(size * size).byteOffset,
      point: this.#point.byteOffset,
      slope: this.#slope.byteOffset,
      penalty: this.#penalty.byteOffset,
      chosen: this.#chosen.byteOffset,
      step: this.#step.byteOffset,
      stack: space.rawDoubles(4 * (size + 1)).byteOffset,
      weights: space.rawDoubles(4).byteOffset,
      squares: this.#squares.byteOffset,
    });
    this.#perRow = matrix.valueCount / Math.max(1, matrix.rowCount);
  }

  /** Whether the working set holds all of these. */
  holds(features: Uint32Array): boolean {
    return this.features.length > 0 && features.every((j) => this.#place[j] !== NOWHERE);
  }

  /** Begins again with this working set; penalties: p_k for each of its features. */
  restart(features: Uint32Array, penalties: ArrayLike<number>): void {
    this.features = features;
    this.#place.fill(NOWHERE);
    for (let k = 0; k < features.length; k++) this.#place[features[k] as number] = k;
    this.#penalty.set(penalties);
    this.#state.set("size", features.length);
    this.#clear();
  }

  #clear(): void {
    this.#matrix.fill(0, 0, this.features.length ** 2);
    this.#applied.fill(0);
    this.#isSample = false;
  }

  /** Makes H anew from every stride-th row. */
  *sample(stride: number): Slices<void> {
    const { core } = this.#task;
    const share = Math.max(1, Math.min(this.#perRow, this.features.length) / (4 * stride));
    this.#clear();
    this.#isSample = true;
    this.#squares.fill(0);
    yield* this.#rows.ranges((from, to) => core.gramSample(this.#state.pointer, this.#rows.pointer, stride, from, to), share);
    core.raiseDiagonal(this.#state.pointer);
    core.mirror(this.#state.pointer);
  }

  /** Brings H up to date with the rows' curvatures, each to within `slack` of its value. */
  *update(slack: number): Slices<void> {
    const { core } = this.#task;
    const share = Math.max(1, Math.min(this.#perRow, this.features.length) / 4);
    if (this.#isSample) this.#clear();
    const bring = (floor: number): Slices<void> =>
      this.#rows.ranges((from, to) => core.gramRows(this.#state.pointer, this.#rows.pointer, slack, floor, from, to), share);
    yield* bring((FLOOR * slack * this.#rows.state.get("curvatureSum")) / this.#rows.rowCount);
    // Rows below the floor matter to a feature that is in no other: without them its model is a line.
    if (this.#hasFlat()) yield* bring(0);
    core.mirror(this.#state.pointer);
  }

  /** Whether H is zero along some feature. */
  #hasFlat(): boolean {
    const size = this.features.length;
    for (let k = 0; k < size; k++) if (this.#matrix[k * size + k] === 0) return true;
    return false;
  }

  /** The next model is to stay nearer to w, if the last one went nowhere; false if it cannot be nearer. */
  damp(): boolean {
    this.#damping = Math.max(DAMPING, 10 * this.#damping);
    return this.#damping <= MOST_DAMPING;
  }

  /** The last model was of use: the next may go further. */
  relax(): void {
    this.#damping = this.#damping > DAMPING ? this.#damping / 10 : 0;
  }

  /** Minimises the model, H with what `damp` adds to its diagonal, from w and the gradient there, down to a small part of the violation there; returns the point, for the working set. */
  *minimise(w: Float64Array, gradient: Float64Array, violation: number): Slices<Float64Array> {
    const size = this.features.length;
    const diagonal = Float64Array.from({ length: size }, (_, k) => this.#matrix[k * (size + 1)] as number);
    const more = this.#damping * diagonal.reduce((most, value) => Math.max(most, value), 0);
    for (let k = 0; k < size; k++) this.#matrix[k * (size + 1)] = (diagonal[k] as number) + more;
    try {
      return yield* this.#minimise(w, gradient, violation);
    } finally {
      for (let k = 0; k < size; k++) this.#matrix[k * (size + 1)] = diagonal[k] as number;
    }
  }

  *#minimise(w: Float64Array, gradient: Float64Array, violation: number): Slices<Float64Array> {
    const { core } = this.#task;
    const size = this.features.length;
    for (let k = 0; k < size; k++) {
      const j = this.features[k] as number;
      this.#point[k] = w[j] as number;
      this.#slope[k] = gradient[j] as number;
    }
    const start = this.#point.slice(0, size);
    const slopes = this.#slope.slice(0, size);
    let sweeps = Math.max(SWEEPS, Math.ceil(size / 10));
    let { value } = this.#value(start, slopes);
    this.#work = 0;
    this.#calls = 0;
    for (let round = 0; this.#work + this.#calls < MODEL_WORK; round++) {
      for (let sweep = 0; sweep < sweeps; sweep++) {
        if (core.gramSweep(this.#state.pointer) <= DEPTH * violation) return this.#point.slice(0, size);
        this.#work += size * size;
        this.#calls += SWEEP_CALL;
        if ((sweep + 1) * size * size > SLICE) yield;
      }
      yield;
      const before = this.#work;
      for (let step = 0; step < STEPS && (yield* this.#newton(start, slopes, round >= SINGULAR_ROUNDS)); step++);
      // As much work in sweeps as in factors: which of the two helps more is not known.
      sweeps = Math.max(sweeps, Math.ceil((this.#work - before) / (size * size)));
      const now = this.#value(start, slopes);
      // What is left of the violation is rounding's, or that of a feature along which the model falls for ever.
      if (round >= SINGULAR_ROUNDS && !(now.value < value - ROUNDING * now.size)) break;
      value = now.value;
    }
    return this.#point.slice(0, size);
  }

  /**
   * One Newton step over the non-zero features, signs kept: where some would change, either those stop at zero or all stop at the first,
   * whichever is lower; true then, because fewer features may go further.
   */
  *#newton(start: Float64Array, slopes: Float64Array, evenSingular: boolean): Slices<boolean> {
    const size = this.features.length;
    let count = 0;
    for (let k = 0; k < size; k++) {
      const u = this.#point[k] as number;
      const p = this.#penalty[k] as number;
      if (u === 0 && p > 0) continue;
      this.#chosen[count] = k;
      this.#step[count++] = -(this.#slope[k] as number) - p * Math.sign(u);
    }
    // More features than rows that bend the loss: H is singular through and through. Sweeps make features zero faster, or crawl:
    // then the ridge makes the step long along what costs nothing, and the first features on the way stop at zero.
    if (count === 0 || (!evenSingular && count > this.#rows.state.get("bentCount") + 1)) return false;
    this.#work += count ** 3 / 6 + 2 * count * size;
    this.#calls += NEWTON_CALL;
    yield* this.#factor(count);
    this.#task.core.solveFactor(this.#state.pointer, count);
    const before = { point: this.#point.slice(0, size), slope: this.#slope.slice(0, size), ...this.#value(start, slopes) };
    const first = this.#move(count, 1);
    const clipped = { point: this.#point.slice(0, size), slope: this.#slope.slice(0, size), ...this.#value(start, slopes) };
    if (first >= 1 && clipped.value <= before.value) return false;
    this.#set(before);
    this.#move(count, first);
    const { value } = this.#value(start, slopes);
    if (clipped.value < value) this.#set(clipped);
    if (Math.min(clipped.value, value) < before.value) return true;
    // A factor too bad to be of use.
    this.#set(before);
    return false;
  }

  #set({ point, slope }: { point: Float64Array; slope: Float64Array }): void {
    this.#point.set(point);
    this.#slope.set(slope);
  }

  *#factor(count: number): Slices<void> {
    const lines = Math.max(1, Math.floor((2 * SLICE) / (count * count)));
    for (let from = 0; from < count; from += lines) {
      this.#task.core.factorLines(this.#state.pointer, count, RIDGE, from, Math.min(from + lines, count));
      if (from > 0) yield;
    }
  }

  /** Moves the chosen features by t times the step, none across zero; returns the t at which the first of them gets there, at most 1. */
  #move(count: number, t: number): number {
    let first = 1;
    for (let a = 0; a < count; a++) {
      const k = this.#chosen[a] as number;
      const u = this.#point[k] as number;
      const step = this.#step[a] as number;
      let next = u + t * step;
      if ((this.#penalty[k] as number) > 0 && u * (u + step) < 0) {
        const crossing = -u / step;
        first = Math.min(first, crossing);
        if (crossing <= t) next = 0;
      }
      if (next !== u) this.#task.core.movePoint(this.#state.pointer, k, next);
    }
    return first;
  }

  /** The model's value, less a constant: 1/2 (u - v)'(g + q) + sum_k p_k |u_k|; and the sum of the sizes of what it is made of. */
  #value(start: Float64Array, slopes: Float64Array): { value: number; size: number } {
    let value = 0;
    let size = 0;
    for (let k = 0; k < start.length; k++) {
      const u = this.#point[k] as number;
      const step = u - (start[k] as number);
      const [g, q] = [slopes[k] as number, this.#slope[k] as number];
      const penalty = (this.#penalty[k] as number) * Math.abs(u);
      value += 0.5 * step * (g + q) + penalty;
      size += 0.5 * Math.abs(step) * (Math.abs(g) + Math.abs(q)) + penalty;
    }
    return { value, size };
  }
}
