import { afterEach, describe, expect, test } from "vitest";
import { readLiblinearModel, writeLiblinearModel } from "../../../src/formats/liblinear-model.ts";
import { thrown } from "../../thrown.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readLiblinearModel(bytesOf(text), "a.model");

const binary = "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias -1\nw\n0.5 \n-2 \n1e-300 \n";
const joint = "solver_type MCSVM_CS\nnr_class 3\nlabel 3 1 2\nnr_feature 1\nbias 2.5\nw\n1 2 3 \n-1 -2 -0 \n";
const regression = "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 2\nbias 0\nw\n1 \n2 \n3 \n";
const oneClass = "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 1\nbias -1\nrho 201.25976386818593\nw\n-55 \n";
const empty = "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 0\nbias -1\nw\n";
const lonely = "solver_type L1R_LR\nnr_class 1\nlabel 7\nnr_feature 1\nbias -1\nw\n0.66666666666666663 \n";

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe("a model file of LIBLINEAR", () => {
  test("is read as what it holds", () => {
    expect(read(binary)).toEqual({
      solverType: "L2R_L2LOSS_SVC_DUAL",
      classCount: 2,
      labels: Int32Array.of(1, -1),
      featureCount: 3,
      bias: -1,
      rho: undefined,
      weights: Float64Array.of(0.5, -2, 1e-300),
    });
  });

  test("has one column a class where classes are trained jointly, and a row for the constant feature", () => {
    expect(read(joint)).toMatchObject({ classCount: 3, bias: 2.5, weights: Float64Array.of(1, 2, 3, -1, -2, -0) });
    expect(read(joint.replace("nr_class 3\nlabel 3 1 2", "nr_class 2\nlabel 1 2").replace("1 2 3 \n-1 -2 -0", "1 2\n3 4")).weights).toEqual(
      Float64Array.of(1, 2, 3, 4),
    );
  });

  test("has no labels for regression and one-class, and rho for one-class alone", () => {
    expect(read(regression)).toMatchObject({ labels: undefined, rho: undefined, weights: Float64Array.of(1, 2, 3) });
    expect(read(oneClass)).toMatchObject({ labels: undefined, rho: 201.25976386818593, weights: Float64Array.of(-55) });
  });

  for (const text of [binary, joint, regression, oneClass, empty, lonely]) {
    const type = text.slice("solver_type ".length, text.indexOf("\n"));
    test(`is written back byte for byte: ${type}`, () => {
      expect(new TextDecoder().decode(writeLiblinearModel(read(text)))).toBe(text);
    });

    test(`may have CRLF, a byte order mark, blank lines and no line break at its end: ${type}`, () => {
      for (const other of [text.replaceAll("\n", "\r\n"), text.trimEnd(), `\uFEFF${text}`, text.replaceAll("\n", "\n\n"), `${text}\n \n`]) {
        expect(read(other)).toEqual(read(text));
      }
    });
  }

  test("may have its header lines in any order", () => {
    expect(read("bias -1\nnr_feature 1\nlabel 1 -1\nnr_class 2\nsolver_type L2R_LR\nw\n1\n").labels).toEqual(Int32Array.of(1, -1));
  });
});

describe("a file that is wrong says where and what to do:", () => {
  const cut = "; the file was cut short or its header is wrong: write it again";
  const cases: readonly [what: string, text: string, message: string][] = [
    ["nothing", "", `1:1: the line "w" that closes the header is missing${cut}`],
    ["the header alone", binary.slice(0, binary.indexOf("w\n")), `6:1: the line "w" that closes the header is missing${cut}`],
    [
      "another file",
      "hello world\n",
      '1:1: a model file of LIBLINEAR has no line "hello"; there are solver_type, nr_class, label, nr_feature, bias, rho, w',
    ],
    ["a mistyped key", binary.replace("label", "lable"), '3:1: a model file of LIBLINEAR has no line "lable"; did you mean "label"?'],
    [
      "a key that objects have",
      binary.replace("label", "__proto__"),
      '3:1: a model file of LIBLINEAR has no line "__proto__"; there are solver_type, nr_class, label, nr_feature, bias, rho, w',
    ],
    ["a key twice", binary.replace("bias", "nr_class 2\nbias"), "5:1: nr_class comes twice; remove one of the two lines"],
    ["no nr_class", binary.replace("nr_class 2\n", ""), '5:1: nr_class is missing; it must stand before the line "w"'],
    ["no label", binary.replace("label 1 -1\n", ""), '5:1: label is missing; it must stand before the line "w"'],
    ["no rho", oneClass.replace(/rho.*\n/, ""), '5:1: rho is missing; it must stand before the line "w"'],
    ["a value too many", binary.replace("bias -1", "bias -1 2"), "5:6: bias must have one value, got 2"],
    ["a value too few", binary.replace("bias -1", "bias"), "5:5: bias must have one value, got 0"],
    ["a label too many", binary.replace("1 -1", "1 -1 5"), "3:7: label must have 2 values, got 3"],
    ["a label twice", binary.replace("1 -1", "1 1"), "3:9: label 1 comes twice; every class must have a label of its own"],
    ["half a label", binary.replace("1 -1", "1 0.5"), '3:9: a label must be a whole number from -2147483648 to 2147483647, got "0.5"'],
    ["something behind w", binary.replace("w\n", "w 1\n"), '6:3: w must stand alone in its line, got "1"'],
    ["no class", binary.replace("nr_class 2", "nr_class 0"), '2:10: nr_class must be a whole number from 1 to 2147483647, got "0"'],
    ["three classes in a regression", regression.replace("nr_class 2", "nr_class 3"), '2:10: nr_class must be 2, got "3"'],
    [
      "labels in a regression",
      regression.replace("nr_feature", "label 1 2\nnr_feature"),
      "3:7: a model of type L2R_L2LOSS_SVR has no label; remove the line, or correct the type",
    ],
    [
      "rho in a classifier",
      binary.replace("w\n", "rho 1\nw\n"),
      "6:5: a model of type L2R_L2LOSS_SVC_DUAL has no rho; remove the line, or correct the type",
    ],
    ["a hexadecimal bias", binary.replace("bias -1", "bias 0x1"), '5:6: bias must be a finite decimal number, got "0x1"'],
    ["nan", binary.replace("-2", "nan"), '8:1: a weight must be a finite decimal number, got "nan"'],
    ["inf", binary.replace("-2", "-inf"), '8:1: a weight must be a finite decimal number, got "-inf"'],
    ["too large for a double", binary.replace("-2", "1e999"), '8:1: a weight must be a finite decimal number, got "1e999"'],
    ["bytes that are no text", binary.replace("-2", "\u0001é"), '8:1: a weight must be a finite decimal number, got "···"'],
    ["a weight too many", binary.replace("-2", "-2 3"), "8:1: a line of weights must have 1 of them by the header, got 2"],
    ["a weight too few", joint.replace("1 2 3 ", "1 2 "), "7:1: a line of weights must have 3 of them by the header, got 2"],
    ["a line too few", binary.replace("1e-300 \n", ""), `9:1: the header promises 3 lines of weights, there are 2${cut}`],
    ["a line too many", `${binary}7\n`, "10:1: the header promises 3 lines of weights, here is one more; correct nr_feature or bias"],
    [
      "as many features as there can be",
      binary.replace("nr_feature 3", "nr_feature 2147483647"),
      `10:1: the header promises 2147483647 weights, 17 bytes cannot hold them${cut}`,
    ],
    [
      "more features than there can be",
      binary.replace("nr_feature 3", "nr_feature 2147483648"),
      '4:12: nr_feature must be a whole number from 0 to 2147483647, got "2147483648"',
    ],
    [
      "as many classes as there can be",
      binary.replace("nr_class 2", "nr_class 2147483647"),
      "3:7: label must have 2147483647 values, got 2",
    ],
  ];
  for (const [what, text, message] of cases) {
    test(what, () => {
      const error = thrown(() => read(text));
      expect([error.code, error.message]).toEqual(["bad-model", `a.model:${message}`]);
      const [, line, column] = /^a\.model:(\d+):(\d+)/.exec(error.message) ?? [];
      expect(error.where).toEqual({ file: "a.model", line: Number(line), column: Number(column) });
    });
  }

  test("an unknown type lists the known ones, or the nearest", () => {
    expect(thrown(() => read(binary.replace("L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC_DUEL"))).message).toMatch(
      /^a\.model:1:13: solver_type must be one of L2R_LR, .*, ONECLASS_SVM, got "L2R_L2LOSS_SVC_DUEL"; did you mean "L2R_L2LOSS_SVC_DUAL"\?$/,
    );
  });
});
