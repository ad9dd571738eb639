// Judges models of a kernel machine's problem by the dual values of a fit of ours to a small gap.

import { type KernelModel, type LabelledRows, SVC, SVR } from "../src/index.ts";
import type { CaseSettings } from "./cases/case.ts";
import { boundsOf, judge, loadKernel, worstGap } from "./kernel-judge.ts";
import type { RaceContext } from "./kernel-race.ts";
import type { KernelSet } from "./kernel-sets.ts";

/** The fit whose dual values are the bounds. */
const BOUND = { tolerance: 1e-5, timeLimitSeconds: 1800 };

export async function kernelVerdicts(set: KernelSet, data: LabelledRows, say: CaseSettings["say"]): Promise<RaceContext["verdictOn"]> {
  const { C, gamma, tube } = set;
  const best: KernelModel =
    tube === undefined
      ? await SVC.fit(data.x, data.y, { C, gamma, ...BOUND })
      : await SVR.fit(data.x, data.y, { C, gamma, epsilon: tube, ...BOUND });
  const bounds = boundsOf(best);
  const constants = { C, ...(tube !== undefined && { tube }) };
  say(`  bounds from a fit to ${best.report.certificate?.relativeGap?.toExponential(1)}, ${best.report.run?.seconds.total.toFixed(1)} s`);
  return async (given) => {
    const model = typeof given === "string" ? await loadKernel(given) : given;
    return { ...worstGap(await judge(model, data, constants), bounds), supportVectors: model.supportVectors.count };
  };
}
