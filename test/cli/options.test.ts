// Options of the commands one by one: each test fails where its option is ignored. And what is left when a command is stopped on its way.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type Ending, folder, hinge } from "./command.ts";

const words = (text: string): string[] => text.split(" ");
const random = new Random(5);
function rowsOf(count: number, labelOf: (x: readonly number[]) => number, features = 2): string {
  const row = (): string => {
    const x = Array.from({ length: features }, () => 2 * random.unit() - 1);
    return `${labelOf(x)} ${x.map((value, j) => `${j + 1}:${value.toFixed(4)}`).join(" ")}\n`;
  };
  return Array.from({ length: count }, row).join("");
}
const rings = rowsOf(90, ([a = 0, b = 0]) => (a * a + b * b < 0.6 ? 1 : -1));
/** Labels by chance: a machine with a large C and a small gamma has work for hours. */
const noise = rowsOf(600, () => (random.unit() < 0.5 ? 1 : -1), 4);
const ENDLESS = words("--estimator svc --c 1e9 --tolerance 1e-9");
/** One thread goes for each gamma first: the larger is quickly done in both folds, the other never is. */
const HALF_ENDLESS = [...ENDLESS, ...words("--folds 2 --threads 2 --gamma-grid 0.001,1000")];

const run = (cwd: string, text: string): Promise<Ending> => hinge(cwd, words(text));

/** Stopped by Ctrl-C a while after the rows were read, which is when the work begins. */
function interrupted(cwd: string, args: readonly string[], after: number): Promise<Ending> {
  let isSent = false;
  return hinge(cwd, args, {
    atOutput: (child) => {
      if (!isSent) setTimeout(() => child.kill("SIGINT"), after);
      isSent = true;
    },
  });
}

describe.concurrent("stopped on the way:", () => {
  const partly = ["search", "noise.svm", "m.json", ...HALF_ENDLESS];
  const never = ["search", "noise.svm", "m.json", ...ENDLESS, "--gamma-grid", "0.001"];

  test("search writes the model of the best point so far", async () => {
    const cwd = folder({ "noise.svm": noise });
    const { code, stdout, stderr } = await interrupted(cwd, partly, 4000);
    expect(stderr).toBe("interrupted; training with the best point so far, one more Ctrl-C leaves at once\n");
    expect(stdout).toMatch(/^search +1 point, the best gamma 1000 /m);
    expect(stdout).toContain("not all points are done: interrupted\n");
    expect(code).toBe(130);
    expect(JSON.parse(readFileSync(join(cwd, "m.json"), "utf8")).kernel.gamma).toBe(1000);
  });

  test("search by its time limit, which is no interruption", async () => {
    const cwd = folder({ "noise.svm": noise });
    const { code, stdout, stderr } = await hinge(cwd, [...partly, "--time-limit-seconds", "4"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("not all points are done: the time limit was reached\n");
    expect(JSON.parse(readFileSync(join(cwd, "m.json"), "utf8")).kernel.gamma).toBe(1000);
  });

  test("search before the first point", async () => {
    const cwd = folder({ "noise.svm": noise });
    const ending = await interrupted(cwd, never, 500);
    expect([ending.code, ending.stderr]).toEqual([130, "interrupted before a single point was done: nothing is written\n"]);
    expect(existsSync(join(cwd, "m.json"))).toBe(false);
    const late = await hinge(cwd, [...never, "--time-limit-seconds", "0.1"]);
    expect([late.code, late.stderr]).toEqual([
      1,
      "--time-limit-seconds was over before a single point was done; give it more, or fewer values\n",
    ]);
  });

  test("cv before the first fold", async () => {
    const cwd = folder({ "noise.svm": noise });
    const { code, stdout, stderr } = await interrupted(cwd, ["cv", "noise.svm", ...ENDLESS, "--gamma", "0.001"], 500);
    expect([code, stderr]).toEqual([130, "interrupted before a single fold was done: there is no score\n"]);
    expect(stdout).not.toContain("NaN");
  });

  test("report goes on with the best point so far", async () => {
    const cwd = folder({ "noise.svm": noise });
    const { code } = await interrupted(cwd, ["report", "noise.svm", "r.html", "--search", ...HALF_ENDLESS], 4000);
    expect(code).toBe(130);
    const page = readFileSync(join(cwd, "r.html"), "utf8");
    expect(page).toMatch(/gamma[^\n]*1,000/);
    expect(page).not.toMatch(/NaN|undefined/);
  });
});

describe.concurrent("text that cannot be written", () => {
  const bin = join(import.meta.dirname, "../../bin/hinge.js");
  test.runIf(existsSync("/dev/full"))("is missed in one line", () => {
    const cwd = folder({ "rings.svm": rings });
    for (const command of ["check", "svm-scale"]) {
      const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" ${command} rings.svm > /dev/full`], { cwd });
      expect([status, String(stderr)]).toEqual([1, "cannot write to stdout: the disk is full\n"]);
    }
  });

  test("is nobody's trouble where the reader went away", () => {
    const cwd = folder({ "rings.svm": rings });
    const { stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${bin}" svm-scale rings.svm | true`], { cwd });
    expect(String(stderr)).toBe("");
  });
});

describe.concurrent("options that count:", () => {
  test("report --test, --calibrate", async () => {
    const cwd = folder({ "rings.svm": rings, "held.svm": rings.split("\n").slice(0, 8).join("\n") });
    const own = await run(cwd, "report rings.svm own.html");
    expect(own.stdout).toContain("68 rows, converged; tested on 22 rows");
    const other = await run(cwd, "report rings.svm other.html --test held.svm --calibrate");
    expect(other.stdout).toContain("90 rows, converged; tested on 8 rows");
    const [plain, calibrated] = ["own.html", "other.html"].map((name) => readFileSync(join(cwd, name), "utf8"));
    expect(plain).not.toContain("Calibration of");
    expect(calibrated).toContain("Calibration of");
  });

  test("search --folds, --folds-kind, --refine", async () => {
    const cwd = folder({ "rings.svm": rings });
    const searched = async (more: string): Promise<{ points: { folds: number[] }[] }> =>
      JSON.parse((await run(cwd, `search rings.svm m.json --c-grid 0.1,1,10 --json${more}`)).stdout);
    const [plain, three, refined, kind] = await Promise.all(["", " --folds 3", " --refine 1", " --folds-kind plain"].map(searched));
    expect([plain?.points.length, plain?.points[0]?.folds.length]).toEqual([3, 5]);
    expect(three?.points[0]?.folds.length).toBe(3);
    expect(refined?.points.length).toBeGreaterThan(3);
    expect(kind?.points).not.toEqual(plain?.points);
  });

  test("a search without a grid leaves gamma out where the kernel has none, and C where the estimator has none", async () => {
    const cwd = folder({ "rings.svm": rings });
    const names = async (more: string): Promise<string[]> => {
      const { stdout } = await run(cwd, `search rings.svm m.json --json ${more}`);
      return Object.keys((JSON.parse(stdout) as { best: { point: object } }).best.point).sort();
    };
    expect(await names("--estimator svc --kernel linear")).toEqual(["C"]);
    expect(await names("--estimator nu-svc --nu 0.2")).toEqual(["gamma"]);
    expect((await run(cwd, "report rings.svm --search --estimator nu-svc --nu 0.2")).code).toBe(0);
  });

  test("--quiet", async () => {
    const cwd = folder({ "rings.svm": rings });
    expect(await run(cwd, "train rings.svm m.json --quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
    const { stdout } = await run(cwd, "search rings.svm m.json --c-grid 0.1,1 --quiet");
    expect(stdout).toMatch(/^C (0\.1|1) score [\d.]+\n$/);
  });

  test("scale --dense, --lower, --upper", async () => {
    const cwd = folder({ "a.svm": "1 1:1 2:4\n-1 1:3\n1 1:2 2:2\n" });
    const scaled = async (more: string): Promise<string> => (await run(cwd, `scale a.svm --scaler min-max ${more}`)).stdout;
    expect(await scaled("--dense")).toBe("1 2:1\n-1 1:1\n1 1:0.5 2:0.5\n");
    expect(await scaled("--dense --lower -1 --upper 3")).toBe("1 1:-1 2:3\n-1 1:3 2:-1\n1 1:1 2:1\n");
  });

  test("help of the originals' programs", async () => {
    const { code, stdout } = await run(folder({}), "help svm-train");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: svm-train \[options\]/);
  });
});

describe.concurrent("seen before a file is read:", () => {
  const cwd = folder({});
  const range = "a:b:n with a and b above 0 and n a whole number from 1 to 100,000";
  const cases: readonly [args: string, stderr: string][] = [
    ["search none.svm --folds abc", '--folds must be a whole number at least 2, got "abc"'],
    ["search none.svm --folds-kind time", '--folds-kind must be "plain" or "stratified", got "time"'],
    [
      "cv none.svm --estimator svr --folds-kind stratified",
      "--folds-kind stratified spreads classes, and this estimator learns none; use plain",
    ],
    ["search none.svm --refine -1", "--refine must be a whole number from 0 to 8, got -1"],
    ["search none.svm --c-grid -1,1", "every value of --c-grid must be a finite number above 0, got -1"],
    ["search none.svm --c-grid 1,1", '--c-grid must be different values, got "1,1"'],
    ["search none.svm --c-grid 0:1:3", `--c-grid must be ${range}, got "0:1:3"`],
    ["search none.svm --c-grid 1:10:1e9", `--c-grid must be ${range}, got "1:10:1e9"`],
    [
      "search none.svm --estimator svc --c-grid 1:10:1000 --gamma-grid 1:10:1000",
      "the grid has 1,000,000 points, at most 100,000 are searched; give fewer values",
    ],
    ["search none.svm --estimator svc --kernel linear --gamma-grid 1,2", "--gamma-grid is not for --kernel linear, which has no gamma"],
    ["search none.svm --estimator nu-svc --kernel linear", "there is nothing to search; give a grid such as --nu-grid 0.1:0.5:5"],
    ["search none.svm --estimator svc --keep-state", "--keep-state is for hinge train: models of folds are not kept"],
    ["search none.csv m.model --label y", "a model of a table is saved with its columns, which only JSON holds: m.model must end in .json"],
    ["train none.svm m.model --estimator svc --keep-state", "--keep-state writes what only JSON holds: m.model must end in .json"],
    ["report none.svm --c-grid 1,2", "--c-grid is for a search; give --search too"],
    ["report none.svm --folds 3", "--folds is for --search and --calibrate; give one of them too"],
    ["scale none.svm --dense", "--dense is for --scaler min-max and standard; max-abs keeps zeros anyway"],
    ["scale none.svm --scaler normalizer --dense", "--dense is for --scaler min-max and standard; normalizer keeps zeros anyway"],
    ["scale none.svm --with s.json --dense", "--with takes a scaling that is there already, and learns none; leave out --dense"],
    ["scale none.svm --lower -1", "--lower and --upper are for --scaler min-max, this is max-abs"],
    ["scale none.svm --scaler min-max --lower 2", "--lower must be below --upper, got 2 and 1"],
    ["scale none.svm --scaler min-max --upper x", '--upper must be a finite number, got "x"'],
    ["help foo", "unknown command foo\nsee: hinge --help"],
    ["help serch", "unknown command serch; did you mean search?\nsee: hinge --help"],
  ];
  test.each(cases)("hinge %s", async (args, stderr) => {
    expect(await run(cwd, args)).toEqual({ code: 1, stdout: "", stderr: `${stderr}\n` });
  });
});

describe.concurrent("seen once it is read, in the words of the flags:", () => {
  const cwd = folder({
    "two.svm": "1 1:1\n-1 1:2\n",
    "rare.svm": "1 1:1\n-1 1:2\n-1 1:3\n1 1:4\n-1 1:1\n-1 1:7\n-1 1:1.5\n",
    "one.svm": "1 1:1\n",
    "three.svm": "0 1:1\n1 1:2\n2 1:3\n0 1:1\n1 1:2\n2 1:3\n",
  });
  const cases: readonly [args: string, stderr: string][] = [
    ["cv two.svm", "--folds must be at most the number of rows, 2, got 5"],
    ["cv rare.svm", "class 1 has 2 rows for 5 folds; use --folds 2 or --folds-kind plain"],
    ["search rare.svm", "class 1 has 2 rows for 5 folds; use --folds 2 or --folds-kind plain"],
    ["cv three.svm --folds 2 --scoring roc-area", "--scoring roc-area is for two classes, y has 3"],
    [
      "search three.svm m.model --multi-class ovo --c-grid 1,2 --folds 2",
      'LIBLINEAR\'s format cannot hold multiClass "ovo"; save under a name that ends in .json',
    ],
    ["report one.svm", "1 row is too few to hold any out; give --test"],
    [
      "scale two.svm --scaler min-max",
      "the scaler min-max would make sparse rows dense: feature 1, from 1 to 2, turns 0 into -1; learn it with --lower and --upper that keep 0, --scaler max-abs, which keeps zeros, or --dense",
    ],
    [
      "scale two.svm --scaler standard",
      "the scaler standard would make sparse rows dense by subtracting the mean; learn it with --scaler max-abs, which keeps zeros, or --dense",
    ],
  ];
  test.each(cases)("hinge %s", async (args, stderr) => {
    const ending = await run(cwd, args);
    expect([ending.code, ending.stderr]).toEqual([1, `${stderr}\n`]);
    expect(ending.stdout).toMatch(/^(read [^\n]*\n)?$/);
  });
});
