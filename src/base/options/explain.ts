// The options of explain.

import * as v from "valibot";
import { custom, type Input, integer, table } from "./table.js";

export const explainOptions = table("explain", {
  count: integer({ atLeast: 1, default: 10, help: "how many to name: the largest, by their size" }),
  featureNames: custom<readonly string[], readonly string[] | undefined>({
    schema: v.array(v.string()),
    allowed: "an array of one text a feature",
    default: undefined,
    help: "what the features are; a pipeline that begins with columns(…) or OneHotEncoder knows. Numbers, from 0, if nobody knows",
  }),
});

/** What `explain` accepts besides the model and a row. */
export type ExplainOptions = Input<typeof explainOptions>;
