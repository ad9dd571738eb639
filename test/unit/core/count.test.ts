import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";

const { call, buffer, take } = coreUnderTest();
const counts = take(8);

for (const shift of shifts) {
  test(`shifted by ${shift}: counts as a plain loop does, for short and long texts`, () => {
    const random = new Random(3);
    for (const length of [0, 1, 15, 16, 17, 100, 4079, 4080, 4081, 20_000]) {
      const at = take(length + 1, shift);
      const bytes = Uint8Array.from({ length }, () => 0x30 + Math.floor(12 * random.unit()));
      new Uint8Array(buffer, at, length).set(bytes);
      // The byte behind the text would count if it were looked at.
      new Uint8Array(buffer, at + length, 1).fill(0x3a);
      for (const [first, second] of [
        [0x3a, 0x0a],
        [0x30, 0x31],
      ] as const) {
        call.countBytes?.(counts, at, at + length, first, second);
        const plain = [first, second].map((byte) => bytes.filter((value) => value === byte).length);
        expect(Array.from(new Uint32Array(buffer, counts, 2))).toEqual(plain);
      }
    }
  });
}

test("a text of nothing else", () => {
  const at = take(100_000);
  new Uint8Array(buffer, at, 100_000).fill(0xff);
  call.countBytes?.(counts, at, at + 100_000, 0xff, 0xff);
  expect(Array.from(new Uint32Array(buffer, counts, 2))).toEqual([100_000, 100_000]);
});
