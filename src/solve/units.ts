// Rows whose values are whole multiples of a unit, 1 / perOne: kernels of them are summed in whole numbers. core/kernel/units.ts has the formulas; here is how perOne is found, and the same arithmetic one number at a time.
// Checked in test/unit/solve/units.test.ts.

import { type Matrix, type MatrixShape, rowStart } from "../data/matrix.js";
import { unitsStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { NARROW_ERROR, valueError } from "./kernel-error.js";
import type { KernelFunction } from "./kernel-problem.js";

export interface Unit {
  /** Units that make 1, a whole number. */
  readonly perOne: number;
  /** How far a value may be from a multiple, beside what rounding to float32 does to it. */
  readonly tolerance: number;
  /** More would make products too large. */
  readonly mostPerOne: number;
}

/** Features up to which products take little of the time that a kernel value does; and those that records have numbers for. */
const FEW_FEATURES = 32;
const MOST_FEATURES = 2 ** 17;
/** Six digits of numbers below 1, as many texts have them, are off by half of this, whatever the grid. */
const TOLERANCE = 2 ** -20;
const FLOAT_HALF = 2 ** -24;
/** Numbers that are so near to a multiple of something smaller need not mean one. */
const MOST_PER_ONE = 1000;
/** The largest sum of squares of whole numbers: as in the core. */
const MOST = 2 ** 30 - 1;

/**
 * Where searches for the unit of the rows `ids` begin, `most` their largest |x_i|^2: at 1 itself and, since a value of many digits is near to multiples of all kinds, at thousandths. Nowhere if units are
 * of no use.
 */
export function firstUnits(kernel: KernelFunction, x: Matrix, ids: Uint32Array, most: number): Unit[] {
  if (kernel.kind === "linear" || kernel.kind === "precomputed") return [];
  if (x.featureCount > MOST_FEATURES || !hasFeatureFrom(x, ids, FEW_FEATURES)) return [];
  // About: values that are off by t in all directions turn |u - v|^2 by about 2 |u - v| sqrt(2) t, and |u - v|^2 is about |u|^2 + |v|^2.
  const tolerance = Math.min(TOLERANCE, NARROW_ERROR / valueError(kernel, 4 * Math.sqrt(most), most));
  const mostPerOne = Math.min(MOST_PER_ONE, Math.floor(Math.sqrt((MOST * 0.999) / most)));
  return [1, 1000].filter((perOne) => perOne <= mostPerOne).map((perOne) => ({ perOne, tolerance, mostPerOne }));
}

/** Whether any of the rows has a value there or behind it: however they are stored, and whatever their zeros. */
function hasFeatureFrom(x: Matrix, ids: Uint32Array, from: number): boolean {
  if (x.featureCount <= from) return false;
  return ids.some((row) => {
    const begin = rowStart(x, row);
    if (x.kind === "dense") return x.values.subarray(begin + from, begin + x.featureCount).some((value) => value !== 0);
    for (let e = rowStart(x, row + 1); e-- > begin && (x.indices[e] as number) >= from; ) if (x.values[e] !== 0) return true;
    return false;
  });
}

/** A unit, at most this one, that all values of some rows are multiples of, if one is found. */
export function fittingUnit(unit: Unit, { misfit }: { misfit(unit: Unit): number }): Unit | undefined {
  for (let fitting = unit; ; ) {
    const value = misfit(fitting);
    if (Number.isNaN(value)) return fitting;
    const next = nextUnit(fitting, value);
    if (next === undefined) return undefined;
    fitting = next;
  }
}

/** The next one that this value is a multiple of, too: a part of the last, so that what fitted still does. */
function nextUnit(unit: Unit, value: number): Unit | undefined {
  for (let perOne = 2 * unit.perOne; perOne <= unit.mostPerOne; perOne += unit.perOne) {
    const next = { ...unit, perOne };
    if (isNear(value, next)) return next;
  }
  return undefined;
}

/** The first value of these rows that is no multiple; NaN if all are. As the core has it. */
export function misfitIn(x: Matrix, ids: ArrayLike<number>, unit: Unit): number {
  for (let k = 0; k < ids.length; k++) {
    const row = ids[k] as number;
    const end = rowStart(x, row + 1);
    for (let e = rowStart(x, row); e < end; e++) {
      const value = x.values[e] as number;
      if (!isNear(value, unit)) return value;
    }
  }
  return Number.NaN;
}

/** The whole numbers that values are, or undefined where they are no multiples, or too large ones. */
export function wholesOf(values: Float32Array, unit: Unit): Float64Array | undefined {
  const wholes = new Float64Array(values.length);
  let sum = 0;
  for (let k = 0; k < values.length; k++) {
    const value = values[k] as number;
    if (!isNear(value, unit)) return undefined;
    const whole = wholeOf(value, unit);
    wholes[k] = whole;
    sum += whole * whole;
  }
  return sum <= MOST ? wholes : undefined;
}

/** A sum of products of whole numbers as a kernel takes it. */
export function unitDot(sum: number, { perOne }: Unit): number {
  return Math.fround(Math.fround(sum) / Math.fround(perOne * perOne));
}

export function wholeOf(value: number, { perOne }: Unit): number {
  return Math.floor(value * perOne + 0.5);
}

function isNear(value: number, unit: Unit): boolean {
  return Math.abs(value * unit.perOne - wholeOf(value, unit)) <= unit.perOne * (unit.tolerance + FLOAT_HALF * Math.abs(value));
}

/** Bytes of the records of such rows: one for two features that are there, each row's filled up to an even number. */
function recordBytes({ kind, rowCount, featureCount, valueCount }: MatrixShape): number {
  return 6 * (kind === "dense" ? rowCount * (Math.ceil(featureCount / 2) + 1) : valueCount + rowCount);
}

export function unitsBytes(shape: MatrixShape): number {
  return spaceFor(unitsStruct.size, 4 * shape.rowCount, 4 * shape.rowCount, recordBytes(shape));
}

/** Lays the rows `ids` of a matrix in the core's memory out as records, and returns where the Units are. */
export function placeUnits(
  { core, space }: Pick<Task, "core" | "space">,
  rows: number,
  shape: MatrixShape,
  ids: Uint32Array,
  unit: Unit,
): number {
  const { perOne, tolerance } = unit;
  const units = space.struct(unitsStruct);
  const begins = space.rawWords(shape.rowCount).byteOffset;
  const ends = space.rawWords(shape.rowCount).byteOffset;
  const records = space.rawBytes(recordBytes(shape)).byteOffset;
  units.assign({ begins, ends, records, perOne, tolerance });
  core.unitRows(units.pointer, rows, ids.byteOffset, ids.length);
  return units.pointer;
}
