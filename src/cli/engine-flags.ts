// Flags of the engine, which commands set while they run; nobody else does.

export function setFlags(flags: readonly string[]): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}

/** False where the process was told to keep its flags, or it would end at the first one, or has one of those that commands put back to what is usual. */
export function canSetFlags(): boolean {
  return !process.execArgv.some((word) => /freeze[-_]flags|natives[-_]syntax/.test(word));
}
