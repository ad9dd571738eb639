// What a model file of LIBSVM says of rows, with its probability estimates where they are asked for.

import { libsvmProbabilities, normalProbability } from "../../calibration/libsvm.js";
import type { Matrix } from "../../data/matrix.js";
import { formatGeneral } from "../../formats/printf.js";
import { type KernelModel, NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../../index.js";
import { isClassification, type LibsvmData } from "../../model/libsvm-file.js";
import { estimatorOfLibsvm } from "../../model/libsvm-models.js";
import { placeOfLargest } from "./classes.js";

const estimators = { SVC, NuSVC, SVR, NuSVR, OneClassSVM };

/** What a prediction says of every row: a label or a number, and the text behind it. */
interface Predicted {
  readonly values: ArrayLike<number>;
  readonly behind?: ((row: number) => string) | undefined;
  /** The first line of the output. */
  readonly head?: string;
}

export async function predicted(file: LibsvmData, x: Matrix, wanted: boolean, say: (text: string) => void): Promise<Predicted> {
  // Of one class there is nothing to decide.
  if (isClassification(file.type) && file.classCount === 1) return { values: new Array(x.rowCount).fill(file.labels?.[0] ?? 0) };
  const model: KernelModel = estimators[estimatorOfLibsvm(file)].fromLibsvm(file, x.featureCount);
  if (isClassification(file.type)) {
    if (!wanted) return { values: (await (model as SVC).predict(x)) as number[] };
    const sign = file.classCount === 2 ? 1 : -1;
    const decisions = (await model.decision(x)).map((value) => sign * value);
    const { probA, probB, classCount } = file as LibsvmData & { probA: Float64Array; probB: Float64Array };
    const labels = [...(file.labels ?? [])];
    const all = libsvmProbabilities({ probA, probB }, classCount, decisions);
    const rowOf = (i: number): Float64Array => all.subarray(i * classCount, (i + 1) * classCount);
    return {
      head: `labels ${labels.join(" ")}\n`,
      values: Array.from({ length: x.rowCount }, (_, i) => labels[placeOfLargest(rowOf(i))] as number),
      behind: (i) => Array.from(rowOf(i), (p) => ` ${formatGeneral(p, 6)}`).join(""),
    };
  }
  if (model instanceof OneClassSVM) {
    const values = await model.predict(x);
    if (!wanted) return { values };
    const decisions = await model.decision(x);
    return {
      head: "label normal outlier\n",
      values,
      behind: (i) => {
        const p = normalProbability(file.densityMarks as Float64Array, decisions[i] as number);
        return ` ${formatGeneral(p, 6)} ${formatGeneral(1 - p, 6)}`;
      },
    };
  }
  if (wanted)
    say(
      `Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=${formatGeneral((file.probA as Float64Array)[0] as number, 6)}\n`,
    );
  return { values: await (model as SVR).predict(x) };
}
