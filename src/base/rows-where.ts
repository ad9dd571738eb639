// Numbers for which something holds.

/** The numbers below `count` for which `holds`, in their order. A plain loop: it is what small fits spend their time on besides solving. */
export function rowsWhere(count: number, holds: (i: number) => boolean): Uint32Array {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let i = 0; i < count; i++) if (holds(i)) rows[found++] = i;
  return found === count ? rows : rows.slice(0, found);
}
