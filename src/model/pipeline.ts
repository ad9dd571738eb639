// A pipeline as JSON: its stages and its model, each in its own form.

import * as v from "valibot";
import { HingeError } from "../base/errors.js";
import { complaint, FORMAT_VERSION, header } from "./json.js";

const part = v.looseObject({ estimator: v.string() });

const schema = v.strictObject({ ...header, estimator: v.literal("Pipeline"), stages: v.array(part), model: part });

/** What `JSON.stringify` writes for a Pipeline. */
export type PipelineJson = v.InferOutput<typeof schema>;

export function pipelineToJson(stages: readonly object[], model: object): PipelineJson {
  return {
    ...{ format: "hinge", version: FORMAT_VERSION, estimator: "Pipeline" },
    ...{ stages: stages as PipelineJson["stages"], model: model as PipelineJson["model"] },
  };
}

/** Its parts are not checked further. */
export function pipelineFromJson(json: unknown): Pick<PipelineJson, "stages" | "model"> {
  const result = v.safeParse(schema, json);
  if (!result.success) throw new HingeError("bad-model", `not a pipeline: ${complaint(json, result.issues[0])}`);
  return result.output;
}
