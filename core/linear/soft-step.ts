// One variable of a quadratic with an absolute value: q u + h u^2 / 2 + p |u|, slope q at u and curvature h >= 0.
// Checked against a search over many points in test/unit/core/soft-step.test.ts.

/** Where  q (t - u) + h (t - u)^2 / 2 + p |t|  is least; u itself where it falls for ever. */
export function softStep(u: f64, q: f64, p: f64, h: f64): f64 {
  if (!(h > 0)) return abs(q) <= p ? 0 : u;
  if (q + p < h * u) return u - (q + p) / h;
  if (q - p > h * u) return u - (q - p) / h;
  return 0;
}

/** Distance of 0 from the subdifferential of q u + p |u| at u. */
export function violationAt(u: f64, q: f64, p: f64): f64 {
  if (u > 0) return abs(q + p);
  if (u < 0) return abs(q - p);
  return max(abs(q) - p, 0);
}
