import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { HingeError } from "../../../src/base/errors.ts";
import { LinearSVC } from "../../../src/estimators/linear-svc.ts";
import { load } from "../../../src/estimators/load.ts";
import { modelFromBytes, modelToBytes } from "../../../src/formats/model-json.ts";
import { type LinearClassifierData, linearClassifierFromJson, linearClassifierToJson } from "../../../src/model/linear-classifier.ts";
import { rejected, thrown } from "../../thrown.ts";

const data: LinearClassifierData = {
  estimator: "LinearSVC",
  classes: ["cat", "dog"],
  scheme: "binary",
  featureCount: 4,
  coefficients: Float64Array.of(0.1, -2, 1e-300, 0),
  biases: Float64Array.of(-0.25),
  problem: { C: 2, loss: "hinge", penalty: "l2", bias: "augmented", biasScale: 1, weighted: false },
  status: "converged",
  certificate: { primal: 1.5, dual: 1.4990234375, relativeGap: 0.0006510416666666666 },
};
const text = JSON.stringify(linearClassifierToJson(data));
const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content);
/** A fresh copy of the model's JSON with some fields replaced. */
const changed = (fields: object): unknown => ({ ...JSON.parse(text), ...fields });

afterEach(() => {
  // Nothing that was read may have reached the prototype of all objects.
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("a model file", () => {
  test("is JSON with a newline at the end", () => {
    expect(new TextDecoder().decode(modelToBytes({ estimator: "é" }))).toBe('{"estimator":"é"}\n');
  });

  test("comes back with every bit of its numbers", async () => {
    expect(linearClassifierFromJson(modelFromBytes(modelToBytes(linearClassifierToJson(data))), "LinearSVC")).toEqual(data);
    const model = await load(modelToBytes(linearClassifierToJson(data)), LinearSVC);
    expect(model.toBytes()).toEqual(modelToBytes(linearClassifierToJson(data)));
    // f(x) = -2 * 1 - 0.25 < 0, and 0.1 * 5 - 0.25 > 0.
    expect([model.predictOne([0, 1]), model.predictOne([5])]).toEqual(["cat", "dog"]);
  });

  test("with any finite coefficients comes back the same", () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0); // JSON writes -0 as 0
    fc.assert(
      fc.property(fc.array(double), double, (coefficients, bias) => {
        const given = {
          ...data,
          featureCount: coefficients.length,
          coefficients: Float64Array.from(coefficients),
          biases: Float64Array.of(bias),
        };
        expect(linearClassifierFromJson(JSON.parse(JSON.stringify(linearClassifierToJson(given))), "LinearSVC")).toEqual(given);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  test("of unknown making has neither certificate nor C, and the order of its classes is its own", async () => {
    const unknown: LinearClassifierData = {
      ...data,
      classes: [2, 1],
      problem: { ...data.problem, C: undefined, weighted: undefined },
      status: "unknown",
      certificate: undefined,
    };
    expect(linearClassifierFromJson(modelFromBytes(modelToBytes(linearClassifierToJson(unknown))), "LinearSVC")).toEqual(unknown);
    const { classes, report } = await load(modelToBytes(linearClassifierToJson(unknown)), LinearSVC);
    expect([classes, report]).toEqual([[2, 1], { status: "unknown", certificate: undefined, run: undefined }]);
  });

  test("may have a byte order mark and blanks about it", async () => {
    expect((await load(bytesOf(`\uFEFF \n${text}\n\n`), LinearSVC)).classes).toEqual(["cat", "dog"]);
  });
});

describe("bytes that are no model", () => {
  const notJson = "not a model file of hinge: it is not JSON";
  const tooManyParts = "not a model file of hinge: it has more than 10000 lists, objects and texts";
  const noEstimator = 'not a model file of hinge: it has no "estimator"';
  const noModel = (got: string): string =>
    `not a model file: it must begin with "{" (hinge), "solver_type" (LIBLINEAR) or "svm_type" (LIBSVM), got ${got}`;
  const cases: readonly [what: string, bytes: Uint8Array, message: string | RegExp][] = [
    ["nothing", new Uint8Array(), noModel("nothing")],
    ["a model cut short", bytesOf(text.slice(0, -1)), notJson],
    ["two models", bytesOf(text + text), notJson],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), noModel('"\\"·\\""')],
    ["a model with one byte that is not UTF-8", bytesOf(text).map((byte, k) => (k === text.indexOf("cat") ? 0xc3 : byte)), notJson],
    ["brackets without end", bytesOf("[".repeat(200_000)), noModel(`"${"[".repeat(40)}…"`)],
    ["braces without end", bytesOf('{"a":'.repeat(200_000)), tooManyParts],
    ["lists in lists", bytesOf(`{"estimator":"LinearSVC","classes":${"[".repeat(20_000)}${"]".repeat(20_000)}}`), tooManyParts],
    ["brackets and braces within a text only", bytesOf(`{"estimator":"${'[{\\"'.repeat(9000)}"}`), /^no estimator is called "\[\{/],
    ["a name of megabytes", bytesOf(`{"estimator":"${"A".repeat(3e6)}"}`), /^no estimator is called "A+…$/],
    ["NaN, which is no JSON", bytesOf(text.replace("-0.25", "NaN")), notJson],
    ["null", bytesOf("null"), noModel('"null"')],
    ["a number", bytesOf("1"), noModel('"1"')],
    ["an array", bytesOf("[]"), noModel('"[]"')],
    ["an empty object", bytesOf("{}"), noEstimator],
    ["an object of another kind", bytesOf('{"model":1}'), noEstimator],
    ["an estimator that is no string", bytesOf('{"estimator":1}'), noEstimator],
    ["an estimator in the prototype only", bytesOf('{"__proto__":{"estimator":"LinearSVC"}}'), noEstimator],
    ["a mistyped estimator", bytesOf('{"estimator":"LinearSVX"}'), 'no estimator is called "LinearSVX"; did you mean "LinearSVC"?'],
    ["an estimator called as a method of objects", bytesOf('{"estimator":"toString"}'), 'no estimator is called "toString"'],
  ];
  for (const [what, bytes, message] of cases) {
    test(`say so: ${what}`, async () => {
      const error = await rejected(load(bytes));
      expect([error.code, error.message]).toEqual(["bad-model", typeof message === "string" ? message : expect.stringMatching(message)]);
    });
  }

  test("keep the parser's own words as the cause", () => {
    expect(thrown(() => modelFromBytes(bytesOf("{"))).cause).toBeInstanceOf(SyntaxError);
  });
});

describe("a model whose field is wrong names the field", () => {
  const { certificate, problem } = JSON.parse(text) as { certificate: object; problem: object };
  const cases: readonly [what: string, json: unknown, field: string][] = [
    ["another format", changed({ format: "libsvm" }), "format"],
    ["no coefficients", changed({ coefficients: undefined }), "coefficients"],
    ["null among the coefficients", changed({ coefficients: [1, null] }), "coefficients"],
    ["NaN among the coefficients", changed({ coefficients: [Number.NaN] }), "coefficients"],
    ["a string among the coefficients", changed({ coefficients: ["1"] }), "coefficients"],
    ["coefficients too large for a double", JSON.parse(text.replace("[0.1,", "[1e999,")), "coefficients"],
    ["coefficients in an object", changed({ coefficients: { length: 1, 0: 1 } }), "coefficients"],
    ["no biases", changed({ biases: null }), "biases"],
    ["a bias too many", changed({ biases: [1, 2] }), "biases"],
    ["a coefficient too few", changed({ coefficients: [1, 2, 3] }), "coefficients"],
    ["features that are no whole number", changed({ featureCount: 1.5 }), "featureCount"],
    ["the loss of another estimator", changed({ problem: { ...problem, loss: "logistic" } }), "problem.loss"],
    ["an unknown way with classes", changed({ multiClass: "all" }), "multiClass"],
    ["one class", changed({ classes: ["cat"] }), "classes"],
    ["three classes and one decision value", changed({ classes: ["a", "b", "c"] }), "multiClass"],
    ["three classes and as few values", changed({ classes: ["a", "b", "c"], multiClass: "ovr" }), "biases"],
    ["a class twice", changed({ classes: [1, 1] }), "classes"],
    ["classes of two kinds", changed({ classes: [1, "2"] }), "classes"],
    ["no certificate", changed({ certificate: undefined }), "certificate"],
    ["a certificate of a model of unknown making", changed({ status: "unknown" }), "certificate"],
    ["no C", changed({ problem: { ...problem, C: undefined } }), "problem.C"],
    ["not a word about weights", changed({ problem: { ...problem, weighted: undefined } }), "problem.weighted"],
    ["an unknown status", changed({ status: "done" }), "status"],
    ["a gap of null", changed({ certificate: { ...certificate, relativeGap: null } }), "certificate.relativeGap"],
    ["C of 0", changed({ problem: { ...problem, C: 0 } }), "problem.C"],
    ["an unknown loss", changed({ problem: { ...problem, loss: "log" } }), "problem.loss"],
  ];
  for (const [what, json, field] of cases) {
    test(`${what} is about ${field}`, () => {
      const error = thrown(() => LinearSVC.fromJSON(json));
      expect(error.code).toBe("bad-model");
      expect(error.message).toBe(`not a LinearSVC model of hinge: ${field} is missing or wrong`);
    });
  }

  test("another version, an unknown field and holes have words of their own", () => {
    const say = (json: unknown): string => thrown(() => LinearSVC.fromJSON(json)).message.replace("not a LinearSVC model of hinge: ", "");
    expect(say(changed({ version: 2 }))).toBe("its format is version 2, this hinge reads version 1");
    expect(say(changed({ note: "hello" }))).toBe("note is unknown here");
    expect(say(changed({ coefficients: new Array(3) }))).toBe("coefficients is missing or wrong");
  });

  for (const json of [undefined, null, 7, "model", []]) {
    test(`${JSON.stringify(json)} is no object`, () => {
      expect(thrown(() => LinearSVC.fromJSON(json)).message).toMatch(/^not a LinearSVC model of hinge: /);
    });
  }
});

describe("loading is total", () => {
  /** A model that predicts numbers and writes itself down the same, or a HingeError that says bad-model. */
  async function check(bytes: Uint8Array): Promise<"model" | "error"> {
    try {
      const model = await load(bytes, LinearSVC);
      expect(model.coefficients.every(Number.isFinite)).toBe(true);
      expect(model.decisionOne([]).every(Number.isFinite)).toBe(true);
      expect((await load(model.toBytes(), LinearSVC)).toJSON()).toEqual(model.toJSON());
      return "model";
    } catch (error) {
      if (!(error instanceof HingeError)) throw error;
      expect(error.code).toBe("bad-model");
      return "error";
    }
  }

  const paths = [
    ...[
      "format",
      "version",
      "estimator",
      "classes",
      "problem",
      "status",
      "certificate",
      "multiClass",
      "featureCount",
      "biases",
      "coefficients",
    ].map((key) => [key]),
    ...["C", "loss", "penalty", "bias", "biasScale", "weighted"].map((key) => ["problem", key]),
    ...["primal", "dual", "relativeGap"].map((key) => ["certificate", key]),
    ...[["classes", "0"], ["classes", "1"], ["coefficients", "2"], ["__proto__"], ["constructor"], ["problem", "__proto__"]],
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant({ polluted: true }),
    fc.double(),
    fc.constantFrom("aborted", "hinge", false),
  );

  test("with any field replaced by any JSON value", async () => {
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), value, async (path, replacement) => {
        const json = JSON.parse(text);
        const owner = path.length === 1 ? json : json[path[0] as string];
        // An assignment to __proto__ would not become a key.
        Object.defineProperty(owner, path.at(-1) as string, { value: replacement, enumerable: true, configurable: true });
        endings.add(await check(bytesOf(JSON.stringify(json))));
      }),
      { seed: 12, numRuns: 600 },
    );
    expect(endings).toEqual(new Set(["model", "error"])); // both ends were reached
  });

  test("with any byte replaced or removed, or the rest cut off", async () => {
    const edit = fc.record({
      at: fc.nat({ max: text.length - 1 }),
      byte: fc.nat({ max: 255 }),
      how: fc.constantFrom("put", "drop", "cut"),
    });
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, byte, how }) => {
        const bytes = [...bytesOf(text)];
        if (how === "put") bytes[at] = byte;
        else bytes.splice(at, how === "drop" ? 1 : bytes.length);
        endings.add(await check(Uint8Array.from(bytes)));
      }),
      { seed: 13, numRuns: 600 },
    );
    expect(endings).toEqual(new Set(["model", "error"]));
  });
});
