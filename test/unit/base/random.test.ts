import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";

/** Draws the given bits, the last of them for ever. */
class Scripted extends Random {
  readonly #bits: number[];

  constructor(...bits: number[]) {
    super(0);
    this.#bits = bits;
  }

  override bits(): number {
    return (this.#bits.length > 1 ? this.#bits.shift() : this.#bits[0]) as number;
  }
}

/**
 * Chi-square of counts that should be equal, in standard deviations from its mean: with k cells it has mean k - 1 and
 * variance 2(k - 1). Seeds are fixed, so a limit of 5 is no matter of luck; a bias of a tenth would show as hundreds.
 */
function surprise(counts: readonly number[]): number {
  const expected = counts.reduce((a, b) => a + b, 0) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return Math.abs(chiSquare - (counts.length - 1)) / Math.sqrt(2 * (counts.length - 1));
}

function tally(cells: number, draws: number, draw: () => number): number[] {
  const counts = new Array<number>(cells).fill(0);
  for (let k = 0; k < draws; k++) counts[draw()]!++;
  return counts;
}

test("bits() gives the known first outputs of xoshiro128++ for the state 1, 2, 3, 4", () => {
  const random = new Random(0);
  random.state.set([1, 2, 3, 4]);
  // By hand: rotl(1 + 4, 7) + 1 = 641; then the state is (7, 0, 1026, 12288), so rotl(7 + 12288, 7) + 7 = 1573767.
  expect([random.bits(), random.bits()]).toEqual([641, 1573767]);
});

describe("below", () => {
  test("is the high word of bits times bound, exactly, where no draw is thrown away", () => {
    const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 2 ** 32 - 1 }), word, (bits, bound, next) => {
        const isKept = (drawn: number): boolean => (BigInt(drawn) * BigInt(bound)) % 2n ** 32n >= 2n ** 32n % BigInt(bound);
        fc.pre(isKept(bits) || isKept(next));
        const used = isKept(bits) ? bits : next;
        expect(new Scripted(bits, next).below(bound)).toBe(Number((BigInt(used) * BigInt(bound)) >> 32n));
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  test("of 1 is always 0", () => {
    const random = new Random(3);
    expect(tally(1, 100, () => random.below(1))).toEqual([100]);
  });

  for (const bound of [2, 3, 6, 10, 256]) {
    test(`draws every number below ${bound} about equally often, and no other`, () => {
      const random = new Random(4);
      const counts = tally(bound, 1000 * bound, () => random.below(bound));
      expect(counts).toHaveLength(bound); // a number of bound or more would have made it longer
      expect(surprise(counts)).toBeLessThan(5);
    });
  }

  test("favours nothing where 2^32 is far from a multiple of the bound", () => {
    // Without throwing draws away, two of four words would lead to multiples of 3.
    const random = new Random(5);
    expect(surprise(tally(3, 30_000, () => random.below(3 * 2 ** 30) % 3))).toBeLessThan(5);
  });

  test("stays below bounds of 32 bits and comes near them", () => {
    const random = new Random(6);
    for (const bound of [2 ** 31 + 1, 2 ** 32 - 1]) {
      const drawn = Array.from({ length: 1000 }, () => random.below(bound));
      expect(drawn.every((x) => Number.isInteger(x) && x >= 0 && x < bound)).toBe(true);
      expect(Math.max(...drawn)).toBeGreaterThan(0.98 * bound); // missed with probability 0.98^1000 = 2e-9
    }
  });
});

describe("unit", () => {
  test("reaches 0 and the last number before 1, and not 1", () => {
    expect(new Scripted(0).unit()).toBe(0);
    expect(new Scripted(2 ** 32 - 1).unit()).toBe(1 - 2 ** -53);
  });

  test("gives multiples of 2^-53 whose mean is 1/2 and whose last bit is even half of the time", () => {
    const random = new Random(7);
    const count = 20_000;
    const scaled = Array.from({ length: count }, () => random.unit() * 2 ** 53);
    expect(scaled.every((x) => Number.isInteger(x) && x >= 0 && x < 2 ** 53)).toBe(true);
    const mean = scaled.reduce((sum, x) => sum + x / 2 ** 53, 0) / count;
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * count)); // five standard deviations of the mean
    expect(surprise([0, 1].map((bit) => scaled.filter((x) => x % 2 === bit).length))).toBeLessThan(5);
  });
});

describe("shuffle", () => {
  for (const count of [0, 1, 2, 1000]) {
    test(`permutes ${count} numbers, of arrays and of typed arrays alike`, () => {
      const order = Array.from({ length: count }, (_, k) => 3 * k);
      const typed = Uint32Array.from(order);
      const sorted = [...order];
      new Random(8).shuffle(order);
      new Random(8).shuffle(typed);
      expect([...typed]).toEqual(order);
      expect([...order].sort((a, b) => a - b)).toEqual(sorted);
      if (count === 1000) expect(order).not.toEqual(sorted);
    });
  }

  test("gives each of the 24 orders of four numbers about equally often", () => {
    const random = new Random(9);
    const counts = new Map<string, number>();
    for (let k = 0; k < 24_000; k++) {
      const order = [0, 1, 2, 3];
      random.shuffle(order);
      counts.set(order.join(), (counts.get(order.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(surprise([...counts.values()])).toBeLessThan(5);
  });
});

describe("seeds and streams", () => {
  test("the same pair gives the same numbers", () => {
    const [a, b] = [new Random(10, 2), new Random(10, 2)];
    for (let k = 0; k < 100; k++) expect(a.bits()).toBe(b.bits());
  });

  test("different pairs give different ones, also where seeds differ by more than 32 bits", () => {
    const seeds = [0, 1, 2, 3, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 52, Number.MAX_SAFE_INTEGER];
    const starts = seeds.flatMap((seed) =>
      Array.from({ length: 50 }, (_, stream) => {
        const random = new Random(seed, stream);
        return `${random.bits()} ${random.bits()}`;
      }),
    );
    expect(new Set(starts).size).toBe(starts.length);
  });

  test("the streams of one seed do not run alike", () => {
    const [a, b] = [new Random(11, 0), new Random(11, 1)];
    const agreements = Array.from({ length: 6400 }, () => a.bits() & 1).filter((bit) => bit === (b.bits() & 1)).length;
    expect(Math.abs(agreements - 3200)).toBeLessThan(5 * 40); // standard deviation sqrt(6400) / 2 = 40
  });
});
