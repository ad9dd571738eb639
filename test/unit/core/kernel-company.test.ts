// Whether rows come along with a wanted one, by how many of them were used.

import { expect, test } from "vitest";
import { companyStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

const OTHERS = 7;
/** Rows after which one that came along has been used or not. */
const RING = 64;

function setUp({ isApt = 1 } = {}) {
  const { call, buffer, take } = coreUnderTest();
  const stamps = new Uint32Array(buffer, take(4 * 100), 100);
  const shared = new Float64Array(buffer, take(16), 2);
  shared.set([1, 0]);
  const made = (): StructView<keyof typeof companyStruct.offsets> => {
    const company = new StructView(companyStruct, buffer, take(companyStruct.size));
    company.assign({ places: take(4 * RING), steps: take(4 * RING), shared: shared.byteOffset, met: 0, isApt, ringSize: RING });
    return company;
  };
  const company = made();
  const next = ({ pointer } = company): number => call.companions?.(pointer) as number;
  const came = (place: number, { pointer } = company): void => void call.cameAlong?.(pointer, stamps.byteOffset, place, 10);
  /** So many rows come along at step 10; the next step uses those of which `isUsed` says so. */
  const come = (count: number, isUsed: (k: number) => boolean): void => {
    for (let k = 0; k < count; k++) {
      stamps[k % 100] = 10;
      came(k % 100);
      if (isUsed(k)) stamps[k % 100] = 11;
    }
  };
  return { company, made, stamps, next, came, come, share: (): number => shared[0] as number };
}

test("whole groups as long as nobody knows better, and while half of them are used", () => {
  const { next, come, share } = setUp();
  expect(next()).toBe(OTHERS);
  come(RING, () => false);
  expect(share()).toBe(1); // none has had its time yet
  come(900, (k) => k % 5 < 3);
  expect(share()).toBeGreaterThan(0.5);
  expect(share()).toBeLessThan(0.7);
  expect(next()).toBe(OTHERS);
});

test("alone where few are used, with one trial in sixteen; together again once most are", () => {
  const { next, come, share } = setUp();
  come(900, (k) => k % 5 === 0);
  expect(share()).toBeGreaterThan(0.1);
  expect(share()).toBeLessThan(0.3);
  const said = Array.from({ length: 48 }, () => next());
  expect(said.flatMap((count, k) => (count === OTHERS ? [k] : []))).toEqual([15, 31, 47]);
  expect(said.filter((count) => count === 0).length).toBe(45);
  come(900, () => true);
  expect(share()).toBeGreaterThan(0.99);
  expect(next()).toBe(OTHERS);
});

test("never alone where a row by itself costs as much as eight", () => {
  const { next, come, share } = setUp({ isApt: 0 });
  come(900, () => false);
  expect(share()).toBeLessThan(0.01);
  expect(Array.from({ length: 20 }, () => next())).toEqual(new Array(20).fill(OTHERS));
});

test("problems share what they know, but not their positions; in a new order nothing is asked of those before", () => {
  const { company, made, stamps, next, came, come, share } = setUp();
  come(900, () => false);
  const other = made();
  expect(next(other)).toBe(0);
  const before = share();
  for (const place of [1, 2, 3]) came(place, other);
  expect(share()).toBe(before);
  company.set("met", 0);
  stamps.fill(99);
  come(RING, () => true);
  expect(share()).toBe(before);
});
