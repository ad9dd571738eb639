// The page around the parts of a report: one HTML text with its style inside, for screens light and dark, wide and narrow, and for paper.

import { escaped } from "./text.js";

export interface Section {
  /** Of the link to it. */
  readonly id: string;
  readonly heading: string;
  /** HTML; nothing to show leaves the section out. */
  readonly content: string;
}

export interface PageParts {
  readonly title: string;
  /** The result in words. */
  readonly headline: string;
  /** HTML below the headline. */
  readonly lead: string;
  readonly sections: readonly Section[];
  /** HTML at the very end. */
  readonly footer: string;
}

export function page({ title, headline, lead, sections, footer }: PageParts): string {
  const shown = sections.filter(({ content }) => content !== "");
  const links = shown.map(({ id, heading }) => `<a href="#${id}">${escaped(heading)}</a>`).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
<header>
<p class="above">${escaped(title)}</p>
<h1>${escaped(headline)}</h1>
${lead}
${shown.length > 1 ? `<nav aria-label="Sections">\n${links}\n</nav>` : ""}
</header>
${shown.map(({ id, heading, content }) => `<section id="${id}">\n<h2>${escaped(heading)}</h2>\n${content}\n</section>`).join("\n")}
<footer>${footer}</footer>
</main>
</body>
</html>
`;
}

// Texts reach a contrast of 4.5 on the paper and on the strongest shade of a cell with a number in it, in light and in dark.
const style = `:root {
  color-scheme: light;
  --paper: #ffffff; --text: #1a1f26; --muted: #566170; --line: #dde2e8; --faint: #f5f7f9; --soft: #8d98a4;
  --accent: #1b62ad; --wrong: #b3440f; --accent-parts: 27 98 173; --wrong-parts: 200 84 24;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #13161a; --text: #e8ebef; --muted: #a0aab6; --line: #2b323a; --faint: #1b2026; --soft: #6a7683;
    --accent: #76b2f5; --wrong: #f39a6b; --accent-parts: 86 150 224; --wrong-parts: 226 122 66;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 62rem; margin: 0 auto; padding: 4rem 2rem 3rem; }
p { margin: 0 0 1rem; max-width: 42rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h1 { margin: 0 0 1rem; font-size: clamp(1.5rem, 1.1rem + 1.6vw, 2rem); font-weight: 650; letter-spacing: -0.018em; }
h2 { margin: 0 0 1.25rem; font-size: 1.35rem; font-weight: 650; letter-spacing: -0.01em; }
h3 { margin: 0 0 0.35rem; font-size: 1rem; font-weight: 650; }
.above { margin: 0 0 0.75rem; color: var(--accent); font-weight: 600; }
.lead { max-width: none; color: var(--muted); font-size: 1.06rem; margin-bottom: 2rem; text-wrap: pretty; }
.note, figcaption { color: var(--muted); font-size: 0.875rem; line-height: 1.5; }
nav { display: flex; flex-wrap: wrap; gap: 0.35rem 1.4rem; margin-top: 2rem; font-size: 0.9rem; }
nav a { color: var(--muted); text-decoration: none; border-bottom: 1px solid var(--line); }
nav a:hover { color: var(--accent); border-color: currentColor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
section { margin-top: 3.25rem; padding-top: 2.25rem; border-top: 1px solid var(--line); }
footer { margin-top: 3.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.85rem; }
footer p { margin: 0; max-width: none; }
dl, dd { margin: 0; }
.tiles { display: flex; flex-wrap: wrap; gap: 1.25rem 2.5rem; }
.tiles div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.tiles dd {
  font-size: 1.7rem; line-height: 1.25; font-weight: 600; letter-spacing: -0.015em;
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.tiles div, .legend li { min-width: 0; }
.tiles dt { color: var(--muted); font-size: 0.85rem; }
.tiles div:first-child dd { color: var(--accent); }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem 3rem; align-items: start; }
.pair > *, .small > * { min-width: 0; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr)); gap: 1.75rem 1.5rem; }
section > * + .pair, section > * + h3, section > figure + *, .stack > * + h3, .stack > * + figure { margin-top: 2rem; }
figure { margin: 0; break-inside: avoid; }
figure .note { margin-bottom: 0.6rem; }
figcaption { margin-top: 0.5rem; max-width: 42rem; }
.facts { font-size: 0.95rem; }
.facts div {
  display: grid; grid-template-columns: minmax(7.5rem, 2fr) 3fr; gap: 1rem; padding: 0.42rem 0;
  border-bottom: 1px solid var(--line);
}
.facts dt { color: var(--muted); }
.facts dd { min-width: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; max-width: 100%; }
table { overflow-wrap: break-word; border-collapse: collapse; width: 100%; font-size: 0.92rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
th, td { padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-size: 0.82rem; font-weight: 500; vertical-align: bottom; white-space: nowrap; }
tbody th { font-weight: 500; max-width: 16rem; }
.number { text-align: right; white-space: nowrap; }
.number + .long { padding-left: 1rem; }
.long { min-width: 15rem; overflow-wrap: anywhere; }
tr.marked > * { font-weight: 650; color: var(--accent); }
.miss { color: var(--wrong); }
.matrix { width: auto; border-collapse: separate; border-spacing: 3px; }
.matrix th, .matrix td { border: 0; }
.matrix thead th {
  text-align: center; white-space: normal; max-width: 8rem; padding: 0.2rem 0.35rem; color: var(--text);
  font-size: 0.88rem; overflow-wrap: anywhere;
}
.matrix .axis { color: var(--muted); font-weight: 400; font-size: 0.82rem; }
.matrix tbody th { text-align: right; vertical-align: middle; min-width: 0; max-width: 9rem; padding: 0 0.6rem 0 0; font-size: 0.88rem; }
.matrix td {
  min-width: 3.4rem; padding: 0.5rem 0.45rem; border-radius: 4px; text-align: center; vertical-align: middle;
  background: rgb(var(--shade, 0 0 0 / 0));
}
.matrix td small { display: block; font-size: 0.78rem; opacity: 0.9; }
.matrix.two td { min-width: 7.2rem; padding: 1.1rem 0.75rem; }
.matrix.two td b { display: block; font-size: 1.35rem; line-height: 1.25; font-weight: 600; }
details { margin-top: 1.25rem; }
summary { cursor: pointer; color: var(--accent); font-size: 0.92rem; }
details .scroll { margin-top: 0.75rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; font-family: inherit; }
svg text { fill: var(--muted); font-size: 12.5px; font-variant-numeric: tabular-nums; }
svg .strong { fill: var(--text); }
svg .value { fill: var(--text); font-size: 12px; }
svg .best { font-weight: 700; }
svg .grid { stroke: var(--line); stroke-width: 1; fill: none; }
svg .base { stroke: var(--soft); stroke-width: 1; fill: none; }
svg .guide { stroke: var(--muted); stroke-width: 1.2; stroke-dasharray: 4 4; fill: none; }
svg .accent-line { stroke: var(--accent); stroke-width: 2.2; fill: none; stroke-linejoin: round; stroke-linecap: round; }
svg .soft-line { stroke: var(--soft); stroke-width: 1.2; stroke-opacity: 0.7; fill: none; stroke-linejoin: round; }
svg .accent-fill { fill: var(--accent); }
svg .wrong-fill { fill: var(--wrong); }
svg .soft-fill { fill: var(--soft); }
svg .accent-cell { fill: rgb(var(--accent-parts)); }
svg .wrong-cell { fill: rgb(var(--wrong-parts)); }
svg .empty-cell { fill: var(--faint); }
svg .accent-area { fill: var(--accent); fill-opacity: 0.1; }
svg .accent-bars { fill: var(--accent); fill-opacity: 0.38; stroke: var(--accent); stroke-width: 1.2; }
svg .wrong-bars { fill: var(--wrong); fill-opacity: 0.42; stroke: var(--wrong); stroke-width: 1.2; }
svg .soft-bars { fill: var(--soft); fill-opacity: 0.35; stroke: var(--soft); stroke-width: 1.2; }
svg .points { stroke: var(--accent); stroke-linecap: round; stroke-opacity: 0.6; fill: none; }
svg .ring { fill: none; stroke: var(--text); stroke-width: 2; }
.legend {
  display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.45rem 0 0; padding: 0; list-style: none;
  font-size: 0.85rem; color: var(--muted);
}
.legend li::before {
  content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.45em; border-radius: 2px;
  vertical-align: -0.06em; background: var(--soft);
}
.legend .accent::before { background: var(--accent); }
.legend .wrong::before { background: var(--wrong); }
.legend .dashed::before {
  height: 0; border-radius: 0; border-top: 2px dashed var(--muted); background: none; vertical-align: 0.25em;
  width: 1.3em;
}
@media (max-width: 48rem) {
  .pair { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  main { padding: 2.25rem 1.25rem 2rem; }
  section { margin-top: 2.5rem; padding-top: 1.75rem; }
  .tiles { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 1.25rem; }
  .tiles dd { font-size: 1.4rem; }
  .small { grid-template-columns: 1fr 1fr; gap: 1.25rem 1rem; }
  .matrix.two { width: 100%; table-layout: fixed; }
  .matrix.two td { min-width: 0; padding: 0.9rem 0.3rem; }
  .facts div { grid-template-columns: minmax(6rem, 2fr) 3fr; }
}
@media print {
  @page { margin: 16mm 15mm; }
  html { font-size: 9.5pt; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  section { margin-top: 1.5rem; padding-top: 1.25rem; }
  h2, h3 { break-after: avoid; }
  tr, figure, .tiles, .facts div { break-inside: avoid; }
  .scroll { overflow: visible; }
  .pair { grid-template-columns: 1fr 1fr; gap: 1.5rem 2rem; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
}`;
