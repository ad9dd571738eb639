// What real data does to kernel machines, in small: rows, labels for two classes and targets for regressions.

import { Random } from "../../src/base/random.ts";
import { normal } from "./generate.ts";

export interface DegenerateKernelSet {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  /** +1 or -1, both of them. */
  readonly y: readonly number[];
  readonly targets: readonly number[];
}

const count = <T>(n: number, at: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => at(i));
const alternating = (n: number): number[] => count(n, (i) => (i % 2 ? 1 : -1));

/** Rows around two centres, one label in eight wrong; targets of a wave with noise. */
function blobs(n: number, d: number, seed: number) {
  const random = new Random(seed);
  const y = alternating(n);
  const x = y.map((label) => count(d, (j) => normal(random) + (j === 0 ? label : 0)));
  return {
    x,
    y: y.map((label, i) => (i % 8 === 5 ? -label : label)),
    targets: x.map((row) => Math.sin(2 * (row[0] as number)) + 0.3 * normal(random)),
  };
}

const usual = blobs(30, 3, 7);
/** Every row of the usual ones twice, the second time moved by `step` in all features. */
const doubled = (step: number): number[][] => [...usual.x, ...usual.x.map((row) => row.map((value, j) => value + step * Math.cos(3 * j)))];
const twice = <T>(list: readonly T[]): T[] => [...list, ...list];

export const degenerateKernelSets: readonly DegenerateKernelSet[] = [
  { name: "usual rows", ...usual },
  {
    name: "two rows",
    x: [
      [1, 2],
      [-1, 0.5],
    ],
    y: [1, -1],
    targets: [1, -2],
  },
  { name: "all rows equal", x: count(12, () => [1, -2, 3]), y: count(12, (i) => (i < 7 ? 1 : -1)), targets: count(12, (i) => i % 4) },
  { name: "only empty rows", x: count(8, () => [0, 0]), y: alternating(8), targets: count(8, (i) => i % 3) },
  { name: "no features", x: count(8, () => []), y: alternating(8), targets: count(8, (i) => i % 3) },
  { name: "some empty rows", x: usual.x.map((row, i) => (i % 3 ? row : row.map(() => 0))), y: usual.y, targets: usual.targets },
  { name: "constant features", x: usual.x.map((row) => [7, ...row, -3]), y: usual.y, targets: usual.targets },
  { name: "every row twice", x: doubled(0), y: twice(usual.y), targets: twice(usual.targets) },
  {
    name: "every row twice, with both labels",
    x: doubled(0),
    y: [...usual.y, ...usual.y.map((label) => -label)],
    targets: [...usual.targets, ...usual.targets.map((target) => target + 1)],
  },
  { name: "near-duplicates, 1e-3 apart", x: doubled(1e-3), y: twice(usual.y), targets: twice(usual.targets) },
  {
    name: "near-duplicates with both labels, 1e-3 apart",
    x: doubled(1e-3),
    y: [...usual.y, ...usual.y.map((label) => -label)],
    targets: [...usual.targets, ...usual.targets.map((target) => target + 1)],
  },
  {
    // |u - v|^2 is about 1e-8: a float32 kernel value near 1 is off by more than it differs from 1.
    name: "near-duplicates with both labels, 1e-4 apart",
    x: doubled(1e-4),
    y: [...usual.y, ...usual.y.map((label) => -label)],
    targets: [...usual.targets, ...usual.targets.map((target) => target + 1e-3)],
  },
  {
    name: "features of 1e4",
    x: usual.x.map((row) => row.map((value, j) => (j === 1 ? 1e4 + value : value))),
    y: usual.y,
    targets: usual.targets,
  },
  { name: "features of 1e-6", x: usual.x.map((row) => row.map((value) => 1e-6 * value)), y: usual.y, targets: usual.targets },
  { name: "one row far away", x: usual.x.map((row, i) => (i === 4 ? row.map(() => 300) : row)), y: usual.y, targets: usual.targets },
  {
    name: "one positive among many",
    x: usual.x,
    y: usual.y.map((_, i) => (i === 17 ? 1 : -1)),
    targets: usual.targets.map((_, i) => (i === 17 ? 1 : 0)),
  },
  { name: "targets around a million", x: usual.x, y: usual.y, targets: usual.targets.map((target) => 1e6 + target) },
  { name: "targets of 1e-6", x: usual.x, y: usual.y, targets: usual.targets.map((target) => 1e-6 * target) },
];
