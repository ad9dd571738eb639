// The progress of several problems as that of one.

import type { TaskProgress } from "./protocol.js";

/** All iterations, the worst gap (null where one has none) and the worst violation. */
export function together(all: readonly TaskProgress[]): TaskProgress {
  const violations = all.flatMap(({ violation }) => violation ?? []);
  return {
    iterations: all.reduce((sum, { iterations }) => sum + iterations, 0),
    relativeGap: all.reduce<number | null>(
      (worst, { relativeGap }) => (worst === null || relativeGap === null ? null : Math.max(worst, relativeGap)),
      0,
    ),
    ...(violations.length > 0 ? { violation: Math.max(...violations) } : {}),
  };
}
