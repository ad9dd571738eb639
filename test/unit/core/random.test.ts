import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";

for (const shift of shifts) {
  test(`the core draws the same numbers as TypeScript, state shifted by ${shift}`, () => {
    const core = coreUnderTest();
    const host = new Random(20261115, 3);
    const state = core.words(host.state, shift);
    for (let k = 0; k < 1000; k++) expect((core.call.nextBits?.(state) ?? 0) >>> 0).toBe(host.bits());
    for (const bound of [1, 2, 3, 7, 1000, 65537, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1]) {
      for (let k = 0; k < 200; k++) expect((core.call.nextBelow?.(state, bound) ?? 0) >>> 0).toBe(host.below(bound));
    }
    expect(core.readWords(state, 4)).toEqual(Array.from(host.state));
  });
}

test("the known first outputs of xoshiro128++ for the state 1, 2, 3, 4", () => {
  const core = coreUnderTest();
  const state = core.words([1, 2, 3, 4]);
  // By hand: rotl(1 + 4, 7) + 1 = 641; then the state is (7, 0, 1026, 12288), so rotl(7 + 12288, 7) + 7 = 1573767.
  expect(core.call.nextBits?.(state)).toBe(641);
  expect(core.call.nextBits?.(state)).toBe(1573767);
});

for (const count of [0, 1, 2, 3, 17, 1000]) {
  test(`shuffling ${count} numbers permutes them as TypeScript does`, () => {
    const core = coreUnderTest();
    const host = new Random(5);
    const order = Uint32Array.from({ length: count }, (_, k) => 10 * k);
    const at = core.words(order, 4);
    core.call.shuffle?.(at, count, core.words(host.state));
    host.shuffle(order);
    expect(core.readWords(at, count)).toEqual(Array.from(order));
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, k) => 10 * k));
  });
}
