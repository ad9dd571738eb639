// Decision values of kernel models: many rows on the pool, or one row at once. Both compute every kernel value in the same float32 arithmetic and add them up in the
// order of the support vectors, so they agree bit for bit. Kernels that are linear in the row are weights instead.

import { exp32, power32, tanh32 } from "../base/float32.js";
import { Matrix } from "../data/matrix.js";
import { packRows, type RowsInput } from "../data/pack.js";
import type { KernelConstants, KernelModelData } from "../model/kernel-model.js";
import { columnCount, kernelOutputs } from "../model/kernel-model.js";
import { pairs } from "../model/schemes.js";
import { allocatePlain } from "../runtime/placement.js";
import { overRowBlocks } from "../runtime/row-blocks.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import { type KernelDecisionInput, type KernelParts, kernelDecisionBytes, type VectorGroup } from "../solve/kernel-decision.js";
import type { KernelFunction } from "../solve/kernel-problem.js";
import { needsWide } from "../solve/kernel-rows.js";
import { CustomOutputs } from "./custom-outputs.js";
import { checkFeatures } from "./features.js";
import { LinearOutputs, type RowInput } from "./linear-decision.js";

/** What predictions ask of a model. */
export interface Outputs {
  ofRows(x: RowsInput | Matrix, threads: number | undefined): Promise<Float64Array>;
  ofOne(row: RowInput): Float64Array;
}

export function outputsOf(data: KernelModelData): Outputs {
  const { kind } = data.kernel;
  if (data.custom !== undefined) return new CustomOutputs(data, data.custom, groupsOf(data));
  // A file of LIBSVM without support vectors does not say how many features there were: any will do.
  if (data.vectors.count === 0 && data.status === "unknown") return constant(data.biases);
  return kind === "linear" || kind === "precomputed" ? collapsed(data) : new KernelOutputs(data);
}

export function functionOf({ kind, gamma, coef0, degree }: KernelConstants): KernelFunction {
  if (kind === "custom") throw new RangeError("the core knows no function of the user's");
  return { kind: kind === "poly" ? "polynomial" : kind, gamma, coef0, degree };
}

/** The same decision values for every row. */
function constant(biases: Float64Array): Outputs {
  return {
    ofRows: (x) =>
      withMatrix(x, async ({ rowCount }) =>
        Float64Array.from({ length: rowCount * biases.length }, (_, k) => biases[k % biases.length] as number),
      ),
    ofOne: (row) => {
      packRows([row] as unknown as RowsInput, allocatePlain);
      return biases.slice();
    },
  };
}

/** Which decision value each column of a group of support vectors belongs to. */
export function groupsOf({ scheme, classes, vectors, vectorCounts }: KernelModelData): VectorGroup[] {
  const columns = columnCount(scheme, classes.length);
  if (scheme !== "ovo") return [{ from: 0, to: vectors.count, places: Uint32Array.from({ length: columns }, (_, m) => m) }];
  const list = pairs(classes.length);
  let from = 0;
  return Array.from(vectorCounts, (count, a) => {
    const places = Uint32Array.from({ length: columns }, (_, m) => {
      const other = m < a ? m : m + 1;
      return list.findIndex(([one, two]) => one === Math.min(a, other) && two === Math.max(a, other));
    });
    from += count;
    return { from: from - count, to: from, places };
  });
}

/** f(x) = w'x + b, where K is linear in x: u'x, or the value of x at the place of u. */
function collapsed(data: KernelModelData): LinearOutputs {
  const { featureCount, vectors, coefficients, biases, scheme, classes } = data;
  const columns = columnCount(scheme, classes.length);
  const w = new Float64Array(kernelOutputs(scheme, classes.length) * featureCount);
  for (const { from, to, places } of groupsOf(data)) {
    for (let i = from; i < to; i++) {
      for (let m = 0; m < columns; m++) {
        const coefficient = coefficients[i * columns + m] as number;
        const line = (places[m] as number) * featureCount;
        for (let k = vectors.starts[i] as number; k < (vectors.starts[i + 1] as number); k++) {
          const j = line + (vectors.indices[k] as number);
          w[j] = (w[j] as number) + coefficient * (vectors.values[k] as number);
        }
      }
    }
  }
  return new LinearOutputs(w, biases, featureCount, isOpen(data));
}

/** Whether rows may have features that the model never saw: it comes from LIBSVM's file. */
function isOpen({ status }: KernelModelData): boolean {
  return status === "unknown";
}

const { fround } = Math;

class KernelOutputs implements Outputs {
  readonly #parts: KernelParts;
  readonly #squares: Float64Array;
  readonly #mostFeatures: number;

  constructor(data: KernelModelData) {
    this.#mostFeatures = isOpen(data) ? Infinity : data.featureCount;
    const { vectors, featureCount, coefficients, biases, scheme, classes } = data;
    const valueCount = vectors.values.length;
    const shape = { kind: "csr", rowCount: vectors.count, featureCount, valueCount } as const;
    const kernel = functionOf(data.kernel);
    const matrix = new Matrix(shape, vectors);
    const isWide = needsWide(
      matrix,
      kernel,
      Uint32Array.from({ length: vectors.count }, (_, i) => i),
    );
    const groups = groupsOf(data);
    this.#parts = { kernel, isWide, shape, vectors, coefficients, columns: columnCount(scheme, classes.length), groups, biases };
    this.#squares = Float64Array.from({ length: vectors.count }, (_, i) =>
      this.#square(vectors.values, vectors.starts[i] as number, vectors.starts[i + 1] as number),
    );
  }

  async ofRows(x: RowsInput | Matrix, threads: number | undefined): Promise<Float64Array> {
    const call = beginCall({ threads });
    const parts = this.#parts;
    return withMatrix(x, async (packed) => {
      checkFeatures(packed.featureCount, this.#mostFeatures, "model");
      const outputs = parts.biases.length;
      const decision = new Float64Array(packed.rowCount * outputs);
      await overRowBlocks(packed, call.threads, async (from, to) => {
        const input: KernelDecisionInput = { from, to, parts };
        const work = { task: "kernel-decision", matrix: packed, regionBytes: kernelDecisionBytes(parts, to - from), input };
        const part = await runTask<{ decision: Float64Array }>(work, call);
        decision.set(part.decision, from * outputs);
      });
      return decision;
    });
  }

  ofOne(row: RowInput): Float64Array {
    const { shape, vectors, coefficients, columns, groups, biases, isWide } = this.#parts;
    const one = packRows([row] as unknown as RowsInput, allocatePlain);
    checkFeatures(one.featureCount, this.#mostFeatures, "model");
    const lane = new Float64Array(shape.featureCount);
    one.forEachInRow(0, (j, value) => {
      lane[j] = value;
    });
    const square = this.#square(one.values, 0, one.values.length);
    const sums = new Float64Array(biases.length);
    for (const { from, to, places } of groups) {
      for (let i = from; i < to; i++) {
        let dot = 0;
        for (let k = vectors.starts[i] as number; k < (vectors.starts[i + 1] as number); k++) {
          const product = (vectors.values[k] as number) * (lane[vectors.indices[k] as number] as number);
          dot = isWide ? dot + product : fround(dot + fround(product));
        }
        const value = this.#value(dot, square, this.#squares[i] as number);
        for (let m = 0; m < columns; m++) {
          const place = places[m] as number;
          sums[place] = (sums[place] as number) + (coefficients[i * columns + m] as number) * value;
        }
      }
    }
    return sums.map((sum, m) => sum + (biases[m] as number));
  }

  #square(values: Float32Array, from: number, to: number): number {
    let sum = 0;
    for (let k = from; k < to; k++) {
      const product = (values[k] as number) * (values[k] as number);
      sum = this.#parts.isWide ? sum + product : fround(sum + fround(product));
    }
    return sum;
  }

  #value(dot: number, square: number, other: number): number {
    const { kernel, isWide } = this.#parts;
    const { kind, gamma, coef0, degree } = kernel;
    let z: number;
    if (kind === "rbf") {
      const distance = isWide ? square + other - (dot + dot) : fround(fround(square + other) - fround(dot + dot));
      z = isWide ? fround(-(gamma * Math.max(distance, 0))) : -fround(fround(gamma) * Math.max(distance, 0));
      return exp32(z);
    }
    z = isWide ? fround(gamma * dot + coef0) : fround(fround(fround(gamma) * dot) + fround(coef0));
    return kind === "sigmoid" ? tanh32(z) : power32(z, degree);
  }
}
