import { expect, test } from "vitest";
import { dcdStateStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

const core = coreUnderTest();

function stateWith(values: Partial<Record<keyof typeof dcdStateStruct.offsets, number>>) {
  const state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
  state.assign({ rowCount: 10, activeCount: 4, pgMax: 2, pgMin: -4, recentGap: 0.5, reviveBelow: 0.1, ...values });
  return state;
}

const thresholds = (state: ReturnType<typeof stateWith>) => [state.get("shrinkBelow"), state.get("shrinkAbove"), state.get("activeCount")];

test("a quarter of the extreme projected gradients, doubled by every check, never above the paper's", () => {
  for (const [checks, share] of [
    [0, 0.25],
    [1, 0.5],
    [2, 1],
    [40, 1],
  ] as const) {
    const state = stateWith({ checks });
    core.call.setShrinking?.(state.pointer);
    expect(thresholds(state)).toEqual([-4 * share, 2 * share, 4]);
  }
});

test("the paper's thresholds under LIBLINEAR's rule, and no row comes back before it holds", () => {
  const state = stateWith({ violation: 0.1, recentGap: 0.01 });
  core.call.setShrinking?.(state.pointer);
  expect(thresholds(state)).toEqual([-4, 2, 4]);
});

test("no threshold where no gradient points that way", () => {
  const state = stateWith({ pgMax: 0, pgMin: 0 });
  core.call.setShrinking?.(state.pointer);
  expect(thresholds(state)).toEqual([-Infinity, Infinity, 4]);
});

test("all rows come back once the gap has fallen far enough, and the next time is set from there", () => {
  const state = stateWith({ recentGap: 0.09 });
  core.call.setShrinking?.(state.pointer);
  expect(thresholds(state)).toEqual([-Infinity, Infinity, 10]);
  expect(state.get("reviveBelow")).toBeCloseTo(0.03 * 0.09, 15);
});

test("LIBLINEAR's rule: within the violation, on all rows, the free bias at rest", () => {
  const ends = (values: Parameters<typeof stateWith>[0]) => {
    const state = stateWith({ violation: 0.1, pgMax: 0.04, pgMin: -0.05, activeCount: 10, ...values });
    return [core.call.endsByViolation?.(state.pointer), state.get("activeCount")];
  };
  expect(ends({})).toEqual([1, 10]);
  expect(ends({ pgMax: 0.06 })).toEqual([0, 10]);
  expect(ends({ activeCount: 4 })).toEqual([0, 10]);
  expect(ends({ isFree: 1, bias: 1, centre: 0.95 })).toEqual([1, 10]);
  expect(ends({ isFree: 1, bias: 1, centre: 0.8 })).toEqual([0, 10]);
  // A bias on its way would pass shrunk rows by.
  expect(ends({ isFree: 1, bias: 1, centre: 0.8, activeCount: 0, pgMax: -Infinity, pgMin: Infinity })).toEqual([0, 10]);
});

test("activateAll forgets the thresholds", () => {
  const state = stateWith({ shrinkAbove: 1, shrinkBelow: -1 });
  core.call.activateAll?.(state.pointer);
  expect(thresholds(state)).toEqual([-Infinity, Infinity, 10]);
});
