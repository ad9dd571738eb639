// Curves in a frame: thinned to what a screen can show, so that a page of many rows stays small.

import { area, curveStepAfter, line } from "d3-shape";
import { at, type Frame, type Plot, plot } from "./axes.js";

export type Point = readonly [x: number, y: number];

export interface Curve {
  readonly points: readonly Point[];
  readonly look: "accent" | "soft";
  /** Shaded down to the ground. */
  readonly isFilled?: boolean;
  /** Straight lines between the points, or steps at them. */
  readonly isStepped?: boolean;
  /** A dot at each point, of this radius. */
  readonly dots?: readonly number[];
}

export interface LineChart extends Omit<Plot, "draw"> {
  readonly curves: readonly Curve[];
  /** Dashed: where a curve would be by chance, or should be. */
  readonly guides?: readonly (readonly Point[])[];
  /** Drawn over the curves. */
  readonly over?: (frame: Frame) => string;
}

export function lineChart({ curves, guides = [], over, ...rest }: LineChart): string {
  const draw = (frame: Frame): string => {
    const dashed = guides.map((points) => `<path class="guide" d="${pathOf(placed(points, frame))}"/>`);
    // What matters lies on top.
    const ordered = [...curves.filter(({ look }) => look === "soft"), ...curves.filter(({ look }) => look !== "soft")];
    return [...dashed, ...ordered.map((curve) => curveText(curve, frame)), over?.(frame) ?? ""].join("\n");
  };
  return plot({ ...rest, draw });
}

function curveText({ points, look, isFilled = false, isStepped = false, dots }: Curve, frame: Frame): string {
  const own = placed(points, frame);
  const few = thinned(own);
  const shade = area<Point>(
    ([x]) => x,
    frame.bottom,
    ([, y]) => y,
  ).digits(1);
  const filled = isFilled ? `<path class="accent-area" d="${(isStepped ? shade.curve(curveStepAfter) : shade)(few)}"/>` : "";
  const circles =
    dots === undefined ? [] : own.map(([x, y], k) => `<circle class="${look}-fill" cx="${at(x)}" cy="${at(y)}" r="${at(dots[k] ?? 2)}"/>`);
  return `${filled}<path class="${look}-line" d="${pathOf(few, isStepped)}"/>${circles.join("")}`;
}

function placed(points: readonly Point[], { x, y }: Frame): Point[] {
  return points.map(([a, b]): Point => [x(a), y(b)]);
}

export function pathOf(points: readonly Point[], isStepped = false): string {
  const shape = line<Point>().digits(1);
  return (isStepped ? shape.curve(curveStepAfter) : shape)([...points] as Point[]) ?? "";
}

/** Without the points that lie closer to the one before than a screen shows; the last one stays. */
export function thinned(points: readonly Point[], least = 0.8): Point[] {
  const kept: Point[] = [];
  points.forEach((point, k) => {
    const last = kept.at(-1);
    const isFar = last === undefined || Math.abs(point[0] - last[0]) >= least || Math.abs(point[1] - last[1]) >= least;
    if (isFar || k === points.length - 1) kept.push(point);
  });
  return kept;
}
