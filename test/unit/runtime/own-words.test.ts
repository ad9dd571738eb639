// What the words are for cannot be seen from here: the engine shows no difference between two equal strings, and one that kept the messages' own
// would be as green.

import { expect, test } from "vitest";
import { withOwnWords } from "../../../src/runtime/own-words.ts";

test("leaves everything as it was but for strings, which are equal", () => {
  const costs = new Float64Array([1, 2]);
  const texts = ["a", "b"];
  const input = {
    problem: { loss: "hinge", costs, stop: undefined, bias: false },
    stages: [{ solver: "Newton" }, null],
    texts,
    none: null,
    count: 3,
  };
  const before = structuredClone(input);
  const own = withOwnWords(input);
  expect(own).toBe(input);
  expect(own).toEqual(before);
  expect(own.problem.costs).toBe(costs);
  expect(own.texts).toBe(texts);
});

test("knows names that objects have anyway, and none at all", () => {
  for (const word of ["__proto__", "constructor", "", "0", "weiß"]) expect(withOwnWords({ word })).toEqual({ word });
  for (const input of [undefined, null, 3, true]) expect(withOwnWords(input)).toBe(input);
});
