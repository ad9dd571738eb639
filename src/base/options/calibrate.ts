// The options of calibrate, besides those of the fits.

import { crossValidateOptions } from "./cross-validate.js";
import { type Input, oneOf, table } from "./table.js";

const { folds, seed, threads, signal, timeLimitSeconds } = crossValidateOptions.fields;

export const calibrateOptions = table("calibrate", {
  method: oneOf(["sigmoid", "isotonic", "temperature"], {
    default: "sigmoid",
    help:
      "what makes a probability of a decision value. sigmoid: a curve of two numbers; isotonic: rising steps, for a thousand rows and more; " +
      "temperature: one number for all classes, which changes no prediction",
  }),
  folds,
  seed,
  threads,
  signal,
  timeLimitSeconds,
});

/** What `calibrate` accepts besides the options of the estimator. */
export type CalibrateOptions = Input<typeof calibrateOptions>;
