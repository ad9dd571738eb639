// Strings that UTF-8 can hold.

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether the text has no half of a surrogate pair without its other half. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
