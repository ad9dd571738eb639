// Words of a message as the engine's own copies of them.
//
// A string that came by structured cloning is another object than the equal literal in the code. Once it has been the key of a lookup, V8 makes it a
// pointer to the literal, and an optimising compilation that runs beside this thread and has folded the pointer into a closure can then take
// `loss === "squared_hinge"` for false, for one call, until it notices. Seen with V8 11.3 in one of eighty fits on a busy machine: one dual variable of 9,001 was
// that of another loss. Strings that are the literal from the start have no such pointer.

/** `input` with every string in its objects replaced by the engine's own; lists of strings, which are texts and not names, stay as they are. */
export function withOwnWords<T>(input: T): T;
export function withOwnWords(input: unknown): unknown {
  if (typeof input === "string") return ownWord(input);
  if (Array.isArray(input)) return typeof input[0] === "object" ? input.map(withOwnWords) : input;
  if (typeof input !== "object" || input === null || Object.getPrototypeOf(input) !== Object.prototype) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, withOwnWords(value)]));
}

/** Names of properties are the engine's own. */
function ownWord(text: string): string {
  return Object.keys({ [text]: true })[0] as string;
}
