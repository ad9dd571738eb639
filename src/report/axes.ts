// The frame of a chart: scales, ticks and their texts, and the figure with its title for those who cannot see it.

import { scaleLinear, scaleLog } from "d3-scale";
import { brief, escaped, fixed, grouped, powerOfTen } from "./text.js";

/** Values to places along an axis. */
export interface Axis {
  readonly label: string;
  readonly ticks: readonly number[];
  readonly text: (tick: number) => string;
  /** The scale over so many units of the drawing. */
  readonly over: (from: number, to: number) => (value: number) => number;
}

/** What a chart draws into its frame: x grows to the right, y upwards; values in, units of the drawing out. */
export interface Frame {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Drawing {
  /** Unique on the page. */
  readonly id: string;
  /** Read aloud: what it is, and what is to be seen. */
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
}

export interface Plot extends Drawing {
  readonly across: Axis;
  readonly up: Axis;
  readonly draw: (frame: Frame) => string;
}

/** As wide as half of the page or a phone, so that texts keep their size on both. */
export const PLOT = { width: 420, height: 290 } as const;

/** Of `low` to `high`, made round. */
export function linearAxis(label: string, low: number, high: number, tickCount = 5): Axis {
  // Around a single value there must be some room too.
  const room = low < high ? 0 : Math.abs(low) / 10 || 1;
  const scale = scaleLinear()
    .domain([low - room, high + room])
    .nice(tickCount);
  return {
    label,
    ticks: scale.ticks(tickCount),
    text: tickText(scale.ticks(tickCount)),
    over: (from, to) => scale.copy().range([from, to]),
  };
}

/** Shares between 0 and 1, as they are. */
export function shareAxis(label: string): Axis {
  const scale = scaleLinear();
  return { label, ticks: [0, 0.25, 0.5, 0.75, 1], text: (tick) => String(tick), over: (from, to) => scale.copy().range([from, to]) };
}

/** In powers of ten; both ends are above 0. */
export function logAxis(label: string, low: number, high: number, most = 6): Axis {
  const scale = scaleLog()
    .domain([low, low < high ? high : low * 10])
    .nice();
  const [first, last] = scale.domain().map((value) => Number(value.toExponential().split("e")[1])) as [number, number];
  const step = Math.ceil((last - first) / most) || 1;
  const exponents = Array.from({ length: last - first + 1 }, (_, k) => first + k).filter((exponent) => (exponent - last) % step === 0);
  const isShort = first >= -3 && last <= 4;
  return {
    label,
    ticks: exponents.map((exponent) => Number(`1e${exponent}`)),
    text: (tick) => (isShort ? grouped(tick) : powerOfTen(Number(tick.toExponential().split("e")[1]))),
    over: (from, to) => scale.copy().range([from, to]),
  };
}

/** All ticks with as many digits as the one that needs most. */
function tickText(ticks: readonly number[]): (tick: number) => string {
  const most = ticks.reduce((max, tick) => Math.max(max, Math.abs(tick)), 0);
  const isWhole = (tick: number, digits: number): boolean => Math.abs(tick * 10 ** digits - Math.round(tick * 10 ** digits)) < 1e-6;
  const digits = [0, 1, 2, 3, 4].find((count) => ticks.every((tick) => isWhole(tick, count)));
  if (digits === undefined || most >= 1e6) return (tick) => brief(tick, 3);
  return (tick) => (digits === 0 ? grouped(Math.round(tick)) : fixed(tick, digits));
}

/** About as wide as system fonts print it at the size of ticks. */
export function textWidth(text: string): number {
  return 7.3 * Array.from(text).length;
}

/** One decimal is finer than a screen. */
export function at(value: number): string {
  return String(Math.round(10 * value) / 10 + 0);
}

export function drawing({ id, title, description, width, height }: Drawing, content: string): string {
  return `<svg viewBox="0 0 ${at(width)} ${at(height)}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${escaped(title)}</title>
<desc id="${id}-text">${escaped(description)}</desc>
${content}
</svg>`;
}

/** A chart with its axes: lines across, ticks below and at the left, the name of the upward axis above it. */
export function plot(chart: Plot): string {
  const { across, up, width, height, draw } = chart;
  const labels = up.ticks.map(up.text);
  const left = 10 + labels.reduce((widest, label) => Math.max(widest, textWidth(label)), 0);
  const [top, right, bottom] = [up.label === "" ? 8 : 26, width - 14, height - (across.label === "" ? 22 : 42)];
  const frame: Frame = { x: across.over(left, right), y: up.over(bottom, top), left, right, top, bottom };
  const lines = up.ticks.map((tick, k) => {
    const y = at(frame.y(tick));
    const label = `<text x="${at(left - 8)}" y="${y}" dy="0.35em" text-anchor="end">${escaped(labels[k])}</text>`;
    return `<path class="grid" d="M${at(left)} ${y}H${at(right)}"/>${label}`;
  });
  const below = across.ticks.map((tick) => {
    const x = at(frame.x(tick));
    const label = `<text x="${x}" y="${at(bottom + 18)}" text-anchor="middle">${escaped(across.text(tick))}</text>`;
    return `<path class="base" d="M${x} ${at(bottom)}v4"/>${label}`;
  });
  const names =
    (up.label === "" ? "" : `<text x="0" y="11">${escaped(up.label)}</text>`) +
    (across.label === ""
      ? ""
      : `<text x="${at((left + right) / 2)}" y="${at(height - 5)}" text-anchor="middle">${escaped(across.label)}</text>`);
  const ground = `<path class="base" d="M${at(left)} ${at(bottom)}H${at(right)}"/>`;
  return drawing(chart, [...lines, ...below, ground, names, draw(frame)].join("\n"));
}

export interface LegendEntry {
  readonly look: "accent" | "wrong" | "soft" | "dashed";
  readonly text: string;
}

/** A chart with its heading, what its colours mean, and what it says. `caption` is HTML. */
export function figure(
  heading: string,
  chart: string,
  { legend = [], caption = "" }: { legend?: readonly LegendEntry[]; caption?: string } = {},
): string {
  const entries = legend.map(({ look, text }) => `<li class="${look}">${escaped(text)}</li>`).join("");
  const head = heading === "" ? "" : `<h3>${escaped(heading)}</h3>\n`;
  return `<figure>
${head}${chart}
${entries === "" ? "" : `<ul class="legend">${entries}</ul>\n`}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}
</figure>`;
}
