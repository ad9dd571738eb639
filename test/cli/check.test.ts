// hinge check through its exported function, with a console that collects text: what it prints, and what it complains about.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkCommand } from "../../src/cli/check.ts";
import { LinearSVC, readSvmlight, StandardScaler, SVC } from "../../src/index.ts";
import { sparseSet } from "../problems/generate.ts";
import { rejected } from "../thrown.ts";
import { folder } from "./command.ts";

async function check(...args: string[]): Promise<{ stdout: string; stderr: string; codes: number[] }> {
  const [out, err, codes]: [string[], string[], number[]] = [[], [], []];
  const console = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    isTerminal: false,
    exit: (code: number) => void codes.push(code),
  };
  await checkCommand(console).parseAsync(args, { from: "user" });
  return { stdout: out.join(""), stderr: err.join(""), codes };
}

const good = ((): string => {
  const { x, y } = sparseSet(300, 12, 4, 1);
  return x.map(([indices, values], i) => `${y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}\n`).join("");
})();
const bad = "1 1:1 2:nan\n-1 3:1 2:5\n1 1:1 3:2\n-1 1:1 3:2\n";

/** Lines with the times taken out. */
const timeless = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ +\d+\.\d+ m?s$/, " <time>"));

describe("hinge check <data>", () => {
  test("of a good file: what it holds, that it is well, and what training takes", async () => {
    const path = join(folder({ "good.svm": good }), "good.svm");
    const { stdout, stderr, codes } = await check(path);
    expect([stderr, codes]).toEqual(["", []]);
    const range = String.raw`(over )?\d\S*( to \d\S*)? (ms|s|min|h)`;
    expect(timeless(stdout)).toEqual([
      "read      300 rows, 12 features, 1,200 values <time>",
      expect.stringMatching(/^data {6}density 33\.333 %, 2 classes: -1 \(\d+ rows\), 1 \(\d+ rows\)$/),
      "well      nothing here will hurt",
      "forecast  the rows take 11 kB; a fit with the defaults takes about <time>",
      expect.stringMatching(new RegExp(`^ {10}linear-svc +${range} +work 15 kB, model 100 B$`)),
      expect.stringMatching(new RegExp(`^ {10}logistic-regression +${range} +work 15 kB, model 100 B$`)),
      expect.stringMatching(new RegExp(String.raw`^ {10}svc +${range} +work 29 kB, kernel rows 360 kB, model \d\S* kB$`)),
      expect.stringMatching(new RegExp(String.raw`^ {10}nu-svc +${range} +work 29 kB, kernel rows 360 kB, model \d\S* kB$`)),
    ]);
  });

  test("of a bad file: the most serious first, two lines each, with places", async () => {
    const path = join(folder({ "bad.svm": bad }), "bad.svm");
    const { stdout, codes } = await check(path);
    expect(codes).toEqual([]);
    expect(timeless(stdout).slice(0, 6)).toEqual([
      "read      4 rows, 3 features, 7 values <time>",
      "data      density 58.333 %, 2 classes: -1 (2 rows), 1 (2 rows)",
      'problem   1 value is NaN or infinite; left out here [line 1:7 "2:nan"]',
      "          remove the rows, or fill in what is missing: Imputer, for tables",
      'problem   the indices of 1 row do not rise [line 2:8 "2:5"]',
      "          sort each line by index; sorted here",
    ]);
    expect(stdout).toContain("equal but for their labels; any model gets at least 1 wrong [line 3, line 4]\n");
  });

  test("of an empty file: a finding, no forecast", async () => {
    const path = join(folder({ "empty.svm": "" }), "empty.svm");
    expect(timeless((await check(path)).stdout)).toEqual([
      "read      0 rows, 0 features, 0 values <time>",
      "data      density 0 %, no labels",
      "problem   there are no rows",
      '          a row is a line such as "1 3:0.5 7:1"',
    ]);
  });

  test("--json is one object, with everything", async () => {
    const path = join(folder({ "bad.svm": bad }), "bad.svm");
    const { stdout } = await check(path, "--json");
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ data: path, indexBase: 1, rowCount: 4, featureCount: 3, labels: { kind: "classes" } });
    expect(report.findings[0]).toEqual({
      kind: "not-finite",
      severity: "problem",
      message: expect.any(String),
      remedy: expect.any(String),
      count: 1,
      places: [{ line: 1, column: 7, text: "2:nan" }],
    });
    expect(report.forecast.estimators.map(({ estimator }: { estimator: string }) => estimator)).toContain("nu-svc");
    expect(report.readSeconds).toBeGreaterThan(0);
  });

  test("--index-base 0 has no quarrel with feature 0", async () => {
    const path = join(folder({ "zero.svm": "1 0:1\n-1 1:1\n1 0:0.5 1:0.25\n" }), "zero.svm");
    expect((await check(path)).stdout).toContain("say --index-base 0");
    expect((await check(path, "--index-base", "0")).stdout).not.toContain("--index-base");
  });

  test("mistakes are errors", async () => {
    const here = folder({ "good.svm": good });
    expect((await rejected(check(join(here, "none.svm")))).code).toBe("file-system");
    expect((await rejected(check(join(here, "good.svm"), "--index-base", "2"))).message).toBe('--index-base must be 0 or 1, got "2"');
    expect((await rejected(check(join(here, "none.csv")))).code).toBe("file-system");
    expect((await rejected(check(join(here, "good.csv"), "m.json"))).message).toContain("audits models on svmlight files only");
    expect((await rejected(check(join(here, "good.svm"), "--c", "1"))).message).toContain("--c is about a model");
  });
});

describe("hinge check <data> <model>", () => {
  const here = folder({ "good.svm": good });
  const data = join(here, "good.svm");
  const at = (name: string): string => join(here, name);

  test("audits a linear model of hinge and the same one in LIBLINEAR's file", async () => {
    const { x, y } = await readSvmlight(data);
    const model = await LinearSVC.fit(x, y, { C: 2, bias: "augmented" });
    await model.save(at("linear.json"));
    await model.save(at("linear.model"));
    expect(timeless((await check(data, at("linear.json"))).stdout).slice(2, 6)).toEqual([
      "model     LinearSVC, from hinge",
      expect.stringMatching(/^audit {5}relative gap \d\S*, certified <time>$/),
      expect.stringMatching(/^ {10}objective \d\S*, the optimum is at least \d\S*$/),
      expect.stringMatching(/^accuracy {2}\d+\.\d+ % \(\d+\/300\)$/),
    ]);
    const { stdout } = await check(data, at("linear.model"));
    expect(stdout).toContain("model     LinearSVC, from a file of LIBLINEAR or LIBSVM\n");
    expect(stdout).toContain("audit     not possible: the file does not hold C; give what it was trained with, such as --c 1\n");
    const report = JSON.parse((await check(data, at("linear.model"), "--c", "2", "--json")).stdout);
    expect(report.audit.certificate.relativeGap).toBeLessThanOrEqual(1.1e-3);
    expect(report.forecast).toBeUndefined();
    const wrong = await check(data, at("linear.model"), "--c", "1e-4");
    expect(wrong.stdout).toContain("these may not be the rows, or the constants");
    expect((await rejected(check(data, at("linear.model"), "--nu", "0.5"))).message).toContain("--nu is nothing that the model");
  });

  test("audits a kernel machine of hinge and the same one in LIBSVM's file", async () => {
    const { x, y } = await readSvmlight(data);
    const model = await SVC.fit(x, y, { C: 2 });
    await model.save(at("kernel.json"));
    await model.save(at("kernel.model"));
    const [own, theirs] = await Promise.all(
      [["kernel.json"], ["kernel.model", "--c", "2"]].map(async ([name = "", ...flags]) =>
        JSON.parse((await check(data, at(name), ...flags, "--json")).stdout),
      ),
    );
    expect(own.audit.certificate.relativeGap).toBeLessThanOrEqual(1.1e-3);
    expect(theirs.audit.certificate.primal).toBeCloseTo(own.audit.certificate.primal, 4);
    expect(theirs.audit.figures).toEqual(own.audit.figures);
  });

  test("says why where there is nothing to audit: a scaler, data that must be mended, a file that is no model", async () => {
    await (await StandardScaler.fit([[1], [2]])).save(at("scaler.json"));
    expect((await check(data, at("scaler.json"))).stdout).toContain("audit     not possible: a StandardScaler solves no problem");
    writeFileSync(at("bad.svm"), bad);
    expect((await check(at("bad.svm"), at("scaler.json"))).stdout).toContain("audit     not possible: the data file must be mended first");
    expect((await rejected(check(data, data))).code).toBe("bad-model");
  });

  test("a model that is wider than the data is audited all the same", async () => {
    const { x, y } = await readSvmlight(data, { featureCount: 15 });
    await (await LinearSVC.fit(x, y)).save(at("wide.json"));
    expect((await check(data, at("wide.json"))).stdout).toMatch(/audit {5}relative gap \d\S*, certified/);
    expect(readFileSync(data, "utf8")).toBe(good);
  });
});
