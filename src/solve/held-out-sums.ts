// What solutions of a search say of rows held out: sum_s v_s K(x_s, x) from the kernel values that are there, as roughly as leaves decision values what they are:
//
//   roughly    products and sums of 64 in float32, four solutions at a time    where all of them wrong the same way would be little
//   by rows    kernel values in float32, sums in float64                       where errors that add up like the root of their squares would be
//   exactly    all in float64                                                  else, and at small tolerances
//
// Little: a part of the scale that decision values have. Checked against fits of every point in test/search.test.ts.

import { spaceFor, type Task } from "../runtime/task.js";
import { type Gram, runsOf } from "./gram.js";
import type { GridJob, GridTask } from "./grid-problem.js";
import { offsetsOf } from "./kernel-forms.js";
import type { KernelSolution } from "./kernel-problem.js";
import { LANES } from "./kernel-rows.js";

/** The part of decision values that may be wrong; what float32 does to sums of up to 64 values, each as large as the largest. */
const MOST_OFF = 0.05;
const ROUGH_SUM = 64 * 2 ** -24;
/** The tolerance below which float32 kernel values are not good enough to stand for the kernel. */
export const LEAST_ROUGH = 1e-4;
/** Solutions that are summed together (core/kernel/side.ts). */
const TOGETHER = 4;

const upTo = (count: number): number => TOGETHER * Math.ceil(count / TOGETHER);

/** How large kernel values are, and how exact. */
type KernelErrors = Pick<GridJob, "mostValue" | "valueError">;

/** What decision values are about as large as: 1 of classes, where nu-SVC has r instead; of regressions the deviation of targets. */
export function scaleOf({ form, targets }: Pick<GridTask, "form" | "targets">, solution: Pick<KernelSolution, "rho">): number {
  if (form === "c_svc" || form === "one_class") return 1;
  if (form === "nu_svc") return Math.max(0, offsetsOf(form, solution).width);
  const mean = targets.reduce((sum, target) => sum + target, 0) / targets.length;
  return Math.sqrt(targets.reduce((sum, target) => sum + (target - mean) ** 2, 0) / targets.length);
}

/** Whether what kernel values are off by does little to decision values. */
export function rowsAreNear(values: Float64Array, { valueError }: KernelErrors, scale: number): boolean {
  let squares = 0;
  for (const value of values) squares += value * value;
  return Math.sqrt(squares) * valueError <= MOST_OFF * scale;
}

function sumsAreNear(values: Float64Array, { mostValue }: KernelErrors, scale: number): boolean {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return ROUGH_SUM * most * mostValue <= MOST_OFF * scale;
}

/** The most of each that there will be: rows trained on, rows held out, solutions. */
export interface SumLimits {
  readonly trained: number;
  readonly tested: number;
  readonly solutions: number;
}

export function heldOutBytes({ trained, tested, solutions }: SumLimits): number {
  return spaceFor(4 * trained, 4 * TOGETHER * trained, 8 * trained, 4 * tested, 8 * tested * upTo(solutions));
}

export class HeldOutSums {
  readonly #task: Task;
  readonly #gram: Gram;
  readonly #order: Uint32Array;
  readonly #isExact: boolean;
  readonly #rows: Uint32Array;
  readonly #coefficients: Float32Array;
  readonly #deltas: Float64Array;
  readonly #tested: Uint32Array;
  readonly #sums: Float64Array;

  /** Of models solved to this tolerance. */
  constructor(task: Task, gram: Gram, order: Uint32Array, limits: SumLimits, tolerance: number) {
    const { space } = task;
    this.#task = task;
    this.#gram = gram;
    this.#order = order;
    this.#isExact = tolerance < LEAST_ROUGH;
    this.#rows = space.rawWords(limits.trained);
    this.#coefficients = space.rawFloats(TOGETHER * limits.trained);
    this.#deltas = space.rawDoubles(limits.trained);
    this.#tested = space.rawWords(limits.tested);
    this.#sums = space.rawDoubles(limits.tested * upTo(limits.solutions));
  }

  /** Writes f(x) of the rows held out, for each solution of a problem; those that are multiples of the one before are computed once. */
  decide(
    own: GridTask,
    solutions: readonly KernelSolution[],
    test: Uint32Array,
    outs: readonly Float64Array[],
    errors: KernelErrors,
  ): void {
    const distinct: KernelSolution[] = [];
    const factors: number[] = [];
    for (const solution of solutions) {
      const factor = distinct.length === 0 ? undefined : multipleOf(solution.value, (distinct.at(-1) as KernelSolution).value);
      if (factor === undefined) distinct.push(solution);
      factors.push(factor ?? 1);
    }
    const sums = this.#sumsOf(own, distinct, test, errors);
    let at = -1;
    solutions.forEach((solution, k) => {
      if (solution === distinct[at + 1]) at++;
      const { bias, width } = offsetsOf(own.form, solution);
      // Of nu-SVC the model whose margin is 1 instead of r; r = 0 leaves it as it is.
      const margin = own.form === "nu_svc" && width > 0 ? width : 1;
      const factor = factors[k] as number;
      const out = outs[k] as Float64Array;
      const from = at * test.length;
      for (let t = 0; t < out.length; t++) out[t] = (factor * (sums[from + t] as number) + bias) / margin;
    });
  }

  /** f64[solutions][rows held out]: sum_s v_s K(x_s, x). */
  #sumsOf(own: GridTask, solutions: readonly KernelSolution[], test: Uint32Array, errors: KernelErrors): Float64Array {
    const { places } = own;
    const all = this.#sums.subarray(0, upTo(solutions.length) * test.length).fill(0);
    // Four at a time, with the rows that these four have: those of a large C have few.
    for (let first = 0; first < solutions.length; first += TOGETHER) {
      const some = solutions.slice(first, first + TOGETHER);
      const near = some.map((solution) => !this.#isExact && rowsAreNear(solution.value, errors, scaleOf(own, solution)));
      if (some.every((solution, k) => near[k] && sumsAreNear(solution.value, errors, scaleOf(own, solution)))) {
        this.#addRoughly(places, some, test, all.byteOffset + 8 * first * test.length);
        continue;
      }
      some.forEach((solution, k) => {
        const out = all.subarray((first + k) * test.length, (first + k + 1) * test.length);
        if (near[k]) this.#addRows(places, solution.value, test, out);
        else this.#addExactly(places, solution.value, test, out);
      });
    }
    return all;
  }

  /** Up to four solutions; products and short sums in float32. */
  #addRoughly(places: Uint32Array, some: readonly KernelSolution[], test: Uint32Array, out: number): void {
    const { core } = this.#task;
    const [rows, coefficients] = [this.#rows, this.#coefficients];
    const values = some.map(({ value }) => value);
    let count = 0;
    for (let k = 0; k < places.length; k++) {
      let isUsed = false;
      for (let p = 0; p < TOGETHER; p++) {
        const value = p < values.length ? ((values[p] as Float64Array)[k] as number) : 0;
        coefficients[TOGETHER * count + p] = value;
        isUsed ||= value !== 0;
      }
      if (isUsed) rows[count++] = this.#gram.rowAt(places[k] as number);
    }
    for (const { begin, from, to } of runsOf(test))
      core.addRough(rows.byteOffset, coefficients.byteOffset, count, from, to, out + 8 * begin, test.length);
  }

  /** One solution; kernel values in float32, sums in float64. */
  #addRows(places: Uint32Array, value: Float64Array, test: Uint32Array, out: Float64Array): void {
    const { core } = this.#task;
    const [rows, deltas] = [this.#rows, this.#deltas];
    let count = 0;
    for (let k = 0; k < places.length; k++) {
      if (value[k] === 0) continue;
      rows[count] = this.#gram.rowAt(places[k] as number);
      deltas[count++] = value[k] as number;
    }
    // Sums of a run begin where position `from` would have its own.
    for (const { begin, from, to } of runsOf(test))
      core.addRows(out.byteOffset + 8 * (begin - from), rows.byteOffset, deltas.byteOffset, count, from, to);
  }

  /** One solution, all in float64. */
  #addExactly(places: Uint32Array, value: Float64Array, test: Uint32Array, out: Float64Array): void {
    const order = this.#order;
    this.#tested.set(test.map((place) => order[place] as number));
    const used = Array.from(places.keys()).filter((k) => value[k] !== 0);
    for (let begin = 0; begin < used.length; begin += LANES) {
      const group = used.slice(begin, begin + LANES);
      const ids = group.map((k) => order[places[k] as number] as number);
      const own = group.map((k) => value[k] as number);
      for (const _ of this.#gram.exact.addExact(ids, own, this.#tested, out, 0, test.length));
    }
  }
}

/** What these are the multiple of, if there is one number for all of them. */
function multipleOf(values: Float64Array, others: Float64Array): number | undefined {
  let factor: number | undefined;
  for (let k = 0; k < values.length; k++) {
    const [value, other] = [values[k] as number, others[k] as number];
    if (other === 0 ? value !== 0 : factor !== undefined && value !== factor * other) return undefined;
    if (other !== 0) factor ??= value / other;
  }
  return factor ?? 1;
}
