import { expect, test } from "vitest";
import { coreUnderTest } from "../../core/instance.ts";

/** A step of the pair (0, 1) with these values and bounds: delta, the values after it, and what their gains lack. */
function stepped(value: number[], lo: number[], hi: number[], epsilon: number, sum: number, eta: number) {
  const core = coreUnderTest();
  const [values, up, low] = [core.doubles(value), core.doubles([0, 0]), core.doubles([0, 0])];
  const delta = core.call.pairStep?.(values, core.doubles(lo), core.doubles(hi), up, low, epsilon, 0, 1, sum, eta);
  return { delta, value: core.readDoubles(values, 2), up: core.readDoubles(up, 2), low: core.readDoubles(low, 2) };
}

test("both move by what they gain over eta", () => {
  expect(stepped([0, 0], [-2, -2], [2, 2], 0, 1, 2)).toMatchObject({ delta: 0.5, value: [0.5, -0.5] });
});

test("up to the nearer bound, and exactly there", () => {
  const { delta, value, up, low } = stepped([0.1, 0.3], [0, 0], [0.4, 1], 0, 1, 0.1);
  expect(value).toEqual([0.4, expect.closeTo(0, 15)]);
  expect(delta).toBeCloseTo(0.3, 15);
  expect([up[0], low[1]]).toEqual([-Infinity, expect.anything()]);
  expect(stepped([0, 0.25], [0, 0], [1, 1], 0, 1, 0.1)).toMatchObject({
    delta: 0.25,
    value: [0.25, 0],
    low: [expect.anything(), -Infinity],
  });
});

test("up to the kink at 0 where there is a tube", () => {
  const { value, up, low } = stepped([-0.5, 1], [-2, -2], [2, 2], 0.1, 10, 1);
  expect(value).toEqual([0, 0.5]);
  // The next step of the first begins with a loss of epsilon, either way.
  expect([up[0], low[0]]).toEqual([-0.1, -0.1]);
  expect(stepped([-0.5, 1], [-2, -2], [2, 2], 0, 10, 1).value).toEqual([2, -1.5]);
});

test("an eta that is not positive leads to a bound", () => {
  expect(stepped([0, 0], [-1, -1], [1, 1], 0, 1, -3).value).toEqual([1, -1]);
});

test("0 where rounding leaves nothing", () => {
  expect(stepped([1, 1], [0, 0], [2, 2], 0, 1e-20, 1)).toMatchObject({ delta: 0, value: [1, 1] });
});

test("pairGain: sum delta - eta delta^2 / 2", () => {
  expect(coreUnderTest().call.pairGain?.(0.5, 3, 4)).toBe(1);
});
