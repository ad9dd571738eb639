// The result in a sentence, what was trained in a second one, and the few numbers that are asked for first.

import { accuracy, classReport } from "../metrics/classes.js";
import { rocCurve } from "../metrics/curves.js";
import { meanAbsoluteError, meanSquaredError, r2 } from "../metrics/numbers.js";
import type { ModelFacts, ReportInput } from "./input.js";
import { figures } from "./tables.js";
import { isMixed, rowsText, type TestedClasses, type TestedNumbers } from "./tested.js";
import { bound, brief, counted, cut, escaped, fixed, seconds, share } from "./text.js";

/** What was tested, if anything was. */
export interface Tested {
  readonly classes?: TestedClasses | undefined;
  readonly numbers?: TestedNumbers | undefined;
}

export function headline({ data, model, test }: ReportInput, { classes, numbers }: Tested): string {
  const proof = proofText(model);
  const parts: string[] = [];
  if (classes !== undefined) {
    const right = accuracy(classes.y, classes.predicted);
    const rows = rowsText(classes.y.length, test?.rows);
    if (right === 1 && classes.y.length > 1) parts.push(`All ${rows} right`);
    else parts.push(right === 0 ? `None of ${rows} right` : `${share(right)} of ${rows} right`);
  } else if (numbers !== undefined) {
    const explained = r2(numbers.y, numbers.predicted);
    const rows = rowsText(numbers.y.length, test?.rows);
    const error = `off by ${brief(meanAbsoluteError(numbers.y, numbers.predicted), 3)} on average`;
    parts.push(
      explained > 0 ? `${share(explained)} of the variance of ${rows} explained, ${error}` : `${rows}: no better than their mean, ${error}`,
    );
  } else {
    parts.push(`${model.estimator} trained on ${counted(data.rowCount, "row")}`);
  }
  if (proof !== "") parts.push(proof);
  return `${parts.join("; ")}.`;
}

function proofText({ certificate, status }: ModelFacts): string {
  if (certificate === undefined) return "";
  const { relativeGap } = certificate;
  if (relativeGap === null || !Number.isFinite(relativeGap)) return "no proof of optimality";
  const early = ["iteration-limit", "time-limit", "aborted"].includes(status ?? "") ? ", though stopped early" : "";
  if (relativeGap <= 0) return "proven optimal";
  const small = relativeGap <= 1e-9 ? "a billionth" : relativeGap <= 1e-6 ? "a millionth" : bound(relativeGap);
  return `proven within ${small} of the optimum${early}`;
}

/** HTML below the headline. */
export function lead(input: ReportInput, tested: Tested): string {
  const { data, model } = input;
  const steps = [...(model.pipeline ?? []), model.estimator].filter((step, k, all) => step !== all[k - 1]).join(" → ");
  const classCount = data.classes?.length ?? 0;
  const kinds = classCount > 0 ? `, ${counted(classCount, "class")}` : "";
  const size = `${counted(data.rowCount, "row")} of ${data.name}, ${counted(data.featureCount, "feature")}${kinds}`;
  const took = model.seconds !== undefined && Number.isFinite(model.seconds.total) ? `, in ${seconds(model.seconds.total)}` : "";
  return `<p class="lead">${escaped(steps)}, trained on ${escaped(size)}${took}.</p>\n${tiles(input, tested)}`;
}

function tiles({ model }: ReportInput, { classes, numbers }: Tested): string {
  const pairs: [string, string][] = [];
  if (classes !== undefined) pairs.push(...classTiles(classes));
  if (numbers !== undefined) {
    const { y, predicted } = numbers;
    pairs.push([fixed(r2(y, predicted)), "R²"]);
    pairs.push([brief(meanAbsoluteError(y, predicted), 3), "mean absolute error"]);
    pairs.push([brief(Math.sqrt(meanSquaredError(y, predicted)), 3), "root mean squared error"]);
  }
  const gap = model.certificate?.relativeGap;
  if (typeof gap === "number" && Number.isFinite(gap)) pairs.push([`≤ ${bound(gap)}`, "from the optimum, proven"]);
  if (model.supportCount !== undefined && pairs.length < 3) pairs.push([brief(model.supportCount, 6), "support vectors"]);
  return figures(pairs);
}

function classTiles({ y, predicted, scores }: TestedClasses): [string, string][] {
  const { accuracy: right, balancedAccuracy, macro, classes } = classReport(y, predicted);
  const pairs: [string, string][] = [
    [share(right), "accuracy"],
    [share(balancedAccuracy), "balanced accuracy"],
  ];
  const positive = scores?.classes.length === 2 ? scores.classes[1] : undefined;
  const own = classes.find(({ label }) => label === positive);
  if (own === undefined) return [...pairs, [fixed(macro.f1), "F1, mean of classes"]];
  pairs.push([fixed(own.f1), `F1 of ${cut(String(own.label), 20)}`]);
  if (scores !== undefined && isMixed(scores.y, positive)) {
    const { area } = rocCurve(scores.y, scores.lists[0] as Float64Array, { positive });
    pairs.push([fixed(area), "ROC area"]);
  }
  return pairs;
}
