// The bench's contenders give back the w and b of the problem that they were asked to solve.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../bench/command.ts";
import { libsvmJs } from "../../../bench/contenders/libsvm-js.ts";
import { linearWeights } from "../../../bench/contenders/libsvm-weights.ts";
import { mlSvm } from "../../../bench/contenders/ml-svm.ts";
import { hingeInProcess } from "../../../bench/contenders/ours.ts";
import { svmTrain, svmTrainFlags } from "../../../bench/contenders/svm-train.ts";
import { judgesOf } from "../../../bench/judge.ts";
import { smallSets } from "../../../bench/small-sets.ts";
import { readLibsvmModel } from "../../../src/formats/libsvm-model.ts";
import { matrix } from "../../../src/index.ts";
import { describeWith, hasProgram } from "../../requires.ts";

const [iris] = smallSets();
if (iris === undefined) throw new Error("there is no first set");
const { rows, y } = iris;
const problem = { rows, y, C: 1 };
// Violations of 1e-5 in 100 rows with C = 1 cost at most 1e-3, of an objective above 10; what is below the bound is rounding.
const LARGEST_GAP = 1e-4;
const ROUNDING = 1e-12;
const judgeFor = judgesOf({ x: matrix(rows), y, loss: "hinge", C: 1 });

describe("a linear model of LIBSVM", () => {
  const model = (labels: string): Uint8Array =>
    new TextEncoder().encode(
      `svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 1\nlabel ${labels}\nnr_sv 1 1\nSV\n0.5 1:2 3:1 \n-0.5 1:0 \n`,
    );

  test("has weights and a bias, positive for the larger label whichever came first", () => {
    expect(linearWeights(readLibsvmModel(model("1 -1"), "m"))).toEqual({ w: Float64Array.of(1, 0, 0.5), bias: -1 });
    expect(linearWeights(readLibsvmModel(model("0 7"), "m"))).toEqual({ w: Float64Array.of(-1, 0, -0.5), bias: 1 });
  });
});

describe("flags of svm-train", () => {
  test("say kernel, C, tolerance and cache", () => {
    expect(svmTrainFlags({ kernel: { type: "linear" }, C: 2, tolerance: 0.1 }).join(" ")).toBe("-s 0 -t 0 -c 2 -e 0.1 -m 100 -q");
    const kernel = { type: "polynomial", degree: 2, gamma: 0.5, coef0: 1 } as const;
    expect(svmTrainFlags({ kernel, C: 1, tolerance: 1e-3, cacheMebibytes: 1000 }).join(" ")).toBe(
      "-s 0 -t 1 -d 2 -g 0.5 -r 1 -c 1 -e 0.001 -m 1000 -q",
    );
    expect(svmTrainFlags({ kernel: { type: "rbf", gamma: 0.5 }, C: 1, tolerance: 0.1, tube: 0.05 }).join(" ")).toBe(
      "-s 3 -t 2 -g 0.5 -p 0.05 -c 1 -e 0.1 -m 100 -q",
    );
  });
});

describeWith("svm-train (Debian's libsvm-tools)", hasProgram("svm-train"), "svm-train as a contender", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-contenders-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("trains a file to a model that the judge finds close to the optimum", async () => {
    const path = join(folder, "iris.svm");
    writeFileSync(path, rows.map((row, i) => `${y[i]} ${row.map((value, j) => `${j + 1}:${value}`).join(" ")}\n`).join(""));
    const modelPath = join(folder, "iris.model");
    await runCommand("svm-train", [...svmTrainFlags({ kernel: { type: "linear" }, C: 1, tolerance: 1e-5 }), path, modelPath]);
    const { w, bias } = linearWeights(readLibsvmModel(readFileSync(modelPath), modelPath));
    const { gap } = (await judgeFor(svmTrain.form)).judge(w, bias);
    expect(gap).toBeGreaterThan(-ROUNDING);
    expect(gap).toBeLessThan(LARGEST_GAP);
  });
});

describe("contenders in this process", () => {
  for (const contender of [hingeInProcess, libsvmJs]) {
    test(`${contender.id} reaches the optimum of its form, again and again`, async () => {
      expect(contender.version).toMatch(/^\d+\.\d+\.\d+$/);
      await contender.ready();
      const first = await contender.fit(problem, 1e-5, 1);
      const second = await contender.fit(problem, 1e-5, 3);
      expect(second.w).toEqual(first.w);
      const { gap } = (await judgeFor(contender.form)).judge(first.w, first.bias);
      expect(gap).toBeGreaterThan(-ROUNDING);
      expect(gap).toBeLessThan(LARGEST_GAP);
    });
  }

  test("ml-svm gives weights in the scale of the rows, the same every time; how good they are the bench finds out", async () => {
    await mlSvm.ready();
    const [first, second] = [await mlSvm.fit(problem, 1e-3, 1), await mlSvm.fit(problem, 1e-3, 2)];
    expect(second).toMatchObject({ w: first.w, bias: first.bias });
    const { gap } = (await judgeFor(mlSvm.form)).judge(first.w, first.bias);
    expect(gap).toBeGreaterThan(-ROUNDING);
    expect(gap).toBeLessThan(0.1);
  });

  test("fetch is there again after libsvm-js was loaded", () => {
    expect(typeof globalThis.fetch).toBe("function");
  });
});
