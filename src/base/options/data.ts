// Options of the functions that bring rows in and labels out.

import * as v from "valibot";
import { running } from "./fit.js";
import { custom, type Input, integer, oneOf, table } from "./table.js";

/** Features are numbered in 32 bits, and the weights have one entry more, for the bias. */
export const MOST_FEATURES = 2 ** 31;

const featureCount = custom<number, number | undefined>({
  ...integer({ atLeast: 0, atMost: MOST_FEATURES, default: 0, help: "" }),
  default: undefined,
  help: "how many features there are; a larger index is an error. As many as the largest index says if not given",
});

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
});

/** What `readSvmlight` accepts besides its source. */
export type SvmlightOptions = Input<typeof svmlightOptions>;

export const matrixOptions = table("matrix", { featureCount });

/** What `matrix` accepts besides the rows. */
export type MatrixOptions = Input<typeof matrixOptions>;

export const predictOptions = table("predict", { threads: running.threads });

/** What `predict` and `decision` accept besides the rows. */
export type PredictOptions = Input<typeof predictOptions>;
