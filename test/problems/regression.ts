// Generated regressions: seeded, so the same everywhere.

import { Random } from "../../src/base/random.ts";
import type { SparseRow } from "../../src/data/pack.ts";
import { normal, sparseSet } from "./generate.ts";

export interface RegressionSet {
  readonly x: readonly SparseRow[];
  readonly targets: readonly number[];
  readonly featureCount: number;
}

/** The rows of `sparseSet`; targets by a hidden direction and an offset, with noise of size 0.3 and one row in twenty far off. */
export function regressionSet(rowCount: number, featureCount: number, perRow: number, seed: number, offset = 2): RegressionSet {
  const { x } = sparseSet(rowCount, featureCount, perRow, seed);
  const random = new Random(seed + 1);
  const hidden = Array.from({ length: featureCount }, () => normal(random));
  const targets = x.map(([indices, values]) => {
    const score = Array.from(indices).reduce((sum, j, k) => sum + (hidden[j] as number) * (values[k] as number), 0);
    return offset + score + 0.3 * normal(random) + (random.unit() < 0.05 ? 10 * normal(random) : 0);
  });
  return { x, targets, featureCount };
}
