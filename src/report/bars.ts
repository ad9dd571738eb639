// Weights as bars to both sides of nothing, the names beside them.

import { scaleLinear } from "d3-scale";
import { at, type Drawing, drawing, textWidth } from "./axes.js";
import { brief, cut, escaped } from "./text.js";

export interface Bar {
  readonly name: string;
  readonly value: number;
}

export interface BarChart extends Omit<Drawing, "height"> {
  readonly bars: readonly Bar[];
  /** The largest size of a value, which charts beside each other share. */
  readonly reach: number;
}

const ROW = 23;
const LONGEST_NAME = 20;

export function barChart({ bars, reach, ...rest }: BarChart): string {
  const names = bars.map(({ name }) => cut(name, LONGEST_NAME));
  const left = names.reduce((widest, name) => Math.max(widest, textWidth(name)), 0) + 14;
  const hasDown = bars.some(({ value }) => value < 0);
  const hasUp = bars.some(({ value }) => value > 0);
  const room = 54; // of a number beside the bar
  const scale = scaleLinear()
    .domain([hasDown ? -reach : 0, hasUp ? reach : 0])
    .range([left + (hasDown ? room : 0), rest.width - (hasUp ? room : 0)]);
  const zero = scale(0);
  const height = bars.length * ROW + 4;
  const rows = bars.map(({ name, value }, k) => {
    const end = scale(value);
    const middle = 2 + (k + 0.5) * ROW;
    const [from, width] = [Math.min(zero, end), Math.max(Math.abs(end - zero), 0.5)];
    const side = value < 0 ? `x="${at(end - 6)}" text-anchor="end"` : `x="${at(end + 6)}"`;
    const short = names[k] as string;
    const whole = short === name ? "" : `<title>${escaped(name)}</title>`;
    return `<text class="strong" x="${at(left - 12)}" y="${at(middle)}" dy="0.35em" text-anchor="end">${escaped(short)}${whole}</text>
<rect class="${value < 0 ? "soft" : "accent"}-fill" x="${at(from)}" y="${at(middle - 7)}" width="${at(width)}" height="14" rx="1.5"/>
<text ${side} y="${at(middle)}" dy="0.35em">${brief(value, 3)}</text>`;
  });
  const ground = `<path class="base" d="M${at(zero)} 0V${at(height)}"/>`;
  return drawing({ ...rest, height }, [...rows, ground].join("\n"));
}
