// Every reader and loader on generated and damaged input: a value or a HingeError, never anything else, never a hang, never a
// value of more than ten times the input. 10^4 inputs each; HINGE_FUZZ_RUNS=1000000 is the long mode, HINGE_FUZZ_SEED another start.

import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { readLiblinearModel } from "../../src/formats/liblinear-model.ts";
import { readLibsvmModel } from "../../src/formats/libsvm-model.ts";
import { HingeError, load, readCsv, readSvmlight } from "../../src/index.ts";
import { corpusOf, mutant } from "./mutate.ts";

/** Reads the bytes and returns how many bytes the result takes. */
type Target = (bytes: Uint8Array) => Promise<number>;

const targets: Readonly<Record<string, Target>> = {
  svmlight: async (bytes) => {
    const { x, y } = await readSvmlight(bytes);
    return x.values.byteLength + x.indices.byteLength + x.starts.byteLength + y.byteLength;
  },
  csv: async (bytes) => {
    const { table } = await readCsv(bytes);
    return table.columns.reduce((sum, column) => sum + ("values" in column ? 8 * column.values.length : 0), 0);
  },
  liblinear: async (bytes) => readLiblinearModel(bytes, "model").weights.byteLength,
  libsvm: async (bytes) => {
    const { coefficients, values, indices, starts } = readLibsvmModel(bytes, "model").vectors;
    return coefficients.byteLength + values.byteLength + indices.byteLength + starts.byteLength;
  },
  "model-json": async (bytes) =>
    Object.values(await load(bytes)).reduce<number>((sum, part) => sum + (part instanceof Float64Array ? part.byteLength : 0), 0),
};

const RUNS = Number(process.env.HINGE_FUZZ_RUNS ?? 10_000);
const SEED = Number(process.env.HINGE_FUZZ_SEED ?? 1);
/** What a result may take besides: a few numbers even for an empty input. */
const SMALL = 256;
/** Inputs under way at once: reading is asynchronous, and the pool has several workers. */
const BATCH = 50;

describe("fuzzing", () => {
  for (const [name, target] of Object.entries(targets)) {
    test(`${name}: ${RUNS} inputs from seed ${SEED}`, { timeout: Math.max(60_000, RUNS * 10) }, async () => {
      const random = new Random(SEED);
      const corpus = corpusOf(name);
      let values = 0;
      for (let done = 0; done < RUNS; done += BATCH) {
        const inputs = Array.from({ length: Math.min(BATCH, RUNS - done) }, () => mutant(random, corpus));
        const ends = await Promise.all(inputs.map((bytes) => judged(target, bytes)));
        values += ends.filter((end) => end === "value").length;
      }
      // Both ends must come up, or the inputs test nothing.
      expect(values).toBeGreaterThan(RUNS / 100);
      expect(values).toBeLessThan(RUNS);
    });
  }
});

async function judged(target: Target, bytes: Uint8Array): Promise<"value" | "error"> {
  const shown = (): string => JSON.stringify(new TextDecoder("latin1").decode(bytes));
  try {
    const size = await target(bytes.slice());
    if (size > 10 * bytes.length + SMALL) throw new Error(`a result of ${size} bytes for ${shown()}`);
    return "value";
  } catch (error) {
    if (error instanceof HingeError && error.code !== "internal" && error.code !== "worker-failed") return "error";
    throw new Error(`${String(error)} for ${shown()}`, { cause: error });
  }
}
