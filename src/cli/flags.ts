// Command line flags from an estimator's option table, and options from the flags given.

import { type Command, Option } from "commander";
import { HingeError } from "../base/errors.js";
import { type Field, shownDefault } from "../base/options/table.js";

/** Options by name, whatever their types. */
export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;

/** "biasScale" as "--bias-scale". */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, "")}`;
}

/** Adds a flag for every option that the command line can express. */
export function addFlags(command: Command, fields: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.flag === "none") continue;
    const fallback = shownDefault(field as Field<unknown>);
    if (field.flag === "switch") {
      const turned = field.fallback === true ? flagOf(name).replace("--", "--no-") : flagOf(name);
      command.addOption(new Option(turned, `${field.fallback === true ? "without " : ""}${field.help}`));
    } else {
      command.addOption(
        new Option(
          `${flagOf(name)} <value>`,
          `${withoutFunctions(field.help)}; ${allowedText(name, field)}${fallback === "" ? "" : ` (default ${fallback})`}`,
        ),
      );
    }
  }
}

/** The options that the flags mean; unchecked, as the estimator checks them itself. */
export function optionsFrom(given: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[flagKey(name)];
    // A switch that was not touched is no option given: not every estimator has it.
    if (field.flag === "none" || value === undefined || (field.flag === "switch" && value === field.fallback)) continue;
    options[name] = name === "classWeight" ? classWeightFrom(value as string) : plainValue(value);
  }
  return options;
}

/** The table's check, whose complaints name the flag that was typed. */
export function checkFlags<T extends { readonly fields: object; check(given: unknown): unknown }>(
  table: T,
  options: object,
): ReturnType<T["check"]> {
  try {
    return table.check(options) as ReturnType<T["check"]>;
  } catch (error) {
    if (!(error instanceof HingeError)) throw error;
    const unknown = /^\w+ has no option "(\w+)"/.exec(error.message)?.[1];
    if (unknown !== undefined)
      throw new HingeError("bad-option", `${flagOf(unknown)} is not for this estimator; --estimator says which one is trained`);
    const name = /^(\w+) must be/.exec(error.message)?.[1];
    if (name === undefined || !(name in table.fields)) throw error;
    throw new HingeError("bad-option", withoutFunctions(error.message.replace(name, flagOf(name))));
  }
}

/** The key under which commander keeps a flag: "--c" as "c", "--bias-scale" as "biasScale". */
function flagKey(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A flag's text as the value that it means: a number, true or false, else the text itself. */
export function plainValue(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  // Number("") and Number(" ") are 0, which nobody means.
  return value.trim() !== "" && !Number.isNaN(Number(value)) ? Number(value) : value;
}

const CLASS_WEIGHT_TEXT = '"balanced", or label=weight,label=weight with weights of at least 0';

/** What a value must be, as it is typed. */
function allowedText(name: string, field: Field<unknown>): string {
  return name === "classWeight" ? CLASS_WEIGHT_TEXT : withoutFunctions(field.allowed);
}

/** What a value must be, less what only a program can give. */
function withoutFunctions(text: string): string {
  return text.replace(/, or a function( of two rows)?|; a function \(u, v\) => number: your own/, "");
}

/** "balanced", or "1=2,-1=0.5". */
function classWeightFrom(text: string): unknown {
  if (text === "balanced") return text;
  return new Map(
    text.split(",").map((part) => {
      const at = part.lastIndexOf("=");
      const weight = Number(part.slice(at + 1));
      if (at < 1 || part.slice(at + 1).trim() === "" || !(weight >= 0 && weight < Infinity)) {
        throw HingeError.option("--class-weight", CLASS_WEIGHT_TEXT, text);
      }
      // Labels in data files are numbers, however they are written: +1 means the class 1.
      const label = part.slice(0, at);
      return [Number.isNaN(Number(label)) ? label : Number(label), weight] as const;
    }),
  );
}
