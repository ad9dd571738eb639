// ml-svm: the simplified SMO of a lecture, in JavaScript, on this thread. Picks its second row at random and drops steps below 1e-3, so
// that it may stop far from the optimum whatever its tolerance is.

import { createRequire } from "node:module";
import { Random } from "../../src/base/random.ts";
import { type InProcessContender, thirds } from "./in-process.ts";
import { packageVersion } from "./package-version.ts";

/** The part that is used here; the package comes without types. */
interface MlSvmClass {
  new (
    options: Readonly<Record<string, unknown>>,
  ): {
    train(features: readonly (readonly number[])[], labels: readonly number[]): void;
    readonly W: readonly number[];
    readonly b: number;
  };
}

const load = (): MlSvmClass => createRequire(import.meta.url)("ml-svm");

export const mlSvm: InProcessContender = {
  id: "ml-svm",
  version: packageVersion("ml-svm"),
  threads: 1,
  form: "unregularised",
  ladder: thirds,
  async ready() {
    load();
  },
  async fit({ rows, y, C }, tolerance, count) {
    const MlSvm = load();
    // Without whitening, which would scale the features and so make another problem of it; the same random numbers for every run.
    const options = { C, tol: tolerance, kernel: "linear", whitening: false };
    const fitted = (): InstanceType<MlSvmClass> => {
      const random = new Random(0);
      const svm = new MlSvm({ ...options, random: () => random.unit() });
      svm.train(rows, y);
      return svm;
    };
    const started = performance.now();
    for (let k = 1; k < count; k++) fitted();
    const svm = fitted();
    const milliseconds = (performance.now() - started) / count;
    return { milliseconds, w: Float64Array.from(svm.W), bias: svm.b, flags: `new SVM(${JSON.stringify(options)})` };
  },
};
