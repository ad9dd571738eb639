import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { judgedLosses } from "../../../src/certify/losses.ts";

for (const [name, loss] of Object.entries(judgedLosses)) {
  describe(name, () => {
    const random = new Random(7);
    const C = 1.5;
    const dualPoint = () => Math.min(loss.upper(C), 4 * C) * random.unit();

    test("h(a) is at most C loss(m) + a m, whatever a and m: Fenchel's inequality", () => {
      for (let k = 0; k < 1000; k++) {
        const m = 6 * (random.unit() - 0.5);
        const a = dualPoint();
        expect(loss.dualValue(a, C)).toBeLessThanOrEqual(C * loss.value(m) + a * m + 1e-12);
      }
    });

    test("with equality at the dual variable that the margin suggests", () => {
      const { suggest } = loss;
      for (let k = 0; suggest !== undefined && k < 1000; k++) {
        const m = 60 * (random.unit() - 0.5);
        const a = suggest(m, C);
        expect(a).toBeGreaterThanOrEqual(0);
        expect(a).toBeLessThanOrEqual(loss.upper(C));
        expect(Math.abs(loss.dualValue(a, C) - C * loss.value(m) - a * m)).toBeLessThan(1e-12 * (1 + Math.abs(m)));
      }
      expect(suggest === undefined).toBe(name === "hinge");
    });

    test("its slopes are those of its values", () => {
      for (let k = 0; k < 100; k++) {
        const a = C * (0.1 + 0.8 * random.unit());
        const step = 1e-5;
        const [first, second] = loss.dualSlopes(a, C);
        const [below, here, above] = [a - step, a, a + step].map((at) => loss.dualValue(at, C)) as [number, number, number];
        expect((above - below) / (2 * step)).toBeCloseTo(first, 6);
        expect((above - 2 * here + below) / (step * step)).toBeCloseTo(second, 3);
      }
    });
  });
}

test("margins far out neither overflow nor lose their loss", () => {
  const { logistic } = judgedLosses;
  expect(logistic.value(-1e4)).toBe(1e4);
  expect(logistic.value(1e4)).toBe(0);
  expect(logistic.value(40)).toBeCloseTo(Math.exp(-40), 30);
  expect(logistic.suggest?.(1e4, 1)).toBe(0);
  expect(logistic.suggest?.(-1e4, 1)).toBe(1);
});

test("logistic: no digits are lost where a is small beside C, or C - a", () => {
  // -a log p - (C - a) log(1 - p) = a (1 - log p) - C (p^2 / 2 + p^3 / 6 + ...), p = a / C
  const C = 2 ** 27;
  for (const a of [1, 2 ** -10, 3 * 2 ** -40]) {
    const wanted = a * (1 - Math.log(a / C)) - ((a / C) * a) / 2;
    expect(Math.abs(judgedLosses.logistic.dualValue(a, C) / wanted - 1)).toBeLessThan(8 * Number.EPSILON);
  }
  expect(judgedLosses.logistic.dualValue(C - 2 ** -10, C)).toBe(judgedLosses.logistic.dualValue(2 ** -10, C));
});
