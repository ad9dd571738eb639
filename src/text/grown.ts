// Lists that grow.

/** A copy with room for `least` numbers, and for twice as many as before. */
export function grown(list: Uint32Array, least = 0): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, 2 * list.length));
  larger.set(list);
  return larger;
}
