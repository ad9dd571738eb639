// The options of what makes rows of tables: Imputer, OneHotEncoder and columns.

import * as v from "valibot";
import { weighting } from "./fit.js";
import { type Checked, custom, type Input, oneOf, table, toggle } from "./table.js";

export const imputerOptions = table(
  "Imputer",
  {
    strategy: custom<"mean" | "median" | "most-frequent" | "constant", "mean" | "median" | "most-frequent" | "constant" | undefined>({
      ...oneOf(["mean", "median", "most-frequent", "constant"], { default: "mean", help: "" }),
      default: undefined,
      help: "what takes the place of a missing value. If not given: the mean of numbers, the most frequent of categories",
    }),
    value: custom<number | string, number | string | undefined>({
      schema: v.custom<number | string>((value) => typeof value === "string" || (typeof value === "number" && Number.isFinite(value))),
      allowed: "a finite number or a string",
      default: undefined,
      help: 'of strategy "constant": what it is',
    }),
    indicator: toggle({ default: false, help: "one more column that is 1 where the value was missing and 0 elsewhere" }),
    sampleWeight: { ...weighting.sampleWeight, help: "counts rows in means, medians and frequencies" },
  },
  ({ strategy, value }) => {
    if (strategy === "constant" && value === undefined) return 'strategy: "constant" needs a value';
    if (strategy !== "constant" && value !== undefined) return 'value is for strategy: "constant"; leave one of them out';
    return undefined;
  },
);

export const oneHotEncoderOptions = table("OneHotEncoder", {
  unknown: oneOf(["ignore", "error"], {
    default: "ignore",
    help: "what a category is that was not there when the encoder was fitted: zeros everywhere (ignore), or an error",
  }),
  missing: oneOf(["ignore", "category", "error"], {
    default: "ignore",
    help: "what a missing value is: zeros everywhere (ignore), a category of its own, or an error",
  }),
});

export const columnsOptions = table("columns", {
  others: oneOf(["auto", "drop", "error"], {
    default: "auto",
    help:
      "what becomes of columns that are not named. auto: numbers are filled in with their mean and scaled to mean 0 and variance 1, categories are one-hot encoded; " +
      "drop: they are left out; error: there may be none",
  }),
});

/** What `Imputer.fit` accepts. */
export type ImputerOptions = Input<typeof imputerOptions>;
export type CheckedImputerOptions = Checked<typeof imputerOptions>;
/** What `OneHotEncoder.fit` accepts. */
export type OneHotEncoderOptions = Input<typeof oneHotEncoderOptions>;
/** What `columns` accepts besides the columns. */
export type ColumnsOptions = Input<typeof columnsOptions>;
