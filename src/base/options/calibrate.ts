// The options of calibrate, besides those of the fits.

import { crossValidateOptions } from "./cross-validate.js";
import { type Input, oneOf, table } from "./table.js";

const { folds, seed, threads, signal, timeLimitSeconds } = crossValidateOptions.fields;

export const calibrateOptions = table("calibrate", {
  method: oneOf(["sigmoid", "isotonic", "temperature"], {
    default: "sigmoid",
    help:
      "what makes a probability of a decision value. sigmoid: a curve of two numbers; isotonic: rising steps, for a thousand rows and more; " +
      "temperature: one number for all classes, which changes no prediction where there is one decision value a class",
  }),
  folds,
  seed,
  threads,
  signal: {
    ...signal,
    help: "stops the fits when aborted: the model is then calibrated on the folds that are done, as its `calibration` says; without any there is no model, but an error",
  },
  timeLimitSeconds: { ...timeLimitSeconds, help: "of all fits together; when it is over the same happens as by `signal`" },
});

/** What `calibrate` accepts besides the options of the estimator. */
export type CalibrateOptions = Input<typeof calibrateOptions>;
