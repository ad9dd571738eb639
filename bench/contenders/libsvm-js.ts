// libsvm-js: LIBSVM compiled to wasm by emscripten, on this thread. Takes plain arrays.

import { createRequire } from "node:module";
import { readLibsvmModel } from "../../src/formats/libsvm-model.ts";
import { type InProcessContender, thirds } from "./in-process.ts";
import { linearWeights } from "./libsvm-weights.ts";
import { packageVersion } from "./package-version.ts";

/** The part that is used here; the package comes without types. */
interface LibsvmClass {
  new (
    options: Readonly<Record<string, unknown>>,
  ): {
    train(samples: readonly (readonly number[])[], labels: readonly number[]): void;
    serializeModel(): string;
    free(): void;
  };
  readonly SVM_TYPES: { readonly C_SVC: string };
  readonly KERNEL_TYPES: { readonly LINEAR: string };
}

let loading: Promise<LibsvmClass> | undefined;

/**
 * Loaded on demand and once. Its emscripten finds Node's fetch, takes the host for a browser, fails, complains and then reads the file:
 * while it loads there is no fetch.
 */
async function load(): Promise<LibsvmClass> {
  const { fetch } = globalThis;
  Reflect.deleteProperty(globalThis, "fetch");
  try {
    // Not by import(): the module is a promise, and what has a then is not a module to everyone.
    return await (createRequire(import.meta.url)("libsvm-js") as Promise<LibsvmClass>);
  } finally {
    globalThis.fetch = fetch;
  }
}

export const libsvmJs: InProcessContender = {
  id: "libsvm-js",
  version: packageVersion("libsvm-js"),
  threads: 1,
  form: "unregularised",
  ladder: thirds,
  async ready() {
    loading ??= load();
    await loading;
  },
  async fit({ rows, y, C }, tolerance, count) {
    loading ??= load();
    const Svm = await loading;
    const options = { type: Svm.SVM_TYPES.C_SVC, kernel: Svm.KERNEL_TYPES.LINEAR, cost: C, tolerance, quiet: true };
    const started = performance.now();
    let svm = new Svm(options);
    try {
      svm.train(rows, y);
      for (let k = 1; k < count; k++) {
        svm.free();
        svm = new Svm(options);
        svm.train(rows, y);
      }
      const milliseconds = (performance.now() - started) / count;
      const model = readLibsvmModel(new TextEncoder().encode(svm.serializeModel()), "the model of libsvm-js");
      return { milliseconds, ...linearWeights(model), flags: `new SVM(${JSON.stringify(options)})` };
    } finally {
      svm.free(); // nobody else would: its memory is emscripten's
    }
  },
};
