// What svm-train prints of its problems, from the model's file and the report of the fit.

import { KernelModel } from "../../estimators/kernel-model.js";
import type { NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../../index.js";
import { isClassification, type LibsvmData } from "../../model/libsvm-file.js";
import { pairs } from "../../model/schemes.js";

export type Fitted = SVC | NuSVC | OneClassSVM | SVR | NuSVR;

/** A text a problem, and one behind them. */
export interface Told {
  readonly problems: readonly string[];
  readonly total: string;
}

/** `weights`: what multiplies C, by the numbers of classes. */
export function described(
  model: Fitted,
  file: LibsvmData,
  { type, C, nu }: { readonly type: LibsvmData["type"]; readonly C: number; readonly nu: number },
  y: ArrayLike<number>,
  weights: ReadonlyMap<number, number>,
): Told {
  const costOf = (number: number): number => C * (weights.get(number) ?? 1);
  const problems = model.report.run?.problems ?? [];
  const texts = problems.map(({ stages, certificate }, m) => {
    const { values, rowCount, costs } = partOf(file, m, y, type === "c_svc" ? costOf : () => 1);
    const sum = values.reduce((total, { size }) => total + size, 0);
    // nu-SVC's variables are those of the problem divided by r, so that the margin is 1.
    const scale = type === "nu_svc" && sum > 0 ? sum / (nu * rowCount) : 1;
    const bound = type === "c_svc" ? 1 : type === "epsilon_svr" || type === "nu_svr" ? C : scale;
    const bounded = values.filter(({ size, cost }) => size >= bound * cost * (1 - 1e-12)).length;
    const iterations = stages.reduce((total, stage) => total + stage.iterations, 0);
    const first = {
      c_svc: costs[0] === costs[1] ? `nu = ${(sum / ((costs[0] as number) * rowCount)).toFixed(6)}\n` : "",
      nu_svc: `C = ${scale.toFixed(6)}\n`,
      one_class: "",
      epsilon_svr: `nu = ${(sum / (C * rowCount)).toFixed(6)}\n`,
      nu_svr: `epsilon = ${(KernelModel.dataOf(model).problem.epsilon ?? 0).toFixed(6)}\n`,
    }[type];
    return (
      `${".".repeat(Math.floor(iterations / 1000))}*\noptimization finished, #iter = ${iterations}\n${first}` +
      `obj = ${fixed(-certificate.dual * scale * scale)}, rho = ${fixed(file.rho[m] as number)}\nnSV = ${values.length}, nBSV = ${bounded}\n`
    );
  });
  return { problems: texts, total: isClassification(file.type) ? `Total nSV = ${file.vectors.count}\n` : "" };
}

/** Six digits behind the point; never -0. */
function fixed(value: number): string {
  return (Math.abs(value) < 5e-7 ? 0 : value).toFixed(6);
}

/** The support vectors of problem m, of a pair of classes or of all: sizes of their coefficients and what their loss costs. */
function partOf(
  { type, labels, classCount, vectors, vectorCounts }: LibsvmData,
  m: number,
  y: ArrayLike<number>,
  costOf: (number: number) => number,
): { values: { size: number; cost: number }[]; rowCount: number; costs: number[] } {
  const { count, coefficients } = vectors;
  if (!isClassification(type) || labels === undefined || vectorCounts === undefined) {
    const values = Array.from(coefficients, (value) => ({ size: Math.abs(value), cost: 1 })).filter(({ size }) => size > 0);
    return { values, rowCount: y.length, costs: [1, 1] };
  }
  const columns = coefficients.length / Math.max(1, count);
  const pair = pairs(classCount)[m] as readonly [number, number];
  const starts = [0];
  for (const size of vectorCounts) starts.push((starts.at(-1) as number) + size);
  const sides = [0, 1].map((side) => {
    const [own, other] = [pair[side] as number, pair[1 - side] as number];
    const column = classCount === 2 ? 0 : other > own ? other - 1 : other;
    return { own, column, cost: costOf(labels[own] as number) };
  });
  const values = sides.flatMap(({ own, column, cost }) => {
    const list: { size: number; cost: number }[] = [];
    for (let i = starts[own] as number; i < (starts[own + 1] as number); i++) {
      const size = Math.abs(coefficients[i * columns + column] as number);
      if (size > 0) list.push({ size, cost });
    }
    return list;
  });
  const isIn = (number: number): boolean => sides.some(({ own }) => labels[own] === number);
  const rowCount = Array.from(y).reduce((rows, number) => rows + (isIn(number) ? 1 : 0), 0);
  return { values, rowCount, costs: sides.map(({ cost }) => cost) };
}
