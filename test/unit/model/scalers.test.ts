import { afterAll, describe, expect, test } from "vitest";
import { MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler, stopPool } from "../../../src/index.ts";
import { scalerRows as rows, scalerWeights as weights } from "../../problems/scaler-rows.ts";
import { rowsOf } from "../../rows-of.ts";
import { thrown } from "../../thrown.ts";

afterAll(() => stopPool());

describe("the JSON of scalers", () => {
  test("keeps every scaler to the bit", async () => {
    const sparse = [{ 0: 2, 2: 1 }, { 1: 4 }, { 0: 1, 1: 2 }];
    const pairs = [
      [await MinMaxScaler.fit(rows, { featureRange: [-1, 2], dense: true }), MinMaxScaler],
      [await StandardScaler.fit(rows, { withStd: false, sampleWeight: weights }), StandardScaler],
      [await MaxAbsScaler.fit(sparse), MaxAbsScaler],
      [await Normalizer.fit(rows, { norm: "l1" }), Normalizer],
    ] as const;
    for (const [scaler, kind] of pairs) {
      const again = kind.fromJSON(JSON.parse(JSON.stringify(scaler)));
      expect(again).toBeInstanceOf(kind);
      expect(again.toJSON()).toEqual(scaler.toJSON());
      const x = scaler.featureCount === 3 ? sparse : rows;
      expect(rowsOf(await again.transform(x))).toEqual(rowsOf(await scaler.transform(x)));
    }
  });

  const good = { format: "hinge", version: 1, estimator: "MinMaxScaler", featureRange: [0, 1], dense: false, minimum: [0], maximum: [1] };
  const refused: readonly [json: unknown, complaint: string][] = [
    [null, "not an object"],
    [{ ...good, estimator: "StandardScaler" }, "estimator is missing or wrong"],
    [{ ...good, version: 2 }, "its format is version 2, this hinge reads version 1"],
    [{ ...good, extra: 1 }, "extra is unknown here"],
    [{ ...good, featureRange: [1, 0] }, "featureRange is missing or wrong"],
    [{ ...good, minimum: [null] }, "minimum is missing or wrong"],
    [{ ...good, maximum: [1, 2] }, "maximum is missing or wrong"],
    [{ ...good, maximum: [-1] }, "maximum is missing or wrong"],
    [{ ...good, maximum: [1e300] }, "maximum is missing or wrong"],
  ];
  for (const [json, complaint] of refused) {
    test(`refuses: ${complaint} (${JSON.stringify(json)?.slice(60)})`, () => {
      const error = thrown(() => MinMaxScaler.fromJSON(json));
      expect([error.code, error.message]).toEqual(["bad-model", `not a MinMaxScaler of hinge: ${complaint}`]);
    });
  }

  test("refuses a negative variance or size, and a norm that is none", () => {
    const head = { format: "hinge", version: 1 };
    const standard = { ...head, estimator: "StandardScaler", withMean: true, withStd: true, dense: false, mean: [0], variance: [-1] };
    expect(thrown(() => StandardScaler.fromJSON(standard)).message).toContain("variance is missing or wrong");
    expect(thrown(() => StandardScaler.fromJSON({ ...standard, variance: [] })).message).toContain("variance is missing or wrong");
    expect(thrown(() => MaxAbsScaler.fromJSON({ ...head, estimator: "MaxAbsScaler", maxAbs: [-1] })).message).toContain("maxAbs");
    const normalizer = { ...head, estimator: "Normalizer", norm: "l3", featureCount: 1 };
    expect(thrown(() => Normalizer.fromJSON(normalizer)).message).toContain("norm is missing or wrong");
  });
});
