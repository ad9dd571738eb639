// Against LIBLINEAR's -s 4 run to the end: the same objective within 1e-6, the gap asked of us.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { flowers, species } from "../../data/iris.ts";
import { certifyCrammerSinger } from "../../src/certify/crammer-singer.ts";
import type { Matrix } from "../../src/data/matrix.ts";
import { packRows, type RowsInput } from "../../src/data/pack.ts";
import { allocatePlain } from "../../src/runtime/placement.ts";
import { CrammerSinger, crammerSingerBytes } from "../../src/solve/crammer-singer.ts";
import { solveProven } from "../../src/solve/proven.ts";
import { multiClassSet } from "../problems/generate.ts";
import { describeWith, hasProgram } from "../requires.ts";
import { taskHere } from "../solve-here.ts";

interface LabelledSet {
  readonly x: RowsInput;
  readonly y: readonly number[];
  readonly classCount: number;
}

const names = [...new Set(species)];
const sets: Readonly<Record<string, LabelledSet>> = {
  iris: { x: flowers, y: species.map((name) => names.indexOf(name)), classCount: 3 },
  "two classes": multiClassSet(150, 15, 6, 2, 21),
  "five classes": multiClassSet(300, 25, 8, 5, 22),
};

/** Rows as the program reads them; 9 digits hold every float32. */
function svmlight(x: Matrix, y: readonly number[]): string {
  const lines = y.map((label, i) => {
    const pairs: string[] = [];
    x.forEachInRow(i, (feature, value) => {
      if (value !== 0) pairs.push(`${feature + 1}:${value.toPrecision(9)}`);
    });
    return `${label} ${pairs.join(" ")}\n`;
  });
  return lines.join("");
}

/** Weights, class by class, and biases from a model file of -s 4. Two classes have their own two columns there as well. */
function weightsOf(model: string, x: Matrix, classCount: number): { w: Float64Array; bias: Float64Array } {
  const [head = "", body = ""] = model.split(/^w$/m);
  const labels = (/^label (.*)$/m.exec(head)?.[1] ?? "").trim().split(" ").map(Number);
  const rows = body
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const w = new Float64Array(classCount * x.featureCount);
  const bias = new Float64Array(classCount);
  labels.forEach((m, column) => {
    for (let j = 0; j < x.featureCount; j++) w[m * x.featureCount + j] = rows[j]?.[column] ?? 0;
    if (!/^bias -1$/m.test(head)) bias[m] = rows.at(-1)?.[column] ?? 0;
  });
  return { w, bias };
}

describeWith("liblinear-train", hasProgram("liblinear-train"), "Crammer-Singer beside LIBLINEAR", () => {
  const folder = mkdtempSync(join(tmpdir(), "hinge-cs-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const [name, set] of Object.entries(sets)) {
    for (const C of [0.01, 1]) {
      for (const bias of ["augmented", false] as const) {
        test(`${name}, C ${C}, bias ${bias}: the same objective within 1e-6`, async () => {
          const x = packRows(set.x, allocatePlain);
          const problem = {
            ...{ rowIds: Uint32Array.from(set.y, (_, i) => i), classIds: Uint32Array.from(set.y), classCount: set.classCount },
            ...{ costs: new Float64Array(set.y.length).fill(C), bias, biasScale: 1 },
            ...{ tolerance: 1e-7, maxIterations: 1e6, shrinking: true, seed: 0 },
          };
          const judge = (point: Parameters<typeof certifyCrammerSinger>[2]) => certifyCrammerSinger(x, problem, point);
          const solver = new CrammerSinger(taskHere(x, crammerSingerBytes(set.y.length, x.featureCount, set.classCount))(), problem);
          const { certificate } = await solveProven(solver, judge, problem.tolerance);

          const [data, model] = [join(folder, "data"), join(folder, "model")];
          writeFileSync(data, svmlight(x, set.y));
          execFileSync("liblinear-train", ["-q", "-s", "4", "-c", `${C}`, "-e", "1e-8", "-B", bias ? "1" : "-1", data, model]);
          const theirs = judge({ ...weightsOf(readFileSync(model, "utf8"), x, set.classCount), alpha: undefined });
          expect(Math.abs(certificate.primal / theirs.primal - 1)).toBeLessThanOrEqual(1e-6);
        });
      }
    }
  }
});
