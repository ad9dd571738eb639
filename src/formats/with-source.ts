// A data file or stream, opened and unpacked for as long as it is read.

import { HingeError } from "../base/errors.js";
import { type ByteSource, type BytesInput, sourceOf, unpacked } from "../runtime/byte-source.js";
import type { Pace } from "../runtime/pace.js";
import { openFile } from "../runtime/runtime.js";

/** Where data can be read from: a path, bytes, a Blob, or a stream of bytes. Plain or gzip. */
export type DataSource = string | BytesInput;

/** What `use` makes of the source; errors of the file as a whole are given its name. */
export async function withSource<T>(source: DataSource, name: string, use: (opened: ByteSource) => Promise<T>): Promise<T> {
  const opened = await unpacked(typeof source === "string" ? await openFile(source) : sourceOf(source));
  try {
    return await use(opened);
  } catch (error) {
    if (error instanceof HingeError && error.code === "bad-file" && error.where === undefined) {
      throw new HingeError("bad-file", `${name}: ${error.message}`, undefined, { cause: error });
    }
    throw error;
  } finally {
    await opened.close();
  }
}

/** Bytes that are copied in one go: some milliseconds at most. */
const SLICE_BYTES = 2 ** 22;

/** All bytes that are left in a source. */
export async function allBytes(source: ByteSource, pace: Pace): Promise<Uint8Array> {
  // One byte more than expected: a read that finds nothing more then says so without growing.
  let bytes = newBytes((source.byteLength ?? 2 ** 16) + 1);
  let length = 0;
  for (;;) {
    const count = await source.read(bytes.subarray(0, length + SLICE_BYTES), length);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    await pace.rest();
    if (length < bytes.length) continue;
    const [shorter, longer] = [bytes, newBytes(2 * length)];
    await pace.inSlices(length, SLICE_BYTES, (from, to) => longer.set(shorter.subarray(from, to), from));
    bytes = longer;
  }
}

function newBytes(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new HingeError("out-of-memory", `the text does not fit into memory: ${length} bytes were refused; split the file`, undefined, {
      cause,
    });
  }
}
