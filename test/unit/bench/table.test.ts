import { describe, expect, test } from "vitest";
import type { Row } from "../../../bench/cases/case.ts";
import { lineCharts } from "../../../bench/report/line-charts.ts";
import { ratioChart } from "../../../bench/report/ratio-chart.ts";
import { factor, tableLines, tableSection } from "../../../bench/report/table.ts";

const spread = (median: number) => ({ runs: [median], median, least: median, most: median });
const ours = (data: string, milliseconds: number, ratio: number): Row => ({
  ...{ data: `${data}.train`, measure: "hinge", contender: "hinge train, 2 threads" },
  ...spread(milliseconds),
  peerOverOurs: spread(ratio),
});

describe("the table of all races", () => {
  const rows: Row[] = [
    ours("large", 1000, 8),
    ours("middling", 1000, 2),
    ours("slow", 1000, 0.5),
    ours("tiny", 10, 0.1), // its peer needs a millisecond: shown elsewhere, not counted
    { ...ours("open", 1000, 9), reached: false },
    { ...ours("other", 1000, 9), contender: "hinge train, 1 thread" },
  ];
  const lines = tableLines((name) => (name === "cli" ? rows : []));

  test("takes the geometric mean of what counts, and names the worst set and those on which we are behind", () => {
    expect(lines).toHaveLength(1);
    const [line] = lines;
    expect(line).toMatchObject({ asked: 3, cellCount: 3, worst: { name: "slow, hinge", ratio: 0.5 } });
    expect(line?.mean).toBeCloseTo(2, 12);
    expect(line?.behind.map(({ name }) => name)).toEqual(["slow, hinge"]);
  });

  test("says what was missed", () => {
    const text = tableSection(lines);
    expect(text).toContain("| 3x | **2.0x** (missed) | 0.50x slow, hinge | 3 |");
    expect(text).toContain(
      "Of these sets, a peer is faster by more than a tenth on: linear, file to model on disk, gap 1e-3: slow, hinge (0.50x); and on 1 cell whose peer needs less than 0.5 s.",
    );
    const ahead = { ...(lines[0] as (typeof lines)[number]), behind: [], mean: 3 };
    expect(tableSection([ahead])).toContain(
      "On none of these sets is a peer faster by more than a tenth; it is on 1 cell whose peer needs less than 0.5 s.",
    );
    expect(tableSection([{ ...ahead, behindUncounted: 0 }])).toContain("On none of these sets is a peer faster by more than a tenth.");
  });

  test("a ratio has two digits below ten", () => {
    expect([0.123, 1.249, 2.34, 9.96, 12.4].map(factor)).toEqual(["0.12x", "1.25x", "2.3x", "10.0x", "12x"]);
  });
});

describe("charts", () => {
  test("bars reach as far as their ratio on the scale, the aim has its mark, and work its room", () => {
    const line = { against: "c", asked: 10, from: "", mean: 100, cellCount: 1, behind: [], behindUncounted: 0 };
    const chartOf = (work: string): string => ratioChart("races", [{ ...line, work, worst: { name: "", ratio: 1, peerMilliseconds: 1 } }]);
    const svg = chartOf("a < b");
    // From 41, behind five letters, to 411 for 1 to 100: ten is in the middle.
    expect(svg).toContain('width="370.0"');
    expect(svg).toContain('class="aim" x1="226.0"');
    expect(svg).toContain("a &lt; b");
    expect(chartOf("a work of fifty-five letters, which are more than there were")).toContain('class="aim" x1="589.0"');
  });

  test("lines lie on logarithmic axes", () => {
    const svg = lineCharts("growth", [
      {
        ...{ title: "t", xName: "x", yName: "y" },
        lines: [
          {
            label: "l",
            points: [
              [1, 1],
              [10, 10],
              [100, 100],
            ],
          },
        ],
      },
    ]);
    const points =
      /points="([^"]*)"/
        .exec(svg)?.[1]
        ?.split(" ")
        .map((pair) => pair.split(",").map(Number)) ?? [];
    expect(points).toHaveLength(3);
    const [a, b, c] = points as [number[], number[], number[]];
    expect((a[0] as number) + (c[0] as number)).toBeCloseTo(2 * (b[0] as number), 1);
    expect((a[1] as number) + (c[1] as number)).toBeCloseTo(2 * (b[1] as number), 1);
    expect(a[1]).toBeGreaterThan(c[1] as number);
  });
});
