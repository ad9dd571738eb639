// A source of text cut into blocks of whole lines, so that blocks can be parsed on their own.

import type { ByteSource } from "../runtime/byte-source.js";
import { NEWLINE } from "./ascii.js";

/** Where the bytes of blocks are kept. A block that was yielded is no longer touched here: whoever got it gives it back. */
export interface Buffers {
  take(bytes: number): Uint8Array;
  give(buffer: Uint8Array): void;
}

/**
 * Blocks of about `most` bytes, each ending behind a line break but the last; a longer line makes a longer block. The first ones are smaller: they are parsed by code that the engine has not
 * optimised yet, which takes several times as long.
 */
export async function* blocksOf(source: ByteSource, most: number, buffers: Buffers): AsyncGenerator<Uint8Array, void> {
  let size = Math.ceil(most / 4);
  // A small source gets a small block, with one byte to spare: only a block that is not full is known to be the last.
  let block = buffers.take(Math.min(size, (source.byteLength ?? size) + 1));
  let length = 0;
  // The next bytes, asked for while the block before is at work. Not of sources that may keep silent: whoever stops in between would have to wait for them.
  let ahead: Promise<number> | undefined;
  for (;;) {
    const count = await (ahead ?? source.read(block, length));
    ahead = undefined;
    length += count;
    if (count === 0) {
      if (length > 0) yield block.subarray(0, length);
      return;
    }
    if (length < block.length) continue;
    const cut = block.lastIndexOf(NEWLINE) + 1;
    if (cut === 0) {
      const longer = buffers.take(2 * block.length);
      longer.set(block);
      buffers.give(block);
      block = longer;
      continue;
    }
    length -= cut;
    size = Math.min(2 * size, most);
    const next = buffers.take(Math.max(size, 2 * length));
    next.set(block.subarray(cut));
    if (source.byteLength !== undefined) {
      ahead = source.read(next, length);
      ahead.catch(() => undefined); // seen above, unless nobody comes back
    }
    yield block.subarray(0, cut);
    block = next;
  }
}
