// The recorded cases of LIBLINEAR 2.50 through our liblinear-train and liblinear-predict: same exit codes, lines of the same shape, models that are as good by the
// original's own rule, and files that either side reads.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { type LiblinearOutputs, outputsOf } from "../../src/cli/drop-ins/liblinear-outputs.ts";
import { liblinearPredict } from "../../src/cli/drop-ins/liblinear-predict.ts";
import { liblinearTrain } from "../../src/cli/drop-ins/liblinear-train.ts";
import { readLiblinearModel } from "../../src/formats/liblinear-model.ts";
import { readSvmlight } from "../../src/index.ts";
import type { LiblinearData } from "../../src/model/liblinear-file.ts";
import { describeWith, hasProgram, sharedFolder } from "../requires.ts";
import { collected, rowCounts, sameFigures } from "./recorded-lines.ts";

interface Run {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Recorded {
  readonly flags: string;
  readonly data: string;
  readonly train: Run;
  readonly model: string | null;
  readonly predict: readonly (Run & { readonly flags: string; readonly output: string })[];
}

/** Which -e, C and so on a case has; what it does not say is as LIBLINEAR has it. */
interface Asked {
  readonly solver: number;
  readonly C: number;
  readonly p: number;
  readonly nu: number;
  readonly eps: number;
  readonly isBiasFree: boolean;
  weightOf(label: number): number;
}

const usualEpsilon: Readonly<Record<number, number>> = {
  ...{ 0: 0.01, 1: 0.1, 2: 0.01, 3: 0.1, 4: 0.1, 5: 0.01, 6: 0.01, 7: 0.1, 11: 1e-4, 12: 0.1, 13: 0.1, 21: 0.01 },
};

function askedBy(flags: string): Asked {
  const all = words(flags);
  const value = (flag: string, otherwise: number): number => (all.includes(flag) ? Number(all[all.indexOf(flag) + 1]) : otherwise);
  const solver = value("-s", 1);
  return {
    ...{
      solver,
      eps: value("-e", usualEpsilon[solver] as number),
      C: value("-c", 1),
      p: value("-p", 0.1),
      nu: value("-n", 0.5),
      isBiasFree: all.includes("-R"),
    },
    weightOf: (label) => value(`-w${label}`, 1),
  };
}

/** Of every problem behind a model file what it minimises, from its weights and the rows. */
function objectivesOf(file: LiblinearData, { decisions, columns }: LiblinearOutputs, y: Float64Array, asked: Asked): number[] {
  const { C, p, nu, solver } = asked;
  const rows = file.weights.length / columns;
  const regularised = asked.isBiasFree ? rows - 1 : rows;
  const isL1 = solver === 5 || solver === 6;
  const penalty = (m: number): number => {
    let sum = 0;
    for (let j = 0; j < regularised; j++)
      sum += isL1 ? Math.abs(file.weights[j * columns + m] as number) : (file.weights[j * columns + m] as number) ** 2 / 2;
    return sum;
  };
  const lossOf = (score: (i: number) => number): number => Array.from(y.keys()).reduce((sum, i) => sum + score(i), 0);
  const { labels } = file;
  if (labels === undefined) {
    if (file.rho !== undefined) return [penalty(0) - nu * y.length * file.rho + lossOf((i) => Math.max(0, -(decisions[i] as number)))];
    const beyond = (i: number): number => Math.max(0, Math.abs((decisions[i] as number) - (y[i] as number)) - p);
    return [penalty(0) + C * lossOf((i) => (solver === 13 ? beyond(i) : beyond(i) ** 2))];
  }
  const places = Array.from(y, (label) => labels.indexOf(label));
  if (solver === 4) {
    const worst = (i: number): number => {
      const own = decisions[i * columns + (places[i] as number)] as number;
      return Math.max(
        ...Array.from({ length: columns }, (_, m) => (m === places[i] ? 0 : 1 + (decisions[i * columns + m] as number) - own)),
      );
    };
    const all = lossOf((i) => C * asked.weightOf(y[i] as number) * worst(i));
    return [Array.from({ length: columns }, (_, m) => penalty(m)).reduce((sum, one) => sum + one, all)];
  }
  return Array.from({ length: columns }, (_, m) => {
    return (
      penalty(m) +
      lossOf((i) => {
        const isOwn = places[i] === m;
        const margin = (isOwn ? 1 : -1) * (decisions[i * columns + m] as number);
        // Of more than two classes only the one that is told from the rest has a weight.
        const price = C * (isOwn || columns === 1 ? asked.weightOf(y[i] as number) : 1);
        if (solver === 0 || solver === 6 || solver === 7) return price * (Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin))));
        return price * (solver === 3 ? Math.max(0, 1 - margin) : Math.max(0, 1 - margin) ** 2);
      })
    );
  });
}

/** The model that has no weights. */
const nothingOf = (file: LiblinearData): LiblinearData => ({
  ...file,
  weights: new Float64Array(file.weights.length),
  rho: file.rho === undefined ? undefined : 0,
});

/**
 * What is printed is true of the model: its objective where a primal one is printed, else a bound that no model is below, neither ours nor the recorded one; and
 * the recorded bound holds for ours.
 */
function checkFigures(own: string, recorded: string, solver: number, costs: readonly number[], others: readonly number[]): void {
  const isPrimal = [0, 2, 5, 6, 11].includes(solver);
  const figures = (text: string): number[] => {
    const found =
      isPrimal && solver !== 5 && solver !== 6 ? text.matchAll(/^iter .*? f (\S+)/gm) : text.matchAll(/Objective value = (\S+)/g);
    return Array.from(found, ([, figure]) => Number(figure));
  };
  // Six digits behind the point, or three behind the first.
  const nearly = (value: number): number => 1e-6 + (isPrimal && solver !== 5 && solver !== 6 ? 5e-4 : 1e-6) * Math.abs(value);
  const theirs = figures(recorded);
  figures(own).forEach((figure, m) => {
    const [cost, other] = [costs[m] as number, others[m] as number];
    if (isPrimal) expect(Math.abs(figure - cost)).toBeLessThanOrEqual(nearly(cost));
    else {
      expect(-figure).toBeLessThanOrEqual(Math.min(cost, other) + nearly(other));
      expect(-(theirs[m] as number)).toBeLessThanOrEqual(cost + nearly(cost));
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), "hinge-liblinear-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");

/** Everything above the weights. */
const headOf = (model: string): string => model.slice(0, model.indexOf("\nw\n"));

/**
 * The lines with numbers as #. How many dots and stars, steps of Newton's method and values of C there are is the solver's own affair, as are warnings about its
 * inner steps and about how far C went.
 */
function shapeOf(text: string): string[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^[.*]*$|^WARNING: (reaching maximal number of CG steps|maximum C reached\.)$/.test(line))
    .map((line) => line.replace(/-?nan|[+-]?\d+(\.\d+)?(e[+-]?\d+)?/g, "#").replace(/ +/g, " "));
  return lines.filter((line, k) => line !== lines[k - 1]);
}

/** What only a run that reached its limit says. */
const atLimit = (line: string): boolean => line.startsWith("WARNING: reaching max") || line.startsWith("Using -s");

/** The one recorded run that reached its limit where ours does not. */
const convergedHere = "-s 13 -B 1 -e 0.0001";

describeWith("the recorded cases in $HINGE_SHARED or ../shared", sharedFolder !== undefined, "recorded runs of LIBLINEAR 2.50", () => {
  const golden = join(sharedFolder ?? "", "golden");
  const all: Recorded[] =
    sharedFolder === undefined ? [] : JSON.parse(gunzipSync(readFileSync(join(golden, "liblinear-2.50.json.gz"))).toString());
  const usage: Record<string, Run> = sharedFolder === undefined ? {} : JSON.parse(readFileSync(join(golden, "usage.json"), "utf8"));
  for (const data of ["heart_scale", "iris", "bodyfat"])
    if (sharedFolder !== undefined) copyFileSync(join(golden, `${data}.svm`), join(folder, data));

  test("all of them are here", () => {
    expect(all.length).toBe(112);
  });

  test.each([
    ["liblinear-train", liblinearTrain],
    ["liblinear-predict", liblinearPredict],
  ] as const)("%s without arguments says how it is used", async (name, run) => {
    expect(await collected((console) => run([], console))).toEqual(usage[name]);
  });

  for (const [k, { flags, data, train, model, predict }] of all.entries()) {
    const [dataPath, modelPath, outPath] = [join(folder, data), join(folder, `${k}.model`), join(folder, `${k}.out`)];

    test(`liblinear-train ${flags} ${data}`, async () => {
      const ours = await collected((console) => liblinearTrain([...words(flags), dataPath, modelPath], console));
      expect(ours.exit).toBe(train.exit);
      expect(ours.stderr).toBe(train.stderr);
      const wanted = shapeOf(train.stdout);
      expect(shapeOf(ours.stdout)).toEqual(flags === convergedHere ? wanted.filter((line) => !atLimit(line)) : wanted);
      sameFigures(ours.stdout, train.stdout, rowCounts[data] as number);
      expect(existsSync(modelPath)).toBe(model !== null);
      if (model === null) return;

      const own = readFileSync(modelPath);
      expect(headOf(own.toString()).replace(/rho .*/, "rho")).toBe(headOf(model).replace(/rho .*/, "rho"));
      const { x, y } = await readSvmlight(dataPath);
      const [mine, theirs] = [readLiblinearModel(own, "own"), readLiblinearModel(new TextEncoder().encode(model), "recorded")];
      const [f, g] = [await outputsOf(mine, x), await outputsOf(theirs, x)];
      const asked = askedBy(flags);
      const [costs, others] = [objectivesOf(mine, f, y, asked), objectivesOf(theirs, g, y, asked)];
      const atRest = objectivesOf(nothingOf(mine), { ...f, decisions: f.decisions.map(() => 0) }, y, asked);
      costs.forEach((cost, m) => {
        // A violation of -e in every row costs a hinge this much at most; the other rules are given as much of what their zero model costs.
        const allowed = asked.eps * (asked.solver === 21 ? y.length : (atRest[m] as number));
        expect(cost).toBeLessThanOrEqual((others[m] as number) + allowed);
      });
      checkFigures(ours.stdout, train.stdout, asked.solver, costs, others);
    });

    for (const run of predict) {
      test(`liblinear-predict ${run.flags} of the recorded model: ${flags} ${data}`, async () => {
        const recorded = `${modelPath}.recorded`;
        writeFileSync(recorded, model as string);
        const ours = await collected((console) => liblinearPredict([...words(run.flags), dataPath, recorded, outPath], console));
        expect(ours).toEqual({ exit: run.exit, stdout: ours.stdout, stderr: run.stderr });
        expect(shapeOf(ours.stdout)).toEqual(shapeOf(run.stdout));
        const [own, wanted] = [linesOf(readFileSync(outPath, "utf8")), linesOf(run.output)];
        expect(own.length).toBe(wanted.length);
        const isNumbers = data === "bodyfat";
        // Labels are equal; what is a number has come through rows in float32.
        const allowed = (value: number, column: number): number => (isNumbers ? 1e-6 * Math.abs(value) : column === 0 ? 0 : 1e-5);
        wanted.forEach((line, i) => {
          line.forEach((word, column) => {
            const value = Number(word);
            if (Number.isNaN(value)) expect(own[i]?.[column]).toBe(word);
            else expect(Math.abs(Number(own[i]?.[column]) - value)).toBeLessThanOrEqual(allowed(value, column));
          });
        });
        if (!isNumbers) expect(ours.stdout).toBe(run.stdout);
      });
    }
  }
});

describe("what goes wrong", () => {
  const path = (name: string): string => join(folder, name);
  const written = (name: string, text: string): string => {
    writeFileSync(path(name), text);
    return path(name);
  };
  const two = "1 1:1 2:0.5\n-1 1:-1\n1 2:2\n-1 2:-1\n";

  test("files that are not there, or are none", async () => {
    const train = (...args: string[]) => collected((console) => liblinearTrain(args, console));
    const predict = (...args: string[]) => collected((console) => liblinearPredict(args, console));
    const [good, bad, model] = [written("good", two), written("bad", "1 1:1\n1 1:x\n"), path("good.model")];
    expect((await train(good, model)).exit).toBe(0);
    for (const [said, run] of [
      [`can't open input file ${path("none")}`, () => train(path("none"))],
      ["Wrong input format at line 2", () => train(bad)],
      [`can't save model to file ${path("no/where")}`, () => train(good, path("no/where"))],
      [`can't open input file ${path("none")}`, () => predict(path("none"), path("no model"), path("out"))],
      [`can't open model file ${path("no model")}`, () => predict(good, path("no model"), path("out"))],
      [`can't open model file ${bad}`, () => predict(good, bad, path("out"))],
      ["Wrong input format at line 2", () => predict(bad, model, path("out"))],
      ["probability output is only supported for logistic regression", () => predict("-b", "1", good, model, path("out"))],
      ["unknown option: -x", () => predict("-x", "1", good, model, path("out"))],
      [`can't open output file ${path("no/out")}`, () => predict(good, model, path("no/out"))],
    ] as const) {
      const { exit, stderr } = await run();
      expect(stderr.split("\n")[0]).toBe(said);
      expect(exit).toBe(1);
    }
  });

  test("a single class, features that the model does not know, a constant feature of 0, labels of weights that are not there", async () => {
    const one = written("one", "3 1:2\n3 2:1\n");
    for (const solver of ["0", "1", "2", "3", "5", "6", "7"]) {
      const ours = await collected((console) =>
        liblinearTrain(["-s", solver, "-B", "0", "-w9", "2", "-q", one, path("one.model")], console),
      );
      expect(ours).toEqual({ exit: 0, stdout: "", stderr: "WARNING: class label 9 specified in weight is not found\n" });
      expect(readFileSync(path("one.model"), "utf8")).toMatch(/\nnr_class 1\nlabel 3\nnr_feature 2\nbias 0\nw\n\S+ \n\S+ \n0 \n$/);
    }
    const rows = written("more", "3 1:1 5:7\n4 2:1\n");
    const { stdout } = await collected((console) => liblinearPredict([rows, path("one.model"), path("out")], console));
    expect(stdout).toBe("Accuracy = 50% (1/2)\n");
    expect(readFileSync(path("out"), "utf8")).toBe("3\n3\n");
  });

  // Its weights by liblinear-train 2.30; the objective has one minimum, and both are told to come near it.
  test("a single class has LIBLINEAR's weights", async () => {
    await collected((console) => liblinearTrain(["-e", "1e-6", written("one", "1 1:2\n1 2:1\n"), path("one.model")], console));
    const { weights } = readLiblinearModel(readFileSync(path("one.model")), "one");
    expect(weights[0]).toBeCloseTo(0.4444444444, 5);
    expect(weights[1]).toBeCloseTo(0.6666666667, 5);
  });

  test("-C without -s says which it takes", async () => {
    const text = two.repeat(10);
    const { exit, stdout, stderr } = await collected((console) => liblinearTrain(["-C", "-q", written("twice", text)], console));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "Solver not specified. Using -s 2\n" });
    expect(stdout).toMatch(/^Doing parameter search with 5-fold cross validation\.\nBest C = \S+ {2}CV accuracy = 100%\n$/);
  });
});

describeWith(
  "the recorded cases in $HINGE_SHARED or ../shared and liblinear-predict",
  sharedFolder !== undefined && hasProgram("liblinear-predict"),
  "Debian's liblinear-predict",
  () => {
    test.each(["-s 0 -B 1 iris", "-s 1 heart_scale", "-s 3 heart_scale", "-s 4 -B 1 iris", "-s 6 iris", "-s 12 -B 1 bodyfat"])(
      "predicts with a model of ours as we do: %s",
      async (line) => {
        const flags = words(line);
        const [dataPath, modelPath] = [join(folder, flags.pop() as string), join(folder, "shared.model")];
        await collected((console) => liblinearTrain(["-q", ...flags, dataPath, modelPath], console));
        const ours = await collected((console) => liblinearPredict([dataPath, modelPath, join(folder, "ours")], console));
        const theirs = execFileSync("liblinear-predict", [dataPath, modelPath, join(folder, "theirs")], { encoding: "utf8" });
        expect(ours.stdout).toBe(theirs);
        const [own, other] = ["ours", "theirs"].map((name) => linesOf(readFileSync(join(folder, name), "utf8"))) as [
          string[][],
          string[][],
        ];
        expect(own.length).toBe(other.length);
        // Theirs are printed with six digits.
        own.forEach(([value], i) => {
          expect(Math.abs(Number(value) - Number(other[i]?.[0]))).toBeLessThanOrEqual(1e-5 * Math.abs(Number(value)));
        });
      },
    );
  },
);

const linesOf = (output: string): string[][] => output.trimEnd().split("\n").map(words);
