// Crammer-Singer by a primal-dual interior-point method: for few features times classes, where coordinate steps stall.
//
//   min_W,G  1/2 |W|^2 + sum_i C_i (G_i - g_iy_i),   z_im = G_i - g_im >= 0,   g_im = w_m'x_i - [m = y_i]
//   p_im >= 0 with sum_m p_im = C_i are the multipliers of z: the dual's shares (core/linear/crammer-singer.ts), a = C_i [m = y_i] - p
//   path     p_im z_im = mu for all i, m,   W = sum_i a_i x_i',   mu -> 0
//   step     theta = p / z, c = (target - products of the predictor) / z - p, u_im = x_i'dW_m; sums over m of row i with a bar, over Theta_i = sum theta:
//            (I + sum_i (diag theta_i - theta_i theta_i' / Theta_i) (x) x_i x_i') dW = R - sum_i (c_i - theta_i cbar_i) x_i',   R = sum_i a_i x_i' - W
//            dp = c - theta (cbar + ubar - u),   dz = cbar + ubar - u
//   stop     P(W) - D(p) <= tolerance * max(P, D): z > 0 and the simplex hold at every step, so both are true values at any time
//
// Mehrotra's predictor and corrector (1992) on one Cholesky factor of (d k)^2 an iteration; tens of iterations whatever C and the scale of
// the features. Cost of an iteration: sum_i nnz_i^2 k^2 / 4 + (d k)^3 / 6. Memory: 10 (d k)^2 + 48 n k bytes.
// Checked in test/unit/solve/crammer-singer.test.ts.

import type { Interruption } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import type { Task } from "../runtime/task.js";
import { cholesky, solveCholesky } from "./cholesky.js";
import { ClassRows } from "./class-rows.js";
import type { Ending } from "./drive.js";
import type { MultiClassProblem, MultiClassSolution } from "./problem.js";

/** Fraction of the way to the nearest bound that a step may go. */
const TO_BOUND = 0.99;

/** Relative gap above which another method's point is not begun from. */
const WORTH_TAKING = 0.2;

/** Products p z are not made smaller than this part of what the tolerance lets them add to the gap: theta = p / z would carry the rounding of u into p. */
const LEAST_PART = 0.1;

/** Iterations without a better gap before rounding is taken for the reason. A fresh start goes about 25 with D below 0. */
const PATIENCE = 60;

/** Rows between two checkpoints. */
const BLOCK = 2000;

/** Unknowns d k up to which the method is worth trying: 32 MiB of factor, seconds for each. */
export const INTERIOR_LIMIT = 2000;

/** Products of one iteration, about: what to weigh against the work of coordinate steps. */
export function interiorWork(matrix: Matrix, { rowIds, classCount, bias }: MultiClassProblem): number {
  const perRow = matrix.valueCount / Math.max(1, matrix.rowCount) + (bias === false ? 0 : 1);
  const size = (matrix.featureCount + 1) * classCount;
  return (rowIds.length * perRow * perRow * classCount * classCount) / 4 + size ** 3 / 6;
}

export class CrammerSingerInterior {
  readonly #task: Task;
  readonly #problem: MultiClassProblem;
  readonly #rows: ClassRows;
  readonly #d: number;
  readonly #k: number;
  readonly #biasScale: number;
  #tolerance: number;
  #iterations = 0;
  #relativeGap = 1;
  /** P at the present point, which the relative gap is measured by. */
  #primal = 0;
  /** The point with the smallest gap, and how long ago it was. */
  #best: { gap: number; W: Float64Array; p: Float64Array; iteration: number } | undefined;
  /** f64[k * d], class by class; the last feature is the bias's if there is one. */
  readonly #W: Float64Array;
  /** f64[n * k]. */
  readonly #p: Float64Array;
  readonly #z: Float64Array;
  readonly #products: Float64Array;
  readonly #dp: Float64Array;
  readonly #dz: Float64Array;
  readonly #packed: Float64Array;
  readonly #factor: Float64Array;

  constructor(task: Task, problem: MultiClassProblem, from?: MultiClassSolution) {
    const n = problem.rowIds.length;
    const k = problem.classCount;
    this.#task = task;
    this.#problem = problem;
    this.#biasScale = problem.bias === "augmented" ? problem.biasScale : 0;
    this.#rows = new ClassRows(task.matrix, problem.rowIds, k, this.#biasScale);
    this.#d = this.#rows.featureCount;
    this.#k = k;
    this.#tolerance = problem.tolerance;
    const [d, size] = [this.#d, this.#d * k];
    this.#W = new Float64Array(size);
    this.#p = new Float64Array(n * k);
    this.#z = new Float64Array(n * k);
    this.#products = new Float64Array(n * k);
    this.#dp = new Float64Array(n * k);
    this.#dz = new Float64Array(n * k);
    this.#packed = new Float64Array(((d * (d + 1)) / 2) * ((k * (k + 1)) / 2));
    this.#factor = new Float64Array(size * size);
    this.#begin(from);
  }

  /** Goes on until the gap is at most the tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    for (;;) {
      const interruption = await this.#task.checkpoint(() => ({ iterations: this.#iterations, relativeGap: this.#relativeGap }));
      if (interruption !== undefined) return interruption;
      const residual = this.#measure();
      this.#keep();
      if (this.#relativeGap <= this.#tolerance) return "converged";
      // Not a number: rounding has eaten the step, and no later one mends it.
      if (!Number.isFinite(this.#relativeGap) || this.#iterations - (this.#best?.iteration ?? 0) >= PATIENCE) return "precision-limit";
      if (this.#iterations >= this.#problem.maxIterations) return "iteration-limit";
      const stopped = await this.#assemble();
      if (stopped !== undefined) return stopped;
      cholesky(this.#factor, this.#W.length);
      this.#step(residual);
      this.#iterations++;
    }
  }

  tighten(): void {
    this.#tolerance /= 2;
  }

  /** Remembers the present point if it is the best. */
  #keep(): void {
    if (!(this.#relativeGap < (this.#best?.gap ?? Infinity))) return;
    const { W, p } = this.#best ?? { W: new Float64Array(this.#W.length), p: new Float64Array(this.#p.length) };
    W.set(this.#W);
    p.set(this.#p);
    this.#best = { gap: this.#relativeGap, W, p, iteration: this.#iterations };
  }

  /** The point with the smallest gap that was looked at. */
  solution(): MultiClassSolution {
    const { classIds, rowIds } = this.#problem;
    const { W, p } = this.#best ?? { W: this.#W, p: this.#p };
    const [k, d] = [this.#k, this.#d];
    const { featureCount } = this.#task.matrix;
    const w = new Float64Array(k * featureCount);
    const bias = new Float64Array(k);
    for (let m = 0; m < k; m++) {
      for (let j = 0; j < featureCount; j++) w[m * featureCount + j] = (W[m * d + j] as number) + 0;
      if (this.#biasScale !== 0) bias[m] = this.#biasScale * (W[m * d + featureCount] as number) + 0;
    }
    const alpha = new Float64Array(rowIds.length * k);
    const a = new Float64Array(k);
    for (let i = 0; i < rowIds.length; i++) {
      this.#given(p, i, classIds[i] as number, a);
      alpha.set(a, i * k);
    }
    return { w, bias, alpha, iterations: this.#iterations, isSparse: false };
  }

  /**
   * From W and p of another method, moved inside by as much as they violate on the mean: then the products p z are of one size where the
   * old point was nearly right. One that was far off is worth less than a fresh start, W = 0 with equal shares.
   */
  #begin(from: MultiClassSolution | undefined): void {
    const { costs, rowIds } = this.#problem;
    const k = this.#k;
    if (from !== undefined) this.#take(from);
    else for (let at = 0; at < this.#p.length; at++) this.#p[at] = (costs[Math.floor(at / k)] as number) / k;
    const g = new Float64Array(k);
    let total = 0;
    let gap = 0;
    for (let i = 0; i < rowIds.length; i++) {
      const best = this.#scores(i, this.#W, g);
      total += costs[i] as number;
      for (let m = 0; m < k; m++) {
        this.#z[i * k + m] = best - (g[m] as number);
        gap += (this.#p[i * k + m] as number) * (best - (g[m] as number));
      }
    }
    if (from !== undefined) this.#measure();
    if (this.#relativeGap > WORTH_TAKING && from !== undefined) {
      this.#W.fill(0);
      this.#begin(undefined);
      return;
    }
    const inside = from === undefined ? 1 : Math.max(gap / total, 1e-6);
    const mix = from === undefined ? 0 : Math.min(0.5, Math.max(inside, 1e-3));
    for (let at = 0; at < this.#p.length; at++) {
      this.#p[at] = (1 - mix) * (this.#p[at] as number) + (mix * (costs[Math.floor(at / k)] as number)) / k;
      this.#z[at] = (this.#z[at] as number) + inside;
    }
  }

  #take({ w, bias, alpha }: MultiClassSolution): void {
    const { classIds, costs } = this.#problem;
    const [k, d] = [this.#k, this.#d];
    const { featureCount } = this.#task.matrix;
    for (let m = 0; m < k; m++) {
      this.#W.set(w.subarray(m * featureCount, (m + 1) * featureCount), m * d);
      if (this.#biasScale !== 0) this.#W[m * d + featureCount] = (bias[m] as number) / this.#biasScale;
    }
    for (let at = 0; at < this.#p.length; at++) {
      const i = Math.floor(at / k);
      this.#p[at] = Math.max(0, (at - i * k === classIds[i] ? (costs[i] as number) : 0) - (alpha?.[at] ?? 0));
    }
  }

  /** Fills g with the row's g_im; returns the largest. */
  #scores(i: number, W: Float64Array, g: Float64Array): number {
    const { classIds } = this.#problem;
    this.#rows.times(i, W, g);
    const own = classIds[i] as number;
    g[own] = (g[own] as number) - 1;
    let best = -Infinity;
    for (let m = 0; m < this.#k; m++) best = Math.max(best, g[m] as number);
    return best;
  }

  /** Fills a with row i's dual variables; returns the share of the other classes: C_i less the own one, which would lose digits where C_i is large. */
  #given(p: Float64Array, i: number, own: number, a: Float64Array): number {
    let given = 0;
    for (let m = 0; m < this.#k; m++) {
      if (m === own) continue;
      const share = p[i * this.#k + m] as number;
      a[m] = 0 - share;
      given += share;
    }
    a[own] = given;
    return given;
  }

  /** The true gap at (W, p); returns R. */
  #measure(): Float64Array {
    const { classIds, costs, rowIds } = this.#problem;
    const k = this.#k;
    const u = new Float64Array(this.#W.length);
    const a = new Float64Array(k);
    const g = new Float64Array(k);
    let primal = 0;
    let dual = 0;
    for (let i = 0; i < rowIds.length; i++) {
      const own = classIds[i] as number;
      const cost = costs[i] as number;
      const best = this.#scores(i, this.#W, g);
      primal += cost * (best - (g[own] as number));
      dual += this.#given(this.#p, i, own, a);
      this.#rows.add(i, a, u);
    }
    for (let at = 0; at < u.length; at++) {
      primal += 0.5 * (this.#W[at] as number) ** 2;
      dual -= 0.5 * (u[at] as number) ** 2;
      u[at] = (u[at] as number) - (this.#W[at] as number);
    }
    this.#primal = primal;
    this.#relativeGap = Math.max(0, primal - dual) / Math.max(Math.abs(primal), Math.abs(dual), Number.MIN_VALUE);
    return u;
  }

  /** The matrix of the step, first packed by pairs of features, then spread out as its lower triangle. */
  async #assemble(): Promise<Interruption | undefined> {
    const { rowIds } = this.#problem;
    const [k, d] = [this.#k, this.#d];
    const pairs = (k * (k + 1)) / 2;
    const B = new Float64Array(pairs);
    const theta = new Float64Array(k);
    const packed = this.#packed.fill(0);
    const feature = new Int32Array(d);
    const value = new Float64Array(d);
    for (let i = 0; i < rowIds.length; i++) {
      if (i % BLOCK === BLOCK - 1) {
        const stopped = await this.#task.checkpoint(() => ({ iterations: this.#iterations, relativeGap: this.#relativeGap }));
        if (stopped !== undefined) return stopped;
      }
      this.#bend(i, theta, B);
      const count = this.#rows.collect(i, feature, value);
      for (let a = 0; a < count; a++) {
        const j = feature[a] as number;
        for (let b = 0; b <= a; b++) {
          const base = ((j * (j + 1)) / 2 + (feature[b] as number)) * pairs;
          const xx = (value[a] as number) * (value[b] as number);
          for (let q = 0; q < pairs; q++) packed[base + q] = (packed[base + q] as number) + xx * (B[q] as number);
        }
      }
    }
    this.#spread();
    return undefined;
  }

  /** The packed matrix plus the identity, as a lower triangle. */
  #spread(): void {
    const [k, d] = [this.#k, this.#d];
    const pairs = (k * (k + 1)) / 2;
    const packed = this.#packed;
    const size = k * d;
    for (let m = 0, pair = 0; m < k; m++) {
      for (let l = 0; l <= m; l++, pair++) {
        for (let j = 0; j < d; j++) {
          for (let h = 0; h < d; h++) {
            const entry = packed[(j >= h ? (j * (j + 1)) / 2 + h : (h * (h + 1)) / 2 + j) * pairs + pair] as number;
            this.#factor[(m * d + j) * size + l * d + h] = entry + (m === l && j === h ? 1 : 0);
          }
        }
      }
    }
  }

  /** Fills B with diag theta_i - theta_i theta_i' / Theta_i, lower triangle. Its rows add up to zero, which gives the diagonal without cancellation. */
  #bend(i: number, theta: Float64Array, B: Float64Array): void {
    const k = this.#k;
    let Theta = 0;
    for (let m = 0; m < k; m++) {
      theta[m] = (this.#p[i * k + m] as number) / (this.#z[i * k + m] as number);
      Theta += theta[m] as number;
    }
    for (let m = 0, at = 0; m < k; m++) {
      const part = (theta[m] as number) / Theta;
      for (let l = 0; l < m; l++) B[at++] = -part * (theta[l] as number);
      let others = 0;
      for (let l = 0; l < k; l++) if (l !== m) others += theta[l] as number;
      B[at++] = part * others;
    }
  }

  /** Predictor, corrector, and as far along as the bounds allow. */
  #step(residual: Float64Array): void {
    const count = this.#p.length;
    let mu = 0;
    for (let at = 0; at < count; at++) mu += (this.#p[at] as number) * (this.#z[at] as number);
    mu /= count;
    this.#products.fill(0);
    this.#direction(residual, 0);
    const reach = this.#reach(1);
    let after = 0;
    for (let at = 0; at < count; at++) {
      const [dp, dz] = [this.#dp[at] as number, this.#dz[at] as number];
      after += ((this.#p[at] as number) + reach * dp) * ((this.#z[at] as number) + reach * dz);
      this.#products[at] = dp * dz;
    }
    const least = (LEAST_PART * this.#tolerance * this.#primal) / count;
    const dW = this.#direction(residual, Math.max(least, mu * (after / count / mu) ** 3));
    const length = this.#reach(TO_BOUND);
    for (let at = 0; at < dW.length; at++) this.#W[at] = (this.#W[at] as number) + length * (dW[at] as number);
    for (let at = 0; at < count; at++) {
      this.#p[at] = (this.#p[at] as number) + length * (this.#dp[at] as number);
      this.#z[at] = (this.#z[at] as number) + length * (this.#dz[at] as number);
    }
    this.#repair();
  }

  /** Rounding must not leave the simplex: the shares of a row are scaled to their sum. */
  #repair(): void {
    const { costs } = this.#problem;
    const k = this.#k;
    for (let i = 0; i < costs.length; i++) {
      let sum = 0;
      for (let m = 0; m < k; m++) sum += this.#p[i * k + m] as number;
      const scale = (costs[i] as number) / sum;
      for (let m = 0; m < k; m++) this.#p[i * k + m] = (this.#p[i * k + m] as number) * scale;
    }
  }

  /** Longest step, at most 1, that keeps p and z above 0, times `fraction` where a bound is met. */
  #reach(fraction: number): number {
    let most = 1 / fraction;
    for (let at = 0; at < this.#p.length; at++) {
      const [dp, dz] = [this.#dp[at] as number, this.#dz[at] as number];
      if (dp < 0) most = Math.min(most, -(this.#p[at] as number) / dp);
      if (dz < 0) most = Math.min(most, -(this.#z[at] as number) / dz);
    }
    return fraction * most;
  }

  /**
   * Solves for dW towards p z = target - products, and fills dp and dz. Where C is large a row has one class r with theta and p far above
   * the others'; what belongs to r is the small rest of large numbers, and follows without loss from sums over a row that are known:
   * c - theta cbar and dp add up to zero, and ubar - u_r = sum_m theta_m (u_m - u_r) / Theta.
   */
  #direction(residual: Float64Array, target: number): Float64Array {
    const { rowIds } = this.#problem;
    const k = this.#k;
    const dW = residual.slice();
    const c = new Float64Array(k);
    const theta = new Float64Array(k);
    for (let i = 0; i < rowIds.length; i++) {
      const { cbar, r } = this.#centre(i, target, c, theta);
      for (let m = 0; m < k; m++) c[m] = (theta[m] as number) * cbar - (c[m] as number);
      balance(c, r);
      this.#rows.add(i, c, dW);
    }
    solveCholesky(this.#factor, dW);
    const u = new Float64Array(k);
    for (let i = 0; i < rowIds.length; i++) {
      const { cbar, Theta, r } = this.#centre(i, target, c, theta);
      this.#rows.times(i, dW, u);
      const own = u[r] as number;
      let shift = cbar;
      for (let m = 0; m < k; m++) {
        u[m] = (u[m] as number) - own;
        shift += ((theta[m] as number) * (u[m] as number)) / Theta;
      }
      for (let m = 0; m < k; m++) {
        const dz = shift - (u[m] as number);
        this.#dz[i * k + m] = dz;
        c[m] = (c[m] as number) - (theta[m] as number) * dz;
      }
      balance(c, r);
      this.#dp.set(c, i * k);
    }
    return dW;
  }

  /** Fills c and theta of row i; returns cbar, the sum of theta, and the class of the largest. */
  #centre(i: number, target: number, c: Float64Array, theta: Float64Array): { cbar: number; Theta: number; r: number } {
    const k = this.#k;
    let [sum, Theta, r] = [0, 0, 0];
    for (let m = 0; m < k; m++) {
      const at = i * k + m;
      const z = this.#z[at] as number;
      c[m] = (target - (this.#products[at] as number)) / z - (this.#p[at] as number);
      theta[m] = (this.#p[at] as number) / z;
      sum += c[m] as number;
      Theta += theta[m] as number;
      if ((theta[m] as number) > (theta[r] as number)) r = m;
    }
    return { cbar: sum / Theta, Theta, r };
  }
}

/** Makes entry r what is missing to a sum of zero. */
function balance(values: Float64Array, r: number): void {
  values[r] = 0;
  let sum = 0;
  for (let m = 0; m < values.length; m++) sum += values[m] as number;
  values[r] = -sum;
}
