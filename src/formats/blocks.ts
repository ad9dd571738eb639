// A source of text cut into blocks of whole lines, so that blocks can be parsed on their own.

import type { ByteSource } from "../runtime/byte-source.js";

const NEWLINE = 0x0a;

/** Blocks of about `size` bytes, each ending behind a line break but the last; a longer line makes a longer block. */
export async function* blocksOf(source: ByteSource, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  // A small source gets a small block, with one byte to spare: only a block that is not full is known to be the last.
  let block = new Uint8Array(Math.min(size, (source.byteLength ?? size) + 1));
  let length = 0;
  for (;;) {
    const count = await source.read(block, length);
    length += count;
    if (count === 0) {
      if (length > 0) yield block.subarray(0, length);
      return;
    }
    if (length < block.length) continue;
    const cut = block.lastIndexOf(NEWLINE) + 1;
    if (cut === 0) {
      const longer = new Uint8Array(2 * block.length);
      longer.set(block);
      block = longer;
      continue;
    }
    length -= cut;
    const next = new Uint8Array(Math.max(size, 2 * length));
    next.set(block.subarray(cut));
    yield block.subarray(0, cut);
    block = next;
  }
}
