// Primal Newton for L2-regularised smooth losses: truncated by preconditioned conjugate gradients, made safe by a line search.
//
//   primal     P(w) = 1/2 |w|^2 + sum_i C_i loss_i(scores_i),   scores_i = X_i w      (the bias: a weight of a constant feature)
//   gradient   g = w - u,   u = sum_i a_i x_i,   a_i = -C_i loss_i'(scores_i)
//   Hessian    H = I + X' diag(C loss'') X, never formed: H p is one walk over the rows, each read once for X p and for X'(...)
//   gap        P(w) - D(a) = 1/2 |g|^2, and under the squared losses that of the best multiple of a: src/solve/newton-gap.ts. A free bias is no part
//              of |w|^2, and D asks for sum a_i y_i = 0, which is the gradient along it: the bias is then moved to its own minimum, which
//              reads no rows, before the gap is believed.
//   step       p from H p = -g by conjugate gradients, until (Nash & Sofer 1990) j (Q_j - Q_{j-1}) <= 1/2 Q_j, Q the quadratic model,
//              or until the model's gradient is small enough for the tolerance; then w + t p, t by the slope (src/solve/line-search.ts)
//   end        the gap at most the tolerance, the passes used up (a step begins only if enough are left to end it), or src/solve/newton-idle.ts
//
// Lin, Weng, Keerthi, JMLR 2008 (truncated Newton for these problems); Hsia, Zhu, Lin, ACML 2017, and Hsia, Chiang, Lin, ACML 2018 (line search or trust
// region, preconditioner: the diagonal mixed with the identity). Differs: see docs/algorithms/newton.md. A pass costs O(nnz), of the active rows alone under the squared hinge.
// Checked in test/newton.test.ts and, piece by piece, in test/unit/core/newton-*.test.ts.

import type { Interruption } from "../base/status.js";
import type { Ending } from "./drive.js";
import { isGoodStep, searchLine } from "./line-search.js";
import { type FactorPlan, factorPlan } from "./newton-factor.js";
import { quadraticGap } from "./newton-gap.js";
import { IdleSteps } from "./newton-idle.js";
import type { NewtonSpace } from "./newton-space.js";
import type { Reduce, RowPass } from "./row-sums.js";

// Share of the diagonal in the preconditioner, as in Hsia, Chiang and Lin.
const DIAGONAL_SHARE = 0.01;

// Nash and Sofer's constant in the rule that ends conjugate gradients.
const MODEL_SHARE = 0.5;

// Conjugate gradients may end when the model's own gap is this share of what is allowed.
const MODEL_GAP = 0.25;

// Below this share of its beginning r'M^-1 r is rounding.
const SOLVED = 1e-26;

// A free bias is at its minimum when the two sides of sum a_i y_i = 0 agree to this; Newton gets there in a few rounds.
const BALANCE = 1e-14;
const BIAS_ROUNDS = 30;

// What conjugate gradients may cost before the first factor, in Hessian products.
const CREDIT = 4;

// Floor of the gap's denominator, relative to P(0): design of the relative gap, docs/notation.md.
const FLOOR = 1e-12;

/** What the losses add: where numbers of a problem's own meaning are needed. */
export interface NewtonPasses {
  losses(t: number, fresh: boolean): RowPass;
  line(t: number): RowPass;
  curve(): RowPass;
  diagonal(): RowPass;
  /** About sampleCount of the active rows, all that bend more than `share` among them, into the factor's matrix; the factor from that. */
  sample(share: number, sampleCount: number): RowPass;
  factor(): RowPass;
}

export interface NewtonSettings {
  /** Stored values of a row, on average. */
  readonly valuesPerRow: number;
  readonly tolerance: number;
  /** In passes over the rows. */
  readonly maxIterations: number;
  /** P(0), the scale of the gap's floor. */
  readonly zeroObjective: number;
  readonly hasFreeBias: boolean;
  /** Stop by LIBLINEAR's rule instead of the gap: when |g| is at most this part of what it is at w = 0. */
  readonly slope?: number | undefined;
  /** Whether D(t a) = t A - t^2 (L + 1/2 |u|^2): the squared losses. */
  readonly hasQuadraticDual: boolean;
}

export type NewtonEnding = Ending;

export class Newton {
  readonly #space: NewtonSpace;
  readonly #passes: NewtonPasses;
  readonly #reduce: Reduce;
  readonly #settings: NewtonSettings;
  #tolerance: number;
  #objective = Number.NaN;
  /** By how much the direction lowers the quadratic model. */
  #model = 0;
  #relativeGap = 1;
  /** |g| at w = 0, where LIBLINEAR's rule wants it. */
  #zeroSlope = Number.NaN;
  #passCount = 0;
  #outerCount = 0;
  #workSinceFactor = 0;
  /** How much all rows bend together. */
  #bendSum = 0;
  #isCentred = false;
  /** Whether the last direction was cut short, and whether the last step was shorter than its direction. */
  #isRough = false;
  #isShort = false;
  readonly #idle = new IdleSteps();
  #interruption: Interruption | undefined;

  constructor(space: NewtonSpace, passes: NewtonPasses, reduce: Reduce, settings: NewtonSettings) {
    this.#space = space;
    this.#passes = passes;
    this.#reduce = reduce;
    this.#settings = settings;
    this.#tolerance = settings.tolerance;
  }

  get iterations(): number {
    return this.#passCount;
  }

  get relativeGap(): number {
    return this.#relativeGap;
  }

  tighten(): void {
    this.#tolerance /= 2;
  }

  /** Goes on until its own gap is at most its tolerance, or a limit or the caller says stop, or rounding leaves nothing to gain. */
  async solve(): Promise<NewtonEnding> {
    this.#interruption = undefined;
    if (Number.isNaN(this.#objective)) await this.#begin();
    while (this.#interruption === undefined) {
      if (this.#isEnough()) {
        if (this.#isCentred || !this.#settings.hasFreeBias || this.#settings.slope !== undefined) return "converged";
        if (this.#left() < 0) return "iteration-limit";
        await this.#centreBias();
        continue;
      }
      if (this.#left() < 1) return "iteration-limit";
      await this.#direction();
      if (this.#interruption === undefined && !(await this.#step())) break;
      this.#outerCount++;
      if (this.#idle.isOver(this.#objective, this.#relativeGap)) break;
    }
    return this.#interruption ?? "precision-limit";
  }

  #isEnough(): boolean {
    const { slope } = this.#settings;
    return slope === undefined ? this.#relativeGap <= this.#tolerance : this.#slopeSize() <= slope * this.#zeroSlope;
  }

  #slopeSize(): number {
    return Math.sqrt(this.#space.state.get("gradientSquare"));
  }

  /** Passes that are left for a direction, with one more for its step. */
  #left(): number {
    return this.#settings.maxIterations - this.#passCount - 1;
  }

  /** Scores, objective and gradient at the starting point; one that is worse than w = 0 is not used. */
  async #begin(): Promise<void> {
    const { core, pointer, w } = this.#space;
    if (this.#settings.slope !== undefined) {
      const start = w.slice();
      w.fill(0);
      core.takeVector(pointer, w.byteOffset);
      await this.#sum(this.#passes.losses(1, true));
      if (this.#interruption !== undefined) return;
      this.#measure(0);
      this.#zeroSlope = this.#slopeSize();
      w.set(start);
    }
    for (;;) {
      core.takeVector(pointer, w.byteOffset);
      await this.#sum(this.#passes.losses(1, true));
      if (this.#interruption !== undefined) return;
      this.#measure(0);
      if (this.#objective <= this.#settings.zeroObjective || w.every((value) => value === 0)) break;
      w.fill(0);
      if (this.#left() >= 0) continue;
      // At w = 0 the scores are what they were before the pass.
      this.#objective = this.#settings.zeroObjective;
      this.#relativeGap = 1;
      return;
    }
    // The direction is still zero, so only the scores move.
    core.acceptStep(pointer, 1);
    this.#workSinceFactor = CREDIT * 2 * this.#settings.valuesPerRow * this.#activeCount();
  }

  /** Objective, gradient and gap where the last pass of the losses has been: w + t direction. */
  #measure(t: number): void {
    const { core, pointer, state } = this.#space;
    core.gradientStep(pointer, t);
    const [losses, , bends] = this.#space.tail;
    this.#bendSum = bends;
    this.#objective = 0.5 * state.get("weightSquare") + losses;
    const gradientSquare = state.get("gradientSquare");
    const gap = this.#settings.hasQuadraticDual
      ? quadraticGap({
          losses,
          gradientSquare,
          weightSquare: state.get("weightSquare"),
          weightGradient: state.get("weightGradient"),
          dualSquare: state.get("dualSquare"),
          weightDual: state.get("weightDual"),
        })
      : 0.5 * gradientSquare;
    this.#relativeGap = gap / Math.max(this.#objective, FLOOR * this.#settings.zeroObjective);
    this.#isCentred = false;
  }

  /**
   * Leaves an approximate solution of H direction = -gradient in the space. Conjugate gradients end when they have cost a factor since the last one:
   * the direction is rough, the next one has a new factor. Not so where the last step was rough already or had to be shortened: rows begin or
   * cease to count on the way then, and rough directions, made with a factor of other rows, may go from one such kink to the next and back
   * for ever. They get the new factor at once and go on from where they are, for as many steps as exact arithmetic takes at most: one
   * more than H - I has ranks.
   */
  async #direction(): Promise<void> {
    const { core, pointer, state } = this.#space;
    const onlyBias = state.get("first") > 0;
    let isFresh = !onlyBias && (await this.#precondition());
    if (this.#interruption !== undefined) return;
    const patience = this.#factorPlan().work;
    const mayBeRough = !this.#isShort && !this.#isRough;
    this.#isRough = false;
    const rank = Math.min(this.#activeCount(), this.#space.factorOrder);
    let rho = core.cgStart(pointer);
    let begun = rho;
    this.#model = 0;
    for (let j = 1; rho > 0; j++) {
      await this.#sum(this.#passes.curve());
      if (this.#interruption !== undefined) return;
      this.#workSinceFactor += 2 * this.#settings.valuesPerRow * this.#activeCount();
      const alpha = rho / (this.#space.tail[0] + state.get("inSquare"));
      if (!(alpha > 0 && alpha < Infinity)) return;
      let next = core.cgStep(pointer, alpha);
      const gain = 0.5 * alpha * rho;
      this.#model += gain;
      if (j * gain <= MODEL_SHARE * this.#model) return;
      if (0.5 * state.get("residualSquare") <= MODEL_GAP * this.#tolerance * (this.#objective - this.#model)) return;
      if (next <= SOLVED * begun) return;
      if (!onlyBias && this.#left() < 1) return;
      let keep = next / rho;
      if (!onlyBias && this.#workSinceFactor > patience) {
        if (mayBeRough || (isFresh && j > rank)) {
          this.#isRough = true;
          return;
        }
        if (!isFresh && this.#left() > 1) {
          await this.#factorise();
          if (this.#interruption !== undefined) return;
          isFresh = true;
          // A step of length 0 brings the residual before the new factor.
          next = core.cgStep(pointer, 0);
          begun = next;
          keep = 0;
        }
      }
      core.cgDirection(pointer, keep);
      rho = next;
    }
  }

  /**
   * A preconditioner need not be of today. The diagonal is made after 2 steps and renewed after 4, 8, ...; a factor is made, and made anew, when
   * the work of conjugate gradients since has come to what it costs: never more than twice what knowing the future would take. True where
   * there is a factor of the Hessian as it is now.
   */
  async #precondition(): Promise<boolean> {
    const { core, pointer, state } = this.#space;
    if (this.#left() < 2) return false;
    if (this.#workSinceFactor >= this.#factorPlan().work) {
      await this.#factorise();
      return true;
    }
    if (state.get("hasFactor") === 0 && this.#outerCount > 1 && (this.#outerCount & (this.#outerCount - 1)) === 0) {
      await this.#sum(this.#passes.diagonal());
      core.scaleStep(pointer, DIAGONAL_SHARE);
    }
    return false;
  }

  /** Makes the factor from a sample of the active rows. */
  async #factorise(): Promise<void> {
    const { core, pointer, state } = this.#space;
    core.factorStart(pointer);
    const { share, sampleCount } = this.#factorPlan();
    for (const pass of [this.#passes.sample(share, sampleCount), this.#passes.factor()]) {
      await this.#sum(pass);
      if (this.#interruption !== undefined) return;
    }
    state.set("hasFactor", 1);
    this.#workSinceFactor = 0;
  }

  #factorPlan(): FactorPlan {
    return factorPlan(this.#space.factorOrder, this.#activeCount(), this.#bendSum, this.#settings.valuesPerRow);
  }

  #activeCount(): number {
    return this.#space.activeCounts.reduce((sum, count) => sum + count, 0);
  }

  /** Moves along the direction; false where no step goes down. */
  async #step(): Promise<boolean> {
    const { core, pointer, state, direction } = this.#space;
    const before = { value: this.#objective, slope: -2 * this.#model };
    core.takeVector(pointer, direction.byteOffset);
    await this.#sum(this.#passes.losses(1, true));
    if (this.#interruption !== undefined) return true;
    this.#measure(1);
    let t = 1;
    if (!isGoodStep(before, { value: this.#objective, slope: state.get("slope") })) {
      const [wd, dd, ww] = [state.get("weightDirection"), state.get("directionSquare"), state.get("weightSquare")];
      t = await searchLine(before, async (at) => {
        await this.#sum(this.#passes.line(at));
        const [losses, slope, bend] = this.#space.tail;
        // |w|^2 and w'd were taken at t = 1.
        const back = at - 1;
        return { value: losses + 0.5 * (ww + back * (2 * wd + back * dd)), slope: slope + wd + back * dd, bend: bend + dd };
      });
      if (this.#left() >= 0) {
        await this.#sum(this.#passes.losses(t, false));
        if (this.#interruption !== undefined) return true;
        this.#measure(t);
      } else {
        // The step is known to be good, and nobody asks for the gradient behind it.
        this.#relativeGap = 1;
      }
    }
    core.acceptStep(pointer, t);
    this.#isShort = t < 1;
    return t > 0;
  }

  /** Moves a free bias alone to its minimum, then takes everything's measure there. */
  async #centreBias(): Promise<void> {
    const { core, pointer, state, gradient, biasAt } = this.#space;
    state.set("first", this.#space.featureCount);
    for (let round = 0; round < BIAS_ROUNDS; round++) {
      const slope = gradient.subarray(biasAt).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      if (slope <= BALANCE * this.#space.tail[1]) break;
      await this.#direction();
      if (this.#interruption !== undefined || !(await this.#step())) break;
    }
    state.set("first", 0);
    core.takeVector(pointer, this.#space.w.byteOffset);
    await this.#sum(this.#passes.losses(0, false));
    if (this.#interruption !== undefined) return;
    this.#measure(0);
    this.#isCentred = true;
  }

  /** One pass over the rows, summed over all blocks. */
  async #sum(pass: RowPass): Promise<void> {
    if (pass.readsRows && this.#space.state.get("first") === 0) this.#passCount++;
    this.#interruption = await this.#reduce(pass);
  }
}
