// What the scalers share: statistics and scaling run on the pool, on whatever x is.

import { type TransformOptions, transformOptions } from "../base/options/scalers.js";
import type { ColumnStatistics } from "../data/column-statistics.js";
import { sampleWeights } from "../data/labels.js";
import { Matrix, type MatrixShape } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { RowBlock } from "../data/scale.js";
import { overRowBlocks } from "../runtime/row-blocks.js";
import { beginCall, heldMatrix, runTask, withMatrix } from "../runtime/runtime.js";
import { checkFeatures } from "./features.js";

/** The statistics of x, and whether it is sparse; `admit` may refuse the matrix before any work. */
export async function fitColumns(
  x: RowsInput | Matrix,
  sampleWeight: ArrayLike<number> | undefined,
  admit: (kind: MatrixShape["kind"]) => void = () => undefined,
): Promise<ColumnStatistics & { readonly kind: MatrixShape["kind"] }> {
  const call = beginCall({ threads: 1 });
  return withMatrix(x, async (packed) => {
    admit(packed.kind);
    const weights = sampleWeights(sampleWeight, packed.rowCount);
    const statistics = await runTask<ColumnStatistics>(
      { task: "column-statistics", matrix: packed, regionBytes: 0, input: { weights } },
      call,
    );
    return { ...statistics, kind: packed.kind };
  });
}

/** A task of src/tasks.ts that scales a block of rows, and what it needs to know. */
export interface Scaling {
  readonly featureCount: number;
  readonly task: "scale-columns" | "normalize-rows";
  readonly how: object;
  /** Whether sparse rows become dense. */
  readonly dense: boolean;
  /** Throws if this kind of matrix cannot be scaled. */
  admit(kind: MatrixShape["kind"]): void;
}

/** A new matrix with the rows of x scaled. Each value is computed by itself, so blocks and threads do not show. */
export async function scaleRows(x: RowsInput | Matrix, scaling: Scaling, options: TransformOptions | undefined): Promise<Matrix> {
  const call = beginCall(transformOptions.check(options));
  return withMatrix(x, async (packed) => {
    checkFeatures(packed.featureCount, scaling.featureCount, "scaler");
    scaling.admit(packed.kind);
    const scaled = emptyResult(packed, scaling);
    const { kind, featureCount } = scaled;
    await overRowBlocks(packed.rowCount, call.threads, packed.valueCount, async (from, to) => {
      const input = { block: { from, to, kind, featureCount } satisfies RowBlock, how: scaling.how };
      const { values } = await runTask<{ values: Float32Array }>(
        { task: scaling.task, matrix: packed, regionBytes: 0, input, isBrief: true },
        call,
      );
      scaled.values.set(values, kind === "dense" ? from * featureCount : (packed.starts[from] as number));
    });
    return scaled;
  });
}

/** The result with everything but its values, which nobody sees before they are there. */
function emptyResult(packed: Matrix, { featureCount, dense }: Scaling): Matrix {
  const { rowCount } = packed;
  const sparse = packed.kind === "csr" && !dense;
  const shape: MatrixShape = {
    kind: sparse ? "csr" : "dense",
    rowCount,
    featureCount,
    valueCount: sparse ? packed.valueCount : rowCount * featureCount,
  };
  return heldMatrix((allocate) => {
    const { arrays, slot } = allocate(shape);
    if (sparse) {
      arrays.indices.set(packed.indices);
      arrays.starts.set(packed.starts);
    }
    return new Matrix(shape, arrays, slot);
  });
}
