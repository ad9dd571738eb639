// Packed data, whatever its name: gzip is for the library, which reads it in blocks; xz, bzip2 and zstd are unpacked here.

import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { HingeError } from "../base/errors.js";
import { readBytes } from "../runtime/runtime.js";
import { sourceName } from "./text.js";

const BZIP_MAGIC = [0x42, 0x5a, 0x68] as const;
const magics = [
  { kind: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { kind: "bzip2", bytes: BZIP_MAGIC },
  { kind: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
] as const;

/** What the readers can take: a path where the library reads it itself, which is plain or gzip and goes in blocks to all threads. */
export async function unpacked(path: string): Promise<string | Uint8Array | ReadableStream<Uint8Array>> {
  const all = path === "-" ? await allOf(process.stdin) : await allOfPipe(path);
  if (all !== undefined) return (await unpackedBytes(all, sourceName(path))) ?? all;
  const begin = await beginOf(path);
  if (!magics.some(({ bytes }) => startsWith(begin, bytes))) return path;
  return (await unpackedBytes(await readBytes(path), path)) ?? path;
}

/** The same for whoever reads it more than once. */
export async function rereadable(path: string): Promise<string | Uint8Array> {
  const source = await unpacked(path);
  if (!(source instanceof ReadableStream)) return source;
  try {
    return await allOf(Readable.fromWeb(source as never));
  } catch (cause) {
    throw cause instanceof HingeError ? new HingeError(cause.code, `${sourceName(path)}: ${cause.message}`, undefined, { cause }) : cause;
  }
}

async function unpackedBytes(bytes: Uint8Array, name: string): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined> {
  const kind = magics.find((magic) => startsWith(bytes, magic.bytes))?.kind;
  try {
    if (kind === "zstd") return (await import("fzstd")).decompress(bytes);
    if (kind === "bzip2") return await unpackBzip(bytes);
  } catch (cause) {
    const why = cause instanceof HingeError ? cause.message : `the ${kind} data is damaged or cut off`;
    throw new HingeError("bad-file", `${name}: ${why}`, undefined, { cause });
  }
  if (kind !== "xz") return undefined;
  // CommonJS: what it exports has other names when it is bundled and when it is not.
  const xz = (await import("xz-decompress")) as typeof import("xz-decompress") & { default?: typeof import("xz-decompress") };
  const { XzReadableStream } = xz.default ?? xz;
  return checkedStream(new XzReadableStream(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()));
}

/** All streams of the data, one behind the other. The package makes its buffers in a way of which Node warns; nobody here can do anything about it. */
async function unpackBzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: bzip } = await import("seek-bzip");
  const before = process.noDeprecation === true;
  process.noDeprecation = true;
  try {
    const input = new BzipInput(bytes);
    const streams: Buffer[] = [];
    // The package could go from stream to stream itself, but takes data that ends between two blocks for whole.
    while (input.position < bytes.length) {
      if (!startsWith(bytes.subarray(input.position), BZIP_MAGIC))
        throw new HingeError("bad-file", "something else follows the bzip2 data; cut it off");
      streams.push(bzip.decode(input));
    }
    return Buffer.concat(streams);
  } finally {
    process.noDeprecation = before;
  }
}

/** Bytes as the bzip2 package reads them; what is behind the last one is an error, not the end. */
class BzipInput {
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readByte(): number {
    const byte = this.#bytes[this.position++];
    if (byte === undefined) throw new RangeError("the data ends here");
    return byte;
  }

  read(into: Uint8Array, from: number, length: number): number {
    for (let k = 0; k < length; k++) into[from + k] = this.readByte();
    return length;
  }
}

/** What the unpacker throws on the way, in our words; whoever reads the stream puts the file's name before them. */
function checkedStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value.slice());
      } catch (cause) {
        controller.error(new HingeError("bad-file", "the xz data is damaged or cut off", undefined, { cause }));
      }
    },
  });
}

async function beginOf(path: string): Promise<Uint8Array> {
  const file = await open(path).catch(() => undefined);
  // The reader says what is the matter with it.
  if (file === undefined) return new Uint8Array(0);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return new Uint8Array(0);
  } finally {
    await file.close();
  }
}

/** What a pipe brings, which cannot be looked at first and read afterwards; undefined of a file, and of what is not there. */
async function allOfPipe(path: string): Promise<Uint8Array | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile() || found.isDirectory() ? undefined : readBytes(path);
}

async function allOf(stream: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function startsWith(bytes: Uint8Array, begin: readonly number[]): boolean {
  return begin.every((byte, k) => bytes[k] === byte);
}
