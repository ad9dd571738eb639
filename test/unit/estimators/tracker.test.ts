import { expect, test } from "vitest";
import type { KernelProgress, Progress } from "../../../src/base/options/fit.ts";
import { Tracker } from "../../../src/estimators/tracker.ts";

test("problems as one: passes of all, the worst gap, at most ten reports a second", () => {
  const seen: Progress[] = [];
  const tracker = new Tracker(3, (progress) => seen.push(progress));
  tracker.watch(0)?.({ iterations: 5, relativeGap: 0.1, seconds: 1 });
  tracker.watch(1)?.({ iterations: 2, relativeGap: 0.3, seconds: 1.01 });
  tracker.finish(0, { stages: [{ iterations: 4 }, { iterations: 3 }] });
  tracker.watch(2)?.({ iterations: 1, relativeGap: 0.2, seconds: 2 });
  expect(seen).toEqual([
    { iterations: 5, relativeGap: 0.1, seconds: 1, problems: { done: 0, total: 3 } },
    { iterations: 10, relativeGap: 0.3, seconds: 2, problems: { done: 1, total: 3 } },
  ]);
});

test("kernel machines: the largest violation, and no gap where one of them has none", () => {
  const seen: KernelProgress[] = [];
  const tracker = new Tracker<KernelProgress>(2, (progress) => seen.push(progress));
  tracker.watch(0)?.({ iterations: 5, relativeGap: 0.1, violation: 0.5, seconds: 1 });
  tracker.watch(1)?.({ iterations: 2, relativeGap: null, violation: 0.25, seconds: 2 });
  expect(seen).toEqual([
    { iterations: 5, relativeGap: 0.1, violation: 0.5, seconds: 1, problems: { done: 0, total: 2 } },
    { iterations: 7, relativeGap: null, violation: 0.5, seconds: 2, problems: { done: 0, total: 2 } },
  ]);
});
