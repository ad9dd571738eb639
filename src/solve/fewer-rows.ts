// A binary problem with rows that hold the same, and are of the same class, as one row at the cost of all: logs repeat themselves (two thirds of kdd99's rows).
//
//   cost      c = sum_k c_k              the same primal problem, term by term
//   back      a_k = a c_k / c            the same dual value: for equal margins every loss wants its dual variables in proportion to the costs
//
// The solver sees fewer rows; the judge sees all of them, with the dual variables that every row got back. Checked in test/property/fewer-rows.test.ts.

import { Matrix, rowStart } from "../data/matrix.js";
import { groupRows, type RowGroups, summedBy } from "../data/row-groups.js";
import { ROW_PADDING, rowKinds, rowsStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { counting } from "./counting.js";
import { makeBinarySolver } from "./make-solver.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";
import type { MakeSolver } from "./stages.js";

/**
 * Part of the rows that must be left out for it to be worth the while: with fewer rows descent makes more passes, since one step stands for those of many (kdd99, hinge loss: 13 over
 * 120,000 rows instead of 6 over 395,000; w8a, of whose rows a third is left out, takes no less time).
 */
export const WORTH = 0.4;

/** Work space of the rows that are left, side by side: of each kind one, or two where it is in both classes. */
export function fewerRowsBytes(x: Matrix, firstOf: Uint32Array): number {
  const { kind } = x;
  let [rowCount, valueCount] = [0, 0];
  for (let i = 0; i < firstOf.length; i++) {
    if (firstOf[i] !== i) continue;
    rowCount += 2;
    valueCount += 2 * (rowStart(x, i + 1) - rowStart(x, i));
  }
  const sparse = kind === "csr" ? [4 * valueCount + ROW_PADDING, 4 * (rowCount + 1)] : [];
  return spaceFor(rowsStruct.size, 4 * rowCount, 4 * valueCount + ROW_PADDING, ...sparse);
}

/**
 * Makes solvers of the problem that go over fewer rows, where some hold the same (`firstOf`: as of `groupRows`); and the task with the work space that is left. The rows that
 * are left lie side by side: visits in random order find them in a cache that has no room for all.
 */
export function withFewerRows(
  task: Task,
  problem: BinaryProblem,
  firstOf: Uint32Array | undefined,
): { task: Task; make: MakeSolver<BinarySolution> } {
  // LIBLINEAR's own rule for stopping counts what single rows do.
  const groups = problem.stop === undefined && firstOf ? groupRows(problem.rowIds, problem.signs, firstOf) : undefined;
  if (groups === undefined || groups.heads.length > (1 - WORTH) * problem.rowIds.length) return { task, make: makeBinarySolver(problem) };
  const fewer = merged(problem, groups);
  const beside = gathered(task, fewer.rowIds);
  const make = makeBinarySolver({ ...fewer, rowIds: counting(new Uint32Array(fewer.rowIds.length)) });
  return {
    task: { ...task, space: task.space.rest() },
    make: (own, stage, start, passes) => {
      const begun = start && { ...start, alpha: start.alpha && summedBy(groups, start.alpha) };
      const solver = make({ ...own, ...beside }, stage, begun, passes);
      return {
        solve: () => solver.solve(),
        tighten: () => solver.tighten(),
        solution: () => {
          const solution = solver.solution();
          return { ...solution, alpha: solution.alpha && toRows(groups, solution.alpha, problem.costs, fewer.costs) };
        },
      };
    },
  };
}

/** These rows as a matrix of their own, in the work space. */
function gathered({ core, matrix, rows, space }: Task, rowIds: Uint32Array): Pick<Task, "matrix" | "rows"> {
  const { kind, featureCount } = matrix;
  let valueCount = 0;
  for (const i of rowIds) valueCount += rowStart(matrix, i + 1) - rowStart(matrix, i);
  const isSparse = kind === "csr";
  const own = space.struct(rowsStruct);
  const ids = space.rawWords(rowIds.length);
  ids.set(rowIds);
  const values = space.rawFloats(valueCount + ROW_PADDING / 4);
  const indices = space.rawWords(isSparse ? valueCount + ROW_PADDING / 4 : 0);
  const starts = space.rawWords(isSparse ? rowIds.length + 1 : 0);
  const rowCount = rowIds.length;
  const [valuesAt, indicesAt, startsAt] = [values.byteOffset, indices.byteOffset, starts.byteOffset];
  own.assign({ kind: rowKinds[kind], rowCount, featureCount, values: valuesAt, indices: indicesAt, starts: startsAt });
  core.gatherRows(rows, ids.byteOffset, rowCount, own.pointer);
  const arrays = { values: values.subarray(0, valueCount), indices: indices.subarray(0, isSparse ? valueCount : 0), starts };
  return { matrix: new Matrix({ kind, rowCount, featureCount, valueCount }, arrays), rows: own.pointer };
}

function merged(problem: BinaryProblem, groups: RowGroups): BinaryProblem {
  const { heads } = groups;
  const rowIds = new Uint32Array(heads.length);
  const signs = new Float32Array(heads.length);
  for (let group = 0; group < heads.length; group++) {
    rowIds[group] = problem.rowIds[heads[group] as number] as number;
    signs[group] = problem.signs[heads[group] as number] as number;
  }
  return { ...problem, rowIds, signs, costs: summedBy(groups, problem.costs) };
}

function toRows({ groupOf }: RowGroups, alpha: Float64Array, costs: Float64Array, sums: Float64Array): Float64Array {
  const all = new Float64Array(groupOf.length);
  for (let k = 0; k < groupOf.length; k++) {
    const group = groupOf[k] as number;
    // In this order a variable at its bound stays there: a / c is then 1.
    all[k] = ((alpha[group] as number) / (sums[group] as number)) * (costs[k] as number);
  }
  return all;
}
