// What real data does to solvers, in small.

import { sparseSet } from "./generate.ts";

export interface DegenerateProblem {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly C?: number;
  /** Passes that it may take where the default is not enough: one coordinate at a time is slow on unscaled rows and large C. */
  readonly maxIterations?: number;
}

const line = (count: number, at: (i: number) => number[]): number[][] => Array.from({ length: count }, (_, i) => at(i));

export const degenerate: readonly DegenerateProblem[] = [
  {
    name: "two rows",
    x: [
      [1, 2],
      [-1, 0],
    ],
    y: [1, -1],
  },
  { name: "no features at all", x: [[], [], []], y: [1, -1, 1] },
  { name: "only empty rows", x: line(6, () => [0, 0, 0]), y: [1, -1, 1, -1, 1, 1] },
  {
    name: "some empty rows",
    x: line(20, (i) => (i % 3 === 0 ? [0, 0] : [i % 2 ? 1 : -1, 0.1 * i])),
    y: Array.from({ length: 20 }, (_, i) => (i % 2 ? 1 : -1)),
  },
  { name: "all rows equal, labels not", x: line(10, () => [1, -2, 3]), y: [1, 1, 1, 1, 1, 1, 1, -1, -1, -1] },
  {
    name: "every row twice, with both labels",
    x: line(10, (i) => [Math.floor(i / 2), 1]),
    y: Array.from({ length: 10 }, (_, i) => (i % 2 ? 1 : -1)),
  },
  { name: "a constant feature", x: line(12, (i) => [7, i]), y: Array.from({ length: 12 }, (_, i) => (i > 5 ? 1 : -1)) },
  {
    name: "one positive among many",
    x: line(50, (i) => [i === 17 ? 3 : (i % 7) / 7, i % 2]),
    y: Array.from({ length: 50 }, (_, i) => (i === 17 ? 1 : -1)),
  },
  {
    name: "separable with room",
    x: line(30, (i) => [i < 15 ? -2 - i : 2 + i, 1]),
    y: Array.from({ length: 30 }, (_, i) => (i < 15 ? -1 : 1)),
    C: 100,
  },
  { name: "tiny C", x: line(30, (i) => [i % 4, i % 3]), y: Array.from({ length: 30 }, (_, i) => (i % 4 > 1 ? 1 : -1)), C: 1e-8 },
  {
    name: "large C on noisy labels",
    x: line(40, (i) => [i % 4, i % 3]),
    y: Array.from({ length: 40 }, (_, i) => (i % 4 > 1 !== (i % 5 === 0) ? 1 : -1)),
    C: 1000,
    maxIterations: 1_000_000,
  },
  { name: "features of 1e-6", x: line(20, (i) => [1e-6 * i, 1e-6]), y: Array.from({ length: 20 }, (_, i) => (i > 9 ? 1 : -1)) },
  { name: "many more features than rows", ...wide() },
];

function wide(): { x: number[][]; y: number[] } {
  const set = sparseSet(8, 300, 50, 3);
  const x = set.x.map(([indices, values]) => {
    const row = new Array<number>(300).fill(0);
    for (let k = 0; k < indices.length; k++) row[indices[k] as number] = values[k] as number;
    return row;
  });
  return { x, y: set.y.map((label, i) => (i < 2 ? (i ? 1 : -1) : label)) };
}
