// From the problems of a kernel machine to what the solver is given, rows that hold the same merged, and from its answer back.

import { HingeError } from "../base/errors.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import { noGroups } from "../data/row-groups.js";
import { gapless } from "../model/gapless.js";
import type { KernelConstants } from "../model/kernel-model.js";
import { Pace } from "../runtime/pace.js";
import { needsWide } from "../solve/kernel-error.js";
import { offsetsOf, poseForm, withoutGap } from "../solve/kernel-forms.js";
import type { AskedKernel, KernelFunction, KernelProblem, KernelSolution } from "../solve/kernel-problem.js";
import { begunNear } from "../solve/kernel-start.js";
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

  /** The same of all problems together, class by class. */
  rowsByClass(classOf: ArrayLike<number>): Uint32Array[] {
    const { rowIds, firstOf } = this.#posed;
    const targets = Float64Array.from(rowIds, (row) => classOf[row] as number);
    const { task } = merged({ form: "c_svc", rowIds, targets, costs: targets, nu: 0, epsilon: 0 }, firstOf);
    const classCount = targets.reduce((most, m) => Math.max(most, m + 1), 0);
    return Array.from({ length: classCount }, (_, m) => task.rowIds.filter((_, k) => task.targets[k] === m));
  }

  /** A problem as the solver has it. */
  at(index: number, cacheBytes: number): KernelProblem {
    const { task, summed, whole } = this.#mergedAt(index);
    const { tolerance, maxIterations = mostSteps(task.rowIds.length), shrinking } = this.#settings;
    const { start } = this.#posed;
    const guess = start && summed(start.guess(index, whole));
    const posed = poseForm({
      ...task,
      mostDiagonal: this.#values?.mostDiagonal(task.rowIds) ?? mostDiagonal(this.#x, this.#constants, task.rowIds),
    });
    return {
      kernel: this.kernel,
      rowIds: task.rowIds,
      tolerance,
      stop: stopOf(this.#settings),
      maxIterations,
      shrinking,
      cacheBytes,
      ...posed,
      isWarm: guess !== undefined,
      sides: guess === undefined ? posed.sides : begunNear(posed.sides, guess, posed.isFree),
      ...withoutGap(gapless(this.#constants), tolerance),
    };
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

/** A fit that needs more is one that nobody should wait for without having said so. LIBSVM has the same limit. */
export const mostSteps = (rowCount: number): number => Math.max(10_000_000, 100 * rowCount);

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
