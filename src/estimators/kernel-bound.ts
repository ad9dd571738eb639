// A dual point of a kernel problem, for the audit of a model that brings none: one at rest, with w = 0.

import type { KernelAuditOptions } from "../base/options/data.js";
import { type CustomKernel, svcOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { KernelConstants } from "../model/kernel-model.js";
import { beginCall } from "../runtime/runtime.js";
import { fitKernel } from "./kernel-fit.js";
import type { KernelPart } from "./kernel-posing.js";
import type { KernelTask } from "./kernel-problems.js";

/** Relative to what the bound is compared with: as small as for other models that bring none. */
const TOLERANCE = 1e-6;

/** One of these a row of the problem, found by a fit, or what was found when a limit said stop. */
export async function dualPoint(
  x: Matrix,
  { kernel, custom, task }: { readonly kernel: KernelConstants; readonly custom: CustomKernel | undefined; readonly task: KernelTask },
  { threads, timeLimitSeconds, signal }: Pick<KernelAuditOptions, "threads" | "timeLimitSeconds" | "signal">,
): Promise<Float64Array> {
  const settings = svcOptions.check({ kernel: custom, tolerance: TOLERANCE, threads, timeLimitSeconds, signal });
  const { rowIds } = task;
  const posed = { count: 1, rowIds, title: () => ({ positive: undefined, negative: undefined }), pose: () => task, start: undefined };
  const { parts } = await fitKernel(x, kernel, posed, settings, beginCall(settings));
  return (parts[0] as KernelPart).point;
}
