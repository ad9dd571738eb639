// What the interior point method (interior-point.ts, which has the formulas) does to one row by itself. Both ends of a row's box obey the same ones: (a, s, da, ds)
// and (r, xi, -da, dxi) are the two lanes of a pair, and what divides them is inverted once an iteration, in Form.
// Checked in test/unit/core/interior-row.test.ts.

import { InteriorRow, InteriorState } from "../layout/interior-point";

// Where the pairs of a row are.
export const ALPHA: usize = offsetof<InteriorRow>("alpha");
export const SLACK: usize = offsetof<InteriorRow>("slack");
export const PRODUCT: usize = offsetof<InteriorRow>("product");
export const PER_ALPHA: usize = offsetof<InteriorRow>("perAlpha");
export const PER_SLACK: usize = offsetof<InteriorRow>("perSlack");

export function pair(r: InteriorRow, offset: usize): v128 {
  return v128.load(changetype<usize>(r) + offset);
}

export function setPair(r: InteriorRow, offset: usize, lanes: v128): void {
  v128.store(changetype<usize>(r) + offset, lanes);
}

/** (da, dr). */
export function opposite(change: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(change), 1, -change);
}

export function difference(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) - f64x2.extract_lane(lanes, 1);
}

/** da = theta (q - y z'dt), turn = z'dt. */
export function alphaChange(r: InteriorRow, target: v128, turn: f64): f64 {
  const ends = f64x2.sub(f64x2.mul(f64x2.sub(target, pair(r, PRODUCT)), pair(r, PER_ALPHA)), pair(r, SLACK));
  return r.theta * (r.residual + difference(ends) - <f64>r.y * turn);
}

/** (ds, dxi) for given (da, dr). */
export function slackChanges(r: InteriorRow, target: v128, changes: v128): v128 {
  const slacks = pair(r, SLACK);
  const left = f64x2.sub(f64x2.sub(target, pair(r, PRODUCT)), f64x2.mul(slacks, changes));
  return f64x2.sub(f64x2.mul(left, pair(r, PER_ALPHA)), slacks);
}

/**
 * The larger of `most` and 1 over the longest step that leaves the four variables of a row at or above 0, lane by lane; `most` where every step does, also that of one which is 0
 * and stays so: what is not a number is not larger.
 */
export function hindrance(most: v128, r: InteriorRow, changes: v128, ways: v128): v128 {
  const ofAlpha = f64x2.pmax(most, f64x2.neg(f64x2.mul(changes, pair(r, PER_ALPHA))));
  return f64x2.pmax(ofAlpha, f64x2.neg(f64x2.mul(ways, pair(r, PER_SLACK))));
}

export function larger(lanes: v128): f64 {
  return max(f64x2.extract_lane(lanes, 0), f64x2.extract_lane(lanes, 1));
}

/**
 * a s = r xi = mu, a + r = C and s - xi = m: with root = sqrt(4 mu^2 + C^2 m^2), 2 C s = 2 mu + C m + root and 2 C xi = 2 mu - C m + root. The larger
 * of the two is computed so, the other from a + r = C, without cancellation.
 */
export function centreRow(r: InteriorRow, m: f64, mu: f64): void {
  const scaled = r.cost * m;
  const larger = (2 * mu + abs(scaled) + sqrt(4 * mu * mu + scaled * scaled)) / (2 * r.cost);
  const smaller = (mu * larger) / (r.cost * larger - mu);
  r.slack = m < 0 ? smaller : larger;
  r.excess = m < 0 ? larger : smaller;
  r.alpha = mu / r.slack;
  r.rest = mu / r.excess;
}

/** The row at a place of the table. */
export function tableRow(s: InteriorState, position: u32): InteriorRow {
  return changetype<InteriorRow>(s.table + <usize>position * offsetof<InteriorRow>());
}

export function nextRow(r: InteriorRow): InteriorRow {
  return changetype<InteriorRow>(changetype<usize>(r) + offsetof<InteriorRow>());
}
