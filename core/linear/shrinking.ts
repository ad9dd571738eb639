// Which rows dual coordinate descent leaves alone for a while, and the stopping rule that is made of the same numbers.
//
// Hsieh et al., ICML 2008, section 3.2: a row at a bound whose gradient points out of the box by more than any projected gradient of
// the last epoch will most likely stay there. Here, while the gap decides, a quarter of that is enough at first: up to half the visits
// to gap 1e-3 (docs/performance.md). Rows shrunk so early may be wrong, so all of them come back for an epoch whenever the estimated gap
// has fallen to REVIVE of what it was with all rows; and every check that had to bring rows back doubles the share, up to the paper's 1.
// Checked in test/unit/core/shrinking.test.ts.

import { DcdState, isTube } from "../layout/descent";

const SHRINK_SHARE: f64 = 0.25;
const REVIVE: f64 = 0.03;

/** Thresholds for the next epoch, or all rows back. LIBLINEAR's stopping rule goes with the paper's thresholds. */
export function setShrinking(s: DcdState): void {
  const share = s.violation > 0 ? 1 : min<f64>(1, SHRINK_SHARE * <f64>(1 << min<u32>(s.checks, 30)));
  s.shrinkAbove = s.pgMax > 0 ? share * s.pgMax : Infinity;
  s.shrinkBelow = s.pgMin < 0 ? share * s.pgMin : -Infinity;
  if (s.violation > 0) return;
  if (s.recentGap < s.reviveBelow) activateAll(s);
  if (s.activeCount == s.rowCount) s.reviveBelow = REVIVE * s.recentGap;
}

/**
 * LIBLINEAR's rule. Classes: the projected gradients met in an epoch lie within `violation` of each other, and a free bias has come to rest to within
 * that. Regression: the violations met in an epoch, and how far a free bias moved, sum to at most `violation` of what the first epoch met.
 * Met on shrunk rows it only brings all rows back.
 */
export function endsByViolation(s: DcdState): bool {
  const tube = isTube(s);
  const met = tube ? s.violationSum : s.pgMax - s.pgMin;
  const allowed = tube ? s.violation * s.firstViolation : s.violation;
  if (met > allowed) return false;
  const moved = s.isFree ? abs(s.bias - s.centre) : 0;
  if (s.activeCount == s.rowCount) return (tube ? met + moved : moved) <= allowed;
  activateAll(s); // also while a free bias is on its way: shrunk rows would not see it pass
  return false;
}

/** All rows back, and none shrunk in the next epoch. */
export function activateAll(s: DcdState): void {
  s.activeCount = s.rowCount;
  s.shrinkAbove = Infinity;
  s.shrinkBelow = -Infinity;
}
