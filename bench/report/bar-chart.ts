// Horizontal bars in groups, as an SVG string. Readable on light and dark pages.

export interface Bar {
  readonly group: string;
  readonly label: string;
  readonly value: number;
}

const WIDTH = 760;
const LABEL_WIDTH = 170;
const BAR_HEIGHT = 18;
const GROUP_GAP = 26;

export function barChart(title: string, bars: readonly Bar[]): string {
  const groups = [...new Set(bars.map(({ group }) => group))];
  const labels = [...new Set(bars.map(({ label }) => label))];
  const parts: string[] = [];
  let y = 34;
  for (const group of groups) {
    const own = bars.filter((bar) => bar.group === group);
    const widest = Math.max(...own.map(({ value }) => value));
    parts.push(`<text x="0" y="${y}" class="group">${escaped(group)}</text>`);
    y += 8;
    for (const { label, value } of own) {
      const width = Math.max(1, ((WIDTH - LABEL_WIDTH - 90) * value) / widest);
      parts.push(
        `<text x="${LABEL_WIDTH - 6}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>`,
        `<rect x="${LABEL_WIDTH}" y="${y + 2}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 4}" fill="${colour(labels.indexOf(label))}"/>`,
        `<text x="${(LABEL_WIDTH + width + 6).toFixed(1)}" y="${y + 13}">${short(value)}</text>`,
      );
      y += BAR_HEIGHT;
    }
    y += GROUP_GAP;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y - 10}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">`,
    "<style>text{fill:#24292f}.group,.title{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#d0d7de}}</style>",
    `<text x="0" y="14" class="title" font-size="14">${escaped(title)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** Three digits, or all of the whole part where that is longer. */
export function short(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Distinct also for people who do not see all colours (Okabe and Ito, 2008). */
export function colour(k: number): string {
  const palette = ["#0072b2", "#56b4e9", "#e69f00", "#cc79a7", "#009e73", "#d55e00"];
  return palette[k % palette.length] as string;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
