// What a linear model goes by: the features or terms with the largest weights.

import { figure, PLOT } from "./axes.js";
import { barChart } from "./bars.js";
import type { FeatureFacts, WeightFacts } from "./input.js";
import { table } from "./tables.js";
import { against, brief, cut, escaped } from "./text.js";

/** More decision values than this are a table. */
const MOST_CHARTS = 6;
const MOST_BARS = 12;
const MOST_TERMS = 8;
/** So many classes are shown at once, the others where the reader asks. */
const MOST_ROWS = 12;

export function weightResults(weights: readonly WeightFacts[]): string {
  const proper = weights
    .map((one) => ({ ...one, up: finite(one.up), down: finite(one.down) }))
    .filter(({ up, down }) => up.length + down.length > 0);
  if (proper.length === 0) return "";
  const opening =
    `<p>The features with the largest weights${proper.length > 1 ? ", for each decision value" : ""}. ` +
    "A weight says how much one unit of the feature adds: compare them where features have one scale.</p>";
  return `${opening}\n${proper.length <= MOST_CHARTS ? charts(proper) : lists(proper)}`;
}

function finite(features: readonly FeatureFacts[]): FeatureFacts[] {
  return features.filter(({ weight }) => Number.isFinite(weight));
}

function nameOf({ feature, name }: FeatureFacts): string {
  return name === undefined || name === "" ? `feature ${feature}` : name;
}

function charts(weights: readonly WeightFacts[]): string {
  const reach = weights.reduce(
    (most, { up, down }) => [...up, ...down].reduce((max, { weight }) => Math.max(max, Math.abs(weight)), most),
    0,
  );
  const drawn = weights.map(({ positive, negative, up, down }, k) => {
    const title = positive === undefined ? "Weights" : against(positive, negative);
    const each = weights.length > 1 ? MOST_BARS / 2 : MOST_BARS;
    const bars = [...up.slice(0, each), ...down.slice(0, each).reverse()].map((feature) => ({
      name: nameOf(feature),
      value: feature.weight,
    }));
    const [first] = up;
    const description =
      first === undefined
        ? "All of them lower the decision value."
        : `${nameOf(first)} raises it most, by ${brief(first.weight, 3)} a unit.`;
    const chart = barChart({ id: `weights-${k}`, title: `Largest weights: ${title}`, description, width: PLOT.width, bars, reach });
    const legend =
      positive === undefined
        ? []
        : ([
            { look: "accent", text: `speaks for ${cut(String(positive), 30)}` },
            { look: "soft", text: `speaks for ${negative === undefined ? "another" : cut(String(negative), 30)}` },
          ] as const);
    return figure(weights.length === 1 && positive === undefined ? "" : cut(title, 60), chart, { legend });
  });
  return `<div class="pair">\n${drawn.join("\n")}\n</div>`;
}

/** Many classes: their terms in words. */
function lists(weights: readonly WeightFacts[]): string {
  const terms = (features: readonly FeatureFacts[]): string =>
    features
      .slice(0, MOST_TERMS)
      .map((feature) => escaped(cut(feature.name ?? String(feature.feature), 30)))
      .join(", ");
  const rows = weights.map(({ positive, negative, up, down }, k) => [
    escaped(cut(positive === undefined ? `output ${k}` : negative === undefined ? String(positive) : against(positive, negative), 60)),
    terms(up),
    terms(down),
  ]);
  const columns = [
    { head: "Class" },
    { head: "features that speak for it", isText: true },
    { head: "features that speak against it", isText: true },
  ];
  const shown = table("Features with the largest weights", columns, rows.slice(0, MOST_ROWS));
  if (rows.length <= MOST_ROWS) return shown;
  const others = table("More features", columns, rows.slice(MOST_ROWS));
  return `${shown}\n<details><summary>The other ${rows.length - MOST_ROWS}</summary>${others}</details>`;
}
