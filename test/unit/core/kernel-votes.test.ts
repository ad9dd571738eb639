// Votes counted by the core against those of src/model/schemes.ts, which count for one row.

import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { labelsOf } from "../../../src/model/schemes.ts";
import { coreUnderTest } from "../../core/instance.ts";

function votes(decision: readonly number[], rowCount: number, classCount: number): number[] {
  const core = coreUnderTest();
  const out = core.words(new Uint32Array(rowCount + 1).fill(77));
  // What an earlier row, or an earlier call, left in the tally must not count.
  core.call.mostVotes?.(out, core.doubles(decision), rowCount, classCount, core.doubles(new Float64Array(2 * classCount).fill(1e9)));
  const all = core.readWords(out, rowCount + 1);
  expect(all.pop()).toBe(77);
  return all;
}

test("of three classes: most votes, then larger sums, then the first", () => {
  // Pairs (0, 1), (0, 2), (1, 2); above 0 is a vote for the second.
  const rows = [
    [-1, -1, 5], // 0 has two votes
    [1, -1, -1], // 1 has two
    [1, 1, 1], // 2 has two
    [1, -2, 3], // one each: sums 1, -2, 1; 0 comes before 2
    [3, -1, 1], // one each: sums -2, 2, 0
    [0, 0, 0], // 0 is no vote for the second, so 0 has two
  ];
  expect(votes(rows.flat(), rows.length, 3)).toEqual([0, 1, 2, 0, 1, 0]);
});

test("as for one row, whatever the values are", () => {
  const random = new Random(8);
  for (const classCount of [2, 3, 4, 7, 26]) {
    const pairs = (classCount * (classCount - 1)) / 2;
    const rowCount = 200;
    // Small whole numbers tie often; some are infinite or not numbers.
    const decision = Array.from({ length: rowCount * pairs }, () => {
      const drawn = random.unit();
      if (drawn < 0.02) return [Number.NaN, Infinity, -Infinity, -0][Math.floor(random.unit() * 4)] as number;
      return drawn < 0.5 ? Math.floor(5 * random.unit()) - 2 : random.unit() - 0.5;
    });
    const classes = Array.from({ length: classCount }, (_, m) => m);
    expect(votes(decision, rowCount, classCount)).toEqual(labelsOf("ovo", classes, decision, rowCount));
  }
});

test("of no rows, nothing", () => {
  expect(votes([], 0, 5)).toEqual([]);
});
