// What a search tried and what came of it: a curve over one option, a heat map over two, the best points in a table.

import { at, type Frame, figure, linearAxis, logAxis, PLOT } from "./axes.js";
import { heatMap } from "./heat-map.js";
import type { SearchFacts, SearchPoint } from "./input.js";
import { lineChart, type Point } from "./line-chart.js";
import { extent } from "./scatter.js";
import { scrolling, type TableColumn, table } from "./tables.js";
import { brief, counted, escaped, fixed, grouped, NOTHING, share } from "./text.js";

const MOST_POINTS_LISTED = 8;
/** Shares read best in percent. */
const SHARES = ["accuracy", "balanced-accuracy", "precision", "recall", "f1"];

/** Values of a grid have many digits, of which the first few tell them apart. */
function settingText(value: number | undefined): string {
  return value === undefined ? NOTHING : brief(value);
}

interface Scored extends SearchPoint {
  readonly deviation: number;
}

export function searchResults(facts: SearchFacts): string {
  const points = facts.points
    .filter(({ score }) => Number.isFinite(score))
    .map((point): Scored => ({ ...point, deviation: Number.isFinite(point.deviation) ? (point.deviation as number) : 0 }));
  if (points.length === 0) return "";
  const sign = facts.lowerIsBetter ? -1 : 1;
  const ranked = [...points].sort((a, b) => sign * (b.score - a.score) || (a.point.C ?? 0) - (b.point.C ?? 0));
  const best = points.find(({ point }) => JSON.stringify(point) === JSON.stringify(facts.best?.point)) ?? (ranked[0] as Scored);
  const names = [...new Set(points.flatMap(({ point }) => Object.keys(point).filter((name) => Number.isFinite(point[name]))))].sort(
    (a, b) => (a === "C" ? -1 : b === "C" ? 1 : 0),
  );
  const varied = names.filter((name) => new Set(points.map(({ point }) => point[name])).size > 1);
  const show = scoreText(facts.scoring, points);
  const order = [best, ...ranked.filter((point) => point !== best)];
  const chart =
    varied.length >= 2
      ? surface(points, best, varied, facts, show)
      : varied.length === 1
        ? curve(points, best, varied[0] as string, facts)
        : "";
  const list = bestPoints(order, names.length > 0 ? names : ["point"], show);
  const words = `<p>${opening(facts, points, best, names, show)}</p>`;
  return `${words}\n<div class="pair">\n${chart}\n<div><h3>Best points</h3>\n${list}</div>\n</div>`;
}

function scoreText(scoring: string | undefined, points: readonly Scored[]): (score: number) => string {
  const isShare = SHARES.includes(scoring ?? "") && points.every(({ score }) => score >= 0 && score <= 1);
  return isShare ? (score) => share(score) : (score) => (Math.abs(score) < 10 ? fixed(score) : brief(score));
}

function opening(
  { scoring, ending, lowerIsBetter }: SearchFacts,
  points: readonly Scored[],
  best: Scored,
  names: readonly string[],
  show: (score: number) => string,
): string {
  const chosen = names.flatMap((name) => (best.point[name] === undefined ? [] : [`${name} ${settingText(best.point[name])}`])).join(", ");
  const foldCount = best.folds?.length ?? 0;
  const how = foldCount > 0 ? `, each cross-validated in ${counted(foldCount, "fold")}` : "";
  const sign = lowerIsBetter ? -1 : 1;
  const close = points.filter((point) => point !== best && sign * (best.score - point.score) <= best.deviation).length;
  const near =
    close === 0 || best.deviation === 0
      ? ""
      : ` ${close === 1 ? "One other point is" : `${grouped(close)} other points are`} within one standard deviation of it, ` +
        "and as good for all that folds can tell.";
  const cut = ending === undefined || ending === "complete" ? "" : ` The search ended before it was done: ${escaped(ending)}.`;
  const name = escaped((scoring ?? "score").replaceAll("-", " "));
  const spread = best.deviation > 0 ? ` ± ${show(best.deviation)}` : "";
  const tried = `${counted(points.length, "point")}${how}.`;
  return `${tried} Best: <b>${escaped(chosen)}</b>, with ${name} <b>${show(best.score)}</b>${spread}.${near}${cut}`;
}

function bestPoints(order: readonly Scored[], names: readonly string[], show: (score: number) => string): string {
  const columns: TableColumn[] = [...names, "score", "deviation"].map((head) => ({ head, isNumber: true }));
  const rows = order
    .slice(0, MOST_POINTS_LISTED)
    .map(({ point, score, deviation }) => [
      ...names.map((name) => escaped(settingText(point[name]))),
      show(score),
      deviation > 0 ? `± ${show(deviation)}` : "",
    ]);
  return table("Best points of the search", columns, rows, 0);
}

/** The score along one option, with a standard deviation to both sides. */
function curve(points: readonly Scored[], best: Scored, name: string, { scoring, lowerIsBetter }: SearchFacts): string {
  const own = points
    .flatMap(({ point, score, deviation }) => (Number.isFinite(point[name]) ? [{ x: point[name] as number, score, deviation }] : []))
    .sort((a, b) => a.x - b.x);
  const [low, high] = extent(own.map(({ x }) => x));
  const [bottom, top] = extent(own.flatMap(({ score, deviation }) => [score - deviation, score + deviation]));
  const label = (scoring ?? "score").replaceAll("-", " ");
  const bars = ({ x, y }: Frame): string =>
    own
      .map((one) => `<path class="base" d="M${at(x(one.x))} ${at(y(one.score - one.deviation))}V${at(y(one.score + one.deviation))}"/>`)
      .join("");
  const chart = lineChart({
    ...{
      ...PLOT,
      id: "search",
      title: `${label} by ${name}`,
      description: `The ${lowerIsBetter ? "lowest" : "highest"} is ${brief(best.score)} at ${name} ${brief(best.point[name] as number)}.`,
    },
    across: low > 0 && high / low >= 20 ? logAxis(name, low, high) : linearAxis(name, low, high),
    up: linearAxis(`${label} of held-out folds`, bottom, top),
    curves: [
      { points: own.map(({ x, score }): Point => [x, score]), look: "accent", dots: own.map(({ x }) => (x === best.point[name] ? 6 : 3)) },
    ],
    over: bars,
  });
  return figure(`Score by ${name}`, chart, { caption: "Lines up and down: one standard deviation between folds." });
}

/** The best score at each pair of values of the two options that vary most. */
function surface(
  points: readonly Scored[],
  best: Scored,
  varied: readonly string[],
  { lowerIsBetter }: SearchFacts,
  show: (score: number) => string,
): string {
  const values = (name: string): number[] =>
    [...new Set(points.map(({ point }) => point[name] as number))].filter(Number.isFinite).sort((a, b) => a - b);
  const [first, second, ...others] = [...varied].sort((a, b) => values(b).length - values(a).length) as [string, string];
  // C down and gamma across, as is the custom; the option with more values down otherwise.
  const [down, across] = first === "gamma" && second === "C" ? [second, first] : [first, second];
  const grid = gridOf(points, down, across, values);
  const sign = lowerIsBetter ? -1 : 1;
  const cells = new Map<string, Scored>();
  for (const one of points) {
    const key = `${one.point[down]} ${one.point[across]}`;
    const known = cells.get(key);
    if (known === undefined || sign * (one.score - known.score) > 0) cells.set(key, one);
  }
  const [low, high] = extent(points.map(({ score }) => sign * score));
  const hasTexts = grid.columns.length <= 8;
  const width = Math.max(hasTexts ? 50 : 22, Math.min(84, Math.floor(350 / grid.columns.length)));
  const map = heatMap({
    ...{ id: "search", title: `Score by ${down} and ${across}` },
    description:
      `The best of ${points.length} points is ${show(best.score)} ` +
      `at ${down} ${settingText(best.point[down])} and ${across} ${settingText(best.point[across])}.`,
    ...{ rows: grid.rows.map(settingText), columns: grid.columns.map(settingText), names: [down, across] },
    size: [width, hasTexts ? 36 : 24],
    isSteep: grid.columns.some((value) => 7.3 * settingText(value).length > width - 4),
    cell: (row, column) => {
      const one = cells.get(`${grid.rows[row]} ${grid.columns[column]}`);
      if (one === undefined) return undefined;
      const part = high > low ? (sign * one.score - low) / (high - low) : 1;
      const spread = one.deviation > 0 ? ` ± ${show(one.deviation)}` : "";
      const place = `${down} ${settingText(grid.rows[row])}, ${across} ${settingText(grid.columns[column])}`;
      const hint = `${place}: ${show(one.score)}${spread}`;
      // Squared: the differences that matter are those between good points.
      return {
        strength: 0.04 + 0.96 * part * part,
        look: "accent",
        hint,
        isBest: one === best,
        ...(hasTexts ? { text: show(one.score).replace(/\u00a0%$/, "") } : {}),
      };
    },
  });
  const unit = show(best.score).endsWith("%") && hasTexts ? " In percent." : "";
  const folded = others.length > 0 ? ` Of ${others.map(escaped).join(", ")} the best value each.` : "";
  const drawn = `<div style="max-width:${Math.round(map.width)}px;min-width:${Math.round(map.least)}px">${map.text}</div>`;
  return figure(`Score by ${down} and ${across}`, scrolling(`Score by ${down} and ${across}`, drawn), {
    caption: `The stronger the colour the better; framed: the best.${unit}${folded}`,
  });
}

/** The values of both options. A refinement adds values that meet few others: rows and columns less than half full are left out. */
function gridOf(
  points: readonly Scored[],
  down: string,
  across: string,
  values: (name: string) => number[],
): { rows: number[]; columns: number[] } {
  const [rows, columns] = [values(down), values(across)];
  const met = (name: string, value: number, other: string): number =>
    new Set(points.filter(({ point }) => point[name] === value).map(({ point }) => point[other])).size;
  const most = (name: string, list: readonly number[], other: string): number =>
    list.reduce((max, value) => Math.max(max, met(name, value, other)), 0);
  const [fullRow, fullColumn] = [most(down, rows, across), most(across, columns, down)];
  return {
    rows: rows.filter((value) => 2 * met(down, value, across) >= fullRow),
    columns: columns.filter((value) => 2 * met(across, value, down) >= fullColumn),
  };
}
