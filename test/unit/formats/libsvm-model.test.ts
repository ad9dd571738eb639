import { afterEach, describe, expect, test } from "vitest";
import type { HingeError } from "../../../src/base/errors.ts";
import { readLibsvmModel, writeLibsvmModel } from "../../../src/formats/libsvm-model.ts";
import type { LibsvmVectors } from "../../../src/model/libsvm-file.ts";
import { kernelFromLibsvm } from "../../../src/model/libsvm-models.ts";
import { thrown } from "../../thrown.ts";

const read = (text: string) => readLibsvmModel(new TextEncoder().encode(text), "a.model");

const rbf =
  "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:0.5 3:-1 \n-1 2:1e-05 \n";
const three =
  "svm_type nu_svc\nkernel_type polynomial\ndegree 3\ngamma 0.10000000000000001\ncoef0 -0\nnr_class 3\ntotal_sv 2\nrho 1 2 3\nlabel 2 1 3\n" +
  "probA 4 5 6\nprobB 7 8 9\nnr_sv 1 0 1\nSV\n1 2 \n-1 -2 0:1 1:1.2345679e+10 \n";
const precomputed =
  "svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 3\nrho -0.25\nlabel 1 -1\nnr_sv 2 1\nSV\n0.5 0:1 \n0.5 0:3 \n-1 0:2 \n";
const oneClass =
  "svm_type one_class\nkernel_type sigmoid\ngamma 1\ncoef0 2\nnr_class 2\ntotal_sv 1\nrho 54.5\n" +
  "prob_density_marks -5 -4 -3 -2 -1 1 2 3 4 5\nSV\n1 1:1 \n";
const regression =
  "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 0\nrho -1.0519499999999999\nprobA 0.016214285714285705\nSV\n";
const nuRegression = regression
  .replace("epsilon_svr", "nu_svr")
  .replace("total_sv 0", "total_sv 1")
  .replace(/probA.*\n/, "")
  .concat("-1 1:1 \n");
// What svm-train writes for rows of one class.
const lonely = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 1\ntotal_sv 0\nrho\nlabel 1\nprobA\nprobB\nnr_sv 0\nSV\n";

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe("a model file of LIBSVM", () => {
  test("is read as what it holds", () => {
    expect(read(rbf)).toEqual({
      type: "c_svc",
      kernel: { type: "rbf", gamma: 0.5 },
      classCount: 2,
      rho: Float64Array.of(0.25),
      labels: Int32Array.of(1, -1),
      probA: undefined,
      probB: undefined,
      densityMarks: undefined,
      vectorCounts: Uint32Array.of(1, 1),
      vectors: {
        count: 2,
        coefficients: Float64Array.of(1, -1),
        starts: Uint32Array.of(0, 2, 3),
        indices: Uint32Array.of(1, 3, 2),
        values: Float64Array.of(0.5, -1, 1e-5),
      },
    });
  });

  test("has, for three classes, two coefficients a vector and three numbers a list of pairs", () => {
    expect(read(three)).toMatchObject({
      kernel: { type: "polynomial", degree: 3, gamma: 0.1, coef0: -0 },
      rho: Float64Array.of(1, 2, 3),
      probA: Float64Array.of(4, 5, 6),
      probB: Float64Array.of(7, 8, 9),
      vectors: { coefficients: Float64Array.of(1, 2, -1, -2), starts: Uint32Array.of(0, 0, 2), indices: Uint32Array.of(0, 1) },
    });
  });

  test("may hold more values than there was room for, written in any way", () => {
    const ways = [
      (value: number) => String(value),
      (value: number) => value.toExponential(),
      (value: number) => value.toFixed(20),
      (value: number) => `+${value}`,
    ];
    const lines = Array.from({ length: 700 }, (_, i) =>
      Array.from({ length: 200 }, (_, j) => [j + 1 + (j > 150 ? 1e8 : 0), (i * 200 + j) / 1024] as const),
    );
    const text = lines.map(
      (line, i) =>
        `1 ${line.map(([index, value], k) => `${index}:${(ways[(i + k) % 4] as (typeof ways)[0])(value)}`).join(i % 3 ? " " : "\t ")}`,
    );
    const { vectors } = read(
      `${rbf.slice(0, rbf.indexOf("total_sv"))}total_sv 700\nrho 0\nlabel 1 -1\nnr_sv 350 350\nSV\n${text.join("\n")}`,
    );
    expect(Array.from(vectors.indices)).toEqual(lines.flatMap((line) => line.map(([index]) => index)));
    expect(Array.from(vectors.values)).toEqual(lines.flatMap((line) => line.map(([, value]) => value)));
    expect(vectors.starts.at(-1)).toBe(140_000);
    expect(vectors.values.buffer.byteLength).toBe(8 * 140_000);
  });

  test("keeps of a precomputed kernel the numbers of the training rows", () => {
    const { kernel, vectors } = read(precomputed);
    expect([kernel, vectors.indices, vectors.values]).toEqual([{ type: "precomputed" }, Uint32Array.of(0, 0, 0), Float64Array.of(1, 3, 2)]);
  });

  test("has ten density marks in a one-class model and one probA in a regression, if any", () => {
    expect(read(oneClass)).toMatchObject({ labels: undefined, vectorCounts: undefined, probA: undefined });
    expect(read(oneClass).densityMarks).toEqual(Float64Array.of(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5));
    expect(read(regression)).toMatchObject({ probA: Float64Array.of(0.016214285714285705), probB: undefined, vectors: { count: 0 } });
  });

  for (const [name, text] of Object.entries({ rbf, three, precomputed, oneClass, regression, nuRegression, lonely })) {
    test(`is written back byte for byte: ${name}`, () => {
      expect(new TextDecoder().decode(writeLibsvmModel(read(text)))).toBe(text);
    });

    test(`may have CRLF, a byte order mark, blank lines and no line break at its end: ${name}`, () => {
      for (const other of [text.replaceAll("\n", "\r\n"), text.trimEnd(), `\uFEFF${text}`, text.replaceAll("\n", "\n\n"), `${text}\n \n`]) {
        expect(read(other)).toEqual(read(text));
      }
    });
  }
});

describe("a file that is wrong says where and what to do:", () => {
  const cut = "; the file was cut short or its header is wrong: write it again";
  const cases: readonly [what: string, text: string, message: string][] = [
    ["nothing", "", `1:1: the line "SV" that closes the header is missing${cut}`],
    ["a mistyped key", rbf.replace("nr_sv", "nr_vs"), '8:1: a model file of LIBSVM has no line "nr_vs"; did you mean "nr_sv"?'],
    [
      "a key that objects have",
      rbf.replace("label", "constructor"),
      '7:1: a model file of LIBSVM has no line "constructor"; there are svm_type, kernel_type, degree, gamma, coef0, nr_class, total_sv, ' +
        "rho, label, probA, probB, prob_density_marks, nr_sv, SV",
    ],
    ["a key twice", rbf.replace("rho", "gamma 1\nrho"), "6:1: gamma comes twice; remove one of the two lines"],
    ["no gamma", rbf.replace("gamma 0.5\n", ""), '8:1: gamma is missing; it must stand before the line "SV"'],
    ["no nr_sv", rbf.replace("nr_sv 1 1\n", ""), '8:1: nr_sv is missing; it must stand before the line "SV"'],
    [
      "an unknown type",
      rbf.replace("c_svc", "c_svm"),
      '1:10: svm_type must be one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr, got "c_svm"; did you mean "c_svc"?',
    ],
    [
      "an unknown kernel",
      rbf.replace("rbf", "wave"),
      '2:13: kernel_type must be one of linear, polynomial, rbf, sigmoid, precomputed, got "wave"',
    ],
    [
      "a constant of another kernel",
      rbf.replace("gamma", "degree 3\ngamma"),
      "3:8: the kernel rbf has no degree; remove the line, or correct kernel_type",
    ],
    ["half a degree", three.replace("degree 3", "degree 2.5"), '3:8: degree must be a whole number from 0 to 2147483647, got "2.5"'],
    ["an infinite gamma", rbf.replace("0.5", "inf"), '3:7: gamma must be a finite decimal number, got "inf"'],
    ["a rho too few", three.replace("rho 1 2 3", "rho 1 2"), "8:5: rho must have 3 values, got 2"],
    ["probA alone", three.replace(/probB.*\n/, ""), "10:7: probA and probB must come together; add the other, or remove this one"],
    [
      "probB in a regression",
      regression.replace("probA", "probB"),
      "6:7: a model of type epsilon_svr has no probB; remove the line, or correct the type",
    ],
    [
      "marks in a classifier",
      rbf.replace("SV", "prob_density_marks 1\nSV"),
      "9:20: a model of type c_svc has no prob_density_marks; remove the line, or correct the type",
    ],
    ["nine marks", oneClass.replace("-5 -4", "-4"), "8:20: prob_density_marks must have 10 values, got 9"],
    ["counts that do not add up", rbf.replace("nr_sv 1 1", "nr_sv 1 2"), "8:7: the numbers of nr_sv must add up to total_sv, 2, got 3"],
    ["a vector of a single class", lonely.replace("total_sv 0", "total_sv 1"), '5:10: total_sv must be 0, got "1"'],
    ["a coefficient too few", three.replace("1 2 \n", "1\n"), "14:1: a support vector must begin with 2 coefficients by the header, got 1"],
    ["a coefficient that is a feature", rbf.replace("-1 2:", "2:"), '11:1: a coefficient must be a finite decimal number, got "2:1e-05"'],
    ["a coefficient too many", rbf.replace("-1 2:", "-1 5 2:"), '11:4: a feature must be written index:value, got "5"'],
    ["a feature without index", rbf.replace("2:1", ":1"), '11:4: a feature must be written index:value, got ":1e-05"'],
    ["a feature without value", rbf.replace("2:1e-05", "2:"), "11:6: a feature's value must be a finite decimal number, got nothing"],
    ["a negative index", rbf.replace("2:1", "-2:1"), '11:4: a feature must be written index:value, got "-2:1e-05"'],
    ["an index too large", rbf.replace("2:1", "2147483648:1"), '11:4: feature "2147483648" is too large; the largest index is 2147483647'],
    ["indices that fall", rbf.replace("1:0.5", "4:0.5"), "10:9: feature 3 follows feature 4; indices must rise along a line: sort it"],
    ["an index twice", rbf.replace("1:0.5", "3:0.5"), "10:9: feature 3 follows feature 3; indices must rise along a line: sort it"],
    ["a value that is nan", rbf.replace("0.5 3", "nan 3"), `10:5: a feature's value must be a finite decimal number, got "nan"`],
    [
      "features under a precomputed kernel",
      precomputed.replace("0:3", "1:3"),
      '10:5: under a precomputed kernel a support vector must be written 0:row, got "1:3 "',
    ],
    [
      "a precomputed row that is no number of one",
      precomputed.replace("0:3", "0:0"),
      '10:7: the number of a training row must be a whole number from 1 to 2147483647, got "0"',
    ],
    ["a vector too few", rbf.replace("-1 2:1e-05 \n", ""), `11:1: the header promises 2 support vectors, there are 1${cut}`],
    ["a vector too many", `${rbf}1 1:1\n`, "12:1: the header promises 2 support vectors, here is one more; correct total_sv"],
    [
      "a billion vectors",
      oneClass.replace("total_sv 1", "total_sv 1000000000"),
      `11:1: the header promises 1000000000 support vectors, 7 bytes cannot hold them${cut}`,
    ],
    [
      "as many classes as there can be",
      rbf.replace("nr_class 2", "nr_class 2147483647"),
      "6:5: rho must have 2305843005992468500 values, got 1",
    ],
  ];
  for (const [what, text, message] of cases) {
    test(what, () => {
      const error = thrown(() => read(text));
      expect([error.code, error.message]).toEqual(["bad-model", `a.model:${message}`]);
    });
  }
});

describe("a long file, read for a model", () => {
  const plain = (k: number): string => Array.from({ length: 40 }, (_, j) => `${1 + 2 * j}:${(((k + 1) * (j + 3)) % 97) / 64}`).join(" ");
  // What the core leaves to the host: exponents, many digits, tabs, signs, large indices, nothing at all.
  const odd = ["1:1e-3 7:2E2", "1:0.12345678901234567 2:1", "1:-1\t3:+2", "4:.5 123456789:1", "", "2:-0 9:1e30", "1:00012.500 2:7."];
  const lines = Array.from(
    { length: 600 },
    (_, k) => `${k % 2 === 0 ? 0.25 : -0.1234567890123456} ${k % 5 === 3 ? odd[k % odd.length] : plain(k)}`,
  );
  const head = (count: number): string =>
    `svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv ${count}\nrho 0\nlabel 1 -1\nnr_sv ${count - 1} 1\nSV\n`;
  const bytesOf = (list: readonly string[]): Uint8Array =>
    new TextEncoder().encode(head(list.length) + list.map((line) => `${line} \n`).join(""));

  /** What a model makes of support vectors, by their definition. */
  const madeOf = ({ indices, coefficients }: Pick<LibsvmVectors, "indices" | "coefficients">, sign: number) => ({
    indices: indices.map((index) => index - 1),
    featureCount: Math.max(...indices),
    coefficients: coefficients.map((value) => sign * value + 0),
  });

  test("with a feature 0 makes nothing for a model, and a model of it is refused", () => {
    const bytes = bytesOf([...lines.slice(1), "0.5 0:1 2:1"]);
    expect(readLibsvmModel(bytes, "a.model", true).vectors.forModel).toBeUndefined();
    expect(thrown(() => kernelFromLibsvm(readLibsvmModel(bytes, "a.model", true), "SVC")).message).toMatch(/feature 0/);
  });

  test("gives the model that it gives without the core", () => {
    for (const list of [lines, lines.map((line) => line.replace(/^\S+ /, "-0 "))]) {
      const bytes = bytesOf(list);
      const plain = kernelFromLibsvm(readLibsvmModel(bytes, "a.model"), "SVC");
      expect(kernelFromLibsvm(readLibsvmModel(bytes, "a.model", true), "SVC")).toEqual(plain);
    }
  });

  test("has the same entries as without the core, in float32", () => {
    const bytes = bytesOf(lines);
    expect(bytes.length).toBeGreaterThan(2 ** 17);
    const { values, ...exact } = readLibsvmModel(bytes, "a.model").vectors;
    const { values: floats, forModel, ...own } = readLibsvmModel(bytes, "a.model", true).vectors;
    expect(floats).toBeInstanceOf(Float32Array);
    expect(floats).toEqual(Float32Array.from(values));
    expect(own).toEqual(exact);
    expect(forModel).toEqual(madeOf(exact, 1));
  });

  test("of many classes has the same coefficients, most of them 0, whatever lies between them", () => {
    const columns = 5;
    const coefficient = (k: number): string => {
      if (k % 3 !== 0) return "0";
      if (k % 7 === 0)
        return ["1e-30", "-0", "+2", "00.5", "0.00000000000000000012345678901234567", "123456789012345678901234567890"][k % 6] as string;
      return String((k % 2 === 0 ? -1 : 1) / (k + 1));
    };
    const rows = lines.map((line, k) => {
      const blank = k % 11 === 5 ? "  " : k % 11 === 6 ? "\t" : " ";
      const own = Array.from({ length: columns }, (_, m) => coefficient(columns * k + m)).join(blank);
      return `${k % 13 === 7 ? " " : ""}${own} ${line.slice(line.indexOf(" ") + 1)}${k % 17 === 3 ? "\r" : ""}${k % 19 === 4 ? "\n" : ""}`;
    });
    const several = head(rows.length)
      .replace("nr_class 2", "nr_class 6")
      .replace("rho 0", `rho${" 0".repeat(15)}`);
    const text = several.replace("label 1 -1", "label 1 2 3 4 5 6").replace(/nr_sv .*/, `nr_sv ${rows.length} 0 0 0 0 0`) + rows.join("\n");
    const bytes = new TextEncoder().encode(text);
    const { values, ...exact } = readLibsvmModel(bytes, "a.model").vectors;
    const { values: floats, forModel, ...own } = readLibsvmModel(bytes, "a.model", true).vectors;
    expect(floats).toEqual(Float32Array.from(values));
    expect(own).toEqual(exact);
    expect(forModel).toEqual(madeOf(exact, -1));
    expect(exact.coefficients.reduce((count, value) => count + (value === 0 ? 0 : 1), 0)).toBeGreaterThan(800);
  });

  test("with more lines, or fewer, than it promises, is refused in the very words of a short one", () => {
    for (const promised of [lines.length - 1, lines.length + 1]) {
      const bytes = new TextEncoder().encode(head(promised) + lines.map((line) => `${line} \n`).join(""));
      const refused = (isForModel: boolean): string => thrown(() => readLibsvmModel(bytes, "a.model", isForModel)).message;
      expect(refused(true)).toMatch(/promises/);
      expect(refused(true)).toBe(refused(false));
    }
  });

  for (const [what, line] of [
    ["a comment", `0.5 ${plain(1)} # 1`],
    ["indices that fall", "0.5 3:1 2:1"],
    ["no number", "0.5 3:x"],
    ["a number that is none", "0.5 3:1e999"],
    ["more behind a number", "0.5 3:1.2.3"],
    ["a coefficient that is none", "0.5x 3:1"],
  ] as const) {
    test(`is refused for ${what} in the very words of a short one`, () => {
      const refused = (isForModel: boolean): unknown => {
        try {
          return readLibsvmModel(bytesOf([...lines, line]), "a.model", isForModel);
        } catch (error) {
          return [(error as HingeError).message, (error as HingeError).where];
        }
      };
      expect(refused(true)).toBeInstanceOf(Array);
      expect(refused(true)).toEqual(refused(false));
    });
  }
});
