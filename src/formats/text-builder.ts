// Text of any length as UTF-8: strings are encoded piece by piece, since one string cannot hold them all.

const PIECE_LENGTH = 2 ** 16;

export class TextBuilder {
  readonly #encoder = new TextEncoder();
  readonly #pieces: Uint8Array[] = [];
  #text = "";
  #byteCount = 0;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_LENGTH) this.#encode();
  }

  /** All that was added. */
  finish(): Uint8Array {
    this.#encode();
    const bytes = new Uint8Array(this.#byteCount);
    let next = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, next);
      next += piece.length;
    }
    return bytes;
  }

  #encode(): void {
    const piece = this.#encoder.encode(this.#text);
    this.#pieces.push(piece);
    this.#byteCount += piece.length;
    this.#text = "";
  }
}
