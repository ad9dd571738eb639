// L1-regularised squared hinge and logistic loss by proximal Newton steps.
//
//   primal   min_{w,b} P = sum_j |w_j| (+ |b| / biasScale, augmented bias) + sum_i C_i loss(y_i (w'x_i + b))
//   dual     max_a D = sum_i h_i(a_i),   |sum_i a_i y_i x_ij| <= 1 for all j;   h: core/linear/loss-rows.ts
//            augmented bias: biasScale |sum_i a_i y_i| <= 1;   free bias: sum_i a_i y_i = 0
//   step     u = argmin  g'(u - w) + 1/2 (u - w)'H (u - w) + sum_j p_j |u_j|,   H = sum_i C_i loss''(m_i) x_i x_i',   over the working set
//   search   t = 1, 1/2, 1/4, ... until P(w + t (u - w)) <= P(w) + SUFFICIENT t (g'(u - w) + sum_j p_j (|u_j| - |w_j|))
//   stop     LIBLINEAR's rule for its -s 5 and 6: sum_j |violation_j| at most epsilon times the smaller class's share of what it was at first; or
//            P - D <= tolerance * max(P, D, 1e-12 P(0)), D at a_i = -C_i loss'(m_i) made feasible: a by-product of every gradient
//
// Improved GLMNET (Yuan, Ho, Lin, JMLR 2012), algorithm 3, for both losses. Differs: (1) stops on the gap. (2) The working set is what
// one gradient over all features says: non-zero, or close to leaving zero. (3) Few features: the model is minimised with H in memory, where
// a Cholesky factor ends what coordinate descent cannot. (4) Many features: coordinate descent over columns as in the paper, and a
// dual point moved inside its constraints. The bias is a feature of value 1 with penalty 1 / biasScale or 0.
// docs/algorithms/l1.md tells more. Checked by the judge in test/unit/solve/l1-newton.test.ts.

import type { Matrix } from "../data/matrix.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { L1Columns, l1ColumnsBytes } from "./l1-columns.js";
import { L1Gram, l1GramBytes } from "./l1-gram.js";
import { biasPenalty, L1Rows, type L1Slopes, l1RowsBytes } from "./l1-rows.js";
import { type BinaryProblem, type BinarySolution, lighterShare, type PrimalStart } from "./problem.js";
import { type Slices, SmoothRows, smoothRowsBytes } from "./smooth-rows.js";

/** Floor of the gap's denominator, relative to P(0): design of the relative gap, docs/notation.md. */
const FLOOR = 1e-12;
/** Features in a working set whose H is held: two matrices of 18 MB. */
const LIMIT = 1500;
/** Part of the promised decrease that a step must bring, as in the paper. */
const SUFFICIENT = 0.01;
/** P is a sum of many terms: two values closer than this, relative, are equal. */
const ROUNDING = 1e-14;
/** How far, relative, H may lag behind the curvatures at first: early steps stay nearly as good, and most rows need no work. */
const LAG = 0.2;
/**
 * Logistic loss: H is made from every STRIDE-th row, if that leaves SAMPLED rows for a feature, until a step promises less than SAMPLED_TO of P.
 * (The squared hinge's curvatures jump; a sample of them is of no use.)
 */
const STRIDE = 8;
const SAMPLED = 8;
const SAMPLED_TO = 1e-3;
/** Once P is right and only the dual point is not: a step that leaves more than this part of the violation wants H closer, by the same factor. */
const SLOW = 0.25;
/** The same after every so many steps, so that no lag can keep the method from its end. */
const PATIENCE = 10;
/** Steps after which a method that has neither lowered P beyond rounding nor brought the gap below KEPT of the best has met rounding. */
const STALLED = 30;
const KEPT = 0.9;
/** Values a row for which H is cheaper than columns from the first step on. */
const SHORT = 60;
/**
 * Cost of a multiplication in H, in values touched by a sweep: long rows go four at a time (measured: 0.25 ns, 1 ns, 2 ns). Every step moves all
 * curvatures of the logistic loss, and H is made several times before it has paid.
 */
const PRICE = { long: 0.15, short: 0.5, shortLogistic: 4 };
/** Part of the allowed gap that a polished dual point may lose by scaling. */
const POLISH_SHARE = 0.3;

/** Work space that a problem with this many of the matrix's rows needs. */
export function l1NewtonBytes(rowCount: number, matrix: Matrix): number {
  const { featureCount } = matrix;
  const slopes = isShort(matrix) ? l1RowsBytes(featureCount) : l1ColumnsBytes(rowCount, matrix);
  return smoothRowsBytes(rowCount) + l1GramBytes(rowCount, featureCount, LIMIT) + slopes + 2 * spaceFor(8 * (featureCount + 1));
}

/** Whether H over all features is cheap. */
function isShort({ featureCount, rowCount, valueCount }: Matrix): boolean {
  return featureCount < LIMIT && valueCount <= SHORT * rowCount;
}

export class L1Newton {
  readonly #task: Task;
  readonly #problem: BinaryProblem;
  readonly #rows: SmoothRows;
  readonly #gram: L1Gram;
  readonly #columns: L1Columns | undefined;
  readonly #source: L1Rows | L1Columns;
  /** f64[featureCount + 1], the bias last; the same of the step. */
  readonly #w: Float64Array;
  readonly #direction: Float64Array;
  readonly #start: PrimalStart | undefined;
  readonly #run: Generator<Ending | undefined, never, undefined>;
  #usesGram: boolean;
  #samples: boolean;
  #tolerance: number;
  #recentGap = 1;
  #iterations = 0;
  /** The decrease that the last model promised. */
  #promise = Infinity;
  /** The dual point behind the gap, where it is not the one that the margins suggest. */
  #alpha: Float64Array | undefined;
  /**
   * The best dual point since margins computed afresh from w were found to suggest a worse one: with C |x| large, rounding w to float64
   * moves them too far. The margins that steps have moved, by little each, are better.
   */
  #best: { dual: number; alpha: Float64Array } | undefined;
  #isDoubted = false;

  constructor(task: Task, problem: BinaryProblem, start?: PrimalStart) {
    const size = task.matrix.featureCount + 1;
    this.#task = task;
    this.#problem = problem;
    this.#rows = new SmoothRows(task, problem);
    this.#gram = new L1Gram(task, this.#rows, LIMIT);
    this.#w = task.space.doubles(size);
    this.#direction = task.space.doubles(size);
    this.#usesGram = isShort(task.matrix);
    this.#samples = problem.loss === "logistic" && problem.rowIds.length > STRIDE * SAMPLED * size;
    this.#columns = this.#usesGram ? undefined : new L1Columns(task, this.#rows, problem, this.#w);
    this.#source = this.#columns ?? new L1Rows(task, this.#rows, problem);
    this.#tolerance = problem.tolerance;
    this.#start = start;
    this.#run = this.#steps();
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    for (;;) {
      const interruption = await this.#task.checkpoint(() => ({ iterations: this.#iterations, relativeGap: this.#recentGap }));
      if (interruption !== undefined) return interruption;
      const ending = this.#run.next().value;
      if (ending !== undefined) return ending;
    }
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#isDoubted = true;
    this.#tolerance /= 2;
  }

  solution(): BinarySolution {
    const { featureCount } = this.#task.matrix;
    // Adding 0 turns -0 into 0, which JSON cannot tell apart.
    const w = this.#w.slice(0, featureCount).map((value) => value + 0);
    return { w, bias: (this.#w[featureCount] as number) + 0, alpha: this.#alpha ?? this.#best?.alpha, iterations: this.#iterations };
  }

  /** The method, slice by slice: yields nothing while it runs, and its ending until it is asked for more. */
  *#steps(): Generator<Ending | undefined, never, undefined> {
    const rows = this.#rows;
    rows.lossValue = yield* rows.lossAt(0);
    const zero = rows.lossValue;
    if (this.#start !== undefined) yield* this.#begin(this.#start, zero);
    let lag = LAG;
    let violation = Infinity;
    let firstViolation: number | undefined;
    const { stop } = this.#problem;
    const part = stop === undefined ? 0 : stop.epsilon * lighterShare(this.#problem);
    const last = { primal: Infinity, gap: Infinity, steps: 0 };
    for (;;) {
      const slopes = yield* this.#source.slopes(this.#w);
      const primal = this.#norm(slopes.list, 0) + rows.lossValue;
      const dual = yield* this.#dual(slopes, primal);
      this.#recentGap = Math.max(0, primal - dual) / Math.max(primal, dual, FLOOR * zero);
      if (last.steps > 1) this.#keep(dual);
      firstViolation ??= slopes.violation;
      while (stop === undefined ? this.#recentGap <= this.#tolerance : slopes.violation <= part * firstViolation) {
        yield "converged";
        if (this.#isDoubted) this.#keep(dual);
      }
      while (this.#iterations >= this.#problem.maxIterations) yield "iteration-limit";
      if (primal < last.primal * (1 - ROUNDING) || this.#recentGap < KEPT * last.gap) {
        last.primal = Math.min(primal, last.primal);
        last.gap = Math.min(this.#recentGap, last.gap);
        last.steps = 0;
      }
      while (last.steps >= STALLED) yield "precision-limit";
      last.steps++;
      this.#iterations++;
      const isSlow = slopes.violation > SLOW * violation && this.#promise <= this.#tolerance * primal;
      if (isSlow || this.#iterations % PATIENCE === 0) lag *= SLOW;
      if (this.#promise <= SAMPLED_TO * primal || this.#iterations >= PATIENCE) this.#samples = false;
      violation = slopes.violation;
      let isMoved = false;
      do {
        const { list, point } = yield* this.#minimise(slopes, lag);
        isMoved = yield* this.#search(list, point, primal);
      } while (!isMoved && this.#usesGram && !this.#samples && this.#promise > ROUNDING * primal && this.#gram.damp());
      if (isMoved) this.#gram.relax();
      // A step that brings nothing is the sample's or the lag's fault, or all that the numbers can give.
      while (!isMoved && lag === 0 && !this.#samples) yield "precision-limit";
      if (!isMoved && !this.#samples) lag = 0;
      if (!isMoved) this.#samples = false;
    }
  }

  /** Moves to the start, from w = 0 with the objective `zero`, unless it is worse. */
  *#begin(start: PrimalStart, zero: number): Slices<void> {
    const { featureCount } = this.#task.matrix;
    this.#direction.set(start.w);
    this.#direction[featureCount] = this.#problem.bias === false ? 0 : start.bias;
    yield* this.#rows.turn(this.#direction);
    const loss = yield* this.#rows.lossAt(1);
    let norm = 0;
    for (let j = 0; j <= featureCount; j++) norm += this.#penalty(j) * Math.abs(this.#direction[j] as number);
    if (norm + loss < zero) {
      yield* this.#rows.move(1, loss);
      this.#w.set(this.#direction);
    }
    this.#direction.fill(0);
  }

  /** Remembers the present dual point if it is the best. */
  #keep(dual: number): void {
    if (this.#best === undefined || dual > this.#best.dual) this.#best = { dual, alpha: this.#alpha ?? this.#rows.suggested() };
  }

  /** The best dual value at hand; a worse one, or one a little too high, only where it is too low to stop at. */
  *#dual({ reach }: L1Slopes, primal: number): Slices<number> {
    const allowed = this.#tolerance * primal;
    this.#alpha = undefined;
    const plain = yield* this.#rows.dual(reach, primal - allowed);
    // Newton steps with H need no polish: the next one makes the plain point good.
    if (plain >= primal - allowed || this.#usesGram || this.#columns === undefined || this.#promise > allowed) return plain;
    const polished = yield* this.#columns.polish((POLISH_SHARE * allowed) / (primal - this.#rows.lossValue));
    if (polished.dual < primal - allowed) return plain;
    this.#alpha = this.#rows.dualPoint(polished.scales);
    return polished.dual;
  }

  /** The model's minimum over the working set: features and their values there. */
  *#minimise({ list, violation }: L1Slopes, lag: number): Slices<{ list: Uint32Array; point: Float64Array }> {
    this.#chooseWay(list);
    if (this.#columns !== undefined && !this.#usesGram) return { list, point: yield* this.#columns.minimise(list, violation) };
    const { gradient } = this.#source;
    const needed = list.filter((j) => this.#w[j] !== 0 || Math.abs(gradient[j] as number) > this.#penalty(j));
    if (!this.#gram.holds(needed)) {
      this.#gram.restart(
        list,
        Float64Array.from(list, (j) => this.#penalty(j)),
      );
    }
    if (this.#samples) yield* this.#gram.sample(STRIDE);
    else yield* this.#gram.update(lag);
    return { list: this.#gram.features, point: yield* this.#gram.minimise(this.#w, gradient, violation) };
  }

  /** Columns first; H as soon as sweeps have cost as much as H would: at most twice the better of the two, whichever that is. */
  #chooseWay(list: Uint32Array): void {
    if (this.#columns === undefined) return;
    if (list.length > LIMIT) this.#usesGram = false;
    else if (!this.#usesGram) {
      const values = this.#columns.valuesOf(list);
      const perRow = values / this.#rows.rowCount;
      const short = this.#problem.loss === "logistic" ? PRICE.shortLogistic : PRICE.short;
      this.#usesGram = this.#columns.work > (perRow > list.length / 2 ? PRICE.long : short) * values * perRow;
    }
  }

  /** Moves towards `point` as far as P falls enough; false if nowhere. */
  *#search(list: Uint32Array, point: Float64Array, primal: number): Slices<boolean> {
    const rows = this.#rows;
    const { gradient } = this.#source;
    let slope = 0;
    for (let k = 0; k < list.length; k++) {
      const j = list[k] as number;
      const w = this.#w[j] as number;
      const u = point[k] as number;
      this.#direction[j] = u - w;
      slope += (u - w) * (gradient[j] as number) + this.#penalty(j) * (Math.abs(u) - Math.abs(w));
    }
    this.#promise = -slope;
    // Descent over columns has kept the turns.
    if (this.#usesGram) yield* rows.turn(this.#direction);
    // With H, a model promises half its slope at its minimum, and P cannot fall by more than all of it: one that promises more knows nothing of where it leads.
    const isSense = !this.#usesGram || -slope <= 2 * primal;
    let t = slope < 0 && isSense ? 1 : 0;
    for (; t > 1e-12; t /= 2) {
      const loss = yield* rows.lossAt(t);
      if (this.#norm(list, t) + loss > primal * (1 + ROUNDING) + SUFFICIENT * t * slope) continue;
      yield* rows.move(t, loss);
      for (let k = 0; k < list.length; k++) {
        const j = list[k] as number;
        this.#w[j] = t === 1 ? (point[k] as number) : (this.#w[j] as number) + t * (this.#direction[j] as number);
      }
      break;
    }
    for (const j of list) this.#direction[j] = 0;
    return t > 1e-12;
  }

  /** sum_j p_j |w_j + t direction_j| over the list; all others are zero. */
  #norm(list: Uint32Array, t: number): number {
    let sum = 0;
    for (const j of list) sum += this.#penalty(j) * Math.abs((this.#w[j] as number) + t * (this.#direction[j] as number));
    return sum;
  }

  #penalty(j: number): number {
    return j < this.#task.matrix.featureCount ? 1 : biasPenalty(this.#problem);
  }
}
