// The commands besides train and predict, and data in every form: tables, packed files, stdin.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { hasProgram } from "../requires.ts";
import { folder, hinge } from "./command.ts";

const random = new Random(11);
/** Two classes that a circle parts, with some noise. */
const rings = Array.from({ length: 120 }, () => {
  const [a, b] = [2 * random.unit() - 1, 2 * random.unit() - 1];
  return `${a * a + b * b < 0.6 ? 1 : -1} 1:${a.toFixed(4)} 2:${b.toFixed(4)}\n`;
}).join("");

const cities = ["Bonn", "Köln", "Aachen"];
const things = `size,city,note,kind
${Array.from({ length: 60 }, (_, i) => {
  const isLarge = i % 2 === 0;
  const size = i % 9 === 0 ? "" : ((isLarge ? 5 : 1) + random.unit()).toFixed(2);
  return `${size},${cities[random.below(3)]},"${isLarge ? "heavy, and wide" : "light and thin"} thing ${i}",${isLarge ? "large" : "small"}`;
}).join("\n")}
`;

describe.concurrent("packed data", () => {
  const packers = [
    ["gz", (bytes: Buffer) => gzipSync(bytes)],
    ...(["xz", "bzip2", "zstd"] as const)
      .filter(hasProgram)
      .map(
        (name) =>
          [
            name === "bzip2" ? "bz2" : name === "zstd" ? "zst" : name,
            (bytes: Buffer) => spawnSync(name, ["-c"], { input: bytes }).stdout,
          ] as const,
      ),
  ] as const;

  test.each(packers.map(([ending, pack]) => [ending, pack] as const))(".%s gives the same model, under any name", async (ending, pack) => {
    const packed = pack(Buffer.from(rings));
    const cwd = folder({
      "rings.svm": rings,
      [`rings.svm.${ending}`]: packed,
      plainname: packed,
      "cut.svm": packed.subarray(0, packed.length / 2),
    });
    for (const name of ["rings.svm", `rings.svm.${ending}`, "plainname"]) {
      const { code, stderr } = await hinge(cwd, ["train", name, `${name}.json`, "--quiet"]);
      expect([code, stderr]).toEqual([0, ""]);
    }
    const model = readFileSync(join(cwd, "rings.svm.json"));
    expect(readFileSync(join(cwd, `rings.svm.${ending}.json`)).equals(model)).toBe(true);
    expect(readFileSync(join(cwd, "plainname.json")).equals(model)).toBe(true);
    const cut = await hinge(cwd, ["train", "cut.svm", "cut.json"]);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toContain("damaged or cut off");
    expect(cut.stderr).not.toContain("    at ");
    expect(existsSync(join(cwd, "cut.json"))).toBe(false);
  });

  test("stdin", async () => {
    const cwd = folder({ "rings.svm": rings });
    const run = spawnSync(process.execPath, [join(import.meta.dirname, "../../bin/hinge.js"), "train", "-", "m.json", "--json"], {
      cwd,
      input: rings,
      encoding: "utf8",
    });
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(JSON.parse(run.stdout)).toMatchObject({ rowCount: 120, status: "converged", model: "m.json" });
  });
});

describe.concurrent("tables", () => {
  test("a CSV file to a pipeline that predicts from others", async () => {
    const cwd = folder({
      "things.csv": things,
      "things.tsv": things.replaceAll('"heavy, and wide', '"heavy and wide').replaceAll(",", "\t"),
    });
    const trained = await hinge(cwd, ["train", "things.csv", "--label", "kind"]);
    expect([trained.code, trained.stderr]).toEqual([0, ""]);
    expect(trained.stdout).toContain("60 rows, 3 columns");
    const without = things
      .split("\n")
      .map((line) => line.slice(0, line.lastIndexOf(",")))
      .join("\n");
    writeFileSync(join(cwd, "new.csv"), without);
    for (const [name, more] of [
      ["things.csv", ["--label", "kind"]],
      ["things.tsv", ["--label", "-1"]],
      ["new.csv", []],
    ] as const) {
      const { code, stdout } = await hinge(cwd, ["predict", name, "things.csv.model.json", ...more]);
      expect(code).toBe(0);
      expect(stdout.trim().split("\n")).toEqual(Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? "large" : "small")));
    }
    const told = await hinge(cwd, ["cv", "things.csv", "--label", "kind", "--folds", "3", "--json"]);
    expect(JSON.parse(told.stdout).score).toBe(1);
  });

  test("numbers to be learnt", async () => {
    const cwd = folder({ "n.csv": `a,b,y\n${Array.from({ length: 40 }, (_, i) => `${i},${i % 7},${2 * i + 1}`).join("\n")}\n` });
    const { code, stdout } = await hinge(cwd, ["train", "n.csv", "--label", "y", "--estimator", "linear-svr", "--c", "100", "--json"]);
    expect([code, JSON.parse(stdout).status]).toEqual([0, "converged"]);
    const predicted = await hinge(cwd, ["predict", "n.csv", "n.csv.model.json", "--label", "y", "--json"]);
    expect(JSON.parse(predicted.stdout).score).toBeGreaterThan(0.99);
  });

  test("probabilities behind the labels", async () => {
    const cwd = folder({ "rings.svm": rings });
    await hinge(cwd, ["train", "rings.svm", "m.json", "--estimator", "logistic-regression"]);
    const { stdout } = await hinge(cwd, ["predict", "rings.svm", "m.json", "--probabilities", "--quiet"]);
    const [head, first = ""] = stdout.split("\n");
    expect(head).toBe("label -1 1");
    const [label, no, yes] = first.split(" ").map(Number);
    expect((no as number) + (yes as number)).toBeCloseTo(1, 5);
    expect(label).toBe((yes as number) > (no as number) ? 1 : -1);
  });
});

describe.concurrent("cv, search, scale, convert", () => {
  test("cv scores by folds", async () => {
    const cwd = folder({ "rings.svm": rings });
    const kernel = await hinge(cwd, ["cv", "rings.svm", "--estimator", "svc", "--c", "10", "--gamma", "1", "--json"]);
    const { score, folds } = JSON.parse(kernel.stdout) as { score: number; folds: number[] };
    expect(folds.length).toBe(5);
    expect(score).toBeGreaterThan(0.85);
    const plain = await hinge(cwd, ["cv", "rings.svm", "--estimator", "svc", "--c", "10", "--gamma", "1", "--quiet"]);
    expect(Number(plain.stdout)).toBe(score);
    const area = await hinge(cwd, ["cv", "rings.svm", "--scoring", "roc-area"]);
    expect(area.stdout).toMatch(/^score /m);
  });

  test("search finds the circle, and writes the model of it", async () => {
    const cwd = folder({ "rings.svm": rings });
    const { code, stdout, stderr } = await hinge(cwd, [
      "search",
      "rings.svm",
      "m.json",
      "--estimator",
      "svc",
      "--c-grid",
      "1:100:3",
      "--gamma-grid",
      "0.001,1",
      "--json",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    const { best, points } = JSON.parse(stdout) as { best: { point: { C: number; gamma: number } }; points: object[] };
    expect(points.length).toBe(6);
    expect(best.point.gamma).toBe(1);
    expect(JSON.parse(readFileSync(join(cwd, "m.json"), "utf8")).problem.C).toBe(best.point.C);
  });

  test("scale keeps what it has learnt", async () => {
    const cwd = folder({ "a.svm": "1 1:10 2:-4\n-1 1:5\n", "b.svm": "1 1:20 2:2\n" });
    expect((await hinge(cwd, ["scale", "a.svm", "out.svm", "--save", "s.json"])).code).toBe(0);
    expect(readFileSync(join(cwd, "out.svm"), "utf8")).toBe("1 1:1 2:-1\n-1 1:0.5\n");
    expect((await hinge(cwd, ["scale", "b.svm", "--with", "s.json"])).stdout).toBe("1 1:2 2:0.5\n");
  });

  test("convert goes to the originals' formats and back, with the same predictions", async () => {
    const cwd = folder({ "rings.svm": rings });
    for (const [estimator, begin] of [
      ["linear-svc", "solver_type"],
      ["svc", "svm_type"],
    ] as const) {
      await hinge(cwd, ["train", "rings.svm", "m.json", "--estimator", estimator]);
      expect((await hinge(cwd, ["convert", "m.json", "m.model"])).code).toBe(0);
      expect(readFileSync(join(cwd, "m.model"), "utf8").startsWith(begin)).toBe(true);
      expect((await hinge(cwd, ["convert", "m.model", "n.json", "--quiet"])).stdout).toBe("");
      const [one, two] = await Promise.all(["m.json", "n.json"].map((name) => hinge(cwd, ["predict", "rings.svm", name])));
      expect(one?.stdout).toBe(two?.stdout);
    }
  });
});

describe.concurrent("report", () => {
  test("of classes, with a search and probabilities; of a table; of numbers", async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => `${2 * i + 1} 1:${i} 2:${i % 7}\n`).join("");
    const cwd = folder({ "rings.svm": rings, "things.csv": things, "numbers.svm": numbers });
    for (const [args, wanted] of [
      ["rings.svm --estimator svc --search --calibrate --title <b>rings</b>", ["&lt;b&gt;rings&lt;/b&gt;", "gamma", "<svg"]],
      ["things.csv --label kind", ["things.csv: linear-svc", "note"]],
      ["numbers.svm --estimator linear-svr", ["linear-svr", "<svg"]],
    ] as const) {
      const name = args.split(" ")[0] as string;
      const { code, stderr, stdout } = await hinge(cwd, ["report", ...args.split(" ")]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`wrote     ${name}.report.html`);
      const page = readFileSync(join(cwd, `${name}.report.html`), "utf8");
      for (const text of wanted) expect(page).toContain(text);
      expect(page).not.toMatch(/NaN|undefined|https?:\/\/(?!www\.w3\.org)/);
    }
  });
});

describe.concurrent("a mistake is answered in one message, and with exit code 1:", () => {
  const cwd = folder({
    "rings.svm": rings,
    "things.csv": things,
    "binary.svm": Uint8Array.from({ length: 64 }, (_, i) => i * 7),
    "bad.csv": "a,b\n1\n",
  });
  const cases: readonly [args: string, stderr: string | RegExp][] = [
    ["train things.csv", "--label must say which column is to be learnt; the columns are size, city, note, kind"],
    ["train things.csv --label kin", /names column "kin", but there is none among 4; did you mean "kind"\?\n/],
    [
      "train things.csv m.model --label kind",
      "a model of a table is saved with its columns, which only JSON holds: m.model must end in .json",
    ],
    ["train things.csv --label kind --estimator one-class-svm", "one-class-svm learns from svmlight files only, not from tables"],
    ["train rings.svm --label 1", "--label is for CSV and TSV; in svmlight files the label stands first. --format says what the file is"],
    ["train things.csv --label kind --index-base 0", "--index-base is for svmlight files; this is a table"],
    ["train rings.svm --format cvs", '--format must be svmlight, csv or tsv, got "cvs"; did you mean "csv"?'],
    ["train bad.csv --label a", /^bad\.csv:2:/],
    ["cv missing.svm", "cannot read missing.svm: there is no such file or directory"],
    ["cv binary.svm", /^binary\.svm:1:1: /],
    ["cv rings.svm --folds 1", "--folds must be a whole number at least 2, got 1"],
    [
      "cv rings.svm --scoring acuracy",
      '--scoring must be one of accuracy, balanced-accuracy, precision, recall, f1, roc-area, average-precision, log-loss, brier, r2, mean-squared-error, mean-absolute-error, squared-correlation, got "acuracy"',
    ],
    ["cv nowhere.svm --estimator one-class-svm", "one-class-svm has nothing to be scored by: it learns from rows without labels"],
    ["search nowhere.svm --estimator one-class-svm", "one-class-svm has nothing to be scored by: it learns from rows without labels"],
    ["report nowhere.svm --estimator one-class-svm", "one-class-svm has nothing to be scored by: it learns from rows without labels"],
    ["search rings.svm --c-grid 1:x:3", '--c-grid must be a:b:n with a and b above 0 and n a whole number from 1 to 100,000, got "1:x:3"'],
    ["search rings.svm --c-grid 1,,2", '--c-grid must be a:b:n, n values from a to b, or numbers with commas, got "1,,2"'],
    ["search rings.svm --gamma-grid 1,2", "--gamma-grid is not for this estimator; --estimator says which one is searched"],
    ["search rings.svm --c 1 --c-grid 1,2", "--c and --c-grid say two things; leave one out"],
    ["search rings.svm nowhere/m.json", /nowhere/],
    ["search rings.svm --c 1", "there is nothing to search; give a grid such as --c-grid 0.1:10:5"],
    ["scale things.csv", /hinge scale takes svmlight files/],
    ["scale rings.svm --scaler minmax", '--scaler must be min-max, standard, max-abs, normalizer, got "minmax"; did you mean "min-max"?'],
    ["scale rings.svm --with rings.svm", /not a model file/],
    ["convert rings.svm out.json", /not a model file/],
    ["convert missing.json out.json", "cannot read missing.json: there is no such file or directory"],
    ["predict rings.svm missing.json --probabilities", "cannot read missing.json: there is no such file or directory"],
    ["report missing.svm", "cannot read missing.svm: there is no such file or directory"],
    ["report rings.svm nowhere/r.html", /nowhere/],
    ["check missing.svm", /missing\.svm/],
    ["svm-train missing.svm", "can't open input file missing.svm\ncannot read missing.svm: there is no such file or directory"],
    ["svm-train binary.svm", /^Wrong input format at line 1\n/],
    ["svm-predict rings.svm missing.model out", "can't open model file missing.model"],
    ["svm-predict rings.svm rings.svm out", /rings\.svm/],
    ["svm-scale missing.svm", "can't open file missing.svm"],
    ["liblinear-train missing.svm", /^can't open input file missing\.svm/],
    ["liblinear-predict rings.svm missing.model out", /missing\.model/],
    ["svm-train rings.svm nowhere/m.model", "can't save model to file nowhere/m.model"],
  ];
  test.each(cases)("hinge %s", async (args, wanted) => {
    const { code, stderr } = await hinge(cwd, args.split(" "));
    expect(stderr).not.toMatch(/^\s+at /m);
    if (typeof wanted === "string") expect(stderr).toBe(`${wanted}\n`);
    else expect(stderr).toMatch(wanted);
    expect(code).toBe(1);
  });
});
