// The table as bars: a line a kind of work, how many times as long the peer takes, on a logarithmic scale, with a mark where the aim is.

import { escaped } from "./bar-chart.ts";
import { factor, type TableLine } from "./table.ts";

const BARS = 370;
const RIGHT = 60;
/** Pixels that a letter takes at most, on average, in any font that a reader may have. */
const LETTER = 6.6;
const ROW = 30;

export function ratioChart(title: string, lines: readonly TableLine[]): string {
  const most = Math.max(10, ...lines.flatMap(({ mean, asked }) => [mean, asked]));
  const left = Math.ceil(8 + LETTER * Math.max(0, ...lines.map(({ work }) => work.length)));
  const x = (ratio: number): number => left + (BARS * Math.log(Math.max(1, ratio))) / Math.log(most);
  const bottom = 40 + ROW * lines.length;
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200].filter((tick) => tick <= most);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + BARS + RIGHT} ${bottom + 42}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">`,
    "<style>text{fill:#24292f}.soft{fill:#57606a}.title{font-weight:600}.grid{stroke:#d0d7de}.aim{stroke:#d55e00;stroke-width:2}",
    "@media(prefers-color-scheme:dark){text{fill:#d0d7de}.soft{fill:#8b949e}.grid{stroke:#30363d}}</style>",
    `<text x="0" y="16" class="title" font-size="14">${escaped(title)}</text>`,
    ...ticks.map(
      (tick) =>
        `<line class="grid" x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="32" y2="${bottom}"/><text class="soft" x="${x(tick).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${tick}x</text>`,
    ),
    ...lines.flatMap(({ work, against, asked, mean }, k) => {
      const y = 40 + ROW * k;
      return [
        `<text x="${left - 8}" y="${y + 9}" text-anchor="end">${escaped(work)}</text>`,
        `<text x="${left - 8}" y="${y + 21}" text-anchor="end" class="soft" font-size="10">against ${escaped(against)}</text>`,
        `<rect x="${left}" y="${y}" width="${Math.max(1, x(mean) - left).toFixed(1)}" height="${ROW - 10}" fill="#0072b2"/>`,
        `<line class="aim" x1="${x(asked).toFixed(1)}" x2="${x(asked).toFixed(1)}" y1="${y - 3}" y2="${y + ROW - 7}"/>`,
        `<text x="${(Math.max(x(mean), x(asked)) + 6).toFixed(1)}" y="${y + 14}">${factor(mean)}</text>`,
      ];
    }),
    `<text class="soft" x="${left}" y="${bottom + 34}">bars: how many times as long the peer takes; marks: the aim</text>`,
    "</svg>\n",
  ].join("\n");
}
