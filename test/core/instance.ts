// The core under test on a memory of its own, with arrays laid out one after the other at chosen alignments.

import { readFileSync } from "node:fs";

type Exports = Readonly<Record<string, (...args: number[]) => number>>;

export interface CoreUnderTest {
  readonly call: Exports;
  readonly buffer: ArrayBuffer;
  /** Address of `bytes` new bytes whose address is `shift` modulo 64. */
  take(bytes: number, shift?: number): number;
  /** Addresses of arrays with this content. Written byte by byte, so any shift will do. */
  doubles(values: ArrayLike<number>, shift?: number): number;
  floats(values: ArrayLike<number>, shift?: number): number;
  words(values: ArrayLike<number>, shift?: number): number;
  readDoubles(at: number, count: number): number[];
  readWords(at: number, count: number): number[];
}

/** `pages`: of 64 KiB each. */
export function coreUnderTest(pages = 64): CoreUnderTest {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync("build/core-test.wasm")), { env: { memory } });
  const buffer = memory.buffer;
  let next = 64;
  const take = (bytes: number, shift = 0): number => {
    const at = next + shift;
    next = Math.ceil((at + bytes + 128) / 64) * 64;
    if (next > buffer.byteLength) throw new RangeError("the test's memory is too small");
    return at;
  };
  const write = (source: Float64Array | Float32Array | Uint32Array, shift: number): number => {
    const at = take(source.byteLength, shift);
    new Uint8Array(buffer, at, source.byteLength).set(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
    return at;
  };
  const read = (at: number, bytes: number): ArrayBuffer => buffer.slice(at, at + bytes);
  return {
    call: instance.exports as unknown as Exports,
    buffer,
    take,
    doubles: (values, shift = 0) => write(Float64Array.from(values), shift),
    floats: (values, shift = 0) => write(Float32Array.from(values), shift),
    words: (values, shift = 0) => write(Uint32Array.from(values), shift),
    readDoubles: (at, count) => Array.from(new Float64Array(read(at, 8 * count))),
    readWords: (at, count) => Array.from(new Uint32Array(read(at, 4 * count))),
  };
}

/** Shifts from a cache line that a pointer may have: none, a float32, a double, and one that no type would choose. */
export const shifts = [0, 4, 8, 1];

/** Lengths around the blocks of four, and none. */
export const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 101];
