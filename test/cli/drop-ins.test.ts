// The drop-ins where no original was recorded: rows of one class, weights beside probability estimates, folds that lack a class, flags and files at the edge of what is allowed.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { liblinearPredict } from "../../src/cli/drop-ins/liblinear-predict.ts";
import { liblinearTrain } from "../../src/cli/drop-ins/liblinear-train.ts";
import { svmPredict } from "../../src/cli/drop-ins/svm-predict.ts";
import { svmScale } from "../../src/cli/drop-ins/svm-scale.ts";
import { svmTrain } from "../../src/cli/drop-ins/svm-train.ts";
import { collected } from "../parity/recorded-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-drop-ins-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const train = (...args: string[]) => collected((console) => svmTrain(args, console));
const predict = (...args: string[]) => collected((console) => svmPredict(args, console));
const scale = (...args: string[]) => collected((console) => svmScale(args, console));
const trainLinear = (...args: string[]) => collected((console) => liblinearTrain(args, console));
const predictLinear = (...args: string[]) => collected((console) => liblinearPredict(args, console));

/** Two classes, or three, that overlap. */
const overlapping = (classes: number): string[] =>
  Array.from({ length: 20 * classes }, (_, i) => `${i % classes} 1:${(i % classes) + ((i * 7) % 10) / 8} 2:${((i * 3) % 11) / 11}`);

test("a file of one class gives LIBSVM's model of it, which predicts that class", async () => {
  const [data, model, out] = [file("one.svm", ["3 1:1", "3 2:1"]), join(folder, "one.model"), join(folder, "one.out")];
  expect(await train(data, model)).toEqual({
    exit: 0,
    stdout: "WARNING: training data in only one class. See README for details.\nTotal nSV = 0\n",
    stderr: "",
  });
  expect(readFileSync(model, "utf8")).toBe(
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 1\ntotal_sv 0\nrho\nlabel 3\nnr_sv 0\nSV\n",
  );
  const said = await predict(data, model, out);
  expect(said.stdout).toBe("Accuracy = 100% (2/2) (classification)\n");
  expect(readFileSync(out, "utf8")).toBe("3\n3\n");
});

test("a fold whose other rows are of one class predicts that class", async () => {
  const data = file("lone.svm", ["1 1:1", "1 2:1", "1 3:1", "2 4:1"]);
  expect(await train("-q", "-v", "4", data)).toEqual({ exit: 0, stdout: "Cross Validation Accuracy = 75%\n", stderr: "" });
});

test("-w beside -b 1 counts in the pairs that have its class", async () => {
  const data = file("three.svm", overlapping(3));
  const estimates = async (...flags: string[]): Promise<string[]> => {
    const model = join(folder, "three.model");
    expect(await train("-q", "-b", "1", ...flags, data, model)).toEqual({ exit: 0, stdout: "", stderr: "" });
    const probA = /^probA (.*)$/m.exec(readFileSync(model, "utf8")) as RegExpExecArray;
    return (probA[1] as string).split(" ");
  };
  const [plain, weighted] = [await estimates(), await estimates("-w2", "5")];
  expect(weighted.map((value, m) => value === plain[m])).toEqual([true, false, false]); // pairs 01, 02, 12
});

// -w moves the decision far into the other class; probabilities come from the rows as they are. By svm-train 3.24: 65 % and 95 %.
test("-b 1 -v validates the most probable class, not the sign of the decision value", async () => {
  const data = file("moved.svm", overlapping(2));
  const flags = ["-v", "5", "-t", "0", "-c", "0.1", "-w0", "100", data];
  const [plain, said] = [await train(...flags), await train("-b", "1", ...flags)];
  const accuracy = (text: string): number => Number(/^Cross Validation Accuracy = (.*)%$/m.exec(text)?.[1]);
  expect(accuracy(plain.stdout)).toBeLessThan(75);
  expect(accuracy(said.stdout)).toBeGreaterThan(85);
  // In each of five folds five fits for the estimates and one besides.
  expect([plain, said].map(({ stdout }) => stdout.match(/^optimization finished/gm)?.length)).toEqual([5, 30]);
});

// Kernel values of whole numbers are exact, so both ways solve the same problems.
test.each(["-s 0", "-s 1", "-s 3"])("%s -t 4 validates and estimates as -t 0 does of the same products", async (type) => {
  const points = Array.from({ length: 40 }, (_, i) => [(i % 2) * 6 + ((i * 7) % 10), (i * 3) % 11]);
  const products = (p: readonly number[]): number[] =>
    points.map((q) => (p[0] as number) * (q[0] as number) + (p[1] as number) * (q[1] as number));
  const plain = file(
    "points.svm",
    points.map((p, i) => `${i % 2} 1:${p[0]} 2:${p[1]}`),
  );
  const kernel = file(
    "products.svm",
    points.map(
      (p, i) =>
        `${i % 2} 0:${i + 1} ${products(p)
          .map((value, j) => `${j + 1}:${value}`)
          .join(" ")}`,
    ),
  );
  const flags = [...type.split(" "), "-c", "0.01", "-e", "1e-6"];
  const model = join(folder, "products.model");
  const results = async (...args: string[]): Promise<number[]> => {
    const said = [await train("-q", "-v", "4", ...flags, ...args), await train("-q", "-b", "1", "-v", "4", ...flags, ...args)];
    expect((await train("-q", "-b", "1", ...flags, ...args, model)).exit).toBe(0);
    const estimates = /^probA (.*)$/m.exec(readFileSync(model, "utf8")) as RegExpExecArray;
    return [...said.flatMap(({ stdout }) => stdout.match(/[\d.]+(e-\d+)?(?=%?\n)/g) ?? []), estimates[1] as string].map(Number);
  };
  const [own, wanted] = [await results("-t", "4", kernel), await results("-t", "0", plain)];
  expect(own.length).toBe(type === "-s 3" ? 5 : 3);
  own.forEach((value, k) => {
    expect(Math.abs(value - (wanted[k] as number))).toBeLessThanOrEqual(1e-3 * Math.abs(wanted[k] as number));
  });
});

describe("flags", () => {
  const data = file("two.svm", overlapping(2));
  const model = join(folder, "flags.model");

  test.each(["1", "5", "inf"])("-e %s trains, by a rule that is met soon", async (eps) => {
    expect(await train("-q", "-e", eps, data, model)).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(await trainLinear("-q", "-e", eps, data, model)).toEqual({ exit: 0, stdout: "", stderr: "" });
  });

  test("-d does not matter but to a polynomial", async () => {
    expect((await train("-q", "-d", "200", data, model)).exit).toBe(0);
  });

  test.each([
    ["-t 1 -d 200", "-d must be at most 100, got 200"],
    ["-c inf", "-c must be a finite number, got inf"],
    ["-c 1e300", "-c must be from 1e-100 to 1e+100, got 1e+300"],
    ["-g nan", "-g must be a finite number, got nan"],
    ["-w1 -1", "-w1 must be a finite number of at least 0, got -1"],
    ["-c 10 -w1 1e100", "-c times -w1 must be from 1e-100 to 1e+100, got 1e+101"],
  ])("svm-train %s is refused by the flag's name", async (flags, why) => {
    expect(await train(...flags.split(" "), data, model)).toEqual({ exit: 1, stdout: "", stderr: `ERROR: ${why}\n` });
  });

  test.each([
    ["-c inf", "-c must be a finite number, got inf"],
    ["-c 1e-200", "-c must be from 1e-100 to 1e+100, got 1e-200"],
    ["-w0 nan", "-w0 must be a finite number of at least 0, got NaN"],
  ])("liblinear-train %s is refused by the flag's name", async (flags, why) => {
    expect(await trainLinear(...flags.split(" "), data, model)).toEqual({ exit: 1, stdout: "", stderr: `ERROR: ${why}\n` });
  });

  test("svm-train -w0 0: the rows of the class do not count, all is the other", async () => {
    const out = join(folder, "weightless.out");
    expect((await train("-q", "-w0", "0", data, model)).exit).toBe(0);
    await predict("-q", data, model, out);
    expect(new Set(readFileSync(out, "utf8").trim().split("\n"))).toEqual(new Set(["1"]));
  });

  // By liblinear-train 2.30 of the same rows with -e 1e-7; -s 7 solves the problem of -s 0, where it gives no numbers at all.
  test.each([
    ["0", [-1.6756379, -0.4842108]],
    ["1", [-0.7567621, -0.1578082]],
    ["2", [-0.7567621, -0.1578082]],
    ["3", [-0.8888889, 0]],
    ["4", [-0.4444444, 0.4444444, 0, 0]],
    ["5", [-0.7901235, 0]],
    ["6", [-2.1847496, 0]],
    ["7", [-1.6756379, -0.4842108]],
  ] as const)("liblinear-train -s %s -w0 0 takes the rows of the class for nothing", async (solver, wanted) => {
    expect((await trainLinear("-q", "-s", solver, "-e", "1e-7", "-w0", "0", data, model)).exit).toBe(0);
    const text = readFileSync(model, "utf8");
    expect(text).toMatch(/^label 0 1$/m);
    const weights = text
      .slice(text.indexOf("\nw\n") + 3)
      .trim()
      .split(/\s+/);
    expect(weights.length).toBe(wanted.length);
    wanted.forEach((value, k) => {
      expect(Number(weights[k])).toBeCloseTo(value, 5);
    });
  });
});

describe("feature 0", () => {
  const data = file("zero.svm", ["1 0:5 1:2", "2 0:7 1:3", "2 0:9 1:4", "1 1:1"]);
  const [model, out] = [join(folder, "zero.model"), join(folder, "zero.out")];

  // The lines by svm-train 3.24, but for the last digits.
  test("svm-train and svm-predict take it, with gamma by the largest index", async () => {
    expect((await train("-q", data, model)).exit).toBe(0);
    expect(readFileSync(model, "utf8")).toMatch(
      /^svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 4\nrho -0.00336897\d*\nlabel 1 2\nnr_sv 2 2\nSV\n1 0:5 1:2 \n0.996631\d* 1:1 \n-1 0:7 1:3 \n-0.996631\d* 0:9 1:4 \n$/,
    );
    expect((await predict(data, model, out)).stdout).toBe("Accuracy = 100% (4/4) (classification)\n");
  });

  test("a model that has it predicts rows that do not, and the other way round", async () => {
    const plain = file("plain.svm", ["1 1:1", "2 1:4"]);
    await train("-q", data, model);
    expect((await predict(plain, model, out)).stdout).toMatch(/^Accuracy = .*2\) \(classification\)\n$/);
    // Linear: feature 0 has no weight in a model that does not know it.
    await train("-q", "-t", "0", "-c", "100", plain, model);
    await predict("-q", data, model, out);
    expect(readFileSync(out, "utf8")).toBe("1\n2\n2\n1\n");
  });

  test("a mistake behind it is told where it is", async () => {
    const bad = file("zero-bad.svm", ["1 0:5 1:2", "2 0:6 1:x"]);
    const { exit, stderr } = await train(bad, model);
    expect({ exit, first: stderr.split("\n")[0] }).toEqual({ exit: 1, first: "Wrong input format at line 2" });
  });

  test("liblinear-train and liblinear-predict refuse it, as the originals do", async () => {
    const stderr = `Wrong input format at line 1\n${data}:1:3: feature 0; indices must begin at 1: add 1 to all of them\n`;
    expect(await trainLinear(data, model)).toEqual({ exit: 1, stdout: "", stderr });
    await trainLinear("-q", file("plain.svm", ["1 1:1", "2 1:4"]), model);
    expect(await predictLinear(data, model, out)).toEqual({ exit: 1, stdout: "", stderr });
  });

  // All of it by svm-scale 3.24.
  test("svm-scale takes it with a warning, scales it by the data alone and keeps no range of it", async () => {
    const range = join(folder, "zero.range");
    const stdout = "1 0:-1 1:-0.333333 \n2 1:0.333333 \n2 0:1 1:1 \n1 1:-1 \n";
    const warning = "WARNING: minimal feature index is 0, but indices should start from 1\n";
    expect(await scale("-s", range, data)).toEqual({
      ...{ exit: 0, stdout },
      stderr: `${warning}WARNING: scaling factors with indices smaller than 1 are not stored to the file ${range}.\n`,
    });
    expect(readFileSync(range, "utf8")).toBe("x\n-1 1\n1 1 4\n");
    expect(await scale("-r", range, data)).toEqual({ exit: 0, stdout, stderr: warning });
  });
});

test.each(["5000000000", "-5000000000", "2147483648"])("label %s is refused: model files do not hold it", async (label) => {
  const data = file("large.svm", ["1 1:1", `${label} 1:2`]);
  const model = join(folder, "large.model");
  const stderr = `label ${label} (row 2) does not fit into a model file: labels of classes must be whole numbers from -2147483647 to 2147483647; give the class another\n`;
  expect(await train(data, model)).toEqual({ exit: 1, stdout: "", stderr });
  expect(await trainLinear(data, model)).toEqual({ exit: 1, stdout: "", stderr });
});

test.each([
  ["", '"x" must follow, got the end of the file'],
  ["foo\n", '"x" must follow, got "foo"'],
  ["x\n", "the lower limit of x must follow, got the end of the file"],
  ["x\nfoo", 'the lower limit of x must follow, got "foo"'],
  ["x\n-1\n", "the upper limit of x must follow, got the end of the file"],
  ["x\n-1 1\n1 0", "the upper end of the range of feature 1 must follow, got the end of the file"],
  ["x\n-1 1\n1 0 nan\n", 'the upper end of the range of feature 1 must follow, got "nan"'],
  ["x\n-1 1\n0 0 1\n", 'the index of a feature (a whole number from 1) must follow, got "0"'],
  ["y\n-1 1\n0\nx\n-1 1\n", 'the upper end of the range of y must follow, got "x"'],
  ["y\n-1 1\n0 2\nx\n", "the lower limit of x must follow, got the end of the file"],
])("svm-scale -r refuses the ranges %j before it writes a row", async (text, why) => {
  const [data, range] = [file("scaled.svm", ["1 1:1", "2 1:2"]), join(folder, "broken.range")];
  writeFileSync(range, text);
  expect(await scale("-r", range, data)).toEqual({
    exit: 1,
    stdout: "",
    stderr: `ERROR: failed to read scaling parameters\n${range}: ${why}\n`,
  });
});

test("svm-scale -r says nothing of features that never change", async () => {
  const [data, range] = [file("constant.svm", ["1 1:1 2:3", "2 1:2 2:3"]), join(folder, "constant.range")];
  await scale("-s", range, data);
  expect(await scale("-r", range, data)).toEqual({ exit: 0, stdout: "1 1:-1 \n2 1:1 \n", stderr: "" });
});

describe("output of the predictors", () => {
  const data = file("output.svm", overlapping(2));
  const model = join(folder, "output.model");

  test.each([
    ["svm-predict", train, predict],
    ["liblinear-predict", trainLinear, predictLinear],
  ] as const)("%s says whether a file cannot be opened or not be written", async (_, learn, run) => {
    await learn("-q", data, model);
    const nowhere = join(folder, "no", "where");
    expect(await run(data, model, nowhere)).toEqual({
      ...{ exit: 1, stdout: "" },
      stderr: `can't open output file ${nowhere}\ncannot write ${nowhere}: there is no such file or directory\n`,
    });
    // Before the model is looked for, as the originals do.
    expect((await run(data, nowhere, nowhere)).stderr).toMatch(/^can't open output file/);
    expect((await run(nowhere, nowhere, nowhere)).stderr).toMatch(/^can't open input file/);
    if (process.platform === "linux")
      expect(await run(data, model, "/dev/full")).toEqual({
        ...{ exit: 1, stdout: "" },
        stderr: "can't write output file /dev/full\ncannot write /dev/full: the disk is full\n",
      });
  });

  test("replaces a file as a whole and leaves nothing beside it", async () => {
    await train("-q", data, model);
    const out = file("output.txt", ["old"]);
    const [before, old] = [readdirSync(folder).sort(), statSync(out).ino];
    expect((await predict("-q", data, model, out)).exit).toBe(0);
    expect(statSync(out).ino).not.toBe(old);
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readFileSync(out, "utf8").trim().split("\n").length).toBe(40);
  });
});

test("support vectors at their bound are counted as LIBSVM counts them", async () => {
  const [same, apart] = [file("same.svm", ["1 1:0.5", "-1 1:0.5"]), file("apart.svm", ["1 1:1", "-1 1:-1"])];
  const model = join(folder, "bound.model");
  // Two rows that hold the same and contradict each other cost all they may; two that a wide margin parts need half of it.
  expect((await train(same, model)).stdout).toContain("nSV = 2, nBSV = 2\n");
  expect((await train("-t", "0", "-c", "100", apart, model)).stdout).toContain("nSV = 2, nBSV = 0\n");
});
