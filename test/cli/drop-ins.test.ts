// The drop-ins where no original was recorded: rows of one class, weights beside probability estimates, folds that lack a class.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { svmPredict } from "../../src/cli/drop-ins/svm-predict.ts";
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
  const said = await collected((console) => svmPredict([data, model, out], console));
  expect(said.stdout).toBe("Accuracy = 100% (2/2) (classification)\n");
  expect(readFileSync(out, "utf8")).toBe("3\n3\n");
});

test("a fold whose other rows are of one class predicts that class", async () => {
  const data = file("lone.svm", ["1 1:1", "1 2:1", "1 3:1", "2 4:1"]);
  expect(await train("-q", "-v", "4", data)).toEqual({ exit: 0, stdout: "Cross Validation Accuracy = 75%\n", stderr: "" });
});

test("-w beside -b 1 counts in the pairs that have its class", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 3} 1:${(i % 3) + ((i * 7) % 10) / 8} 2:${((i * 3) % 11) / 11}`);
  const data = file("three.svm", rows);
  const estimates = async (...flags: string[]): Promise<string[]> => {
    const model = join(folder, "three.model");
    expect(await train("-q", "-b", "1", ...flags, data, model)).toEqual({ exit: 0, stdout: "", stderr: "" });
    const probA = /^probA (.*)$/m.exec(readFileSync(model, "utf8")) as RegExpExecArray;
    return (probA[1] as string).split(" ");
  };
  const [plain, weighted] = [await estimates(), await estimates("-w2", "5")];
  expect(weighted.map((value, m) => value === plain[m])).toEqual([true, false, false]); // pairs 01, 02, 12
});
