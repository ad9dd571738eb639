// Runs the built command: arguments in; exact stdout, stderr, exit code and files out. Only times are not compared.

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sparseSet } from "../problems/generate.ts";
import { folder, hinge, root, tiny } from "./command.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };

/** 3,000 rows of which one in ten has the wrong label: far from separable, so a tight tolerance takes long. */
const noisy = ((): string => {
  const { x, y } = sparseSet(3000, 40, 10, 1);
  return x.map(([indices, values], i) => `${y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}\n`).join("");
})();

const modelIn = (path: string, name: string): { status: string; coefficients: number[] } =>
  JSON.parse(readFileSync(join(path, name), "utf8"));

describe.concurrent("hinge train", () => {
  test("reports what it did and writes the model beside", async () => {
    const here = folder();
    const { code, stdout, stderr } = await hinge(here, ["train", "tiny.svm"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.replace(/ +\d+\.\d+ m?s$/, " <time>"))).toEqual([
      "read      4 rows, 2 features, 6 values <time>",
      expect.stringMatching(/^train {5}[Nn]ewton, 1 problem, converged in \d+ passes <time>$/),
      expect.stringMatching(/^ {10}relative gap \d\S* <= 1e-3, certified$/),
      expect.stringMatching(/^ {10}objective 0\.\d+$/),
      "wrote     tiny.svm.model.json",
      "",
    ]);
    expect(readdirSync(here).sort()).toEqual(["tiny.svm", "tiny.svm.model.json"]);
    expect(modelIn(here, "tiny.svm.model.json")).toMatchObject({ format: "hinge", estimator: "LinearSVC", classes: [-1, 1] });
  });

  test("writes LIBLINEAR's format under a name that does not end in .json, and predicts with it", async () => {
    const here = folder();
    const { code, stdout, stderr } = await hinge(here, ["train", "tiny.svm", "tiny.model"]);
    expect([code, stderr, stdout.includes("wrote     tiny.model\n")]).toEqual([0, "", true]);
    expect(readFileSync(join(here, "tiny.model"), "utf8")).toMatch(
      /^solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n(-?\d\S* \n){3}$/,
    );
    expect((await hinge(here, ["predict", "tiny.svm", "tiny.model"])).stdout).toBe("1\n-1\n1\n-1\n");
  });

  test("--json prints one object with the sizes, the report and where the model is", async () => {
    const here = folder();
    const { code, stdout, stderr } = await hinge(here, ["train", "tiny.svm", "m.json", "--c", "2", "--loss", "hinge", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ data: "tiny.svm", model: "m.json", rowCount: 4, featureCount: 2, valueCount: 6, status: "converged" });
    expect(report.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
    expect(report.certificate.dual).toBeLessThanOrEqual(report.certificate.primal);
    expect(report.run.solver).toBe("interior point");
    for (const figure of [report.readSeconds, report.run.iterations, report.run.supportCount, report.run.memoryBytes]) {
      expect(figure).toBeGreaterThan(0);
    }
    expect(report.run.seconds.total).toBeGreaterThanOrEqual(report.run.seconds.certify);
    expect(modelIn(here, "m.json")).toMatchObject({ problem: { C: 2, loss: "hinge" }, certificate: report.certificate });
  });

  test("--strict exits with 3 where a limit came first, and still writes the model; without it that is no error", async () => {
    const here = folder({ "noisy.svm": noisy });
    const limits = ["--max-iterations", "1", "--tolerance", "1e-9"];
    const [strict, lenient] = await Promise.all([
      hinge(here, ["train", "noisy.svm", "strict.json", "--strict", ...limits]),
      hinge(here, ["train", "noisy.svm", "lenient.json", ...limits]),
    ]);
    expect([strict.code, strict.stderr, lenient.code, lenient.stderr]).toEqual([3, "", 0, ""]);
    expect(strict.stdout).toMatch(/not converged \(iteration-limit\) in 1 pass .*\n {10}relative gap \S+ > 1e-9, certified\n/);
    expect(modelIn(here, "strict.json").status).toBe("iteration-limit");
    expect(readFileSync(join(here, "strict.json"))).toEqual(readFileSync(join(here, "lenient.json")));
    expect(readdirSync(here).sort()).toEqual(["lenient.json", "noisy.svm", "strict.json"]);
  });

  test("says so where the numbers allow no better", async () => {
    const set = sparseSet(300, 60, 8, 1);
    const lines = set.x.map(([indices, values], i) => `${set.y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}\n`);
    const here = folder({ "set.svm": lines.join("") });
    const { code, stdout } = await hinge(here, "train set.svm m.json --strict --solver newton --tolerance 1e-17".split(" "));
    expect(code).toBe(3);
    expect(stdout).toMatch(/not converged \(precision-limit\) in \d+ passes .*\n {10}relative gap \S+ > 1e-17, certified\n/);
    expect(modelIn(here, "m.json").status).toBe("precision-limit");
  });

  test("by LIBLINEAR's rule the gap is told, and not compared with a tolerance that is none of a gap", async () => {
    const here = folder({ "noisy.svm": noisy });
    const { code, stdout } = await hinge(here, "train noisy.svm m.json --loss hinge --stop violation --tolerance 0.5".split(" "));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {10}relative gap \S+, certified\n/);
  });

  test("takes flags for class weights and the index base", async () => {
    const here = folder({ "zero.svm": "1 0:1\n-1 1:1\n" });
    const { code, stdout } = await hinge(here, "train zero.svm m.json --index-base 0 --class-weight +1=2,-1=0.5 --json".split(" "));
    expect([code, JSON.parse(stdout).featureCount]).toEqual([0, 2]);
    expect(modelIn(here, "m.json")).toMatchObject({ problem: { weighted: true } });
  });

  test("replaces an existing model whole: who holds the old file open still reads the old one", async () => {
    const here = folder({ "tiny.svm": tiny, "m.json": "the old model" });
    const old = openSync(join(here, "m.json"), "r");
    const { code } = await hinge(here, ["train", "tiny.svm", "m.json"]);
    expect(readFileSync(old, "utf8")).toBe("the old model");
    closeSync(old);
    expect([code, modelIn(here, "m.json").status]).toEqual([0, "converged"]);
    expect(readdirSync(here).sort()).toEqual(["m.json", "tiny.svm"]);
  });

  test("leaves an existing model alone where it fails, and nothing else behind", async () => {
    const here = folder({ "bad.svm": "1 1:1\n1 1:x\n", "m.json": "the old model" });
    expect((await hinge(here, ["train", "bad.svm", "m.json"])).code).toBe(1);
    expect(readFileSync(join(here, "m.json"), "utf8")).toBe("the old model");
    expect(readdirSync(here).sort()).toEqual(["bad.svm", "m.json"]);
  });

  test("goes on when nobody reads its output, and says nothing about it", async () => {
    const here = folder({ "noisy.svm": noisy });
    const { code, stderr } = await hinge(here, ["train", "noisy.svm", "m.json"], { atStart: (child) => child.stdout?.destroy() });
    expect([code, stderr]).toEqual([0, ""]);
    expect(modelIn(here, "m.json").status).toBe("converged");
    expect(readdirSync(here).sort()).toEqual(["m.json", "noisy.svm"]);
  });

  test("interrupted, exits with 130 and writes the best model so far", async () => {
    const here = folder({ "noisy.svm": noisy });
    const args = [
      "train",
      "noisy.svm",
      "m.json",
      "--tolerance",
      "1e-12",
      "--max-iterations",
      "1000000",
      "--c",
      "1e6",
      "--loss",
      "hinge",
      "--solver",
      "dual",
    ];
    let told = false;
    const { code, stdout, stderr } = await hinge(here, args, {
      atOutput: (child) => {
        if (!told) setTimeout(() => child.kill("SIGINT"), 300); // the first line says that the file was read: training begins
        told = true;
      },
    });
    expect([code, stderr]).toEqual([130, ""]);
    expect(stdout).toMatch(/not converged \(aborted\)/);
    expect(modelIn(here, "m.json").status).toBe("aborted");
    expect(readdirSync(here).sort()).toEqual(["m.json", "noisy.svm"]);
  });
});

describe.concurrent("hinge train and predict, without classes", () => {
  test("linear-svr: numbers, their error, and a file in LIBLINEAR's format", async () => {
    const here = folder({ "rent.svm": "910 1:30\n1120 1:45\n1310 1:60\n1490 1:75\n1710 1:90\n" });
    const trained = await hinge(here, ["train", "rent.svm", "rent.model", "--estimator", "linear-svr", "--c", "10", "--epsilon", "1"]);
    expect([trained.code, trained.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(here, "rent.model"), "utf8")).toMatch(/^solver_type L2R_L2LOSS_SVR_DUAL\n/);
    const { code, stdout } = await hinge(here, ["predict", "rent.svm", "rent.model", "--json"]);
    const { labels, score, meanSquaredError } = JSON.parse(stdout);
    expect([code, labels.length]).toEqual([0, 5]);
    expect(score).toBeGreaterThan(0.99);
    expect(meanSquaredError).toBeLessThan(500);
    const plain = await hinge(here, ["predict", "rent.svm", "rent.model", "out.txt"]);
    expect(plain.stdout).toMatch(/^error {5}mean squared \d\S*, R\^2 0\.99\d*/);
  });

  test("linear-one-class: inside and outside", async () => {
    const here = folder({ "usual.svm": "1 1:5 2:1\n1 1:6 2:2\n1 1:5 2:2\n1 1:7 2:1\n1 1:6 2:1\n-1 1:0.5\n" });
    const trained = await hinge(here, ["train", "usual.svm", "usual.json", "--estimator", "linear-one-class", "--nu", "0.1"]);
    expect([trained.code, trained.stderr]).toEqual([0, ""]);
    const { stdout } = await hinge(here, ["predict", "usual.svm", "usual.json", "--json"]);
    expect(JSON.parse(stdout).labels.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe.concurrent("hinge predict", () => {
  let model: Promise<Buffer> | undefined;
  const trainOnce = async (): Promise<Buffer> => {
    const here = folder();
    await hinge(here, ["train", "tiny.svm", "m.json"]);
    return readFileSync(join(here, "m.json"));
  };
  const trained = async (files = {}): Promise<string> => {
    model ??= trainOnce();
    return folder({ "tiny.svm": tiny, "m.json": await model, ...files });
  };

  test("prints the labels on stdout and the accuracy on stderr", async () => {
    const { code, stdout, stderr } = await hinge(await trained(), ["predict", "tiny.svm", "m.json"]);
    expect([code, stdout]).toEqual([0, "1\n-1\n1\n-1\n"]);
    expect(stderr).toMatch(/^accuracy {2}100\.00 % \(4\/4\) +\d+\.\d+ m?s\n$/);
  });

  test("writes the labels to a file if one is named, counting what is right", async () => {
    const here = await trained({ "other.svm": "1 1:1\n1 1:-1\n-1 # no features: on the side of the bias\n5 2:-1\n" });
    const { code, stdout, stderr } = await hinge(here, ["predict", "other.svm", "m.json", "labels.txt"]);
    expect([code, stderr]).toEqual([0, ""]);
    const labels = readFileSync(join(here, "labels.txt"), "utf8").trimEnd().split("\n");
    expect([labels[0], labels[1], labels[3]]).toEqual(["1", "-1", "-1"]);
    const right = labels[2] === "-1" ? 2 : 1;
    expect(stdout).toMatch(new RegExp(`^accuracy  ${25 * right}\\.00 % \\(${right}/4\\) +\\d+\\.\\d+ m?s\nwrote     labels\\.txt\n$`));
  });

  test("--json holds the labels, or the file they went to", async () => {
    const here = await trained();
    const direct = JSON.parse((await hinge(here, ["predict", "tiny.svm", "m.json", "--json"])).stdout);
    const { seconds, ...rest } = direct;
    expect(rest).toEqual({ data: "tiny.svm", model: "m.json", rowCount: 4, right: 4, accuracy: 1, labels: [1, -1, 1, -1] });
    expect(seconds).toBeGreaterThan(0);
    const filed = JSON.parse((await hinge(here, ["predict", "tiny.svm", "m.json", "labels.txt", "--json"])).stdout);
    expect([filed.out, filed.labels]).toEqual(["labels.txt", undefined]);
    expect(readFileSync(join(here, "labels.txt"), "utf8")).toBe("1\n-1\n1\n-1\n");
  });

  test("refuses rows with more features than the model knows", async () => {
    const here = await trained({ "wide.svm": "1 9:1\n" });
    const { code, stdout, stderr } = await hinge(here, ["predict", "wide.svm", "m.json"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("x has 9 features, the model knows 2; remove what it was not fitted on\n");
  });

  test("has no complaint when its reader goes away", async () => {
    const here = await trained({ "long.svm": "1 1:1\n".repeat(100_000) }); // 200 kB of labels, more than a pipe holds
    const { code, stdout, stderr } = await hinge(here, ["predict", "long.svm", "m.json"], { atOutput: (child) => child.stdout?.destroy() });
    expect(stdout.length).toBeLessThan(200_000);
    expect(stderr).toMatch(/^accuracy[^\n]*\n$/);
    expect(code).toBe(0);
  });
});

describe.concurrent("hinge", () => {
  const usage = `Usage: hinge [options] [command]

Support vector machines with a proof of optimality beside every model.

Options:
  --version                               print the version
  -h, --help                              print this help

Commands:
  train [options] <data> [model]          Learn a model from a data file and write it down, with the proof of its optimality.
  predict [options] <data> <model> [out]  Predict the labels or targets of a data file and compare them with its own.
  search [options] <data> [model]         Find the best options over a grid by cross-validation, and write down the model of them.
  cv [options] <data>                     Tell how well a model would do on rows that it has not seen, by cross-validation.
  scale [options] <data> [out]            Scale the features of a svmlight file; learn the scaling once, use it for further files.
  check [options] <data> [model]          Say what a data file holds, what about it will hurt and what training would take; or audit a model on it.
  convert [options] <model> <out>         Write a model file in another format: hinge's JSON, LIBLINEAR's or LIBSVM's.
  report [options] <data> [out]           Train, test on rows held out, and write down all there is to see as one HTML file.
  demo [options]                          Train, certify and predict on Fisher's irises.
  help [command]                          print the help of a command

hinge <command> --help explains a command. By their own flags, files and lines: hinge liblinear-train, liblinear-predict, svm-train, svm-predict, svm-scale.
`;

  test("--help explains the commands on stdout", async () => {
    expect(await hinge(root, ["--help"])).toEqual({ code: 0, stdout: usage, stderr: "" });
  });

  test("without arguments explains them on stderr and exits with 1", async () => {
    expect(await hinge(root, [])).toEqual({ code: 1, stdout: "", stderr: usage });
  });

  test("--version prints the version of the package", async () => {
    expect(await hinge(root, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  for (const [command, line, option] of [
    ["train", "Usage: hinge train [options] <data> [model]", "--max-iterations <value>"],
    ["predict", "Usage: hinge predict [options] <data> <model> [out]", "--index-base <base>"],
    ["demo", "Usage: hinge demo [options]", "--json"],
  ] as const) {
    test(`${command} --help explains ${command}`, async () => {
      const { code, stdout, stderr } = await hinge(root, [command, "--help"]);
      expect([code, stderr, stdout.split("\n")[0]]).toEqual([0, "", line]);
      expect(stdout).toContain(`\n  ${option} `);
    });
  }

  test("demo trains, certifies and predicts", async () => {
    const { code, stdout, stderr } = await hinge(root, ["demo"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.slice(0, 10).trimEnd())).toEqual([
      ...["hinge", "data", "train", "certify", "", "predict", "next", ""],
    ]);
    expect(stdout).toMatch(/relative gap \S+ <= 1e-3 /);
  });

  test("demo --json prints one object", async () => {
    const report = JSON.parse((await hinge(root, ["demo", "--json"])).stdout);
    expect(report).toMatchObject({ status: "converged", heldBack: 50, accuracy: report.right / 50 });
    expect(report.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
    expect(report.right).toBeGreaterThanOrEqual(45); // Fisher's irises are nearly separable; 48 when this was written
  });
});
