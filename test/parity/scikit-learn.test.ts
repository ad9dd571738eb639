import { afterAll, describe, expect, test } from "vitest";
import { type Matrix, MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler, stopPool } from "../../src/index.ts";
import { scalerRows as rows, scalerWeights as weights } from "../problems/scaler-rows.ts";
import { rowsOf } from "../rows-of.ts";

afterAll(() => stopPool());

const rounded = (table: readonly (readonly number[])[]): number[][] => table.map((row) => row.map(Math.fround));

// scikit-learn 1.2.1 on the rows and weights above, in float64:
// python3 -c "from sklearn.preprocessing import *; print(MinMaxScaler(feature_range=(-1, 2)).fit_transform(rows).tolist())" and so on.
describe("the values of scikit-learn, rounded to float32", () => {
  const third = 1 / 3;
  const recorded: readonly [name: string, scaler: () => Promise<{ transform(x: number[][]): Promise<Matrix> }>, expected: number[][]][] = [
    [
      "MinMaxScaler()",
      () => MinMaxScaler.fit(rows),
      [
        [0, 4 / 9, 0, 0],
        [0.25, 0, 0, 0],
        [1, 1, 1, 0],
      ],
    ],
    [
      "MinMaxScaler(feature_range=(-1, 2))",
      () => MinMaxScaler.fit(rows, { featureRange: [-1, 2] }),
      [
        [-1, third, -1, -1],
        [-0.25, -1, -1, -1],
        [2, 2, 2, -1],
      ],
    ],
    [
      "StandardScaler()",
      () => StandardScaler.fit(rows),
      [
        [-0.9805806755995965, -0.09053574604251857, -0.7071067811865475, 0],
        [-0.39223227018504436, -1.176964698552741, -0.7071067811865475, 0],
        [1.3728129460586118, 1.2675004445952593, Math.SQRT2, 0],
      ],
    ],
    [
      "StandardScaler() with sample_weight",
      () => StandardScaler.fit(rows, { sampleWeight: weights }),
      [
        [-0.917662935375417, 0.49095402694519696, -0.4082482904638629, 0],
        [-0.11470786682845086, -0.7587471325516679, -0.4082482904638629, 0],
        [2.2941573388124477, 2.053080476316278, 2.449489742783178, 0],
      ],
    ],
    [
      "MaxAbsScaler()",
      () => MaxAbsScaler.fit(rows),
      [
        [0.999999000001, 2 / 7, 0, 1],
        [0.99999925000075, -2 / 7, 0, 1],
        [1, 1, 1, 1],
      ],
    ],
    [
      'Normalizer("l1")',
      () => Normalizer.fit(rows, { norm: "l1" }),
      [
        [0.9999940000359998, 1.9999880000719995e-6, 0, 3.999976000143999e-6],
        [0.9999940000374997, -1.9999875000781247e-6, 0, 3.999975000156249e-6],
        [0.9999860002099968, 6.999895001574977e-6, 2.99995500067499e-6, 3.999940000899987e-6],
      ],
    ],
    [
      'Normalizer("l2")',
      () => Normalizer.fit(rows),
      [
        [0.99999999999, 1.99999999998e-6, 0, 3.99999999996e-6],
        [0.99999999999, -1.999999499980125e-6, 0, 3.99999899996025e-6],
        [0.9999999999630002, 6.999992999748001e-6, 2.9999969998920005e-6, 3.999995999856001e-6],
      ],
    ],
    [
      'Normalizer("max")',
      () => Normalizer.fit(rows, { norm: "max" }),
      [
        [1, 2e-6, 0, 4e-6],
        [1, -1.999999500000125e-6, 0, 3.99999900000025e-6],
        [1, 6.999993000007e-6, 2.999997000003e-6, 3.999996000004e-6],
      ],
    ],
  ];
  for (const [name, make, expected] of recorded) {
    test(name, async () => {
      expect(rowsOf(await (await make()).transform(rows))).toEqual(rounded(expected));
    });
  }
});
