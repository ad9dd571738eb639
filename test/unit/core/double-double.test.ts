import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";

/** A double as a whole number times a power of two. */
function parts(value: number): [mantissa: bigint, exponent: number] {
  let [mantissa, exponent] = [value, 0];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return [BigInt(mantissa), exponent];
}

test("a product and what it lost are the product exactly", () => {
  const { call } = coreUnderTest();
  const random = new Random(3);
  for (let k = 0; k < 2000; k++) {
    const [a, b] = [random.unit() * 10 ** Math.floor(20 * random.unit()), random.unit() * 10 ** -Math.floor(20 * random.unit())];
    const error = call.productError?.(a, b, a * b) as number;
    const [[ma, ea], [mb, eb], [mp, ep], [me, ee]] = [parts(a), parts(b), parts(a * b), parts(error)] as const;
    const least = Math.min(ea + eb, ep, ee);
    const at = (mantissa: bigint, exponent: number): bigint => mantissa << BigInt(exponent - least);
    expect(at(mp, ep) + at(me, ee)).toBe(at(ma * mb, ea + eb));
  }
});
