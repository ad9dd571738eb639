// What the solver of kernel problems is given, from rows with targets and costs: the same of a problem by itself and of one of many pairs of classes.

import { type PosedForm, poseForm, withoutGap } from "./kernel-forms.js";
import type { AskedKernel, KernelFunction, KernelProblem } from "./kernel-problem.js";
import { begunNear } from "./kernel-start.js";

/** What all problems of a fit have in common. */
export interface KernelTerms<K extends KernelFunction | AskedKernel = KernelFunction | AskedKernel>
  extends Pick<KernelProblem, "tolerance" | "stop" | "shrinking" | "gapless"> {
  readonly kernel: K;
  /** Where nobody says how many: 10 million, or 100 a row if that is more. */
  readonly maxIterations: number | undefined;
}

/** `guess`: where to begin, if something is known of that. */
export function poseKernel(
  terms: KernelTerms,
  form: PosedForm & Pick<KernelProblem, "rowIds">,
  cacheBytes: number,
  guess?: Float64Array,
): KernelProblem {
  const { rowIds } = form;
  const { gapless, tolerance, maxIterations = mostSteps(rowIds.length), ...others } = terms;
  const posed = poseForm(form);
  return {
    ...others,
    ...{ rowIds, tolerance, maxIterations, cacheBytes },
    ...posed,
    isWarm: guess !== undefined,
    sides: guess === undefined ? posed.sides : begunNear(posed.sides, guess, posed.isFree),
    ...withoutGap(gapless, tolerance),
  };
}

/** A fit that needs more is one that nobody should wait for without having said so. LIBSVM has the same limit. */
export const mostSteps = (rowCount: number): number => Math.max(10_000_000, 100 * rowCount);
