// The one error class of the library. Codes are a closed list; docs/reference/errors.md says what each one means.

/** What kind of thing went wrong. */
export type ErrorCode =
  | "bad-option"
  | "bad-input"
  | "bad-file"
  | "bad-model"
  | "file-system"
  | "out-of-memory"
  | "worker-failed"
  | "internal";

/** A place in a text file; line and column count from 1. */
export interface Where {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Everything that hinge throws. The message says what must be, what was got, where, and what to do.
 * Not converging is no error: see `model.report.status`.
 */
export class HingeError extends Error {
  override readonly name = "HingeError";
  readonly code: ErrorCode;
  readonly where: Where | undefined;

  constructor(code: ErrorCode, message: string, where?: Where, options?: ErrorOptions) {
    super(where === undefined ? message : `${where.file}:${where.line}:${where.column}: ${message}`, options);
    this.code = code;
    this.where = where;
  }

  static option(name: string, allowed: string, got: unknown): HingeError {
    return new HingeError("bad-option", `${name} must be ${allowed}, got ${shown(got)}`);
  }

  static input(message: string): HingeError {
    return new HingeError("bad-input", message);
  }
}

const LONGEST_SHOWN = 60;

/** A value as an error message shows it: strings quoted, long things cut, never a line break. */
export function shown(value: unknown): string {
  if (typeof value === "string") return cut(JSON.stringify(value));
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return typeof value === "function" ? "a function" : String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name.startsWith("I") ? "an" : "a"} ${value.constructor.name}`;
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name} of ${value.size}`;
  return cut(plainText(value));
}

function plainText(value: object): string {
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object";
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`;
}
