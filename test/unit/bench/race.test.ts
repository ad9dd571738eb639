import { describe, expect, test } from "vitest";
import { alternate, ratioOf, spreadOf, turnsOf } from "../../../bench/protocol.ts";
import { climb, gallop, race } from "../../../bench/race.ts";
import { tablesOf } from "../../../bench/report/page.ts";

/** A contender whose gap is a tenth of its tolerance but never below `floor`; it gives up at tolerances of 1 and more. */
const contender = (id: string, floor: number) => ({
  id,
  version: "1",
  threads: 1,
  form: "none" as const,
  ladder: [1, 0.1, 0.01, 0.001],
  train: async (tolerance: number) => {
    if (tolerance >= 1) throw new Error("no model");
    return { milliseconds: 1 / tolerance, w: Float64Array.of(Math.max(floor, tolerance / 10)), bias: 0, flags: `-e ${tolerance}` };
  },
});
const judge = { judge: (w: Float64Array) => ({ gap: w[0] as number }) };

test("a climb ends at the loosest rung that reaches the gap, and keeps all that it tried", async () => {
  const { best, reached, rungs } = await climb(contender("a", 0), judge, 1e-3);
  expect({ tolerance: best.tolerance, reached }).toEqual({ tolerance: 0.01, reached: true });
  expect(rungs.map(({ tolerance, failure }) => [tolerance, failure])).toEqual([
    [1, "no model"],
    [0.1, undefined],
    [0.01, undefined],
  ]);
});

test("who reaches the gap on no rung is shown at its best", async () => {
  const rows = await race([contender("ours", 0), contender("toy", 5e-3)], {
    gap: 1e-3,
    runs: 2,
    ours: "ours",
    judgeFor: async () => judge,
  });
  expect(rows.map(({ contender: id, tolerance, reached, median }) => [id, tolerance, reached, median])).toEqual([
    ["ours", 0.01, true, 100],
    ["toy", 0.01, false, 100],
  ]);
  expect(rows[1]).toMatchObject({ gap: 5e-3, flags: "-e 0.01", timesOurs: { median: 1 } });
  const table = tablesOf(rows.map((row) => ({ data: "d", measure: "m", ...row })));
  expect(table.slice(2, 6)).toEqual([
    "| data | contender | threads | bias | tolerance | gap | reached | milliseconds | times ours |",
    "|---|---|--:|---|--:|--:|---|--:|--:|",
    "| d | ours | 1 | none | 0.0100 | 1.0e-3 | yes | 100 (100–100) |  |",
    "| d | toy | 1 | none | 0.0100 | 5.0e-3 | no | 100 (100–100) | 1 (1–1) |",
  ]);
});

test("ratios are of runs of the same round", () => {
  expect(ratioOf(spreadOf([2, 30, 9]), spreadOf([1, 10, 3, 7]))).toEqual({ runs: [2, 3, 3], median: 3, least: 2, most: 3 });
});

describe("a gallop finds the loosest rung that reaches the gap", () => {
  const ladder = [1, 0.1, 0.01, 0.001, 1e-4];
  /** Who reaches 1e-3 at this tolerance and tighter ones. */
  const gallopTo = async (reaches: number, start: number) => {
    const tried: number[] = [];
    const climb = await gallop(ladder, start, 1e-3, async (tolerance) => {
      tried.push(tolerance);
      return { tolerance, gap: (1e-3 * tolerance) / reaches };
    });
    return { tried, best: climb.best.tolerance, reached: climb.reached };
  };

  test("towards looser ones while they reach it", async () => {
    expect(await gallopTo(0.1, 0.001)).toEqual({ tried: [0.001, 0.01, 0.1, 1], best: 0.1, reached: true });
    expect(await gallopTo(1, 0.1)).toEqual({ tried: [0.1, 1], best: 1, reached: true });
  });

  test("towards tighter ones until one does", async () => {
    expect(await gallopTo(0.001, 0.1)).toEqual({ tried: [0.1, 0.01, 0.001], best: 0.001, reached: true });
    expect(await gallopTo(1e-5, 0.01)).toEqual({ tried: [0.01, 0.001, 1e-4], best: 1e-4, reached: false });
  });
});

test("a contender whose time is known is not warmed up", async () => {
  const ran: string[] = [];
  const runner = (name: string) => async () => ran.push(name);
  await alternate({ a: runner("a"), b: runner("b"), c: runner("c") }, 2, { b: 31_000, c: 121_000 });
  expect(ran.join("")).toBe("aabcba");
});

test("in six rounds of three each comes after every other equally often", () => {
  const names = ["a", "b", "c"];
  const rounds = Array.from({ length: 6 }, (_, round) => turnsOf(names, round));
  for (const turns of rounds) expect([...turns].sort()).toEqual(names);
  const pairs = rounds.flatMap((turns) => [`${turns[0]}${turns[1]}`, `${turns[1]}${turns[2]}`]);
  for (const pair of ["ab", "ac", "ba", "bc", "ca", "cb"]) expect(pairs.filter((other) => other === pair)).toHaveLength(2);
  expect(turnsOf([], 3)).toEqual([]);
});
