// LIBSVM's own probability estimates: the rules by small examples, and what its recorded files and predictions say.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { flowers, species } from "../data/iris.ts";
import { Random } from "../src/base/random.ts";
import { densityMarks, laplaceScale, libsvmProbabilities, libsvmSigmoid, normalProbability } from "../src/calibration/libsvm.ts";
import { KernelModel as Kernels } from "../src/estimators/kernel-model.ts";
import { readLibsvmModel, writeLibsvmModel } from "../src/formats/libsvm-model.ts";
import { calibrate, type KernelModel, load, matrix, OneClassSVM, readSvmlight, SVC, SVR } from "../src/index.ts";
import { kernelToLibsvm } from "../src/model/libsvm-models.ts";
import { libsvmFolds, normalMarks, pairEstimates, regressionScale } from "../src/select/libsvm-estimates.ts";
import { describeWith, sharedFolder } from "./requires.ts";

const kinds = [...new Set(species)];
const y = species.map((name) => 1 + kinds.indexOf(name));
const x = matrix(flowers as unknown as number[][]);

describe("the rules", () => {
  test("the scale of a regression is the mean residual without those beyond five deviations", () => {
    expect(laplaceScale([1, -2, 3])).toBe(2);
    // The mean of all is 1.9, its deviation 2.7: 100 is beyond.
    const many = [...new Array(99).fill(1), 100];
    expect(laplaceScale(many)).toBe(1);
    expect(laplaceScale([0, 0])).toBe(0);
  });

  test("marks lie in the middle of bins with as many rows, five on each side of 0", () => {
    const decisions = [-10, -8, -6, -4, -2, 1, 3, 5, 7, 9];
    // Edges: -10 -8 -6 -4 -2 0 1 3 5 7 9.
    expect(Array.from(densityMarks(decisions) as Float64Array)).toEqual([-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8]);
    expect(densityMarks([-1, -2, -3, -4, 1, 2, 3, 4, 5])).toBeUndefined();
    expect(densityMarks([1, 2, 3])).toBeUndefined();
    expect(densityMarks([])).toBeUndefined();
  });

  test("what is normal goes by the bin", () => {
    const marks = [-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8];
    expect([-10, -9, -8, -2, 0, 1, 7, 8, 9].map((value) => normalProbability(marks, value))).toEqual([
      0.001, 0.1, 0.1, 0.4, 0.5, 0.6, 0.9, 0, 0.999,
    ]);
  });

  test("a pair's sigmoid speaks for its first label", () => {
    const decisions = [-2, -1, -0.5, 0.5, 1, 2];
    const { A, B } = libsvmSigmoid(decisions, [0, 0, 1, 0, 1, 1]);
    expect(A).toBeLessThan(0);
    // There it may fall: rows of random labels are ranked against it as often as not.
    expect(libsvmSigmoid([-2, -1, -0.5, 0.5, 1, 2], [1, 1, 0, 1, 0, 0]).A).toBeGreaterThan(0.3);
    const p = libsvmProbabilities({ probA: [A], probB: [B] }, 2, decisions);
    expect(p[1]).toBeGreaterThan(0.5);
    expect(p[10]).toBeGreaterThan(0.5);
    for (let i = 0; i < 6; i++) expect((p[2 * i] as number) + (p[2 * i + 1] as number)).toBe(1);
    expect(libsvmProbabilities({ probA: [-100], probB: [0] }, 2, [5, -5])).toEqual(
      Float64Array.of(1 - 1e-7, 1 - (1 - 1e-7), 1e-7, 1 - 1e-7),
    );
  });

  test("folds are all rows once, in runs whose lengths differ by one at most", () => {
    const cut = libsvmFolds(13, 5, new Random(1));
    expect(cut.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => i));
    for (const { train, test } of cut) {
      expect(Math.abs(test.length - 13 / 5)).toBeLessThan(1);
      expect([...train, ...test].sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => i));
    }
    expect(
      libsvmFolds(3, 5, new Random(1))
        .map(({ test }) => test.length)
        .sort(),
    ).toEqual([0, 0, 1, 1, 1]);
  });
});

describe("estimates of models", () => {
  test("of classes: near to what calibrate says of the same flowers", async () => {
    const options = { C: 1, gamma: 0.25 };
    const model = await SVC.fit(x, y, options);
    const estimates = await pairEstimates(SVC, x, y, [1, 2, 3], { options, seed: 0 });
    const decisions = (await model.decision(x)).map((value) => -value);
    const ours = libsvmProbabilities(estimates, 3, decisions);
    const calibrated = await (await calibrate(SVC, x, y, options)).probabilities(x);
    const off = ours.reduce((sum, p, k) => sum + Math.abs(p - (calibrated[k] as number)), 0) / ours.length;
    // Other folds, so another curve: nearer than a tenth of what telling nothing (1/3 each) is away.
    expect(off).toBeLessThan(0.03);
    const right = y.filter((label, i) => {
      const own = [...ours.subarray(3 * i, 3 * i + 3)];
      return own.indexOf(Math.max(...own)) + 1 === label;
    }).length;
    expect(right).toBeGreaterThanOrEqual(140);
    // Through a file of LIBSVM and back.
    const bytes = writeLibsvmModel(kernelToLibsvm(Kernels.dataOf(model), estimates));
    const { probA, probB } = readLibsvmModel(bytes, "model");
    expect(probA).toEqual(estimates.probA);
    expect(probB).toEqual(estimates.probB);
    expect(((await load(bytes)) as SVC).predictOne([5.1, 3.5, 1.4, 0.2])).toBe(1);
  });

  test("of two rows, one a class: folds without a class say so, and nothing is infinite", async () => {
    const two = matrix([[0], [1]]);
    const { probA, probB } = await pairEstimates(SVC, two, [1, 2], [1, 2], { options: {}, seed: 0 });
    expect([...probA, ...probB].every(Number.isFinite)).toBe(true);
  });

  test("of a regression: of the size of the noise", async () => {
    const random = new Random(3);
    const rows = Array.from({ length: 200 }, () => [random.unit()]);
    // Noise of mean size 0.25.
    const targets = rows.map(([a]) => 2 * (a as number) + random.unit() - 0.5);
    const scale = await regressionScale(SVR, matrix(rows), targets, { options: { kernel: "linear" }, seed: 0 });
    expect(scale).toBeGreaterThan(0.2);
    expect(scale).toBeLessThan(0.3);
  });

  test("of one class: as many rows in every bin", async () => {
    const model = await OneClassSVM.fit(x, { nu: 0.5, gamma: 0.25 });
    const marks = await normalMarks(model, x);
    expect(marks?.length).toBe(10);
    expect([...(marks as Float64Array)]).toEqual([...(marks as Float64Array)].sort((a, b) => a - b));
    const decisions = await model.decision(x);
    const counts = new Map<number, number>();
    for (const decision of decisions)
      counts.set(
        normalProbability(marks as Float64Array, decision),
        1 + (counts.get(normalProbability(marks as Float64Array, decision)) ?? 0),
      );
    // Marks are in the middle of bins of 15 rows: those between two of them hold 15 or so, the ends half of that.
    for (const [p, count] of counts) expect(Math.abs(count - (p < 0.05 || p > 0.95 ? 7.5 : 15))).toBeLessThanOrEqual(8);
    expect(counts.size).toBeGreaterThanOrEqual(10);
  });
});

interface Recorded {
  readonly flags: string;
  readonly data: string;
  readonly model: string | null;
  readonly train: { readonly stdout: string };
  readonly predict: readonly { readonly flags: string; readonly stdout: string; readonly output: string | null }[];
}

describeWith("the recorded cases in $HINGE_SHARED or ../shared", sharedFolder !== undefined, "recorded estimates of LIBSVM 3.37", () => {
  const golden = join(sharedFolder ?? "", "golden");
  const all: Recorded[] =
    sharedFolder === undefined ? [] : JSON.parse(gunzipSync(readFileSync(join(golden, "libsvm-3.37.json.gz"))).toString());
  const cases = all.filter(({ flags, model }) => flags.includes("-b 1") && !flags.includes("-v") && model?.startsWith("svm_type"));

  test("there are some of every type", () => {
    expect(new Set(cases.map(({ flags }) => /-s \d/.exec(flags)?.[0])).size).toBe(5);
  });

  for (const { flags, data, model, predict } of cases) {
    test(`${data} ${flags}`, async () => {
      const { x, y } = await readSvmlight(join(golden, `${data}.svm`));
      const bytes = new TextEncoder().encode(model ?? "");
      const file = readLibsvmModel(bytes, "model");
      const loaded = (await load(bytes)) as KernelModel;
      const output = predict.find((run) => run.flags === "-b 1")?.output ?? "";
      if (file.densityMarks !== undefined) {
        const decisions = await loaded.decision(x);
        const own = densityMarks(decisions) as Float64Array;
        // Decision values here are sums of float32 kernel values.
        for (const [k, mark] of file.densityMarks.entries()) expect(Math.abs((own[k] as number) - mark)).toBeLessThan(1e-4);
        const lines = output.trim().split("\n").slice(1);
        expect(lines.length).toBe(y.length);
        const odd = lines.filter(
          (line, i) =>
            Math.abs(normalProbability(file.densityMarks as Float64Array, decisions[i] as number) - Number(line.split(" ")[1])) > 1e-9,
        );
        // A mark is half the sum of two decision values: rows may lie on one.
        expect(odd.length).toBeLessThanOrEqual(2);
        return;
      }
      if (file.probB === undefined) {
        const printed = Number(/sigma= ?(\S+)/.exec(predict.find((run) => run.flags === "-b 1")?.stdout ?? "")?.[1]);
        expect(file.probA?.[0]).toBeCloseTo(printed, 6);
        if (file.vectors.count > 0) return;
        // A tube that holds all targets: the scale is that of y itself about the middle, whatever the folds.
        expect(await regressionScale(SVR, x, y, { options: { gamma: 1 / x.featureCount }, seed: 0 })).toBeCloseTo(printed, 3);
        return;
      }
      const sign = file.classCount === 2 ? 1 : -1;
      const decisions = (await loaded.decision(x)).map((value) => sign * value);
      const ours = libsvmProbabilities({ probA: file.probA as Float64Array, probB: file.probB }, file.classCount, decisions);
      const recorded = output
        .trim()
        .split("\n")
        .slice(1)
        .flatMap((line) => line.split(" ").slice(1).map(Number));
      expect(recorded.length).toBe(ours.length);
      // Six digits are printed; decision values here are sums of float32 kernel values.
      for (const [k, p] of recorded.entries()) expect(Math.abs(p - (ours[k] as number))).toBeLessThan(2e-6);
    });
  }
});
