// LinearSVC to and from LIBLINEAR's file: what is kept, what is not, and what the audit makes of it.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CertifiedReport, certify, type FitReport, LinearOneClassSVM, LinearSVC, LinearSVR, load, NuSVR } from "../../../src/index.ts";
import { sparseSet } from "../../problems/generate.ts";
import { rejected, thrown } from "../../thrown.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const header = (labels: string, bias = "-1"): string =>
  `solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel ${labels}\nnr_feature 2\nbias ${bias}\nw\n`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hinge-liblinear-file-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of LIBLINEAR as a model", () => {
  test("above 0 means the file's first label, at 0 and below the second, as LIBLINEAR has it", async () => {
    const model = await load(bytesOf(`${header("5 9")}1 \n-2 \n`), LinearSVC);
    expect(model.classes).toEqual([9, 5]);
    expect([model.predictOne([1]), model.predictOne([0]), model.predictOne([-1])]).toEqual([5, 9, 9]);
    expect(await model.decision([[3, 1]])).toEqual(Float64Array.of(1));
  });

  test("has the bias of its constant feature; none where that is 0 or absent", async () => {
    const biases = ["0.5", "0", "-1"].map(
      async (bias) => (await load(bytesOf(`${header("1 -1", bias)}1\n2\n${bias === "-1" ? "" : "3\n"}`), LinearSVC)).biases[0],
    );
    expect(await Promise.all(biases)).toEqual([1.5, 0, 0]);
  });

  test("says that nothing is known of how it was made", async () => {
    const { report, dual } = await load(bytesOf(`${header("1 -1")}1\n2\n`), LinearSVC);
    expect([report, dual]).toEqual([{ status: "unknown", certificate: undefined, run: undefined }, undefined]);
  });

  test("of other kinds is what it is, or refused by that", async () => {
    const refused = async (text: string): Promise<string> => (await rejected(load(bytesOf(text)))).message;
    expect(await refused("solver_type L2R_LR\nnr_class 1\nlabel 1\nnr_feature 1\nbias -1\nw\n0 \n")).toBe(
      "this is a LIBLINEAR model of type L2R_LR with 1 class; hinge cannot predict with it yet",
    );
    const half = await load(bytesOf("solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 1\nbias -1\nrho 1\nw\n2 \n"), LinearOneClassSVM);
    expect([half.predictOne([1]), half.predictOne([0.5]), half.predictOne([0])]).toEqual([1, -1, -1]);
    const line = await load(bytesOf("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias 2\nw\n3 \n5 \n"), LinearSVR);
    expect([line.predictOne([1]), line.bias]).toEqual([13, 10]);
    const constant = await load(bytesOf("svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 0\nrho 1\nSV\n"), NuSVR);
    expect(constant.predictOne([])).toBe(-1);
  });

  test("that is damaged names the file, the line and the column once", async () => {
    const path = join(folder, "damaged.model");
    writeFileSync(path, `${header("1 -1")}1\nx\n`);
    const error = await rejected(load(path));
    expect(error.message).toBe(`${path}:8:1: a weight must be a finite decimal number, got "x"`);
    expect(error.where).toEqual({ file: path, line: 8, column: 1 });
  });
});

describe("a model as a file of LIBLINEAR", () => {
  const set = sparseSet(200, 20, 6, 4);

  test("is what save writes under any name that does not end in .json", async () => {
    const model = await LinearSVC.fit([[0], [2]], [3, 8], { loss: "hinge", C: 100, tolerance: 1e-9, bias: false, solver: "dual" });
    const path = join(folder, "tiny.model");
    await model.save(path);
    const text = readFileSync(path, "utf8");
    // 1/2 w^2 + 100 max(0, 1 - 2w) is least at w = 1/2.
    expect(text).toBe("solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 8 3\nnr_feature 1\nbias -1\nw\n0.5 \n");
    expect(bytesOf(text)).toEqual(model.toBytes("liblinear"));
    expect((await load(path, LinearSVC)).coefficients).toEqual(model.coefficients);
  });

  test("comes back with the same decision values, for any scale of the bias", async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), fc.nat(1000), async (biasScale, seed) => {
        const model = await LinearSVC.fit(set.x, set.y, { biasScale, seed, maxIterations: 2 });
        const again = await load(model.toBytes("liblinear"), LinearSVC);
        expect([again.biases, again.classes]).toEqual([model.biases, model.classes]);
        expect(again.coefficients).toEqual(model.coefficients);
        expect(again.toBytes("liblinear")).toEqual(model.toBytes("liblinear"));
      }),
      { seed: 31, numRuns: 40 },
    );
  });

  test("holds whole numbers as labels only; nothing is written otherwise", async () => {
    for (const y of [
      ["a", "b"],
      [0.5, 1],
      [1, 2 ** 31],
    ] as const) {
      const model = await LinearSVC.fit([[0], [1]], y as unknown as number[]);
      const path = join(folder, "labels.model");
      const error = await rejected(model.save(path));
      expect(error.code).toBe("bad-option");
      expect(error.message).toMatch(/^LIBLINEAR's format holds whole numbers as labels, got .*; save under a name that ends in \.json$/);
      expect(existsSync(path)).toBe(false);
    }
  });

  test("must have a name, and be in a format that exists", async () => {
    const model = await LinearSVC.fit([[0], [1]], [0, 1]);
    expect((await rejected(model.save(""))).message).toBe('the name of a model file must be a text that is not empty, got ""');
    expect(thrown(() => model.toBytes("libsvm" as "json")).message).toBe('the format must be "json" or "liblinear", got "libsvm"');
  });
});

describe("the audit of a file of LIBLINEAR", () => {
  const set = sparseSet(200, 20, 6, 4);
  const options = { C: 0.5, loss: "hinge", tolerance: 1e-6 } as const;

  test("needs C and says so; with it, it proves what the fit proved", async () => {
    const model = await LinearSVC.fit(set.x, set.y, options);
    const loaded = await load(model.toBytes("liblinear"), LinearSVC);
    const error = await rejected(certify(loaded, set.x, set.y));
    expect([error.code, error.message]).toEqual([
      "bad-option",
      "the model's file does not hold C; give the one it was trained with: certify(model, x, y, { C: 1 })",
    ]);
    const judged = await certify(loaded, set.x, set.y, { C: 0.5, bias: "unregularised" });
    expect(judged.primal).toBe(model.report.certificate.primal);
    expect(judged.relativeGap).toBeLessThanOrEqual(2e-6); // the model's own 1e-6 and that of the bound
    expect((await rejected(certify(loaded, set.x, set.y, { C: -1 }))).message).toBe("C must be a finite number above 0, got -1");
  });

  test("does not depend on the order of the classes", async () => {
    const model = await LinearSVC.fit(set.x, set.y, options);
    const text = new TextDecoder().decode(model.toBytes("liblinear"));
    const [head = "", body = ""] = text.split("\nw\n");
    const negated = body
      .trimEnd()
      .split("\n")
      .map((weight) => -Number(weight))
      .join("\n");
    const turned = `${head.replace("label 1 -1", "label -1 1")}\nw\n${negated}\n`;
    const other = await load(bytesOf(turned), LinearSVC);
    expect(other.classes).toEqual([1, -1]);
    expect(await other.predict(set.x)).toEqual(await model.predict(set.x));
    expect(await certify(other, set.x, set.y, { C: 0.5 })).toEqual(
      await certify(await load(bytesOf(text), LinearSVC), set.x, set.y, { C: 0.5 }),
    );
  });

  test("takes no other C than the model's own, where the model knows it", async () => {
    const model = await LinearSVC.fit(set.x, set.y, options);
    expect((await rejected(certify(model, set.x, set.y, { C: 2 }))).message).toBe(
      "C must be the one that the model was fitted with, 0.5, or left out, got 2",
    );
    expect(await certify(model, set.x, set.y, { C: 0.5 })).toEqual(model.report.certificate);
  });
});

test("types: a fitted model has its certificate, a loaded one may not", async () => {
  const fitted = await LinearSVC.fit([[0], [1]], ["a", "b"]);
  const certified: CertifiedReport = fitted.report;
  const report: FitReport = (await load(fitted.toBytes(), LinearSVC)).report;
  // @ts-expect-error a loaded model's certificate may be undefined
  expect(report.certificate.primal).toBe(certified.certificate.primal);
  if (report.status !== "unknown") expect(report.certificate.dual).toBe(certified.certificate.dual);
});
