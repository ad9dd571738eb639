// How often values occur, of one or two groups of rows over the same bins.

import { scaleLinear } from "d3-scale";
import { at, type Drawing, type Frame, linearAxis, plot } from "./axes.js";

export interface Bins {
  /** Rising; one more than there are bins. */
  readonly edges: readonly number[];
  /** By group, by bin. */
  readonly counts: readonly (readonly number[])[];
}

export interface Group {
  readonly values: ArrayLike<number>;
  readonly look: "accent" | "wrong" | "soft";
}

/** Bins of equal, round width that hold all values; a bin holds its lower edge, the last one both. */
export function binned(groups: readonly ArrayLike<number>[], binCount: number, include: readonly number[] = []): Bins {
  let [low, high] = [Infinity, -Infinity];
  for (const list of [...groups, include]) {
    for (let i = 0; i < list.length; i++) {
      low = Math.min(low, list[i] as number);
      high = Math.max(high, list[i] as number);
    }
  }
  if (!(low < high)) [low, high] = [low - 0.5, low + 0.5];
  const scale = scaleLinear().domain([low, high]).nice(binCount);
  const [from, to] = scale.domain() as [number, number];
  const ticks = scale.ticks(binCount);
  const edges = ticks.length < 2 ? [from, to] : ticks;
  const last = edges.length - 2;
  const [start, width] = [edges[0] as number, ((edges.at(-1) as number) - (edges[0] as number)) / (edges.length - 1)];
  const counts = groups.map((list) => {
    const own = new Array<number>(edges.length - 1).fill(0);
    for (let i = 0; i < list.length; i++) {
      const bin = Math.min(Math.max(Math.floor(((list[i] as number) - start) / width), 0), last);
      own[bin] = (own[bin] as number) + 1;
    }
    return own;
  });
  return { edges, counts };
}

export interface Histogram extends Drawing {
  readonly label: string;
  readonly groups: readonly Group[];
  /** A dashed line, where decisions change. */
  readonly mark?: number;
  readonly binCount?: number;
}

export function histogram({ label, groups, mark, binCount = 28, ...rest }: Histogram): string {
  const { edges, counts } = binned(
    groups.map(({ values }) => values),
    binCount,
    mark === undefined ? [] : [mark],
  );
  const most = counts.reduce((max, own) => own.reduce((a, b) => Math.max(a, b), max), 0);
  const draw = (frame: Frame): string => {
    const bars = groups.map(({ look }, k) => `<path class="${look}-bars" d="${outline(edges, counts[k] ?? [], frame)}"/>`);
    const line = mark === undefined ? "" : `<path class="guide" d="M${at(frame.x(mark))} ${at(frame.bottom)}V${at(frame.top - 4)}"/>`;
    return [...bars, line].join("\n");
  };
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  return plot({ ...rest, across: linearAxis(label, first, last, 6), up: linearAxis("rows", 0, most, 4), draw });
}

/** The silhouette of the bars: one shape, closed along the ground wherever bins are empty. */
function outline(edges: readonly number[], counts: readonly number[], { x, y, bottom }: Frame): string {
  return counts
    .map((count, k) => {
      if (count === 0) return "";
      const [from, to] = [at(x(edges[k] as number)), at(x(edges[k + 1] as number))];
      const opens = (counts[k - 1] ?? 0) === 0 ? `M${from} ${at(bottom)}` : "";
      return `${opens}V${at(y(count))}H${to}${(counts[k + 1] ?? 0) === 0 ? `V${at(bottom)}Z` : ""}`;
    })
    .join("");
}
