// Bytes from anywhere, read piece by piece: a file, a Blob, a stream, an array; plain or gzip. The one interface for input.

import { HingeError, shown } from "../base/errors.js";

export interface ByteSource {
  /** How many bytes there are, if that is known. */
  readonly byteLength: number | undefined;
  /** Fills `into` from `at` on, as far as it likes; returns how many bytes it wrote, 0 only at the end. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** The same from a place of the source on, whatever was read before, where it has places: several such reads may be under way. */
  readAt?(into: Uint8Array, at: number, place: number): Promise<number>;
  close(): Promise<void>;
}

/** What readers accept besides a path. */
export type BytesInput = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export function sourceOf(input: BytesInput): ByteSource {
  if (input instanceof Uint8Array) return arraySource(input);
  if (typeof Blob !== "undefined" && input instanceof Blob) return { ...streamSource(chunksOf(input.stream())), byteLength: input.size };
  if (typeof ReadableStream !== "undefined" && input instanceof ReadableStream) return streamSource(chunksOf(input));
  if (typeof input === "object" && input !== null && Symbol.asyncIterator in input) return streamSource(input[Symbol.asyncIterator]());
  throw HingeError.input(`the source must be a path, a Uint8Array, a Blob or a stream of bytes, got ${shown(input)}`);
}

function arraySource(bytes: Uint8Array): ByteSource {
  let next = 0;
  return {
    byteLength: bytes.length,
    read: async (into, at) => {
      const part = bytes.subarray(next, next + into.length - at);
      into.set(part, at);
      next += part.length;
      return part.length;
    },
    close: async () => undefined,
  };
}

function streamSource(chunks: AsyncIterator<Uint8Array>): ByteSource {
  let rest = new Uint8Array(0);
  return {
    byteLength: undefined,
    async read(into, at) {
      while (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done) return 0;
        if (!(value instanceof Uint8Array)) throw HingeError.input(`a stream must give Uint8Arrays, got ${shown(value)}`);
        rest = value as Uint8Array<ArrayBuffer>;
      }
      const part = rest.subarray(0, into.length - at);
      into.set(part, at);
      rest = rest.subarray(part.length);
      return part.length;
    },
    close: async () => void (await chunks.return?.()),
  };
}

/** Not every browser's ReadableStream is an async iterable. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The source itself, or what it unpacks to if it begins like a gzip file. */
export async function unpacked(source: ByteSource): Promise<ByteSource> {
  const head = new Uint8Array(2);
  let length = 0;
  while (length < 2) {
    const count = await source.read(head, length);
    if (count === 0) break;
    length += count;
  }
  const whole = withHead(source, head.subarray(0, length));
  if (head[0] !== 0x1f || head[1] !== 0x8b) return whole;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const chunk = new Uint8Array(65536);
      const count = await whole.read(chunk, 0);
      if (count === 0) controller.close();
      else controller.enqueue(chunk.subarray(0, count));
    },
  });
  const plain = streamSource(chunksOf(packed.pipeThrough(new DecompressionStream("gzip"))));
  return {
    byteLength: undefined,
    read: async (into, at) => {
      try {
        return await plain.read(into, at);
      } catch (cause) {
        throw cause instanceof HingeError ? cause : new HingeError("bad-file", "the gzip data is damaged or cut off", undefined, { cause });
      }
    },
    close: async () => {
      await plain.close();
      await source.close();
    },
  };
}

/** The source with bytes put back that were read from it. */
function withHead(source: ByteSource, head: Uint8Array): ByteSource {
  let next = 0;
  return {
    ...source,
    read: async (into, at) => {
      if (next === head.length) return source.read(into, at);
      const part = head.subarray(next, next + into.length - at);
      into.set(part, at);
      next += part.length;
      return part.length;
    },
  };
}
