// A cloud of points, at most so many of them: of more, every so many-th.

import { at, type Drawing, type Frame, linearAxis, plot } from "./axes.js";
import { type Point, pathOf } from "./line-chart.js";

const MOST_POINTS = 2_000;

export interface Scatter extends Drawing {
  readonly across: string;
  readonly up: string;
  readonly points: readonly Point[];
  /** Both axes reach as far. */
  readonly isSquare?: boolean;
  /** Dashed lines, by the ends of the axes. */
  readonly guides?: (low: number, high: number) => readonly (readonly Point[])[];
}

export function scatter({ across, up, points, isSquare = false, guides, ...rest }: Scatter): string {
  const few = sampled(points);
  const [xs, ys] = [extent(points.map(([x]) => x)), extent(points.map(([, y]) => y))];
  const both = extent([...xs, ...ys]);
  const [x, y] = isSquare ? [both, both] : [xs, ys];
  const dashed = guides?.(x[0], x[1]) ?? [];
  const reach = extent([...y, ...dashed.flat().map(([, value]) => value)]);
  const draw = (frame: Frame): string => {
    const place = ([a, b]: Point): Point => [frame.x(a), frame.y(b)];
    const lines = dashed.map((line) => `<path class="guide" d="${pathOf(line.map(place))}"/>`);
    // A line of no length with round ends is a dot, and all of them are one shape.
    const dots = few.map((point) => `M${place(point).map(at).join(" ")}h0`).join("");
    return `<path class="points" stroke-width="${few.length > 600 ? 3.4 : 5}" d="${dots}"/>${lines.join("")}`;
  };
  return plot({ ...rest, across: linearAxis(across, x[0], x[1]), up: linearAxis(up, reach[0], reach[1]), draw });
}

function sampled(points: readonly Point[]): readonly Point[] {
  if (points.length <= MOST_POINTS) return points;
  return Array.from({ length: MOST_POINTS }, (_, k) => points[Math.floor((k * points.length) / MOST_POINTS)] as Point);
}

export function extent(values: ArrayLike<number>): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return [low, high];
}
