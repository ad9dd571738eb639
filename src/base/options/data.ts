// Options of the functions that bring rows in and labels out.

import * as v from "valibot";
import { running, stopping, weighting } from "./fit.js";
import { type BiasForm, biasForms } from "./linear.js";
import { custom, type Input, integer, number, oneOf, table } from "./table.js";

/** Features are numbered in 32 bits, and the weights have one entry more, for the bias. */
export const MOST_FEATURES = 2 ** 31;

const featureCount = custom<number, number | undefined>({
  ...integer({ atLeast: 0, atMost: MOST_FEATURES, default: 0, help: "" }),
  default: undefined,
  help: "how many features there are; a larger index is an error. As many as the largest index says if not given",
});

/** What `onProgress` of a reader receives. */
export interface ReadProgress {
  readonly rowCount: number;
  readonly seconds: number;
}

export const svmlightOptions = table("readSvmlight", {
  indexBase: oneOf([0, 1], { default: 1, help: "the number of the first feature in the file" }),
  featureCount,
  threads: running.threads,
  name: custom<string, string | undefined>({
    schema: v.string(),
    allowed: "a string",
    default: undefined,
    help: "what errors call the source; the path if one was given",
  }),
  onProgress: custom<(progress: ReadProgress) => void, ((progress: ReadProgress) => void) | undefined>({
    schema: v.custom<(progress: ReadProgress) => void>((value) => typeof value === "function"),
    allowed: "a function",
    default: undefined,
    help: "called at most ten times a second while rows are read",
  }),
});

/** What `readSvmlight` accepts besides its source. */
export type SvmlightOptions = Input<typeof svmlightOptions>;

export const matrixOptions = table("matrix", { featureCount });

/** What `matrix` accepts besides the rows. */
export type MatrixOptions = Input<typeof matrixOptions>;

/** Of the fit for a lower bound, where the model brings none: any that it has found is proven. */
const bounding = {
  timeLimitSeconds: {
    ...stopping.timeLimitSeconds,
    help: "stop looking for a better bound on the optimum after this long; what is told is proven all the same",
  },
  signal: { ...running.signal, help: "stops looking for a better bound on the optimum when aborted; what is told is proven all the same" },
};

export const auditOptions = table("certify", {
  C: custom<number, number | undefined>({
    ...number({ above: 0, default: 1, help: "" }),
    default: undefined,
    help: "the C of a model that does not know its own",
  }),
  bias: custom<BiasForm, BiasForm | undefined>({
    schema: v.custom<BiasForm>((value) => (biasForms as readonly unknown[]).includes(value)),
    allowed: '"unregularised", "augmented" or false',
    default: undefined,
    help: "the bias of a model from LIBLINEAR's file, which does not say whether it was regularised; augmented if not given",
  }),
  ...weighting,
  ...bounding,
});

export const regressionAuditOptions = table("certify", {
  C: auditOptions.fields.C,
  epsilon: custom<number, number | undefined>({
    ...number({ atLeast: 0, default: 0, help: "" }),
    default: undefined,
    help: "the epsilon of a model that does not know its own",
  }),
  bias: auditOptions.fields.bias,
  centreTarget: custom<boolean, boolean | undefined>({
    schema: v.boolean(),
    allowed: "true or false",
    default: undefined,
    help: "the centreTarget of a model with an augmented bias from LIBLINEAR's file, which does not hold it; false, as LIBLINEAR has it, if not given",
  }),
  sampleWeight: weighting.sampleWeight,
  ...bounding,
});

/** What `certify` accepts besides a LinearSVR, rows and targets: what the model was fitted with and does not hold itself. */
export type RegressionAuditOptions = Input<typeof regressionAuditOptions>;

export const oneClassAuditOptions = table("certify", {
  nu: custom<number, number | undefined>({
    ...number({ above: 0, atMost: 1, default: 1, help: "" }),
    default: undefined,
    help: "the nu of a model that does not know its own",
  }),
  sampleWeight: weighting.sampleWeight,
  ...bounding,
});

/** What `certify` accepts besides a LinearOneClassSVM and rows: what the model was fitted with and does not hold itself. */
export type OneClassAuditOptions = Input<typeof oneClassAuditOptions>;

export const kernelAuditOptions = table("certify", {
  C: auditOptions.fields.C,
  nu: oneClassAuditOptions.fields.nu,
  epsilon: regressionAuditOptions.fields.epsilon,
  ...weighting,
  psd: custom<boolean, boolean | undefined>({
    schema: v.boolean(),
    allowed: "true or false",
    default: undefined,
    help: "whether the precomputed kernel of a model from LIBSVM's file is positive semidefinite; without it there is no gap",
  }),
  threads: running.threads,
  ...bounding,
});

/** What `certify` accepts besides a kernel machine, rows and labels or targets: what the model was fitted with and does not hold itself. */
export type KernelAuditOptions = Input<typeof kernelAuditOptions>;

/** What `certify` accepts besides model, rows and labels: what the model was fitted with and does not hold itself. */
export type AuditOptions = Input<typeof auditOptions>;

export const poolOptions = table("startPool", {
  workerUrl: custom<string | URL, string | URL | undefined>({
    schema: v.custom<string | URL>(
      (value) => typeof value === "string" || (typeof value === "object" && value !== null && "href" in value),
    ),
    allowed: "a string or a URL",
    default: undefined,
    help: "where hinge/worker.js is served, for pages whose content security policy forbids workers from inlined source",
  }),
  sharedMemory: custom<boolean, boolean | undefined>({
    schema: v.boolean(),
    allowed: "true or false",
    default: undefined,
    help: "false: copy data to one worker, as where memory cannot be shared. Shared if the platform can, if not given",
  }),
});

/** How workers are started. */
export type PoolOptions = Input<typeof poolOptions>;

export const predictOptions = table("predict", { threads: running.threads });

/** What `predict` and `decision` accept besides the rows. */
export type PredictOptions = Input<typeof predictOptions>;
