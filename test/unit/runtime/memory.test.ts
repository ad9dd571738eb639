import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALIGNMENT, aligned, type Region, RegionMemory } from "../../../src/runtime/memory.ts";

describe("regions of a memory", () => {
  test("never overlap, never start at 0, are aligned, and all come back as one hole", () => {
    const action = fc.record({ give: fc.boolean(), bytes: fc.integer({ min: 0, max: 200_000 }), which: fc.nat() });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const memory = new RegionMemory(false);
        const taken: Region[] = [];
        for (const { give, bytes, which } of actions) {
          if (give && taken.length > 0) {
            memory.give(taken.splice(which % taken.length, 1)[0] as Region);
            continue;
          }
          const region = memory.take(bytes);
          expect(region.offset % ALIGNMENT).toBe(0);
          expect(region.offset).toBeGreaterThan(0);
          expect(region.byteLength).toBeGreaterThanOrEqual(bytes);
          expect(region.offset + region.byteLength).toBeLessThanOrEqual(memory.byteLength);
          for (const other of taken) {
            expect(region.offset >= other.offset + other.byteLength || other.offset >= region.offset + region.byteLength).toBe(true);
          }
          taken.push(region);
        }
        for (const region of taken) memory.give(region);
        const before = memory.byteLength;
        memory.take(before - ALIGNMENT);
        expect(memory.byteLength).toBe(before);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("a memory that cannot hold what is asked says how much that is", () => {
    const memory = new RegionMemory(false);
    expect(() => memory.take(5 * 2 ** 30)).toThrow("needs 5121 MiB of memory for its matrix and work space; at most 4096 MiB can be had");
    expect(memory.take(100).byteLength).toBe(aligned(100));
  });

  test("reset makes all of it free again without giving pages back", () => {
    const memory = new RegionMemory(false);
    memory.take(1_000_000);
    const { byteLength } = memory;
    memory.reset();
    memory.take(byteLength - ALIGNMENT);
    expect(memory.byteLength).toBe(byteLength);
  });
});
