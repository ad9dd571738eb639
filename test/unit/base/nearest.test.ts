import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, nearest, suggestion } from "../../../src/base/nearest.ts";

/** The same distance straight from its definition: what the last letters cost, plus the distance of what is before them. */
function plainDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const ways = [
    plainDistance(a.slice(0, -1), b) + 1,
    plainDistance(a, b.slice(0, -1)) + 1,
    plainDistance(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...ways);
}

describe("editDistance", () => {
  const cases: readonly [a: string, b: string, distance: number][] = [
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["tolerance", "tolerance", 0],
    ["tolerence", "tolerance", 1],
    ["trian", "train", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
  ];
  for (const [a, b, distance] of cases) {
    test(`from ${JSON.stringify(a)} to ${JSON.stringify(b)} is ${distance}`, () => {
      expect(editDistance(a, b)).toBe(distance);
    });
  }

  test("equals the plain recursion on short words", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(plainDistance(a, b));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe("nearest", () => {
  test("finds a name two edits away, and none that is three away", () => {
    expect(nearest("tolrence", ["tolerance"])).toBe("tolerance");
    expect(nearest("tolrenc", ["tolerance"])).toBeUndefined();
  });

  test("allows one edit only in words of two or three letters", () => {
    expect(nearest("sed", ["seed"])).toBe("seed");
    expect(nearest("sxd", ["seed"])).toBeUndefined();
    expect(nearest("-c", ["--c"])).toBe("--c");
  });

  test("takes a single letter for nothing but itself, since one edit would make any letter of it", () => {
    expect(nearest("c", ["C"])).toBe("C");
    expect(nearest("x", ["C"])).toBeUndefined();
    expect(nearest("", ["C"])).toBeUndefined();
  });

  test("ignores case and answers with the name as it is written", () => {
    expect(nearest("BIASSCALE", ["bias", "biasScale"])).toBe("biasScale");
  });

  test("takes the nearest of several, and the first of equals", () => {
    expect(nearest("train", ["trainer", "trains", "brain"])).toBe("trains");
    expect(nearest("lost", ["lose", "loss"])).toBe("lose");
  });

  test("finds nothing among no candidates", () => {
    expect(nearest("word", [])).toBeUndefined();
  });
});

describe("suggestion", () => {
  test("is the end of a sentence", () => {
    expect(suggestion("tolerence", ["tolerance", "seed"])).toBe('; did you mean "tolerance"?');
  });

  test("is empty where nothing is near", () => {
    expect(suggestion("gamma", ["tolerance", "seed"])).toBe("");
  });
});

test("a name of megabytes, on either side, is far from all others at once", () => {
  const long = "x".repeat(5_000_000);
  const started = performance.now();
  expect([nearest(long, ["tolerance"]), nearest("tolerance", [long])]).toEqual([undefined, undefined]);
  expect(performance.now() - started).toBeLessThan(1000); // comparing them letter by letter takes gigabytes
});
