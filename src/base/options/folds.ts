// The options of folds.

import * as v from "valibot";
import { running } from "./fit.js";
import { type Checked, custom, type Input, integer, oneOf, table, toggle } from "./table.js";

const kinds = ["plain", "stratified", "grouped", "time"] as const;
type FoldKind = (typeof kinds)[number];

/** One group a row: a number or a name. */
export type GroupsInput = ArrayLike<number> | ArrayLike<string>;

const kind = oneOf(kinds, { default: "plain", help: "" });

export const foldOptions = table("folds", {
  kind: custom<FoldKind, FoldKind | undefined>({
    ...kind,
    default: undefined,
    help:
      "plain: any row anywhere; stratified: every class spread evenly; grouped: a group stays together; " +
      "time: train on the past, test on the next block. If not given: stratified for labels, plain for a number of rows",
  }),
  count: integer({ atLeast: 2, default: 5, help: "how many folds" }),
  shuffle: toggle({
    default: true,
    help: "deal rows out in random order; false: neighbours stay together. Time-ordered folds never shuffle",
  }),
  seed: { ...running.seed, help: "same seed, same folds" },
  groups: custom<GroupsInput, GroupsInput | undefined>({
    schema: v.custom<GroupsInput>((value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))),
    allowed: "an array of one group a row",
    default: undefined,
    help: "for grouped folds: which group each row belongs to",
  }),
  gap: integer({ atLeast: 0, default: 0, help: "for time-ordered folds: rows left out between the past and the block" }),
});

/** What `folds` accepts besides the rows. */
export type FoldOptions = Input<typeof foldOptions>;
export type CheckedFoldOptions = Checked<typeof foldOptions>;
