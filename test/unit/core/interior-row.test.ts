import { describe, expect, test } from "vitest";
import { interiorRowStruct, interiorStateStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

type Name = keyof typeof interiorRowStruct.offsets;

/** Four variables of a row inside their bounds, with what Form makes of them. */
const values = {
  ...{ alpha: 0.3, rest: 1.7, slack: 0.2, excess: 2.5, residual: 0.4, product: 0.05, restProduct: -0.02, y: -1 },
  ...{ perAlpha: 1 / 0.3, perRest: 1 / 1.7, perSlack: 5, perExcess: 0.4 },
  theta: 1 / (0.2 / 0.3 + 2.5 / 1.7),
};

function rowOf(fields: Partial<Record<Name, number>>) {
  const core = coreUnderTest();
  const row = new StructView(interiorRowStruct, core.buffer, core.take(interiorRowStruct.size));
  row.assign(fields);
  const lanes = (a: number, b: number): number => core.doubles([a, b]);
  const read = (at: number): number[] => core.readDoubles(at, 2);
  return { core, row, lanes, read };
}

describe("a row of the interior point", () => {
  test("its pairs are a and r, s and xi, and what goes with them", () => {
    const { core, row, lanes, read } = rowOf(values);
    const at = lanes(0, 0);
    for (const [first, second] of [
      ["alpha", "rest"],
      ["slack", "excess"],
      ["product", "restProduct"],
      ["perAlpha", "perRest"],
      ["perSlack", "perExcess"],
    ] as const) {
      core.call.pair?.(row.pointer, interiorRowStruct.offsets[first], at);
      expect(read(at)).toEqual([row.get(first), row.get(second)]);
      core.call.setPair?.(row.pointer, interiorRowStruct.offsets[first], lanes(7, 8));
      expect([row.get(first), row.get(second)]).toEqual([7, 8]);
    }
    core.call.opposite?.(0.25, at);
    expect(read(at)).toEqual([0.25, -0.25]);
    expect(core.call.difference?.(lanes(3, 5))).toBe(-2);
    expect(core.call.larger?.(lanes(3, 5))).toBe(5);
    expect(core.call.foldLanes?.(lanes(3, 5))).toBe(8);
  });

  test("its changes solve Newton's equations of the row", () => {
    const { core, row, lanes, read } = rowOf(values);
    const [target, turn] = [0.11, 0.7];
    const da = core.call.alphaChange?.(row.pointer, target, turn) as number;
    const at = lanes(da, -da);
    core.call.slackChanges?.(row.pointer, target, at);
    const [ds, dxi] = read(at) as [number, number];
    const { alpha, rest, slack, excess, residual, product, restProduct, y } = values;
    // a ds + s da = target - a s - product, the same for r and xi, and y z'dt + dxi - ds = residual, each to a few roundings of its terms.
    const near = (left: number, right: number): void => expect(Math.abs(left - right)).toBeLessThan(32 * Number.EPSILON * 10);
    near(alpha * ds + slack * da, target - alpha * slack - product);
    near(rest * dxi - excess * da, target - rest * excess - restProduct);
    near(y * turn + dxi - ds, residual);
  });

  test("it hinders a step as its nearest variable does", () => {
    const { core, row, lanes, read } = rowOf(values);
    const most = lanes(0, 0);
    core.call.hindrance?.(most, row.pointer, lanes(-0.6, 0.6), lanes(0.1, -1));
    expect(read(most)).toEqual([-(-0.6 * values.perAlpha), -(-1 * values.perExcess)]);
    core.call.hindrance?.(most, row.pointer, lanes(0.6, -0.6), lanes(-1, 3));
    expect(read(most)).toEqual([5, -(-1 * values.perExcess)]);
    // What is not a number hinders nobody: a variable that is 0 and stays so.
    row.assign({ perAlpha: Infinity });
    core.call.hindrance?.(most, row.pointer, lanes(0, 0), lanes(Number.NaN, 0));
    expect(read(most)).toEqual([5, -(-1 * values.perExcess)]);
  });

  test.each([-3, -1e-3, 0, 1e-3, 3, 1e6])("centred at margin %s: a s = r xi = mu, a + r = C, s - xi = m", (m) => {
    const { core, row } = rowOf({ cost: 2 });
    core.call.centreRow?.(row.pointer, m, 0.01);
    const [alpha, rest, slack, excess] = (["alpha", "rest", "slack", "excess"] as const).map((name) => row.get(name)) as [
      number,
      number,
      number,
      number,
    ];
    const near = (left: number, right: number, size: number): void =>
      expect(Math.abs(left - right)).toBeLessThan(16 * Number.EPSILON * size);
    near(alpha * slack, 0.01, 0.01);
    near(rest * excess, 0.01, 0.01);
    near(alpha + rest, 2, 2);
    near(slack - excess, m, slack + excess);
  });

  test("rows stand one after the other in the table", () => {
    const core = coreUnderTest();
    const state = new StructView(interiorStateStruct, core.buffer, core.take(interiorStateStruct.size));
    state.assign({ table: 4096 });
    const third = core.call.interiorRow?.(state.pointer, 3) as number;
    expect(third).toBe(4096 + 3 * interiorRowStruct.size);
    expect(core.call.nextRow?.(third)).toBe(core.call.interiorRow?.(state.pointer, 4));
  });
});
