// Model files of LIBSVM:
//
//   svm_type c_svc
//   kernel_type rbf
//   gamma 0.076923076923076927      the kernel's constants: degree, gamma, coef0
//   nr_class 2
//   total_sv 132
//   rho 0.42446205176771579         one a pair of classes
//   label 1 -1                      classification only, like nr_sv
//   probA, probB                    with probability estimates; one a pair of classes; regression has one probA
//   prob_density_marks              ten, one-class with probability estimates
//   nr_sv 64 68
//   SV                              then the support vectors (libsvm-vectors.ts)

import {
  DENSITY_MARKS,
  isClassification,
  kernelConstants,
  type LibsvmData,
  type LibsvmKernel,
  libsvmKernels,
  libsvmTypes,
  pairCount,
} from "../model/libsvm-file.js";
import { GeneralWriter } from "./general-writer.js";
import { readVectors } from "./libsvm-vectors.js";
import { COUNT, type HeaderGrammar, ModelHeader } from "./model-header.js";
import { ModelText } from "./model-text.js";
import { areLong, vectorLines, writeVectors } from "./vector-lines.js";
import type { VectorLines } from "./write-vectors.js";

const grammar: HeaderGrammar = {
  program: "LIBSVM",
  keys: [
    ...["svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class", "total_sv"],
    ...["rho", "label", "probA", "probB", "prob_density_marks", "nr_sv"],
  ],
  closing: "SV",
};

/**
 * What the file holds; `name` is what errors call it. Any bytes give data or a `HingeError`. `isForModel`: values of support vectors in float32, which is all that a model holds of them; read
 * so, they are there in a third of the time.
 */
export function readLibsvmModel(bytes: Uint8Array, name: string, isForModel = false): LibsvmData {
  const text = new ModelText(bytes, name);
  const header = ModelHeader.read(text, grammar);
  const type = header.word("svm_type", libsvmTypes);
  const kernel = readKernel(header);
  const labelled = isClassification(type);
  const classCount = header.whole("nr_class", labelled ? { ...COUNT, least: 1 } : { least: 2, most: 2 });
  const vectorCount = header.whole("total_sv", classCount === 1 ? { least: 0, most: 0 } : COUNT);
  if (!labelled) header.refuse(["label", "nr_sv", "probB"], type);
  if (type !== "one_class") header.refuse(["prob_density_marks"], type);
  else header.refuse(["probA"], type);
  if (labelled && header.has("probA") !== header.has("probB")) {
    header.fail(header.has("probA") ? "probA" : "probB", "probA and probB must come together; add the other, or remove this one");
  }
  const optional = (key: string, count: number) => (header.has(key) ? header.numbers(key, count) : undefined);
  return Object.freeze({
    type,
    kernel,
    classCount,
    rho: header.numbers("rho", pairCount(classCount)),
    labels: labelled ? header.labels("label", classCount) : undefined,
    probA: optional("probA", pairCount(classCount)),
    probB: optional("probB", pairCount(classCount)),
    densityMarks: optional("prob_density_marks", DENSITY_MARKS),
    vectorCounts: labelled ? readVectorCounts(header, classCount, vectorCount) : undefined,
    vectors: readVectors(text, { count: vectorCount, columns: classCount - 1, isPrecomputed: kernel.type === "precomputed" }, isForModel),
  });
}

function readKernel(header: ModelHeader): LibsvmKernel {
  const type = header.word("kernel_type", libsvmKernels);
  const wanted = kernelConstants[type];
  for (const key of kernelConstants.polynomial) {
    if (header.has(key) && !wanted.includes(key))
      header.fail(key, `the kernel ${type} has no ${key}; remove the line, or correct kernel_type`);
  }
  const degree = wanted.includes("degree") ? header.whole("degree", COUNT) : 0;
  const gamma = wanted.includes("gamma") ? header.number("gamma") : 0;
  const coef0 = wanted.includes("coef0") ? header.number("coef0") : 0;
  if (type === "polynomial") return Object.freeze({ type, degree, gamma, coef0 });
  if (type === "rbf") return Object.freeze({ type, gamma });
  return Object.freeze(type === "sigmoid" ? { type, gamma, coef0 } : { type });
}

function readVectorCounts(header: ModelHeader, classCount: number, vectorCount: number): Uint32Array {
  const counts = header.counts("nr_sv", classCount);
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum !== vectorCount) header.fail("nr_sv", `the numbers of nr_sv must add up to total_sv, ${vectorCount}, got ${sum}`);
  return counts;
}

/** The bytes of the file, as LIBSVM 3.37 writes it: 17 digits a number, which bring every double back exactly. */
export function writeLibsvmModel(data: LibsvmData): Uint8Array {
  const out = headerOf(data);
  writeVectors(out, linesOf(data));
  return out.finish();
}

/** The same bytes in parts, by the workers where there are many. */
export async function* libsvmModelParts(data: LibsvmData): AsyncGenerator<Uint8Array> {
  const lines = linesOf(data);
  if (!areLong(lines)) yield writeLibsvmModel(data);
  else {
    yield headerOf(data).finish();
    yield* vectorLines(lines);
  }
}

function linesOf({ vectors, classCount, kernel }: LibsvmData): VectorLines {
  return { vectors, columns: classCount - 1, isPrecomputed: kernel.type === "precomputed" };
}

/** Everything before the support vectors. */
function headerOf(data: LibsvmData): GeneralWriter {
  const { kernel, vectors } = data;
  const out = new GeneralWriter();
  const list = (key: string, values: ArrayLike<number> | undefined): void => {
    if (values === undefined) return;
    out.text(key);
    for (let k = 0; k < values.length; k++) {
      out.text(" ");
      out.number(values[k] as number);
    }
    out.text("\n");
  };
  out.text(`svm_type ${data.type}\nkernel_type ${kernel.type}\n`);
  for (const key of kernelConstants[kernel.type]) list(key, [(kernel as Record<typeof key, number>)[key]]);
  out.text(`nr_class ${data.classCount}\ntotal_sv ${vectors.count}\n`);
  list("rho", data.rho);
  list("label", data.labels);
  list("probA", data.probA);
  list("probB", data.probB);
  list("prob_density_marks", data.densityMarks);
  list("nr_sv", data.vectorCounts);
  out.text("SV\n");
  return out;
}
