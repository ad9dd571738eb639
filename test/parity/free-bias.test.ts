// The unregularised bias against the programs that always had it: LIBSVM's C-SVC with a linear kernel solves the same problem.
// 1e-6 is the gap asked of us; LIBSVM at -e 1e-7 is nearer than that on these sets, and its file holds 17 digits.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certifyLinear } from "../../src/certify/linear.ts";
import { matrix } from "../../src/index.ts";
import { descentBytes } from "../../src/solve/descent.ts";
import { DualDescent } from "../../src/solve/dual-descent.ts";
import type { BinaryProblem } from "../../src/solve/problem.ts";
import { denseRows, sparseSet } from "../problems/generate.ts";
import { describeWith, hasProgram } from "../requires.ts";
import { taskHere } from "../solve-here.ts";

const AGREEMENT = 1e-6;

describeWith("svm-train", hasProgram("svm-train"), "svm-train -t 0, live", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-svm-train-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [seed, positive] of [
    [3, 1],
    [4, 5],
  ] as const) {
    // Not beyond C = 1: LIBSVM keeps kernel values in float32, and its objective is then off by more than this at large C.
    for (const C of [0.01, 0.1, 1]) {
      test(`set ${seed}, C ${C}, weight ${positive} on the positive rows: the same objective`, async () => {
        const { y, ...set } = sparseSet(120, 10, 6, seed);
        const rows = denseRows({ y, ...set }).map((row) => row.map(Math.fround));
        const file = join(folder, "rows");
        writeFileSync(file, rows.map((row, i) => `${y[i]} ${row.map((value, j) => `${j + 1}:${value}`).join(" ")}\n`).join(""));
        const flags = ["-t", "0", "-c", `${C}`, "-w1", `${positive}`, "-e", "1e-7", "-h", "0"];
        const said = execFileSync("svm-train", [...flags, file, join(folder, "model")], { encoding: "utf8" });
        const theirs = -Number(/obj = (\S+),/.exec(said)?.[1]);

        const x = matrix(rows);
        const problem: BinaryProblem = {
          rowIds: Uint32Array.from(y, (_, i) => i),
          signs: Float32Array.from(y),
          costs: Float64Array.from(y, (label) => C * (label > 0 ? positive : 1)),
          loss: "hinge",
          penalty: "l2",
          bias: "unregularised",
          biasScale: 1,
          tolerance: AGREEMENT,
          maxIterations: 10_000_000,
          shrinking: true,
          seed: 0,
        };
        const solver = new DualDescent(taskHere(x, descentBytes(y.length, x.featureCount))(), problem);
        expect(await solver.solve()).toBe("converged");
        const ours = certifyLinear(x, problem, solver.solution());
        // It prints the objective with six decimals.
        expect(Math.abs(ours.primal - theirs)).toBeLessThanOrEqual(2 * AGREEMENT * ours.primal + 1e-6);

        const model = readFileSync(join(folder, "model"), "utf8");
        const rho = Number(/^rho (\S+)/m.exec(model)?.[1]) * (/^label -1 1/m.test(model) ? -1 : 1);
        expect(Math.abs(-rho - solver.solution().bias)).toBeLessThan(1e-2 * (1 + Math.abs(rho)));
      });
    }
  }
});
