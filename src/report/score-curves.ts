// What scores and probabilities are worth: ROC and precision-recall curves, calibration, and how scores are spread.

import type { MetricLabel } from "../metrics/checked.js";
import { brierScore, calibrationCurve, logLoss, prCurve, type RocCurve, rocCurve } from "../metrics/curves.js";
import { at, drawing, figure, PLOT, shareAxis } from "./axes.js";
import { histogram } from "./histogram.js";
import { lineChart, type Point, pathOf, thinned } from "./line-chart.js";
import { type ClassCurve, isMixed, type TestedClasses, type TestedScores } from "./tested.js";
import { counted, cut, escaped, fixed, grouped, share } from "./text.js";

/** So many classes have a ROC curve of their own. */
const MOST_CURVES = 8;

export function scoreCurves(tested: TestedClasses, curves: readonly ClassCurve[]): string {
  const { scores, probabilities } = tested;
  if (scores === undefined) return "";
  const isTwo = scores.classes.length === 2;
  const parts = isTwo ? twoClasses(scores) : [marginHistogram(scores)];
  parts.push(...calibrationFigure(probabilities));
  const shown = parts.filter((part) => part !== "");
  const small = smallCurves(curves);
  // A few small curves fit beside the only chart.
  if (shown.length === 1 && small !== "" && scores.classes.length <= 4)
    return `<div class="pair">\n${shown[0]}\n<div>${small}</div>\n</div>`;
  return `${shown.length === 0 ? "" : `<div class="pair">\n${shown.join("\n")}\n</div>`}${small}`;
}

function twoClasses(scores: TestedScores): string[] {
  const [values] = scores.lists as [Float64Array];
  const positive = scores.classes[1] as MetricLabel;
  const name = cut(String(positive), 24);
  const parts: string[] = [];
  if (isMixed(scores.y, positive)) {
    const roc = rocCurve(scores.y, values, { positive });
    const chart = lineChart({
      ...{
        ...PLOT,
        id: "roc",
        title: `ROC curve of ${name}`,
        description: `The area under the curve is ${fixed(roc.area)}; chance gives 0.5.`,
      },
      across: shareAxis(`others taken for ${name}`),
      up: shareAxis(`share of ${name} found`),
      curves: [{ points: rocPoints(roc), look: "accent", isFilled: true }],
      guides: [diagonal],
    });
    parts.push(figure("ROC curve", chart, { caption: `Area <b>${fixed(roc.area)}</b>. Dashed: chance, 0.5.` }));
  }
  if (scores.y.includes(positive)) parts.push(precisionFigure(scores, values, positive, name));
  parts.push(scoreHistogram(scores, values, positive));
  return parts;
}

const diagonal: readonly Point[] = [
  [0, 0],
  [1, 1],
];

function rocPoints({ falsePositiveRates, truePositiveRates }: RocCurve): Point[] {
  return Array.from(falsePositiveRates, (rate, k): Point => [rate, truePositiveRates[k] as number]);
}

function precisionFigure({ y }: TestedScores, values: Float64Array, positive: MetricLabel, name: string): string {
  const { precisions, recalls, averagePrecision } = prCurve(y, values, { positive });
  const rate = y.filter((label) => label === positive).length / y.length;
  const chart = lineChart({
    ...{ ...PLOT, id: "pr", title: `Precision and recall of ${name}` },
    description: `The average precision is ${fixed(averagePrecision)}; chance gives ${fixed(rate)}.`,
    across: shareAxis(`recall: share of ${name} found`),
    up: shareAxis("precision: share that is right"),
    curves: [
      { points: Array.from(recalls, (recall, k): Point => [recall, precisions[k] as number]).reverse(), look: "accent", isFilled: true },
    ],
    guides: [
      [
        [0, rate],
        [1, rate],
      ],
    ],
  });
  return figure("Precision and recall", chart, {
    caption: `Average precision <b>${fixed(averagePrecision)}</b>. Dashed: chance, ${fixed(rate)}.`,
  });
}

function scoreHistogram({ y, classes, isProbability }: TestedScores, values: Float64Array, positive: MetricLabel): string {
  const of = (isPositive: boolean): Float64Array => values.filter((_, i) => (y[i] === positive) === isPositive);
  const mark = isProbability ? 0.5 : 0;
  const name = cut(String(positive), 24);
  const chart = histogram({
    ...{ ...PLOT, id: "scores", title: "Scores of both classes" },
    description: `Rows right of ${mark} are predicted as ${name}, the others as ${cut(String(classes[0]), 24)}.`,
    label: isProbability ? `probability of ${name}` : "decision value",
    groups: [
      { values: of(false), look: "soft" },
      { values: of(true), look: "accent" },
    ],
    mark,
  });
  const legend = [
    { look: "soft", text: cut(String(classes[0]), 40) },
    { look: "accent", text: cut(String(positive), 40) },
    { look: "dashed", text: "where the prediction changes" },
  ] as const;
  return figure("Scores by class", chart, { legend });
}

/** Of more than two classes: by how much the winner was ahead, of rows that were right and of rows that were wrong. */
function marginHistogram({ y, predicted, lists, isProbability }: TestedScores): string {
  const leads = Float64Array.from(y, (_, i) => {
    let [first, second] = [-Infinity, -Infinity];
    for (const list of lists) {
      const value = list[i] as number;
      if (value > first) [first, second] = [value, first];
      else if (value > second) second = value;
    }
    return first - second;
  });
  const of = (isRight: boolean): Float64Array => leads.filter((_, i) => (y[i] === predicted[i]) === isRight);
  const [right, wrong] = [of(true), of(false)];
  const what = isProbability ? "probability" : "score";
  const chart = histogram({
    ...{ ...PLOT, id: "leads", title: "How sure the model was" },
    description:
      `By how much the ${what} of the winning class was above the next: ` +
      `${counted(right.length, "row")} right, ${grouped(wrong.length)} wrong.`,
    label: `lead of the winning class in ${what}`,
    groups: [
      { values: right, look: "accent" },
      { values: wrong, look: "wrong" },
    ],
  });
  const legend = [
    { look: "accent", text: `right, ${grouped(right.length)}` },
    { look: "wrong", text: `wrong, ${grouped(wrong.length)}` },
  ] as const;
  return figure("How sure it was", chart, { legend, caption: "Errors should lie at the left, where the model was in doubt." });
}

function calibrationFigure(probabilities: TestedScores | undefined): string[] {
  if (probabilities === undefined) return [];
  const { y, predicted, classes, lists } = probabilities;
  const isTwo = classes.length === 2;
  const name = isTwo ? cut(String(classes[1]), 24) : "the predicted class";
  const values = isTwo ? (lists[0] as Float64Array) : largestOf(lists);
  // Of more classes: whether the predicted one was right as often as was said.
  const truth = isTwo ? y.map((label) => (label === classes[1] ? 1 : 0)) : y.map((label, i) => (label === predicted[i] ? 1 : 0));
  if (!isMixed(truth, 1)) return [];
  const curve = calibrationCurve(truth, values, { positive: 1, bins: 10 });
  const most = curve.weights.reduce((max, weight) => Math.max(max, weight), 0);
  const off =
    curve.weights.reduce((sum, weight, k) => sum + weight * Math.abs((curve.predicted[k] as number) - (curve.observed[k] as number)), 0) /
    y.length;
  const flat = isTwo
    ? values
    : Float64Array.from(
        { length: y.length * classes.length },
        (_, at_) => lists[at_ % classes.length]?.[Math.floor(at_ / classes.length)] as number,
      );
  const isKnown = y.every((label) => classes.includes(label));
  const loss = isKnown ? `, log loss <b>${fixed(logLoss(y, flat, { classes }))}</b>` : "";
  const brier = isTwo ? `Brier score <b>${fixed(brierScore(truth, values, { positive: 1 }))}</b>` : `Mean distance <b>${share(off)}</b>`;
  const chart = lineChart({
    ...{ ...PLOT, id: "calibration", title: `Calibration of ${name}` },
    description: `Of rows with about the same probability, the share that came true; on average ${share(off)} away from what was said.`,
    across: shareAxis(isTwo ? `probability of ${name}` : "probability of the predicted class"),
    up: shareAxis("share that came true"),
    curves: [
      {
        points: Array.from(curve.predicted, (value, k): Point => [value, curve.observed[k] as number]),
        look: "accent",
        dots: Array.from(curve.weights, (weight) => 2.5 + 5 * Math.sqrt(weight / most)),
      },
    ],
    guides: [diagonal],
  });
  return [figure("Calibration", chart, { caption: `${brier}${loss}. Dashed: what was said comes true. Larger dots are more rows.` })];
}

function largestOf(lists: readonly Float64Array[]): Float64Array {
  return (lists[0] as Float64Array).map((_, i) => lists.reduce((most, list) => Math.max(most, list[i] as number), 0));
}

/** A small ROC curve a class, the other classes behind it; of many classes those that are told apart worst. */
function smallCurves(all: readonly ClassCurve[]): string {
  if (all.length === 0) return "";
  const worst = all.length <= MOST_CURVES ? all : [...all].sort((a, b) => a.roc.area - b.roc.area).slice(0, MOST_CURVES);
  const size = 190;
  const place = ([x, up]: Point): Point => [1 + x * (size - 2), size - 1 - up * (size - 2)];
  const paths = worst.map(({ roc }) => thinned(rocPoints(roc).map(place), 1.2));
  const charts = worst.map(({ label, roc }, k) => {
    const own = paths[k] as Point[];
    const behind = paths.filter((_, other) => other !== k).map((path) => `<path class="soft-line" d="${pathOf(path)}"/>`);
    const ground = `<path class="grid" d="M1 1H${size - 1}V${size - 1}H1Z"/><path class="guide" d="M1 ${at(size - 1)}L${at(size - 1)} 1"/>`;
    const below = `${pathOf([...own, [size - 1, size - 1], [1, size - 1]])}Z`;
    const line = `<path class="accent-area" d="${below}"/><path class="accent-line" d="${pathOf(own)}"/>`;
    const title = `ROC curve of ${label} against the rest`;
    const head = `<h3>${escaped(cut(String(label), 24))}</h3>\n<p class="note">area ${fixed(roc.area)}</p>`;
    const chart = drawing(
      { id: `roc-${k}`, title, description: `The area is ${fixed(roc.area)}.`, width: size, height: size },
      [ground, ...behind, line].join("\n"),
    );
    return `<figure>\n${head}\n${chart}\n</figure>`;
  });
  const which =
    all.length > MOST_CURVES
      ? `The ${MOST_CURVES} of ${all.length} classes that are told from the rest worst.`
      : "Each class against the rest.";
  const note = `${which} Across: others taken for the class; up: share of the class found. Grey: the other curves.`;
  return `<h3>ROC curves</h3>\n<p class="note">${note}</p>\n<div class="small">\n${charts.join("\n")}\n</div>`;
}
