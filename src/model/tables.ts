// Plain data of what makes rows of tables, and its form as JSON.

import * as v from "valibot";
import { imputerOptions, oneHotEncoderOptions } from "../base/options/tables.js";
import { FORMAT_VERSION, finite, header, partFrom } from "./json.js";

const name = v.pipe(v.string(), v.minLength(1));

const imputerSchema = v.strictObject({
  ...header,
  estimator: v.literal("Imputer"),
  indicator: imputerOptions.fields.indicator.schema,
  /** A number for a numeric column, a text for a categorical one. */
  columns: v.array(v.strictObject({ name, fill: v.union([finite, v.string()]) })),
});

const oneHotSchema = v.strictObject({
  ...header,
  estimator: v.literal("OneHotEncoder"),
  unknown: oneHotEncoderOptions.fields.unknown.schema,
  missing: oneHotEncoderOptions.fields.missing.schema,
  columns: v.array(
    v.strictObject({
      name,
      levels: v.pipe(
        v.array(v.string()),
        v.check((levels) => new Set(levels).size === levels.length),
      ),
    }),
  ),
});

const part = v.strictObject({
  names: v.pipe(v.array(name), v.minLength(1)),
  kind: v.picklist(["numeric", "categorical", "text"]),
  stages: v.array(v.looseObject({ estimator: v.string() })),
});

const columnsSchema = v.strictObject({ ...header, estimator: v.literal("Columns"), parts: v.array(part) });

/** What `JSON.stringify` writes for an Imputer. */
export type ImputerJson = v.InferOutput<typeof imputerSchema>;
/** What `JSON.stringify` writes for a OneHotEncoder. */
export type OneHotEncoderJson = v.InferOutput<typeof oneHotSchema>;
/** What `JSON.stringify` writes for Columns. */
export type ColumnsJson = v.InferOutput<typeof columnsSchema>;

type Data<Json> = Omit<Json, "format" | "version" | "estimator">;
export type ImputerData = Data<ImputerJson>;
export type OneHotEncoderData = Data<OneHotEncoderJson>;
export type ColumnsData = Data<ColumnsJson>;

function codec<Json>(estimator: string, schema: v.GenericSchema<unknown, Json>) {
  return {
    toJson: (data: Data<Json>): Json => ({ format: "hinge", version: FORMAT_VERSION, estimator, ...data }) as Json,
    fromJson: (json: unknown): Data<Json> => {
      const own = partFrom(schema, json, estimator) as Record<string, unknown>;
      const { format: _format, version: _version, estimator: _estimator, ...rest } = own;
      return rest as Data<Json>;
    },
  };
}

export const imputerCodec = codec<ImputerJson>("Imputer", imputerSchema);
export const oneHotEncoderCodec = codec<OneHotEncoderJson>("OneHotEncoder", oneHotSchema);
export const columnsCodec = codec<ColumnsJson>("Columns", columnsSchema);
