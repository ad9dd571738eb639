// Words of a message as the engine's own copies of them.
//
// A string that came by structured cloning is another object than the equal literal in the code. Once it has been the key of a lookup, V8 makes it a
// pointer to the literal, and an optimising compilation that runs beside this thread and has folded the pointer into a closure can then take
// `loss === "squared_hinge"` for false, for one call, until it notices. Seen with V8 11.3 in one of eighty fits on a busy machine: one dual variable of 9,001 was
// that of another loss. Strings that are the literal from the start have no such pointer.

/** Replaces every string in the objects of a message by the engine's own, in place, and returns the message; lists of strings, which are texts and not names, stay as they are. */
export function withOwnWords<T>(input: T): T;
export function withOwnWords(input: unknown): unknown {
  if (typeof input === "string") return ownWord(input);
  if (typeof input !== "object" || input === null || ArrayBuffer.isView(input)) return input;
  if (Array.isArray(input)) {
    if (typeof input[0] === "object") for (const part of input) withOwnWords(part);
  } else if (Object.getPrototypeOf(input) === Object.prototype) {
    const parts = input as Record<string, unknown>;
    for (const name of Object.keys(parts)) {
      const part = parts[name];
      if (typeof part === "string") parts[name] = ownWord(part);
      else withOwnWords(part);
    }
  }
  return input;
}

/** Names of properties are the engine's own. */
function ownWord(text: string): string {
  return Object.keys({ [text]: true })[0] as string;
}
