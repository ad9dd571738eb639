// From the problems of a kernel machine to what the solver is given, rows that hold the same merged, and from its answer back.

import { HingeError } from "../base/errors.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import { noGroups } from "../data/row-groups.js";
import { gapless } from "../model/gapless.js";
import type { KernelConstants } from "../model/kernel-model.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { Pace } from "../runtime/pace.js";
import type { PairClass } from "../solve/fit-pairs.js";
import { needsWide } from "../solve/kernel-error.js";
import { offsetsOf } from "../solve/kernel-forms.js";
import type { AskedKernel, KernelFunction, KernelProblem, KernelSolution } from "../solve/kernel-problem.js";
import { type KernelTerms, poseKernel } from "../solve/pose-kernel.js";
import { firstUnits, fittingUnit, type Unit } from "../solve/units.js";
import type { CustomValues } from "./custom-kernel.js";
import { functionOf } from "./kernel-outputs.js";
import type { KernelTask } from "./kernel-problems.js";
import type { KernelStart } from "./kernel-start.js";
import { stopOf } from "./linear-problems.js";
import { type MergedTask, merged } from "./merged-rows.js";
import { type RowSurvey, surveyWithin } from "./row-survey.js";

/** What came out of one problem. */
export interface KernelPart {
  readonly rowIds: Uint32Array;
  /** One a row of the problem. */
  readonly value: Float64Array;
  /** The dual point behind the bound: `value`, unless the zero model was better. */
  readonly point: Float64Array;
  readonly bias: number;
  /** r of nu-SVC, the tube of nu-SVR. */
  readonly width: number;
}

export interface PosedProblems {
  readonly count: number;
  /** The rows that any of them has. */
  readonly rowIds: Uint32Array;
  pose(index: number): KernelTask;
  /** About its variables, where something is known of them. */
  readonly start: KernelStart | undefined;
}

/** The rows of a class, and what each of them costs. */
export interface ClassRows {
  readonly rowIds: Uint32Array;
  readonly costs: Float64Array;
}

/** A class, rows that hold the same merged. */
export interface PosedClass extends Omit<MergedTask, "task"> {
  /** Its rows. */
  readonly all: Uint32Array;
  /** Those that stand for them. */
  readonly rows: PairClass;
}

/** Values looked at between two looks at the clock. */
const SLICE = 200_000;

export class Posing {
  readonly kernel: KernelFunction | AskedKernel;
  readonly #x: Matrix;
  readonly #constants: KernelConstants;
  readonly #values: CustomValues | undefined;
  readonly #posed: PosedProblems & { readonly firstOf: Uint32Array | undefined };
  readonly #settings: CheckedKernelOptions;
  /** Those under way. */
  readonly #open = new Map<number, MergedTask & { readonly whole: KernelTask }>();
  readonly #groups: Int32Array;

  private constructor(
    x: Matrix,
    constants: KernelConstants,
    kernel: KernelFunction | AskedKernel,
    values: CustomValues | undefined,
    posed: PosedProblems & { readonly firstOf: Uint32Array | undefined },
    settings: CheckedKernelOptions,
  ) {
    this.#x = x;
    this.#constants = constants;
    this.kernel = kernel;
    this.#values = values;
    this.#posed = posed;
    this.#groups = noGroups(posed.firstOf);
    this.#settings = settings;
  }

  /** `firstOf`: for each row of the matrix the first one that holds the same, if any two do. */
  static async of(
    x: Matrix,
    constants: KernelConstants,
    values: CustomValues | undefined,
    posed: PosedProblems & { readonly firstOf: Uint32Array | undefined },
    settings: CheckedKernelOptions,
  ): Promise<Posing> {
    const kernel =
      values === undefined
        ? await functionFor(x, functionOf(constants), posed.rowIds)
        : { kind: "custom" as const, diagonal: values.diagonal };
    if (values === undefined) checkFinite(x, constants, posed.rowIds);
    return new Posing(x, constants, kernel, values, posed, settings);
  }

  /** The rows that stand for those of a problem. */
  rowsOf(index: number): Uint32Array {
    return this.#mergedAt(index).task.rowIds;
  }

  /** What all problems have in common. */
  terms<K extends KernelFunction | AskedKernel>(kernel: K): KernelTerms<K> {
    const { tolerance, maxIterations, shrinking } = this.#settings;
    return { kernel, tolerance, maxIterations, shrinking, stop: stopOf(this.#settings), gapless: gapless(this.#constants) };
  }

  /** A class whose rows are in several problems. */
  classOf({ rowIds, costs }: ClassRows): PosedClass {
    const whole = { form: "c_svc" as const, rowIds, targets: new Float64Array(rowIds.length), costs, nu: 0, epsilon: 0 };
    const { task, ...ways } = merged(whole, this.#posed.firstOf, this.#groups);
    const { rowIds: own, costs: sums } = task;
    return { ...ways, all: rowIds, rows: { rowIds: own, costs: sums, mostDiagonal: mostDiagonal(this.#x, this.#constants, own) } };
  }

  /** Where the problem of two classes begins, if something is known of that. */
  guessOf(index: number, [first, second]: readonly [PosedClass, PosedClass]): Float64Array | undefined {
    const { start, pose } = this.#posed;
    if (start === undefined) return undefined;
    const guess = start.guess(index, pose(index));
    const split = first.all.length;
    return joined(first.summed(guess.subarray(0, split)), second.summed(guess.subarray(split)));
  }

  /** A problem as the solver has it. */
  at(index: number, cacheBytes: number): KernelProblem {
    const { task, summed, whole } = this.#mergedAt(index);
    const { start } = this.#posed;
    const guess = start && summed(start.guess(index, whole));
    const most = this.#values?.mostDiagonal(task.rowIds) ?? mostDiagonal(this.#x, this.#constants, task.rowIds);
    return poseKernel(this.terms(this.kernel), { ...task, mostDiagonal: most }, cacheBytes, guess);
  }

  /** What came out of it. Ends it. */
  part(index: number, solution: KernelSolution): KernelPart {
    const { whole, toRows } = this.#mergedAt(index);
    this.#open.delete(index);
    const value = toRows(solution.value);
    const point = solution.point === solution.value ? value : toRows(solution.point);
    return { rowIds: whole.rowIds, value, point, ...offsetsOf(whole.form, solution) };
  }

  #mergedAt(index: number): MergedTask & { readonly whole: KernelTask } {
    const known = this.#open.get(index);
    if (known !== undefined) return known;
    const whole = this.#posed.pose(index);
    const open = { ...merged(whole, this.#posed.firstOf, this.#groups), whole };
    this.#open.set(index, open);
    return open;
  }
}

/** What came out of the problem of two classes. */
export function pairPart([first, second]: readonly [PosedClass, PosedClass], form: LibsvmType, solution: KernelSolution): KernelPart {
  const split = first.rows.rowIds.length;
  const toRows = (values: Float64Array): Float64Array =>
    joined(first.toRows(values.subarray(0, split)), second.toRows(values.subarray(split)));
  const value = toRows(solution.value);
  const point = solution.point === solution.value ? value : toRows(solution.point);
  const rowIds = new Uint32Array(value.length);
  rowIds.set(first.all);
  rowIds.set(second.all, first.all.length);
  return { rowIds, value, point, ...offsetsOf(form, solution) };
}

function joined(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Throws where kernel values are no numbers any more. */
export function checkFinite(x: Matrix, constants: KernelConstants, rowIds: Uint32Array): void {
  if (mostDiagonal(x, constants, rowIds) < Infinity) return;
  const row = rowIds.find((i) => !(mostDiagonal(x, constants, Uint32Array.of(i)) < Infinity)) as number;
  throw HingeError.input(
    `the ${constants.kind} kernel of row ${row} with itself is too large for a number; scale the features first, for instance with MinMaxScaler`,
  );
}

/** The kernel, summed in float64 if any of the rows needs it, or in whole numbers if all of them allow it: the same for all problems, whoever solves them. */
async function functionFor(x: Matrix, kernel: KernelFunction, rowIds: Uint32Array): Promise<KernelFunction> {
  let isWide = false;
  let most = 0;
  const slices = (use: (survey: RowSurvey) => void): Promise<void> =>
    new Pace().inSlices(rowIds.length, Math.ceil(SLICE / (1 + x.valueCount / Math.max(1, x.rowCount))), (from, to) => {
      use(surveyWithin(x, rowIds.subarray(from, to)));
    });
  await slices(({ largest }) => {
    isWide ||= needsWide(kernel, largest);
    most = Math.max(most, largest(1, Infinity));
  });
  for (const first of isWide ? [] : firstUnits(kernel, x, rowIds, most)) {
    let unit: Unit | undefined = first;
    await slices((survey) => {
      unit = unit && fittingUnit(unit, survey);
    });
    if (unit !== undefined) return { ...kernel, isWide, unit };
  }
  return { ...kernel, isWide };
}

/** The largest K(x_i, x_i), roughly: for the floor of the gap. */
export function mostDiagonal(x: Matrix, { kind, gamma, coef0, degree }: KernelConstants, rowIds: Uint32Array): number {
  if (kind === "rbf") return 1;
  let most = 0;
  for (const i of rowIds) {
    let square = 0;
    x.forEachInRow(i, (j, value) => {
      if (kind === "precomputed") square = j === i ? value : square;
      else square += value * value;
    });
    let own = square;
    if (kind === "poly") {
      own = 1;
      for (let k = 0; k < degree; k++) own *= gamma * square + coef0;
    }
    most = Math.max(most, kind === "sigmoid" ? 1 : Math.abs(own));
  }
  return most;
}
