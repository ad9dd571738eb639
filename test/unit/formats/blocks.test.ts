// A text cut into blocks of whole lines, whatever the source and wherever pieces end.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { type Buffers, blocksOf } from "../../../src/formats/blocks.ts";
import type { ByteSource } from "../../../src/runtime/byte-source.ts";

/** Buffers that know who has them: one that is given twice, or that nobody gave, is an error. */
class CountedBuffers implements Buffers {
  readonly taken = new Set<ArrayBufferLike>();
  most = 0;

  take(bytes: number): Uint8Array {
    const buffer = new Uint8Array(bytes).fill(0x3f);
    this.taken.add(buffer.buffer);
    this.most = Math.max(this.most, bytes);
    return buffer;
  }

  give({ buffer }: Uint8Array): void {
    expect(this.taken.delete(buffer)).toBe(true);
  }
}

interface SourceOptions {
  readonly bytes: Uint8Array;
  readonly hasLength: boolean;
  readonly hasPlaces: boolean;
  /** How many bytes come at once, at most. */
  readonly portion: number;
  readonly claimedLength?: number;
}

/** A source, and `reads.most`: how many reads were under way at once. */
function sourceOf({ bytes, hasLength, hasPlaces, portion, claimedLength }: SourceOptions, reads = { most: 0 }): ByteSource {
  let at = 0;
  let underWay = 0;
  const copy = async (into: Uint8Array, from: number, place: number): Promise<number> => {
    reads.most = Math.max(reads.most, ++underWay);
    await Promise.resolve();
    underWay--;
    const count = Math.max(Math.min(portion, into.length - from, bytes.length - place), 0);
    into.set(bytes.subarray(place, place + count), from);
    return count;
  };
  const source: ByteSource = {
    byteLength: hasLength ? (claimedLength ?? bytes.length) : undefined,
    read: async (into, from) => {
      const count = await copy(into, from, at);
      at += count;
      return count;
    },
    close: async () => undefined,
  };
  return hasPlaces ? { ...source, readAt: copy } : source;
}

async function cut(source: ByteSource, most: number): Promise<{ blocks: string[]; buffers: CountedBuffers }> {
  const buffers = new CountedBuffers();
  const blocks: string[] = [];
  for await (const block of blocksOf(source, most, buffers)) {
    blocks.push(new TextDecoder().decode(block));
    buffers.give(block);
  }
  return { blocks, buffers };
}

const kinds = [
  { name: "a file", hasLength: true, hasPlaces: true },
  { name: "bytes in memory", hasLength: true, hasPlaces: false },
  { name: "a stream", hasLength: false, hasPlaces: false },
];

describe.each(kinds)("blocks of $name", ({ hasLength, hasPlaces }) => {
  test("are the text, and end behind line breaks, but for the last", async () => {
    const random = new Random(1);
    for (let round = 0; round < 400; round++) {
      const longest = [3, 40, 400][round % 3] as number;
      const lines = Array.from({ length: round % 17 }, () => "x".repeat(Math.floor(longest * random.unit())));
      const text = lines.join("\n") + (round % 2 === 0 ? "\n" : "");
      const bytes = new TextEncoder().encode(text);
      const portion = [1, 7, 1000][round % 3] as number;
      const { blocks, buffers } = await cut(sourceOf({ bytes, hasLength, hasPlaces, portion }), 1 + Math.floor(96 * random.unit()));
      expect(blocks.join("")).toBe(text);
      for (const block of blocks.slice(0, -1)) expect(block.endsWith("\n")).toBe(true);
      expect(blocks).not.toContain("");
      expect(buffers.taken.size, "buffers that nobody gave back").toBe(0);
    }
  });

  test("a text without a line break is one block", async () => {
    const bytes = new Uint8Array(1000).fill(0x61);
    const { blocks } = await cut(sourceOf({ bytes, hasLength, hasPlaces, portion: 64 }), 32);
    expect(blocks).toEqual(["a".repeat(1000)]);
  });

  test("an error of the source comes where the text before it was yielded", async () => {
    const bytes = new TextEncoder().encode("12345\n".repeat(100));
    const good = sourceOf({ bytes, hasLength, hasPlaces, portion: 1000 });
    let reads = 0;
    const bad = async (into: Uint8Array, at: number, place?: number): Promise<number> => {
      if (++reads > 3) throw new Error("the disk is gone");
      return place === undefined ? good.read(into, at) : (good.readAt as NonNullable<ByteSource["readAt"]>)(into, at, place);
    };
    const source = { ...good, read: bad, ...(hasPlaces && { readAt: bad }) };
    let length = 0;
    const all = async () => {
      for await (const block of blocksOf(source, 60, new CountedBuffers())) length += block.length;
    };
    await expect(all()).rejects.toThrow("the disk is gone");
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(bytes.length);
  });
});

test("pieces of a file are asked for ahead, two of them", async () => {
  const bytes = new TextEncoder().encode("12345\n".repeat(100));
  const reads = { most: 0 };
  await cut(sourceOf({ bytes, hasLength: true, hasPlaces: true, portion: 1000 }, reads), 60);
  expect(reads.most).toBe(2);
});

test("a stream that keeps silent keeps nobody waiting who has what came before and stops", async () => {
  const line = new TextEncoder().encode("12345\n".repeat(100));
  let reads = 0;
  const source: ByteSource = {
    byteLength: undefined,
    read: async (into, at) => {
      if (++reads > 3) await new Promise(() => undefined);
      const count = Math.min(into.length - at, line.length);
      into.set(line.subarray(0, count), at);
      return count;
    },
    close: async () => undefined,
  };
  let blocks = 0;
  for await (const block of blocksOf(source, 60, new CountedBuffers())) if (block.length > 0 && ++blocks === 3) break;
  expect([blocks, reads]).toEqual([3, 3]);
});

test.each([0, 10, 595, 605, 5000])(
  "a file of 600 bytes that says it has %d is read whole, in pieces of the usual size",
  async (claimedLength) => {
    const text = "12345\n".repeat(100);
    const bytes = new TextEncoder().encode(text);
    const { blocks, buffers } = await cut(sourceOf({ bytes, hasLength: true, hasPlaces: true, portion: 1000, claimedLength }), 60);
    expect(blocks.join("")).toBe(text);
    expect(blocks.length).toBeLessThan(40);
    expect(buffers.most).toBeLessThan(200);
  },
);

test("whoever stops in the middle waits for what was asked for, since it is written to buffers that others get next", async () => {
  const bytes = new TextEncoder().encode("12345\n".repeat(100));
  let underWay = 0;
  const source: ByteSource = {
    byteLength: bytes.length,
    read: async () => 0,
    readAt: async (into, at, place) => {
      underWay++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
      const count = Math.min(into.length - at, bytes.length - place);
      into.set(bytes.subarray(place, place + count), at);
      return count;
    },
    close: async () => undefined,
  };
  for await (const block of blocksOf(source, 60, new CountedBuffers())) if (block.length > 0) break;
  expect(underWay).toBe(0);
});
