// One row of a regression in dual coordinate descent: how far to go, and what it adds to the gap. The method is dcd-svr.ts.
// Checked in test/unit/core/dcd-svr.test.ts.

// Over-relaxation under the plain loss: up to a third fewer passes where C is large, hardly ever more (docs/algorithms/linear-svr.md has the figures).
// Not with a free bias, whose centre moves after every epoch: two rows and a bias have been seen to swing for ever.
const RELAXATION: f64 = 1.4;

/** So much farther than to the minimum where that is on the same side of the kink: D still rises, as it is a parabola there. */
export function relaxed(old: f64, next: f64): f64 {
  const farther = old + RELAXATION * (next - old);
  return old * next >= 0 && farther * next > 0 ? farther : next;
}

/**
 * Row i's part of P - D, r its residual. With a = -beta where r > 0, a = beta elsewhere, m = |r| and e = max(0, m - epsilon):
 *   plain     a >= 0:  (C - a) e where m > epsilon, else a (epsilon - m)            a < 0:  C e + |a| (m + epsilon)
 *   squared   a >= 0:  (e - D a)^2 / (2 D), else a (epsilon - m) + D a^2 / 2        a < 0:  e^2 / (2 D) + |a| (m + epsilon) + D a^2 / 2
 */
export function tubeGap(isPlain: bool, limit: f64, epsilon: f64, beta: f64, residual: f64): f64 {
  const a = residual > 0 ? -beta : beta;
  const m = abs(residual);
  const e = max(m - epsilon, 0);
  const rest = isPlain ? 0 : 0.5 * limit * a * a;
  if (a < 0) return (isPlain ? limit * e : (e * e) / (2 * limit)) - a * (m + epsilon) + rest;
  if (m <= epsilon) return a * (epsilon - m) + rest;
  if (isPlain) return (limit - a) * e;
  const g = e - limit * a;
  return (g * g) / (2 * limit);
}
