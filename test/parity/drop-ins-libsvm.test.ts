// The recorded cases of LIBSVM 3.37 through our svm-train, svm-predict and svm-scale: same exit codes, lines of the same shape, models that are as good by its own rule, and
// files that either side reads.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { svmPredict } from "../../src/cli/drop-ins/svm-predict.ts";
import { svmScale } from "../../src/cli/drop-ins/svm-scale.ts";
import { svmTrain } from "../../src/cli/drop-ins/svm-train.ts";
import { readLibsvmModel } from "../../src/formats/libsvm-model.ts";
import { type KernelModel, load, type Matrix, readSvmlight } from "../../src/index.ts";
import type { LibsvmData } from "../../src/model/libsvm-file.ts";
import { pairs } from "../../src/model/schemes.ts";
import { describeWith, sharedFolder } from "../requires.ts";
import { collected, rowCounts, sameFigures, shapeOf } from "./recorded-lines.ts";

interface Run {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Recorded {
  readonly program: string;
  readonly flags: string;
  readonly data: string;
  readonly train?: Run;
  readonly model?: string | null;
  readonly predict?: readonly (Run & { readonly flags: string; readonly output: string | null })[];
  // svm-scale
  readonly exit?: number;
  readonly stdout?: string;
  readonly range?: string | null;
  readonly restored?: string;
}

const folder = mkdtempSync(join(tmpdir(), "hinge-drop-ins-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = (flags: string): string[] => flags.split(" ").filter((word) => word !== "");

describeWith("the recorded cases in $HINGE_SHARED or ../shared", sharedFolder !== undefined, "recorded runs of LIBSVM 3.37", () => {
  const golden = join(sharedFolder ?? "", "golden");
  const all: Recorded[] =
    sharedFolder === undefined ? [] : JSON.parse(gunzipSync(readFileSync(join(golden, "libsvm-3.37.json.gz"))).toString());
  for (const data of ["heart_scale", "iris", "bodyfat"])
    if (sharedFolder !== undefined) copyFileSync(join(golden, `${data}.svm`), join(folder, data));
  const usage: Record<string, Run> = sharedFolder === undefined ? {} : JSON.parse(readFileSync(join(golden, "usage.json"), "utf8"));

  test("all of them are here", () => {
    expect(all.length).toBe(94);
  });

  test.each([
    ["svm-train", svmTrain],
    ["svm-predict", svmPredict],
    ["svm-scale", svmScale],
  ] as const)("%s without arguments says how it is used", async (name, run) => {
    const { exit, stdout, stderr } = await collected((console) => run([], console));
    expect({ exit, stdout, stderr }).toEqual(usage[name]);
  });

  for (const [k, { flags, data, train, model, predict }] of all.entries()) {
    if (train === undefined) continue;
    test(`svm-train ${flags} ${data}`, async () => {
      const [dataPath, modelPath, outPath] = [join(folder, data), join(folder, `${k}.model`), join(folder, `${k}.out`)];
      const ours = await collected((console) => svmTrain([...words(flags), dataPath, modelPath], console));
      expect(ours.exit).toBe(train.exit);
      expect(ours.stderr).toBe(train.stderr);
      if (train.exit !== 0 || flags.includes("-v")) {
        expect(shapeOf(ours.stdout)).toEqual(shapeOf(train.stdout));
        sameFigures(ours.stdout, train.stdout, rowCounts[data] as number);
        expect(existsSync(modelPath)).toBe(false);
        return;
      }
      expect(shapeOf(ours.stdout)).toEqual(shapeOf(train.stdout));
      const [own, theirs] = [readFileSync(modelPath, "utf8"), model as string];
      expect(headOf(own)).toEqual(headOf(theirs));
      const rows = await readSvmlight(dataPath);
      const [mine, recorded] = [(await load(modelPath)) as KernelModel, (await load(new TextEncoder().encode(theirs))) as KernelModel];
      const [f, g] = [await mine.decision(rows.x), await recorded.decision(rows.x)];
      const off = f.reduce((most, value, i) => Math.max(most, Math.abs(value - (g[i] as number))), 0);
      const files = [
        readLibsvmModel(readFileSync(modelPath), "own"),
        readLibsvmModel(new TextEncoder().encode(theirs), "recorded"),
      ] as const;
      const bounds = boundsOf(files, askedBy(flags), rows.x, rows.y);
      if (!flags.includes("-q")) checkFigures(ours.stdout, train.stdout, files, bounds, flags.includes("-b"));
      // Rows differ in what they say by the way between the weights and by that between the offsets.
      expect(off).toBeLessThanOrEqual(Math.max(...bounds.map(({ way, rho }) => way + rho)));
      // Half a unit in the last place of a float32 for every kernel value, which are about 1 and less in these.
      const rounding = 2 ** -24 * recorded.coefficients.reduce((sum, value) => sum + Math.abs(value), 0);
      for (const run of predict ?? []) {
        // Our model by our predictor: the recorded labels, but where a decision value is nearer to 0 than the models are to each other.
        const said = await collected((console) => svmPredict([...words(run.flags), dataPath, modelPath, outPath], console));
        expect(said.exit).toBe(run.exit);
        expect(shapeOf(said.stdout)).toEqual(shapeOf(run.stdout));
        const [lines, wanted] = [readFileSync(outPath, "utf8").split("\n"), (run.output as string).split("\n")];
        expect(lines.length).toBe(wanted.length);
        if (run.flags === "") {
          const per = f.length / rows.y.length;
          lines.forEach((line, i) => {
            if (line === wanted[i]) return;
            const isNumber = mine.constructor.name.endsWith("SVR");
            const nearest = Math.min(...Array.from(f.subarray(i * per, (i + 1) * per), Math.abs));
            if (isNumber) expect(Math.abs(Number(line) - Number(wanted[i]))).toBeLessThanOrEqual(off + 1e-6);
            else expect(nearest).toBeLessThanOrEqual(off);
          });
        } else expect(lines[0]).toMatch(/^(label normal outlier|labels( -?\d+)+|-?[\d.e+-]+)$/);
        // The recorded model by our predictor: the recorded file, but for the last digits of decision values.
        writeFileSync(modelPath, theirs);
        const again = await collected((console) => svmPredict([...words(run.flags), dataPath, modelPath, outPath], console));
        expect(again.exit).toBe(run.exit);
        expect(shapeOf(again.stdout)).toEqual(shapeOf(run.stdout));
        const odd = g.filter((value) => Math.abs(value) < 1e-5).length;
        sameNumbers(readFileSync(outPath, "utf8"), run.output as string, odd, rounding);
        // Figures of all rows; a correlation of nothing is what rounding makes of it.
        if (odd === 0)
          sameNumbers(
            again.stdout.replace(/(Squared.*= )\S*(?= )/, "$1#"),
            run.stdout.replace(/(Squared.*= )\S*(?= )/, "$1#"),
            0,
            rounding,
          );
        writeFileSync(modelPath, own);
      }
    });
  }

  for (const { flags, data, exit, stdout, range, restored } of all.filter(({ program }) => program === "svm-scale")) {
    test(`svm-scale ${flags} ${data}`, async () => {
      const rangePath = join(folder, "range");
      const args = words(flags).map((word) => (word === "range" ? rangePath : word));
      const ours = await collected((console) => svmScale([...args, join(folder, data)], console));
      expect(ours.exit).toBe(exit);
      expect(ours.stdout).toBe(stdout);
      if (range) expect(readFileSync(rangePath, "utf8")).toBe(range);
      if (restored !== undefined) {
        const again = await collected((console) => svmScale(["-r", rangePath, join(folder, data)], console));
        expect(again.stdout).toBe(restored);
      }
    });
  }
});

interface Asked {
  readonly eps: number;
  readonly C: number;
  readonly nu: number;
}

function askedBy(flags: string): Asked {
  const all = words(flags);
  const value = (flag: string, otherwise: number): number => (all.includes(flag) ? Number(all[all.indexOf(flag) + 1]) : otherwise);
  return { eps: value("-e", 1e-3), C: value("-c", 1), nu: value("-n", 0.5) };
}

/** How far two models of a problem can be apart if neither violates the optimality conditions by more than -e. */
interface Bounds {
  /** What a decision value and an objective of the file are multiplied with to be those of the problem that is solved: of nu-SVC 1 / the file's C. One a file. */
  readonly scales: readonly number[];
  readonly objective: number;
  readonly rho: number;
  /** Of decision values without their offset. */
  readonly way: number;
}

/**
 * Let a and b be the dual variables of two models, d = |a - b|_1 and F the objective, convex. A pair's violation bounds what is gained on the way from one point to the other:
 * F(a) - F(b) <= F'(a) (a - b) <= e d / 2, and the same the other way round. The sum of both is |w - v|^2 <= e d for the weights w and v, so decision values without their
 * offset differ by sqrt(K e d) where K is the largest kernel value. The offset is within e of a free vector's; so offsets differ by that and 2 e.
 * Rows and kernel values are float32 in ours, which adds to e what it adds to a gradient.
 */
function boundsOf(files: readonly [LibsvmData, LibsvmData], { eps, C, nu }: Asked, x: Matrix, y: ArrayLike<number>): Bounds[] {
  const { type, classCount, labels } = files[0];
  const K = largestKernel(files[0], x);
  return pairs(labels === undefined ? 2 : classCount).map((pair) => {
    const rowCount =
      labels === undefined ? y.length : Array.from(y).filter((label) => pair.some((place) => labels[place] === label)).length;
    const parts = files.map((file) => variablesOf(file, pair));
    const sums = parts.map((part) => [...part.values()].reduce((sum, value) => sum + Math.abs(value), 0));
    const scales = sums.map((sum) => (type === "nu_svc" ? (nu * rowCount) / sum : 1));
    const [own, other] = parts.map((part, k) => new Map([...part].map(([key, value]) => [key, value * (scales[k] as number)]))) as [
      Map<string, number>,
      Map<string, number>,
    ];
    const d = [...new Set([...own.keys(), ...other.keys()])].reduce(
      (sum, key) => sum + Math.abs((own.get(key) ?? 0) - (other.get(key) ?? 0)),
      0,
    );
    // Both sides of a tube may be in use, of which a file has the difference: then only their sum is known.
    const length = type === "nu_svr" ? 2 * C * nu * rowCount : d;
    const most = Math.max(...sums.map((sum, k) => sum * (scales[k] as number)));
    const rounding = 2 ** -23 * K * most;
    const e = eps + 2 * rounding;
    const way = Math.sqrt(K * e * d) + rounding;
    // Six digits behind the point are printed.
    const printed = 1e-6 * Math.max(...scales);
    return {
      ...{ scales, way, rho: way + 2 * e + printed },
      objective: (e * length) / 2 + (rounding * most) / 2 + printed * Math.max(...scales),
    };
  });
}

/** The variables of a problem by their class and vector; vectors that are there twice are one. */
function variablesOf({ vectors, vectorCounts, labels, classCount }: LibsvmData, pair: readonly number[]): Map<string, number> {
  const { count, coefficients, starts, indices, values } = vectors;
  const columns = count === 0 ? 1 : coefficients.length / count;
  const classOf = labels === undefined ? [] : Array.from(vectorCounts ?? []).flatMap((size, place) => new Array<number>(size).fill(place));
  const found = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const place = classOf[i];
    const other = pair.find((one) => one !== place) as number;
    if (place !== undefined && !pair.includes(place)) continue;
    const column = place === undefined || classCount === 2 ? 0 : other > place ? other - 1 : other;
    const [from, to] = [starts[i] as number, starts[i + 1] as number];
    const key = `${place} ${indices.slice(from, to).join()} ${Array.from(values.subarray(from, to), Math.fround).join()}`;
    found.set(key, (found.get(key) ?? 0) + (coefficients[i * columns + column] as number));
  }
  return found;
}

/** Of a row with itself: none is larger under these kernels, or sigmoid's 1. */
function largestKernel({ kernel }: LibsvmData, x: Matrix): number {
  const { type, gamma = 1, coef0 = 0, degree = 1 } = kernel as { type: string; gamma?: number; coef0?: number; degree?: number };
  if (type === "rbf" || type === "sigmoid") return 1;
  const squares = Array.from({ length: x.rowCount }, (_, i) => {
    let square = 0;
    x.forEachInRow(i, (_, value) => {
      square += value * value;
    });
    return square;
  });
  const largest = Math.max(...squares);
  return type === "linear" ? largest : (gamma * largest + coef0) ** degree;
}

/** What is printed of a model's own problems is true of its file, and its objective is the recorded one as far as -e goes. */
function checkFigures(
  own: string,
  recorded: string,
  files: readonly [LibsvmData, LibsvmData],
  bounds: readonly Bounds[],
  hasFolds: boolean,
): void {
  const { type, labels, rho } = files[0];
  const [mine, theirs] = [own, recorded].map((text) => {
    const all = Array.from(text.matchAll(/^obj = (\S+), rho = (\S+)\nnSV = (\d+),/gm), ([, obj, offset, count]) => ({
      ...{ obj: Number(obj), rho: Number(offset), count: Number(count) },
    }));
    // The folds of probability estimates come before the problem of a pair, and behind that of a regression.
    if (!hasFolds || type === "one_class") return all;
    return labels === undefined ? all.slice(0, 1) : all.filter((_, k) => k % 6 === 5);
  }) as [{ obj: number; rho: number; count: number }[], { obj: number; rho: number; count: number }[]];
  expect([mine.length, theirs.length]).toEqual([bounds.length, bounds.length]);
  bounds.forEach((bound, m) => {
    const [one, two] = [mine[m], theirs[m]] as [(typeof mine)[number], (typeof theirs)[number]];
    const [scale, other] = bound.scales as [number, number];
    expect(Math.abs(one.obj * scale ** 2 - two.obj * other ** 2)).toBeLessThanOrEqual(bound.objective);
    expect(Math.abs(one.rho * scale - two.rho * other)).toBeLessThanOrEqual(bound.rho);
    expect(Math.abs(one.rho - (rho[m] as number))).toBeLessThanOrEqual(1e-6);
    if (bounds.length === 1) expect(one.count).toBe(files[0].vectors.count);
  });
}

/** What stands before the support vectors; those numbers apart that depend on where a solver stops. */
function headOf(text: string): string[] {
  return text
    .slice(0, text.indexOf("\nSV\n"))
    .split("\n")
    .map((line) => (/^(rho|probA|probB|prob_density_marks|total_sv|nr_sv) /.test(line) ? line.replace(/-?[\d.]+(e[+-]\d+)?/g, "#") : line));
}

/** The same words, numbers up to what float32 kernel values change; rows so near to 0 that they change sides may be odd. */
function sameNumbers(ours: string, theirs: string, odd: number, rounding: number): void {
  const [own, other] = [ours.split(/\s+/), theirs.split(/\s+/)];
  expect(own.length).toBe(other.length);
  const differing = own.filter(
    (word, k) => !(word === other[k] || Math.abs(Number(word) - Number(other[k])) <= rounding + 2e-6 * Math.max(1, Math.abs(Number(word)))),
  );
  expect(differing.length).toBeLessThanOrEqual(odd);
}
