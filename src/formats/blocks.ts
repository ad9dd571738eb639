// A source of text cut into blocks of whole lines, so that blocks can be parsed on their own.
//
// Text comes in pieces of a given size, several of them asked for ahead where the source has places. A piece ends anywhere, a block behind a line break: what is left of a piece goes
// before the next one, into the room that is kept there, so that text is where it will be parsed when it has come.
//
//   | room   | piece                     |           | room   | next piece          …
//      | block                    | rest |  ───────▶     | rest | …

import type { ByteSource } from "../runtime/byte-source.js";
import { NEWLINE } from "./ascii.js";

/** Where the bytes of blocks are kept. A block that was yielded is no longer touched here: whoever got it gives it back. */
export interface Buffers {
  take(bytes: number): Uint8Array;
  /** Takes back a buffer, or any part of it. */
  give(buffer: Uint8Array): void;
}

/** Pieces that are asked for before they are wanted: while a thread parses one, nobody can ask for more, and another thread may want two. */
const AHEAD = 2;

/** Of a block's bytes, how much is kept free before a piece: most lines are shorter. */
const ROOM = 1 / 32;

/**
 * Blocks of about `most` bytes, each ending behind a line break but the last; a longer line makes a longer block. The first ones are smaller: they are parsed by code that the engine has not
 * optimised yet, which takes several times as long.
 */
export async function* blocksOf(source: ByteSource, most: number, buffers: Buffers): AsyncGenerator<Uint8Array, void> {
  const pieces = new Pieces(source, most, buffers);
  let line = new Parts(buffers); // of a line that began before the piece and has not ended
  try {
    for (;;) {
      const { buffer, from, to, isLast } = await pieces.next();
      const cut = isLast ? to : buffer.subarray(from, to).lastIndexOf(NEWLINE) + 1 + from;
      if (cut === from && !isLast) {
        line.add(buffer, from, to);
        continue;
      }
      const ended = line;
      line = new Parts(buffers);
      if (!isLast) line.begin(buffer.subarray(cut, to), pieces.room());
      const block = ended.before(buffer, from, cut);
      if (block.length > 0) yield block;
      else buffers.give(buffer);
      if (isLast) return;
    }
  } finally {
    await pieces.settle(); // nobody writes to buffers any more
  }
}

/** A buffer with room before the text that is being read into it. */
interface Piece {
  readonly buffer: Uint8Array;
  /** Where the text begins. */
  readonly from: number;
  /** Where of the source that is. */
  readonly place: number;
  /** How many bytes have come when all that there are have: fewer than there is room for only at the end. Undefined as long as nobody has asked for them. */
  count: Promise<number> | undefined;
}

class Pieces {
  readonly #source: ByteSource;
  readonly #most: number;
  readonly #buffers: Buffers;
  readonly #room: number;
  readonly #ahead: Piece[] = [];
  #size: number;
  #place = 0;

  constructor(source: ByteSource, most: number, buffers: Buffers) {
    this.#source = source;
    this.#most = most;
    this.#buffers = buffers;
    this.#room = Math.ceil(most * ROOM);
    this.#size = Math.ceil(most / 4);
  }

  async next(): Promise<{ buffer: Uint8Array; from: number; to: number; isLast: boolean }> {
    const piece = this.#first();
    this.#ahead.shift();
    const { buffer, from } = piece;
    const to = from + (await this.#asked(piece));
    this.#askAhead();
    return { buffer, from, to, isLast: to < buffer.length };
  }

  /** The room before the next piece. */
  room(): Uint8Array {
    const { buffer, from } = this.#first();
    return buffer.subarray(0, from);
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#ahead.map(({ count }) => count));
  }

  #first(): Piece {
    return this.#ahead[0] ?? this.#laidOut();
  }

  /** Only where it is known that there is more; of sources that may keep silent nothing, since whoever stops in between would have to wait for them. */
  #askAhead(): void {
    const { byteLength = 0, readAt } = this.#source;
    const most = readAt === undefined ? 1 : AHEAD;
    while (this.#ahead.length < most && this.#place < byteLength) this.#asked(this.#laidOut());
  }

  /** One more piece, for which nobody has asked yet. */
  #laidOut(): Piece {
    const left = (this.#source.byteLength ?? Infinity) - this.#place;
    // A small source gets a small piece, with one byte to spare: only a piece that is not full is known to be the last. One that is longer than it said gets pieces like any other.
    const size = left > 0 || this.#place === 0 ? Math.min(this.#size, left + 1) : this.#size;
    const from = this.#place === 0 ? 0 : this.#room;
    const piece = { buffer: this.#buffers.take(from + size), from, place: this.#place, count: undefined };
    this.#ahead.push(piece);
    this.#place += size;
    this.#size = Math.min(2 * this.#size, this.#most);
    return piece;
  }

  #asked(piece: Piece): Promise<number> {
    piece.count ??= this.#filled(piece);
    piece.count.catch(() => undefined); // seen by whoever asks for the next piece
    return piece.count;
  }

  async #filled({ buffer, from, place }: Piece): Promise<number> {
    let at = from;
    while (at < buffer.length) {
      const { readAt } = this.#source;
      const count = await (readAt === undefined ? this.#source.read(buffer, at) : readAt(buffer, at, place + at - from));
      if (count === 0) break;
      at += count;
    }
    return at - from;
  }
}

/** What has come of a line that goes on in the next piece: in the room before that or, where it is too long, in buffers of its own. */
class Parts {
  readonly #buffers: Buffers;
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  #inRoom = 0;

  constructor(buffers: Buffers) {
    this.#buffers = buffers;
  }

  /** The beginning, copied: `text` belongs to somebody else from now on. */
  begin(text: Uint8Array, room: Uint8Array): void {
    if (text.length <= room.length) {
      room.set(text, room.length - text.length);
      this.#inRoom = text.length;
    } else if (text.length > 0) {
      const own = this.#buffers.take(text.length);
      own.set(text);
      this.#push(own);
    }
  }

  /** A whole piece. */
  add(buffer: Uint8Array, from: number, to: number): void {
    this.#push(buffer.subarray(from - this.#inRoom, to));
    this.#inRoom = 0;
  }

  /** The line with a piece behind it, as far as `to`. */
  before(buffer: Uint8Array, from: number, to: number): Uint8Array {
    const last = buffer.subarray(from - this.#inRoom, to);
    if (this.#parts.length === 0) return last;
    const whole = this.#buffers.take(this.#length + last.length);
    let at = 0;
    for (const part of [...this.#parts, last]) {
      whole.set(part, at);
      at += part.length;
      this.#buffers.give(part);
    }
    return whole;
  }

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}
