// Primal Newton for L2-regularised smooth losses: truncated by preconditioned conjugate gradients, made safe by a line search.
//
//   primal     P(w) = 1/2 |w|^2 + sum_i C_i loss_i(scores_i),   scores_i = X_i w      (the bias: a weight of a constant feature)
//   gradient   g = w - u,   u = sum_i a_i x_i,   a_i = -C_i loss_i'(scores_i)
//   Hessian    H = I + X' diag(C loss'') X, never formed: H p is one walk over the rows, each read once for X p and for X'(...)
//   gap        Fenchel's inequality is an equality at (scores_i, a_i), so P(w) - D(a) = 1/2 |w - u|^2 = 1/2 |g|^2. The best multiple
//              of a is better still where it has a closed form: D(t a) = t A - t^2 B for the squared hinge and tube, B = L + 1/2 |u|^2,
//              L = sum C loss. P - D(a) = 1/2 |g|^2 says what A is: A - 2 B = w'g - |g|^2. A free bias is no part of |w|^2, and D asks for sum a_i y_i = 0, which is the gradient along it: the
//              bias is then moved to its own minimum, which reads no rows, before the gap is believed.
//   step       p from H p = -g by conjugate gradients, until (Nash & Sofer 1990) j (Q_j - Q_{j-1}) <= 1/2 Q_j, Q the quadratic model,
//              or until the model's gradient is small enough for the tolerance; then w + t p, t by the slope (src/solve/line-search.ts)
//
// Lin, Weng, Keerthi, JMLR 2008 (truncated Newton for these problems); Hsia, Zhu, Lin, ACML 2017, and Hsia, Chiang, Lin, ACML 2018 (line search or trust
// region, preconditioner: the diagonal mixed with the identity). Differs: see docs/algorithms/newton.md. A pass costs O(nnz), of the active rows alone under the squared hinge.
// Checked in test/newton.test.ts and, piece by piece, in test/unit/core/newton-*.test.ts.

import type { Interruption } from "../base/status.js";
import type { Ending } from "./drive.js";
import { isGoodStep, searchLine } from "./line-search.js";
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

// The factor's sample: at least so many rows for each feature, and where rows are short as many as four Hessian products cost.
const SAMPLE_PER_FEATURE = 4;
const SAMPLE_PASSES = 16;

// A multiplication of the factor's, in stored values touched by a Hessian product.
const FACTOR_PRICE = 0.6;

// Conjugate gradients end when they have cost this many factors.
const FACTOR_PATIENCE = 1;
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
  #passCount = 0;
  #outerCount = 0;
  #workSinceFactor = 0;
  /** How much all rows bend together. */
  #bendSum = 0;
  #isCentred = false;
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
      if (this.#relativeGap <= this.#tolerance) {
        if (this.#isCentred || !this.#settings.hasFreeBias) return "converged";
        await this.#centreBias();
        continue;
      }
      if (this.#passCount >= this.#settings.maxIterations) return "iteration-limit";
      await this.#direction();
      if (this.#interruption === undefined && !(await this.#step())) break;
      this.#outerCount++;
    }
    return this.#interruption ?? "precision-limit";
  }

  /** Scores, objective and gradient at the starting point; one that is worse than w = 0 is not used. */
  async #begin(): Promise<void> {
    const { core, pointer, w } = this.#space;
    for (;;) {
      core.takeVector(pointer, w.byteOffset);
      await this.#sum(this.#passes.losses(1, true));
      if (this.#interruption !== undefined) return;
      this.#measure(0);
      if (this.#objective <= this.#settings.zeroObjective || w.every((value) => value === 0)) break;
      w.fill(0);
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
    let gap = 0.5 * state.get("gradientSquare");
    if (this.#settings.hasQuadraticDual) {
      // |u|^2 = |w - g|^2; the best multiple of a, A / (2 B), gains (A - 2 B)^2 / (4 B).
      const half = losses + 0.5 * (state.get("weightSquare") + state.get("gradientSquare")) - state.get("weightGradient");
      if (half > 0) gap -= (state.get("weightGradient") - state.get("gradientSquare")) ** 2 / (4 * half);
    }
    this.#relativeGap = Math.max(0, gap) / Math.max(this.#objective, FLOOR * this.#settings.zeroObjective);
    this.#isCentred = false;
  }

  /** Leaves an approximate solution of H direction = -gradient in the space. */
  async #direction(): Promise<void> {
    const { core, pointer, state } = this.#space;
    const onlyBias = state.get("first") > 0;
    if (!onlyBias) await this.#precondition();
    if (this.#interruption !== undefined) return;
    const patience = FACTOR_PATIENCE * this.#factorPlan().work;
    let rho = core.cgStart(pointer);
    const begun = rho;
    this.#model = 0;
    for (let j = 1; rho > 0; j++) {
      await this.#sum(this.#passes.curve());
      if (this.#interruption !== undefined) return;
      this.#workSinceFactor += 2 * this.#settings.valuesPerRow * this.#activeCount();
      const alpha = rho / (this.#space.tail[0] + state.get("inSquare"));
      if (!(alpha > 0 && alpha < Infinity)) return;
      const next = core.cgStep(pointer, alpha);
      const gain = 0.5 * alpha * rho;
      this.#model += gain;
      if (j * gain <= MODEL_SHARE * this.#model) return;
      if (0.5 * state.get("residualSquare") <= MODEL_GAP * this.#tolerance * (this.#objective - this.#model)) return;
      if (!onlyBias && this.#workSinceFactor > patience) return;
      if (next <= SOLVED * begun) return;
      core.cgDirection(pointer, next / rho);
      rho = next;
    }
  }

  /**
   * A preconditioner need not be of today. The diagonal is made after 2 steps and renewed after 4, 8, ...; a factor is made, and made anew, when
   * the work of conjugate gradients since has come to what it costs: never more than twice what knowing the future would take.
   */
  async #precondition(): Promise<void> {
    const { core, pointer, state } = this.#space;
    if (this.#workSinceFactor >= this.#factorPlan().work) {
      await this.#factorise();
    } else if (state.get("hasFactor") === 0 && this.#outerCount > 1 && (this.#outerCount & (this.#outerCount - 1)) === 0) {
      await this.#sum(this.#passes.diagonal());
      core.scaleStep(pointer, DIAGONAL_SHARE);
    }
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

  /** How many active rows a factor should see, from which bend on surely, and its work in stored values touched. */
  #factorPlan(): { share: number; sampleCount: number; work: number } {
    const { factorOrder } = this.#space;
    const { valuesPerRow } = this.#settings;
    if (factorOrder === 0) return { share: 0, sampleCount: 0, work: Infinity };
    const activeCount = this.#activeCount();
    const wanted = Math.max(SAMPLE_PER_FEATURE * factorOrder, (SAMPLE_PASSES * activeCount) / Math.max(1, valuesPerRow));
    const sampleCount = Math.min(activeCount, wanted);
    const share = sampleCount < activeCount ? this.#bendSum / sampleCount : 0;
    return { share, sampleCount, work: FACTOR_PRICE * ((sampleCount * valuesPerRow ** 2) / 2 + factorOrder ** 3 / 6) };
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
      await this.#sum(this.#passes.losses(t, false));
      if (this.#interruption !== undefined) return true;
      this.#measure(t);
    }
    core.acceptStep(pointer, t);
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
