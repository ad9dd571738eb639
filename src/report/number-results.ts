// How far predictions of a regression are from the truth.

import { meanAbsoluteError, r2, squaredCorrelation } from "../metrics/numbers.js";
import { figure, PLOT } from "./axes.js";
import { histogram } from "./histogram.js";
import type { NumberTest } from "./input.js";
import type { Point } from "./line-chart.js";
import { scatter } from "./scatter.js";
import { facts } from "./tables.js";
import { rowsNote, type TestedNumbers } from "./tested.js";
import { brief, escaped, fixed, share } from "./text.js";

export function numberResults({ y, predicted, leftOut }: TestedNumbers, { rows, epsilon }: NumberTest): string {
  const residuals = predicted.map((value, i) => value - (y[i] as number));
  const sizes = residuals.map(Math.abs).sort();
  const within = (part: number): string => brief(sizes[Math.min(sizes.length - 1, Math.ceil(part * sizes.length) - 1)] as number, 3);
  const mean = residuals.reduce((sum, value) => sum + value, 0) / residuals.length;
  const note = rowsNote(leftOut, rows);
  const tube = epsilon !== undefined && Number.isFinite(epsilon) && epsilon > 0 ? epsilon : undefined;
  const inTube = sizes.filter((size) => size <= (tube ?? 0)).length / sizes.length;
  const table = facts([
    ["R²", fixed(r2(y, predicted), 4)],
    ["squared correlation", fixed(squaredCorrelation(y, predicted), 4)],
    ["mean absolute error", brief(meanAbsoluteError(y, predicted))],
    ["half of the rows", `off by at most ${within(0.5)}`],
    ["nine of ten rows", `off by at most ${within(0.9)}`],
    ["largest error", brief(sizes.at(-1) as number)],
    ["mean error", brief(mean, 3)],
    ["within the tube", tube === undefined ? undefined : `${share(inTube)}, ± ${brief(tube)}`],
  ]);
  const dashed = (low: number, high: number): Point[][] =>
    [0, ...(tube === undefined ? [] : [tube, -tube])].map((value) => [
      [low, value],
      [high, value],
    ]);
  const truth = figure(
    "Predicted and true",
    scatter({
      ...{ ...PLOT, id: "truth", title: "Predicted values by true values" },
      description: `R² is ${fixed(r2(y, predicted))}; a perfect prediction lies on the dashed line.`,
      ...{ across: "true value", up: "predicted", isSquare: true },
      points: Array.from(y, (value, i): Point => [value, predicted[i] as number]),
      guides: (low, high) => [
        [
          [low, low],
          [high, high],
        ],
      ],
    }),
    { caption: "Dashed: predicted is true." },
  );
  const spread = figure(
    "Residuals",
    histogram({
      ...{ ...PLOT, id: "residuals", title: "How residuals are spread" },
      description: `Predicted less true value. Half of the rows are off by at most ${within(0.5)}, nine of ten by at most ${within(0.9)}.`,
      label: "predicted less true",
      groups: [{ values: residuals, look: "accent" }],
      mark: 0,
    }),
  );
  const against = figure(
    "Residuals by prediction",
    scatter({
      ...{ ...PLOT, id: "residuals-by-prediction", title: "Residuals by predicted value" },
      description: `The mean residual is ${brief(mean, 3)}. Where the cloud bends or widens, the model misses something.`,
      ...{ across: "predicted", up: "predicted less true" },
      points: Array.from(predicted, (value, i): Point => [value, residuals[i] as number]),
      guides: dashed,
    }),
    {
      caption:
        tube === undefined
          ? "A cloud that bends or widens says that something is missed."
          : "Dashed: no error, and the tube in which errors cost nothing.",
    },
  );
  const opening = note === "" ? "" : `<p>${escaped(note)}</p>\n`;
  return `${opening}<div class="pair">\n${truth}\n<div>\n<h3>Errors</h3>\n${table}\n</div>\n${spread}\n${against}\n</div>`;
}
