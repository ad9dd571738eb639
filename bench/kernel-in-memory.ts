// Kernel machines on dense rows in memory: SVC.fit and SVR.fit against scikit-learn's, and predictions.

import { type FlatRows, type KernelModel, type LabelledRows, type Matrix, SVC, SVR } from "../src/index.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { type ScikitKernel, scikitFlags, scikitVersion } from "./contenders/scikit-kernel.ts";
import { type KernelRacer, type RaceContext, type RaceResult, raceKernel } from "./kernel-race.ts";

/** Numbers of a dense matrix beyond which it is not made. */
export const MOST_NUMBERS = 1e8;

const CACHE_BYTES = 1000 * 2 ** 20;

export const IN_MEMORY =
  "fit in memory, dense rows: SVC.fit and SVR.fit of a flat Float32Array, its packing in the time, and scikit-learn's of a float64 array, 1000 MiB for kernel rows each, at a gap of 1e-3";

export async function raceInMemory(
  context: RaceContext,
  { x, y }: LabelledRows,
  width: number,
  peer: ScikitKernel | undefined,
  /** Rungs near which those of the commands lie. */
  near: { readonly tolerance: number; readonly peerTolerance: number | undefined },
  folder: string,
): Promise<RaceResult> {
  const { C, gamma, tube } = context.set;
  const flat = flatRows(x, width);
  const labels = Array.from(y);
  const name = tube === undefined ? "SVC" : "SVR";
  const ours = (threads: number): KernelRacer => {
    const options = { C, gamma, threads, cacheBytes: CACHE_BYTES, ...(tube !== undefined && { epsilon: tube }) };
    return {
      id: `${name}.fit, ${threads} ${threads === 1 ? "thread" : "threads"}`,
      version: hingeVersion,
      threads,
      start: near.tolerance,
      flags: (tolerance) => `${name}.fit(rows, y, ${JSON.stringify({ ...options, tolerance })})`,
      async train(tolerance) {
        const started = performance.now();
        const model: KernelModel =
          tube === undefined ? await SVC.fit(flat, labels, { ...options, tolerance }) : await SVR.fit(flat, y, { ...options, tolerance });
        return { milliseconds: performance.now() - started, model };
      },
    };
  };
  const modelPath = `${folder}/scikit.model`;
  const theirs = peer && {
    id: `scikit-learn ${name}`,
    version: scikitVersion,
    threads: 1,
    start: near.peerTolerance ?? context.set.peerStart,
    flags: (tolerance: number) => scikitFlags(context.set, tolerance),
    async train(tolerance: number) {
      const milliseconds = await peer.fit(context.set, tolerance, modelPath);
      return { milliseconds, model: milliseconds === Infinity ? undefined : modelPath };
    },
  };
  return raceKernel(context, { measure: IN_MEMORY, part: "in memory", ours: [ours(2), ours(1)], peer: theirs });
}

/** Dense rows of `width` features as a caller has them. */
export function flatRows(x: Matrix, width: number): FlatRows {
  const data = new Float32Array(x.rowCount * width);
  for (let i = 0; i < x.rowCount; i++) {
    x.forEachInRow(i, (j, value) => {
      data[i * width + j] = value;
    });
  }
  return { data, rowCount: x.rowCount, featureCount: width };
}
