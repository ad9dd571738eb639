// What all models have in common as JSON: the version of the format, lists of numbers, and words for what is wrong.

import type * as v from "valibot";
import { shown } from "../base/errors.js";

export const FORMAT_VERSION = 1;

/** Whether it is an array of numbers that all hold; holes included, which `every` would pass over. */
export function isNumbers(value: unknown, holds: (x: number) => boolean): boolean {
  return Array.isArray(value) && value.findIndex((x) => !(typeof x === "number" && holds(x))) < 0;
}

/** What is wrong with the first thing that is. */
export function complaint(json: unknown, issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join(".") ?? "";
  if (path === "") return "not an object";
  if (path === "version") {
    return `its format is version ${shown((json as { version?: unknown }).version)}, this hinge reads version ${FORMAT_VERSION}`;
  }
  return issue.expected === "never" ? `${path} is unknown here` : `${path} is missing or wrong`;
}
