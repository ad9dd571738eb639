// Small charts side by side, lines with points on two logarithmic axes, as one SVG string. Readable on light and dark pages.

import { colour, escaped, short } from "./bar-chart.ts";

export interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface SmallChart {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  readonly lines: readonly Line[];
}

const COLUMNS = 2;
const [WIDTH, HEIGHT] = [380, 240];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 12, 40, 40];

export function lineCharts(title: string, charts: readonly SmallChart[]): string {
  const rows = Math.ceil(charts.length / COLUMNS);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * WIDTH} ${rows * HEIGHT}" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="${escaped(title)}">`,
    "<style>text{fill:#24292f}.soft{fill:#57606a}.title{font-weight:600}.grid{stroke:#d0d7de;stroke-width:.5}",
    "@media(prefers-color-scheme:dark){text{fill:#d0d7de}.soft{fill:#8b949e}.grid{stroke:#30363d}}</style>",
    ...charts.map(
      (chart, k) => `<g transform="translate(${(k % COLUMNS) * WIDTH} ${Math.floor(k / COLUMNS) * HEIGHT})">${drawn(chart).join("")}</g>`,
    ),
    "</svg>\n",
  ].join("\n");
}

function drawn({ title, xName, yName, lines }: SmallChart): string[] {
  const all = lines.flatMap(({ points }) => points);
  const x = axis(
    all.map(([value]) => value),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    all.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  return [
    `<text x="${LEFT}" y="14" class="title">${escaped(title)}</text>`,
    ...lines.map(
      ({ label }, k) =>
        `<circle cx="${LEFT + 4 + 150 * k}" cy="25" r="4" fill="${colour(2 * k)}"/><text x="${LEFT + 12 + 150 * k}" y="29">${escaped(label)}</text>`,
    ),
    ...x.ticks.map(
      (tick) =>
        `<line class="grid" x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text class="soft" x="${x.at(tick)}" y="${HEIGHT - BOTTOM + 13}" text-anchor="middle">${plain(tick)}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}" y2="${y.at(tick)}"/><text class="soft" x="${LEFT - 5}" y="${Number(y.at(tick)) + 4}" text-anchor="end">${plain(tick)}</text>`,
    ),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${escaped(xName)}</text>`,
    `<text class="soft" transform="translate(11 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(yName)}</text>`,
    ...lines.flatMap(({ points }, k) => [
      `<polyline fill="none" stroke="${colour(2 * k)}" stroke-width="1.5" points="${points.map(([a, b]) => `${x.at(a)},${y.at(b)}`).join(" ")}"/>`,
      ...points.map(([a, b]) => `<circle cx="${x.at(a)}" cy="${y.at(b)}" r="2.5" fill="${colour(2 * k)}"/>`),
    ]),
  ];
}

/** A logarithmic axis from whole powers of ten, or of two where it is short. */
function axis(values: readonly number[], from: number, to: number): { ticks: number[]; at(value: number): string } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const base = most / least > 16 ? 10 : 2;
  const log = (value: number): number => Math.log(value) / Math.log(base);
  const [low, high] = [Math.floor(log(least) + 1e-9), Math.max(Math.floor(log(least) + 1e-9) + 1, Math.ceil(log(most) - 1e-9))];
  const ticks = Array.from({ length: high - low + 1 }, (_, k) => base ** (low + k));
  return { ticks, at: (value) => (from + ((log(value) - low) / (high - low)) * (to - from)).toFixed(1) };
}

function plain(value: number): string {
  if (value >= 1e4 || value < 1e-2) return value.toExponential(0).replace("e+", "e");
  return value >= 1 ? String(Math.round(value)) : short(value).replace(/0+$/, "");
}
