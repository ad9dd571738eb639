import { expect, test } from "vitest";
import { IdleSteps } from "../../../src/solve/newton-idle.ts";

function stepsUntilOver(at: (step: number) => readonly [objective: number, gap: number]): number {
  const idle = new IdleSteps();
  for (let step = 1; step <= 10_000; step++) if (idle.isOver(...at(step))) return step;
  return Infinity;
}

test("nothing moves, or only last digits do: over after 53 steps", () => {
  expect(stepsUntilOver(() => [1, 1e-3])).toBe(54);
  expect(stepsUntilOver((step) => [1, 1e-3 * (1 - 1e-9 * step)])).toBe(54);
  expect(stepsUntilOver((step) => [1 + (step % 2) * Number.EPSILON, 1e-3 * (1 + (step % 3))])).toBeLessThan(60);
});

test("slow is not idle: P falls, or the gap halves now and then", () => {
  expect(stepsUntilOver((step) => [1 - 1e-12 * step, 1])).toBe(Infinity);
  expect(stepsUntilOver((step) => [1, step > 2000 ? 0 : 1 / (1 << Math.floor(step / 50 / 2))])).toBeLessThan(2200);
});
