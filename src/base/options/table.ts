// The option table: one declaration per estimator gives the static types, the checks with their messages, the command line's
// help and the reference page. A field is a valibot schema with what people need to know about it beside.

import * as v from "valibot";
import { HingeError } from "../errors.js";
import { suggestion } from "../nearest.js";

/** One option: how it is checked, what it is when not given, and how it is explained. */
export interface Field<In, Out = In> {
  readonly schema: v.GenericSchema<In, Out>;
  /** What a value must be, as it reads after "must be". */
  readonly allowed: string;
  readonly fallback: Out;
  readonly help: string;
  /** How the command line takes it: a value, on/off, or not at all. */
  readonly flag: "value" | "switch" | "none";
}

// biome-ignore lint/suspicious/noExplicitAny: a field's types are its own; the table only passes them through
type AnyField = Field<any, any>;
type Fields = Readonly<Record<string, AnyField>>;

/** The options as a caller writes them: every one may be left out. */
export type Input<T> =
  T extends Table<infer F> ? { readonly [K in keyof F]?: (F[K] extends Field<infer In, unknown> ? In : never) | undefined } : never;

/** The options after the check: every one is there. */
export type Checked<T> =
  T extends Table<infer F> ? { readonly [K in keyof F]: F[K] extends Field<unknown, infer Out> ? Out : never } : never;

export interface Table<F extends Fields> {
  readonly owner: string;
  readonly fields: F;
  /** The options with defaults filled in, frozen. Throws `HingeError` on an unknown name or a value out of range. */
  check(given: unknown): Checked<Table<F>>;
}

/** `together` refuses what is right by itself and wrong together: it returns what is wrong and what to do, or undefined. */
export function table<const F extends Fields>(
  owner: string,
  fields: F,
  together?: (checked: Checked<Table<F>>) => string | undefined,
): Table<F> {
  const names = Object.keys(fields);
  return {
    owner,
    fields,
    check(given) {
      const options = plainOptions(owner, given);
      for (const name of Object.keys(options)) {
        if (!Object.hasOwn(fields, name)) {
          throw new HingeError("bad-option", `${owner} has no option ${JSON.stringify(name)}${suggestion(name, names)}`);
        }
      }
      const checked: Record<string, unknown> = {};
      for (const name of names) checked[name] = checkField(name, fields[name] as AnyField, options[name]);
      const complaint = together?.(checked as Checked<Table<F>>);
      if (complaint !== undefined) throw new HingeError("bad-option", complaint);
      return Object.freeze(checked) as Checked<Table<F>>;
    },
  };
}

function plainOptions(owner: string, given: unknown): Record<string, unknown> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given) || given instanceof Map || given instanceof Set) {
    throw HingeError.option(`the options of ${owner}`, "an object such as { C: 1 }", given);
  }
  return given as Record<string, unknown>;
}

function checkField(name: string, field: AnyField, value: unknown): unknown {
  if (value === undefined) return field.fallback;
  const result = v.safeParse(field.schema, value);
  if (!result.success) throw HingeError.option(name, field.allowed, value);
  return result.output;
}

interface NumberRule {
  readonly above?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly below?: number;
  readonly default: number;
  readonly help: string;
}

/** A number within bounds; finite, unless its default is Infinity. */
export function number(rule: NumberRule): Field<number> {
  const infinite = rule.default === Infinity;
  return {
    schema: v.pipe(
      v.number(),
      v.check((x) => (Number.isFinite(x) || (infinite && x === Infinity)) && within(x, rule)),
    ),
    allowed: infinite ? `a number${bounds(rule)}, or Infinity` : `a finite number${bounds(rule)}`,
    fallback: rule.default,
    help: rule.help,
    flag: "value",
  };
}

/** A whole number within bounds, exactly representable. */
export function integer(rule: NumberRule): Field<number> {
  return {
    schema: v.pipe(
      v.number(),
      v.check((x) => Number.isSafeInteger(x) && within(x, rule)),
    ),
    allowed: `a whole number${bounds(rule)}`,
    fallback: rule.default,
    help: rule.help,
    flag: "value",
  };
}

function within(x: number, { above = -Infinity, atLeast = -Infinity, atMost = Infinity, below = Infinity }: NumberRule): boolean {
  return x >= atLeast && x <= atMost && (above === -Infinity || x > above) && (below === Infinity || x < below);
}

/** " above 0 and below 1", or nothing. */
function bounds({ above, atLeast, atMost, below }: NumberRule): string {
  if (atLeast !== undefined && atMost !== undefined) return ` from ${atLeast} to ${atMost}`;
  const limits = { above, "at least": atLeast, "at most": atMost, below };
  const parts = Object.entries(limits).flatMap(([word, limit]) => (limit === undefined ? [] : [`${word} ${limit}`]));
  return parts.length === 0 ? "" : ` ${parts.join(" and ")}`;
}

type Choice = string | number | false;

/** One of a list of words. */
export function oneOf<const T extends readonly Choice[]>(
  choices: T,
  rest: { readonly default: T[number]; readonly help: string },
): Field<T[number]> {
  const place = (value: unknown) => choices.indexOf(value as Choice);
  return {
    // The list's own word, not the caller's equal one: runtime/own-words.ts says why.
    schema: v.pipe(
      v.custom<T[number]>((value) => place(value) >= 0),
      v.transform((value) => choices[place(value)] as T[number]),
    ),
    allowed: alternatives(choices),
    fallback: rest.default,
    help: rest.help,
    flag: "value",
  };
}

/** true or false. */
export function toggle(rest: { readonly default: boolean; readonly help: string }): Field<boolean> {
  return { schema: v.boolean(), allowed: "true or false", fallback: rest.default, help: rest.help, flag: "switch" };
}

interface CustomRule<In, Out> {
  readonly schema: v.GenericSchema<In, Out>;
  readonly allowed: string;
  readonly default: Out;
  readonly help: string;
  readonly flag?: Field<In, Out>["flag"];
}

/** Anything else, by a schema of its own. */
export function custom<In, Out>(rule: CustomRule<In, Out>): Field<In, Out> {
  return { schema: rule.schema, allowed: rule.allowed, fallback: rule.default, help: rule.help, flag: rule.flag ?? "none" };
}

function alternatives(choices: readonly Choice[]): string {
  const words = choices.map((choice) => JSON.stringify(choice));
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A default as help and reference show it; empty where there is nothing to show. */
export function shownDefault(field: AnyField): string {
  if (field.fallback === undefined) return "";
  if (Array.isArray(field.fallback)) return `[${field.fallback.join(", ")}]`;
  return typeof field.fallback === "string" ? field.fallback : String(field.fallback);
}

/** The options that a table knows, and the others: for calls that take the options of their fits side by side with their own. */
// biome-ignore lint/suspicious/noExplicitAny: any table can be asked
export function splitOptions({ fields }: Table<any>, options: object): { own: Record<string, unknown>; rest: Record<string, unknown> } {
  const own: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) (Object.hasOwn(fields, name) ? own : rest)[name] = value;
  return { own, rest };
}
