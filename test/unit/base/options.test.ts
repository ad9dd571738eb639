import { describe, expect, expectTypeOf, test } from "vitest";
import { type LinearSvcOptions, linearSvcOptions } from "../../../src/base/options/linear-svc.ts";
import { integer, number, oneOf, shownDefault, table, toggle } from "../../../src/base/options/table.ts";
import { thrown } from "../../thrown.ts";

const help = "";
const example = table("Example", {
  share: number({ above: 0, below: 1, default: 0.5, help }),
  floor: number({ atLeast: -2, default: 0, help }),
  offset: number({ default: 0, help }),
  patience: number({ above: 0, default: Infinity, help }),
  reach: number({ default: Infinity, help }),
  passes: integer({ atLeast: 1, default: 10, help }),
  step: integer({ default: 0, help }),
  loss: oneOf(["hinge", "squared_hinge", false], { default: "hinge", help }),
  kernel: oneOf(["rbf"], { default: "rbf", help }),
  shrinking: toggle({ default: true, help }),
});

const messageFor = (given: unknown): string => thrown(() => example.check(given)).message;

describe("an option table", () => {
  test("fills in every default, for no options, for none given and for undefined ones", () => {
    const defaults = {
      ...{ share: 0.5, floor: 0, offset: 0, patience: Infinity, reach: Infinity, passes: 10, step: 0 },
      ...{ loss: "hinge", kernel: "rbf", shrinking: true },
    };
    expect(example.check(undefined)).toEqual(defaults);
    expect(example.check({})).toEqual(defaults);
    expect(example.check({ share: undefined, loss: undefined })).toEqual(defaults);
  });

  test("keeps falsy values that were given", () => {
    expect(example.check({ floor: -2, passes: 1, loss: false, shrinking: false })).toMatchObject({
      ...{ floor: -2, passes: 1, loss: false, shrinking: false },
    });
  });

  test("gives a frozen object of its own", () => {
    const given = { share: 0.25 };
    const checked = example.check(given);
    expect(Object.isFrozen(checked)).toBe(true);
    expect(checked).not.toBe(given);
    expect(given).toEqual({ share: 0.25 });
  });

  test("refuses an unknown name and says the nearest", () => {
    const error = thrown(() => example.check({ shrinkin: true }));
    expect(error.code).toBe("bad-option");
    expect(error.message).toBe('Example has no option "shrinkin"; did you mean "shrinking"?');
  });

  test("refuses an unknown name without a guess where nothing is near", () => {
    expect(messageFor({ gamma: 1 })).toBe('Example has no option "gamma"');
  });

  test("does not take names from the prototype of objects for options", () => {
    expect(messageFor({ toString: 1 })).toBe('Example has no option "toString"');
    expect(messageFor(JSON.parse('{"__proto__": 1}'))).toBe('Example has no option "__proto__"');
  });

  test("complains about an unknown name before a wrong value", () => {
    expect(messageFor({ share: 7, gamma: 1 })).toBe('Example has no option "gamma"');
  });

  for (const [given, got] of [
    [null, "null"],
    [3, "3"],
    ["share", '"share"'],
    [[1], "an array of 1"],
    [() => 1, "a function"],
  ] as const) {
    test(`refuses ${got} in place of options`, () => {
      expect(messageFor(given)).toBe(`the options of Example must be an object such as { C: 1 }, got ${got}`);
    });
  }
});

describe("the fields of a table say what they must be", () => {
  const cases: readonly [given: Record<string, unknown>, message: string][] = [
    [{ share: 0 }, "share must be a finite number above 0 and below 1, got 0"],
    [{ share: 1 }, "share must be a finite number above 0 and below 1, got 1"],
    [{ share: "0.5" }, 'share must be a finite number above 0 and below 1, got "0.5"'],
    [{ share: Number.NaN }, "share must be a finite number above 0 and below 1, got NaN"],
    [{ share: null }, "share must be a finite number above 0 and below 1, got null"],
    [{ floor: -3 }, "floor must be a finite number at least -2, got -3"],
    [{ floor: Infinity }, "floor must be a finite number at least -2, got Infinity"],
    [{ offset: -Infinity }, "offset must be a finite number, got -Infinity"],
    [{ patience: 0 }, "patience must be a number above 0, or Infinity, got 0"],
    [{ patience: -Infinity }, "patience must be a number above 0, or Infinity, got -Infinity"],
    [{ reach: -Infinity }, "reach must be a number, or Infinity, got -Infinity"],
    [{ passes: 0 }, "passes must be a whole number at least 1, got 0"],
    [{ passes: 1.5 }, "passes must be a whole number at least 1, got 1.5"],
    [{ passes: 2 ** 53 }, "passes must be a whole number at least 1, got 9007199254740992"],
    [{ passes: Infinity }, "passes must be a whole number at least 1, got Infinity"],
    [{ step: 0.5 }, "step must be a whole number, got 0.5"],
    [{ loss: "hing" }, 'loss must be "hinge", "squared_hinge" or false, got "hing"'],
    [{ loss: true }, 'loss must be "hinge", "squared_hinge" or false, got true'],
    [{ kernel: 1 }, 'kernel must be "rbf", got 1'],
    [{ shrinking: "yes" }, 'shrinking must be true or false, got "yes"'],
    [{ shrinking: 1 }, "shrinking must be true or false, got 1"],
  ];
  for (const [given, message] of cases) {
    test(message, () => {
      const error = thrown(() => example.check(given));
      expect([error.code, error.message]).toEqual(["bad-option", message]);
    });
  }

  test("Infinity is allowed where it is the default", () => {
    expect(example.check({ patience: Infinity }).patience).toBe(Infinity);
  });

  test("numbers right beside their bounds are allowed", () => {
    const checked = example.check({ share: Number.MIN_VALUE, floor: -2, passes: Number.MAX_SAFE_INTEGER });
    expect([checked.share, checked.floor, checked.passes]).toEqual([Number.MIN_VALUE, -2, Number.MAX_SAFE_INTEGER]);
    expect(example.check({ share: 1 - 2 ** -53 }).share).toBe(1 - 2 ** -53);
  });
});

test("defaults are shown as text, and one that is undefined not at all", () => {
  const { fields } = linearSvcOptions;
  expect([fields.C, fields.loss, fields.timeLimitSeconds, fields.shrinking, fields.threads].map(shownDefault)).toEqual([
    ...["1", "squared_hinge", "Infinity", "true", ""],
  ]);
});

describe("the options of LinearSVC", () => {
  const cases: readonly [given: Record<string, unknown>, message: string][] = [
    [{ c: 1 }, 'LinearSVC has no option "c"; did you mean "C"?'],
    [{ C: -1 }, "C must be a finite number above 0, got -1"],
    [{ tolerance: 1 }, "tolerance must be a finite number above 0 and below 1, got 1"],
    [{ seed: -1 }, "seed must be a whole number at least 0, got -1"],
    [{ threads: 257 }, "threads must be a whole number from 1 to 256, got 257"],
    [{ signal: {} }, "signal must be an AbortSignal, got {}"],
    [{ onProgress: "f" }, 'onProgress must be a function, got "f"'],
    [{ sampleWeight: 2 }, "sampleWeight must be an array of one number a row, got 2"],
    [{ classWeight: { a: -1 } }, classWeightMessage('{"a":-1}')],
    [{ classWeight: new Map([["a", Number.NaN]]) }, classWeightMessage("a Map of 1")],
    [{ classWeight: [1, 2] }, classWeightMessage("an array of 2")],
    [{ classWeight: "balance" }, classWeightMessage('"balance"')],
  ];
  for (const [given, message] of cases) {
    test(message, () => {
      expect(thrown(() => linearSvcOptions.check(given)).message).toBe(message);
    });
  }

  test("a real signal, a function and both forms of class weights pass", () => {
    const given = { signal: new AbortController().signal, onProgress: () => undefined, classWeight: new Map([[1, 0]]), threads: 256 };
    expect(linearSvcOptions.check(given)).toMatchObject(given);
    expect(linearSvcOptions.check({ classWeight: { 1: 2 } }).classWeight).toEqual({ 1: 2 });
  });

  test("their types follow from the table", () => {
    expectTypeOf<LinearSvcOptions["loss"]>().toEqualTypeOf<"squared_hinge" | "hinge" | undefined>();
    expectTypeOf(linearSvcOptions.check({}).bias).toEqualTypeOf<"auto" | "unregularised" | "augmented" | false>();
  });
});

function classWeightMessage(got: string): string {
  return `classWeight must be "balanced", or an object or Map from label to a finite number of at least 0, got ${got}`;
}
