// Numbers as the sum of two doubles, for decimals that are read and written: what one double has lost, the other holds. Checked in test/unit/core/double-double.test.ts.

/** a b - product, exactly, where product is a b rounded and nothing runs over: the parts of both, 26 bits each, multiply without rounding (Dekker, 1971). */
export function productError(a: f64, b: f64, product: f64): f64 {
  const highA = upperPart(a);
  const lowA = a - highA;
  const highB = upperPart(b);
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}

function upperPart(a: f64): f64 {
  const scaled = 134217729.0 * a; // 2^27 + 1
  return scaled - (scaled - a);
}
