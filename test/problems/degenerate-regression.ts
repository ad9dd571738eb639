// What real data does to solvers of a regression, in small.

import { denseRows } from "./generate.ts";
import { regressionSet } from "./regression.ts";

export interface DegenerateRegression {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  readonly targets: readonly number[];
  readonly C?: number;
  readonly epsilon?: number;
}

const count = <T>(n: number, at: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => at(i));
const set = (rowCount: number, featureCount: number, offset: number) => {
  const { x, targets } = regressionSet(rowCount, featureCount, Math.min(5, featureCount), 3, offset);
  return { x: denseRows({ x, featureCount, name: "", y: [] }), targets };
};
const usual = set(60, 8, 0);

export const degenerateRegressions: readonly DegenerateRegression[] = [
  { name: "one row", x: [[1, 2]], targets: [3] },
  { name: "two rows, one target", x: [[1], [2]], targets: [5, 5] },
  { name: "no features at all", x: [[], [], []], targets: [1, 2, 4] },
  { name: "only empty rows", x: count(7, () => [0, 0, 0]), targets: [1, -1, 3, 2, 2, 8, 1] },
  { name: "some empty rows", x: usual.x.map((row, i) => (i % 4 ? row : row.map(() => 0))), targets: usual.targets },
  { name: "a constant target", x: usual.x, targets: usual.targets.map(() => 7) },
  { name: "a constant target of 0", x: usual.x, targets: usual.targets.map(() => 0) },
  { name: "a tube that holds everything", ...usual, epsilon: 1e3 },
  { name: "a tube that holds everything but one row", ...usual, epsilon: Math.max(...usual.targets.map(Math.abs)) * 0.99 },
  { name: "all rows equal, targets not", x: count(10, () => [1, -2, 3]), targets: count(10, (i) => i % 4) },
  { name: "every row twice, with two targets", x: count(12, (i) => [i >> 1, 1]), targets: count(12, (i) => i + 3 * (i % 2)) },
  { name: "a line without noise", x: count(20, (i) => [i / 10]), targets: count(20, (i) => 3 - i / 5), C: 100, epsilon: 0 },
  { name: "a constant feature", x: usual.x.map((row) => [...row, 7]), targets: usual.targets },
  { name: "targets around a million", x: usual.x, targets: usual.targets.map((target) => 1e6 + 1e-2 * target), C: 10, epsilon: 1e-3 },
  { name: "targets of 1e-6", x: usual.x, targets: usual.targets.map((target) => 1e-6 * target), epsilon: 1e-8 },
  { name: "targets of 1e9", x: usual.x, targets: usual.targets.map((target) => 1e9 * target) },
  { name: "tiny C", ...usual, C: 1e-8 },
  { name: "features of 1e-6", x: usual.x.map((row) => row.map((value) => 1e-6 * value)), targets: usual.targets },
  { name: "many more features than rows", ...set(8, 200, 2), epsilon: 0 },
];
