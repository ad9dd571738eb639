// What liblinear-train prints of a fit, from its report and, where that has no such figure, from the rows and the weights.
//
// Every number is one of our own fit. Where LIBLINEAR's method has a part that ours has not, the line keeps its form:
//   iter … CG n step_size …   one line a fit: the whole way from the start is taken for one step of size 1, and n is the passes over the rows that it took
//   iter … #CD cycles n       one line a step; n is 0, since nobody counts the cycles in it
//   dots and stars            a dot for ten passes; a star for the last look at all rows, where rows were left alone before

import { exp, log1p } from "../../base/math.js";
import type { Matrix } from "../../data/matrix.js";
import type { ProblemReport } from "../../estimators/linear-fit.js";
import type { BinaryMethod, Heir } from "./liblinear-methods.js";

/** The bias as the problem has it. */
export interface BiasForm {
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

/** A model of one problem. */
export interface Point {
  readonly w: Float64Array;
  readonly bias: number;
}

/** A smooth problem: what row i costs at a score, and how steeply that changes. */
export interface SmoothRows extends BiasForm {
  readonly rowCount: number;
  loss(i: number, score: number): Loss;
}

interface Loss {
  readonly value: number;
  readonly slope: number;
}

/** `signs`: above 0 for the rows of the positive class. The loss is one that is smooth. */
export function classRows(
  loss: BinaryMethod["loss"],
  signs: ArrayLike<number>,
  costOf: (isPositive: boolean) => number,
  form: BiasForm,
): SmoothRows {
  const [positive, negative] = [costOf(true), costOf(false)];
  const lossAt = loss === "logistic" ? logistic : squaredHinge;
  return {
    ...{ bias: form.bias, biasScale: form.biasScale, rowCount: signs.length },
    loss: (i, score) => {
      const [sign, cost] = (signs[i] as number) > 0 ? [1, positive] : [-1, negative];
      const { value, slope } = lossAt(sign * score);
      return { value: cost * value, slope: sign * cost * slope };
    },
  };
}

/** What a margin costs and how that changes with it. The larger of the two terms is taken out, so that nothing overflows. */
function logistic(margin: number): Loss {
  const e = exp(-Math.abs(margin));
  return { value: Math.max(0, -margin) + log1p(e), slope: -(margin > 0 ? e : 1) / (1 + e) };
}

function squaredHinge(margin: number): Loss {
  const short = Math.max(0, 1 - margin);
  return { value: short * short, slope: -2 * short };
}

/** The squared tube. */
export function targetRows(targets: ArrayLike<number>, C: number, epsilon: number, form: BiasForm): SmoothRows {
  return {
    ...{ bias: form.bias, biasScale: form.biasScale, rowCount: targets.length },
    loss: (i, score) => {
      const away = score - (targets[i] as number);
      const beyond = Math.max(0, Math.abs(away) - epsilon);
      return { value: C * beyond * beyond, slope: 2 * C * Math.sign(away) * beyond };
    },
  };
}

/** The objective and the length of its gradient, of which the weight of a constant feature is part. */
function standing(x: Matrix, rows: SmoothRows, { w, bias }: Point): { f: number; g: number } {
  const scale = rows.bias === false ? 0 : rows.bias === "augmented" ? rows.biasScale : 1;
  const v = rows.bias === "augmented" ? bias / rows.biasScale : 0;
  const gradient = w.slice();
  let [f, biasSlope] = [0.5 * (sumOfSquares(w) + v * v), v];
  for (let i = 0; i < rows.rowCount; i++) {
    let score = bias;
    x.forEachInRow(i, (j, entry) => {
      score += entry * (w[j] as number);
    });
    const { value, slope } = rows.loss(i, score);
    f += value;
    biasSlope += scale * slope;
    if (slope !== 0)
      x.forEachInRow(i, (j, entry) => {
        gradient[j] = (gradient[j] as number) + slope * entry;
      });
  }
  return { f, g: Math.sqrt(sumOfSquares(gradient) + biasSlope * biasSlope) };
}

function sumOfSquares(list: Float64Array): number {
  return list.reduce((sum, value) => sum + value * value, 0);
}

export function primalLines(x: Matrix, rows: SmoothRows, start: Point, end: Point, report: ProblemReport): string {
  const [first, last] = [standing(x, rows, start), standing(x, rows, end)];
  const passes = iterationsOf(report);
  const init = `init f ${scientific(first.f, 3)} |g| ${scientific(first.g, 3)}\n`;
  const step = `iter  1 f ${scientific(last.f, 3)} |g| ${scientific(last.g, 3)} CG ${String(passes).padStart(3)} step_size 1.00e+00 \n`;
  const warnings: Partial<Record<ProblemReport["status"], string>> = {
    "iteration-limit": "\nWARNING: reaching max number of Newton iterations\n",
    "precision-limit": "WARNING: actred too small\n",
  };
  // A free bias may be all that there is to find, which takes no pass.
  return init + (passes > 0 || last.f !== first.f ? step : "") + (warnings[report.status] ?? "");
}

/** `supportCount`: undefined where the line is not printed. */
export function dualLines(report: ProblemReport, supportCount: number | undefined, hasStar = true): string {
  return `${finished(report, hasStar)}Objective value = ${fixed(-report.certificate.dual)}\n${supportCount === undefined ? "" : `nSV = ${supportCount}\n`}`;
}

/** What a dual method says behind its lines once it has reached its limit. */
export function heirLines({ flag, share }: Heir): string {
  const advice = share === undefined ? `Using -s ${flag} may be faster (also see FAQ)` : `Switching to use -s ${flag}`;
  return `\nWARNING: reaching max number of iterations\n${advice}\n\n`;
}

/** Of Crammer and Singer's problem and of one class: the warning comes before the figures. */
export function singleLines(report: ProblemReport, supportCount: number, warning: string): string {
  const [head = "", ...rest] = dualLines(report, supportCount).split(/(?=Objective value)/);
  return head + (report.status === "iteration-limit" ? warning : "") + rest.join("");
}

export function l1Lines(loss: BinaryMethod["loss"], report: ProblemReport, weights: Float64Array): string {
  const steps = iterationsOf(report);
  const isOver = report.status === "iteration-limit";
  const warning = "WARNING: reaching max number of iterations\n";
  const ruled = Array.from({ length: steps }, (_, k) => `iter ${String(k + 1).padStart(3)}  #CD cycles 0\n`).join("");
  const head =
    loss === "logistic"
      ? `${ruled}=========================\noptimization finished, #iter = ${steps}\n${isOver ? warning : ""}`
      : `${finished(report, true)}${isOver ? `\n${warning}` : ""}`;
  const used = weights.reduce((count, weight) => count + (weight === 0 ? 0 : 1), 0);
  return `${head}Objective value = ${fixed(report.certificate.primal)}\n#nonzeros/#features = ${used}/${weights.length}\n`;
}

function finished(report: ProblemReport, hasStar: boolean): string {
  const passes = iterationsOf(report);
  const star = hasStar && report.status === "converged" ? "*" : "";
  return `${".".repeat(Math.floor(passes / 10))}${star}\noptimization finished, #iter = ${passes}\n`;
}

function iterationsOf({ stages }: ProblemReport): number {
  return stages.reduce((total, stage) => total + stage.iterations, 0);
}

/** As %f; never -0. */
export function fixed(value: number): string {
  return (Math.abs(value) < 5e-7 ? 0 : value).toFixed(6);
}

/** As %.<digits>e, whose exponent has two digits at least. */
function scientific(value: number, digits: number): string {
  return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
}
