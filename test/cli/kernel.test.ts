// Kernel machines by the built command: from a data file to a model file and back.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { load, SVC } from "../../src/index.ts";
import { describeWith, hasProgram } from "../requires.ts";
import { folder, hinge } from "./command.ts";

/** Five points of one kind around a ring of eight of the other: no line parts them. */
const ring = [
  ...[0, 1, 2, 3, 4].map((k) => `1 1:${0.1 * (k - 2)} 2:${0.05 * ((k * 3) % 5) - 0.1}\n`),
  ...Array.from({ length: 8 }, (_, k) => `-1 1:${Math.cos((k * Math.PI) / 4).toFixed(4)} 2:${Math.sin((k * Math.PI) / 4).toFixed(4)}\n`),
].join("");
/** Three classes on a line. */
const three = Array.from({ length: 12 }, (_, k) => `${k % 3} 1:${(k % 3) * 2 + 0.1 * k}\n`).join("");
const wave = Array.from({ length: 20 }, (_, k) => `${Math.sin(k / 3).toFixed(6)} 1:${(k / 3).toFixed(6)}\n`).join("");
const labelsOf = (text: string): string => `${text.match(/^\S+/gm)?.join("\n")}\n`;

describe.concurrent("hinge train and predict, with a kernel", () => {
  test("svc tells of its steps, and its model parts what no line parts", async () => {
    const here = folder({ "ring.svm": ring });
    const trained = await hinge(here, "train ring.svm ring.json --estimator svc --c 10 --gamma 1".split(" "));
    expect([trained.code, trained.stderr]).toEqual([0, ""]);
    expect(trained.stdout.split("\n").map((line) => line.replace(/ +\d+\.\d+ m?s$/, " <time>"))).toEqual([
      expect.stringMatching(/^read {6}13 rows, 2 features, \d+ values <time>$/),
      expect.stringMatching(/^train {5}decomposition, 1 problem, converged in \d+ steps <time>$/),
      expect.stringMatching(/^ {10}relative gap \d\S* <= 1e-3, certified$/),
      expect.stringMatching(/^ {10}objective \d\S* {3}support \d+ rows$/),
      "wrote     ring.json",
      "",
    ]);
    expect(JSON.parse(readFileSync(join(here, "ring.json"), "utf8"))).toMatchObject({
      estimator: "SVC",
      kernel: { kind: "rbf", gamma: 1 },
      problem: { C: 10 },
    });
    const { code, stdout, stderr } = await hinge(here, ["predict", "ring.svm", "ring.json"]);
    expect([code, stdout]).toEqual([0, labelsOf(ring)]);
    expect(stderr).toMatch(/^accuracy {2}100\.00 % \(13\/13\)/);
  });

  test("the command's model is the library's, bit for bit, with any number of threads", async () => {
    const here = folder({ "three.svm": three });
    const flags = "--estimator svc --c 2 --gamma 0.5 --tolerance 1e-4".split(" ");
    await Promise.all([
      hinge(here, ["train", "three.svm", "one.json", "--threads", "1", ...flags]),
      hinge(here, ["train", "three.svm", "two.json", "--threads", "2", ...flags]),
    ]);
    const lines = three.trim().split("\n");
    const fitted = await SVC.fit(
      lines.map((line) => [Number(line.split(":")[1])]),
      lines.map((line) => Number(line.charAt(0))),
      { C: 2, gamma: 0.5, tolerance: 1e-4 },
    );
    expect(readFileSync(join(here, "one.json"))).toEqual(readFileSync(join(here, "two.json")));
    expect(JSON.parse(readFileSync(join(here, "one.json"), "utf8"))).toEqual(JSON.parse(JSON.stringify(fitted)));
  });

  test("a name that does not end in .json gives LIBSVM's file, which predicts the same", async () => {
    const here = folder({ "three.svm": three });
    for (const name of ["m.json", "m.model"]) {
      const { code, stderr } = await hinge(here, ["train", "three.svm", name, "--estimator", "nu-svc", "--nu", "0.2", "--gamma", "0.5"]);
      expect([code, stderr]).toEqual([0, ""]);
    }
    expect(readFileSync(join(here, "m.model"), "utf8")).toMatch(/^svm_type nu_svc\nkernel_type rbf\ngamma 0\.5\nnr_class 3\n/);
    const [json, libsvm] = await Promise.all(
      ["m.json", "m.model"].map((name) => hinge(here, ["predict", "three.svm", name, "--threads", "1"])),
    );
    expect(libsvm?.stdout).toBe(json?.stdout);
    expect(json?.stdout).toBe(labelsOf(three));
  });

  test("--json prints one object with the report", async () => {
    const here = folder({ "three.svm": three });
    const { code, stdout, stderr } = await hinge(here, "train three.svm m.json --estimator svc --kernel linear --json".split(" "));
    expect([code, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ data: "three.svm", model: "m.json", rowCount: 12, featureCount: 1, status: "converged" });
    expect(report.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
    expect(report.run.problems).toHaveLength(3);
  });

  test("svr and nu-svr: numbers and their error", async () => {
    const here = folder({ "wave.svm": wave });
    for (const flags of ["--estimator svr --epsilon 0.05", "--estimator nu-svr --nu 0.5"]) {
      const { code, stderr } = await hinge(here, ["train", "wave.svm", "wave.model", "--c", "10", "--gamma", "1", ...flags.split(" ")]);
      expect([code, stderr]).toEqual([0, ""]);
      const predicted = JSON.parse((await hinge(here, ["predict", "wave.svm", "wave.model", "--json"])).stdout);
      expect(predicted.labels).toHaveLength(20);
      expect(predicted.score).toBeGreaterThan(0.95);
      const model = await load(join(here, "wave.model"));
      expect(predicted.score).toBeCloseTo(
        await (model as { score(x: number[][], y: number[]): Promise<number> }).score(
          wave.match(/:\S+/g)?.map((text) => [Number(text.slice(1))]) ?? [],
          labelsOf(wave).trim().split("\n").map(Number),
        ),
        12,
      );
    }
  });

  test("one-class-svm: inside and outside", async () => {
    const here = folder({ "usual.svm": `${"1 1:5 2:1\n1 1:5.1 2:1.2\n1 1:4.9 2:0.9\n1 1:5 2:1.1\n".repeat(3)}-1 1:-5 2:9\n` });
    const { code, stderr } = await hinge(here, "train usual.svm usual.model --estimator one-class-svm --nu 0.3 --gamma 0.5".split(" "));
    expect([code, stderr]).toEqual([0, ""]);
    const { stdout } = await hinge(here, ["predict", "usual.svm", "usual.model", "--json"]);
    expect(JSON.parse(stdout).labels.at(-1)).toBe(-1);
  });

  test("--strict exits with 3 where a limit came first", async () => {
    const here = folder({ "ring.svm": ring });
    const { code, stdout } = await hinge(here, "train ring.svm m.json --estimator svc --max-iterations 1 --strict".split(" "));
    expect(code).toBe(3);
    expect(stdout).toMatch(/not converged \(iteration-limit\) in 1 step /);
  });

  test("what has no proof is not called certified", async () => {
    const here = folder({ "ring.svm": ring });
    for (const [flags, words] of [
      ["--kernel sigmoid --gamma 0.1", "violation \\S+ <= 1e-3; no gap: a sigmoid kernel is not positive semidefinite.*"],
      ["--kernel poly --gamma 1 --coef0 -1", "violation \\S+ <= 1e-3; no gap: a polynomial kernel with a gamma or coef0 below 0.*"],
      ["--kernel poly --gamma 1 --coef0 1", "relative gap \\S+ <= 1e-3, certified"],
    ] as const) {
      const { stdout } = await hinge(here, ["train", "ring.svm", "m.json", "--estimator", "svc", ...flags.split(" ")]);
      expect(stdout).toMatch(new RegExp(`\\n {10}${words}\\n`));
    }
  });

  test("help tells which estimators an option is for, and where their defaults differ", async () => {
    const { stdout } = await hinge(folder(), ["train", "--help"]);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("a finite number at least 0, default 0 (linear-svr); a finite number at least 0, default 0.1 (svr)");
    expect(text).toContain('"scale", "auto", or a finite number of at least 0 (svc, nu-svc, svr, nu-svr, one-class-svm) (default scale)');
  });
});

describeWith("svm-train and svm-predict (Debian's libsvm-tools)", hasProgram("svm-train"), "files of LIBSVM", () => {
  test("hinge predict takes svm-train's model, and svm-predict ours", async () => {
    const { execFileSync } = await import("node:child_process");
    const here = folder({ "three.svm": three });
    execFileSync("svm-train", ["-q", "-g", "0.5", "-c", "2", "three.svm", "theirs.model"], { cwd: here });
    expect((await hinge(here, ["predict", "three.svm", "theirs.model"])).stdout).toBe(labelsOf(three));
    await hinge(here, "train three.svm ours.model --estimator svc --c 2 --gamma 0.5".split(" "));
    execFileSync("svm-predict", ["three.svm", "ours.model", "out.txt"], { cwd: here });
    expect(readFileSync(join(here, "out.txt"), "utf8")).toBe(labelsOf(three));
  });
});
