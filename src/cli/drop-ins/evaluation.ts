// How well predictions fit, in the originals' words: of classes how many are right, of numbers how far they are off.

import { formatGeneral } from "../../formats/printf.js";

/** Behind a cross-validation. */
export function validated(kind: "classes" | "numbers", y: ArrayLike<number>, predicted: ArrayLike<number>): string {
  if (kind === "classes") return `Cross Validation Accuracy = ${shown((rightOf(y, predicted) / y.length) * 100)}%\n`;
  const { error, correlation } = errorsOf(y, predicted);
  return `Cross Validation Mean squared error = ${shown(error)}\nCross Validation Squared correlation coefficient = ${shown(correlation)}\n`;
}

/** Behind a prediction. `kindWord`: what svm-predict says behind an accuracy. */
export function compared(kind: "classes" | "numbers", y: ArrayLike<number>, predicted: ArrayLike<number>, kindWord = ""): string {
  if (kind === "classes") {
    const right = rightOf(y, predicted);
    return `Accuracy = ${shown((right / y.length) * 100)}% (${right}/${y.length})${kindWord}\n`;
  }
  const { error, correlation } = errorsOf(y, predicted);
  return `Mean squared error = ${shown(error)} (regression)\nSquared correlation coefficient = ${shown(correlation)} (regression)\n`;
}

function rightOf(y: ArrayLike<number>, predicted: ArrayLike<number>): number {
  let right = 0;
  for (let i = 0; i < y.length; i++) if (y[i] === predicted[i]) right++;
  return right;
}

/** The mean squared error, and the squared correlation of predictions and targets as the originals compute it: not a number where one of them never changes. */
function errorsOf(y: ArrayLike<number>, predicted: ArrayLike<number>): { error: number; correlation: number } {
  let [error, p, t, pp, tt, pt] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < y.length; i++) {
    const [target, own] = [y[i] as number, predicted[i] as number];
    error += (own - target) ** 2;
    p += own;
    t += target;
    pp += own * own;
    tt += target * target;
    pt += own * target;
  }
  const n = y.length;
  return { error: error / n, correlation: (n * pt - p * t) ** 2 / ((n * pp - p * p) * (n * tt - t * t)) };
}

/** As %g, also of what is no number. */
function shown(value: number): string {
  if (Number.isNaN(value)) return "-nan";
  return Number.isFinite(value) ? formatGeneral(value, 6) : value > 0 ? "inf" : "-inf";
}
