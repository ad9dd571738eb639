// Probabilities of calibrated LinearSVCs against scikit-learn's, on rows that nobody has seen: same method, same folds, C = 1, an intercept that is regularised, as scikit-learn's LinearSVC has it. One judge for both.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calibrate, folds, LinearSVC, readSvmlight } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { PYTHON, scikitLearn } from "./contenders/scikit-learn.ts";
import type { DataFile } from "./data.ts";

const FOLDS = 5;
const methods = ["sigmoid", "isotonic"] as const;
/** As scikit-learn's log_loss: a probability of 0 would cost everything. */
const LEAST = 1e-15;
const MEASURE = "log loss of a calibrated LinearSVC on the test part, 5 folds, the same for both; no more than 1 % or 0.002 above is asked";

export async function raceCalibration(train: DataFile, test: DataFile, folder: string): Promise<Row[]> {
  const { x, y } = await readSvmlight(train.path);
  const held = await readSvmlight(test.path, { featureCount: x.featureCount });
  // A class that has fewer rows than there are folds cannot be in all of them.
  const sizes = new Map<number, number>();
  for (const label of y) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const cut = folds(y, { count: FOLDS, kind: Math.min(...sizes.values()) < FOLDS ? "plain" : "stratified" });
  const foldOf = new Uint32Array(y.length);
  for (const [k, fold] of cut.entries()) for (const row of fold.test) foldOf[row] = k;
  const [foldsPath, out] = [join(folder, "folds"), join(folder, "probabilities")];
  writeFileSync(foldsPath, foldOf);
  const classes = [...new Set(y)].sort((a, b) => a - b);
  const rows: Row[] = [];
  for (const method of methods) {
    const common = { data: train.name, measure: MEASURE, method };
    const model = await calibrate(LinearSVC, x, Array.from(y), { method, folds: cut, bias: "augmented" });
    const ours = await judged(await model.probabilities(held.x), model.classes as readonly number[], held.y);
    rows.push({
      ...common,
      contender: "hinge",
      version: hingeVersion,
      flags: `calibrate(LinearSVC, x, y, { method: "${method}", bias: "augmented" })`,
      ...ours,
    });
    if (scikitLearn.version === undefined) continue;
    const args = ["bench/contenders/scikit_calibrated.py", train.path, test.path, String(x.featureCount), foldsPath, method, out];
    execFileSync(PYTHON, args);
    const bytes = readFileSync(out);
    const theirs = await judged(new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8), classes, held.y);
    const flags = `CalibratedClassifierCV(LinearSVC(dual=rows < features), method="${method}", cv=folds, ensemble=False)`;
    const asked = Math.max(1.01 * theirs.logLoss, theirs.logLoss + 0.002);
    rows.push({ ...common, contender: "scikit-learn", version: scikitLearn.version, flags, ...theirs });
    rows.push({
      ...common,
      contender: "hinge over scikit-learn",
      logLoss: ours.logLoss / theirs.logLoss,
      // It has no figure where its own sums are not numbers.
      isAsAsked: ours.logLoss <= asked || Number.isNaN(theirs.logLoss),
    });
  }
  return rows;
}

function judged(probabilities: Float64Array, classes: readonly number[], y: ArrayLike<number>): { logLoss: number; accuracy: number } {
  const places = new Map(classes.map((label, k) => [label, k]));
  let [loss, right] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    const own = probabilities.subarray(i * classes.length, (i + 1) * classes.length);
    const place = places.get(y[i] as number);
    loss -= Math.log(Math.max(LEAST, place === undefined ? 0 : (own[place] as number)));
    if (own.indexOf(Math.max(...own)) === place) right++;
  }
  return { logLoss: loss / y.length, accuracy: right / y.length };
}
