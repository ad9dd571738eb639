// The search against LIBLINEAR's own, run live: the same first C for every loss and tube. Scores come from folds of its own, drawn at random, so
// that only the points are the same.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LinearSVC, LinearSVR, LogisticRegression, liblinearSearch, writeSvmlight } from "../../src/index.ts";
import { sparseSet } from "../problems/generate.ts";
import { describeWith, hasProgram } from "../requires.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-search-"));
afterAll(() => rmSync(folder, { recursive: true }));

describeWith("liblinear-train", hasProgram("liblinear-train"), "liblinear-train -C", () => {
  const set = sparseSet(80, 12, 5, 11);
  const targets = set.y.map((sign, i) => 5 + 2 * sign + (i % 5) / 4);

  /** The first C of every tube, widest first, as powers of 2, and all values of C of the first. */
  async function theirs(flags: readonly string[], y: readonly number[]): Promise<{ firsts: Map<string, number>; all: number[] }> {
    const file = join(folder, "rows.svm");
    writeFileSync(file, writeSvmlight(set.x, y));
    const printed = execFileSync("liblinear-train", ["-C", ...flags, file], { encoding: "utf8" });
    const firsts = new Map<string, number>();
    const all: number[] = [];
    for (const [, power = "", p = ""] of printed.matchAll(/log2c=\s*(\S+)\s+(?:p=\s*(\S+))?/g)) {
      if (!firsts.has(p)) firsts.set(p, 2 ** Number(power));
      if (firsts.size === 1) all.push(2 ** Number(power));
    }
    return { firsts, all };
  }

  for (const bias of [false, "augmented"] as const) {
    const flags = bias === false ? [] : ["-B", "1"];
    for (const [solver, estimator] of [
      ["0", LogisticRegression],
      ["2", LinearSVC],
    ] as const) {
      test(`-s ${solver} -C, bias ${bias}: the same values of C`, async () => {
        const { all } = await theirs(["-s", solver, ...flags], set.y);
        const { points } = await liblinearSearch(estimator as typeof LinearSVC, set.x, set.y, { bias });
        // Either may rest before the other: their tolerances are not the same.
        const common = Math.min(all.length, points.length);
        expect(common).toBeGreaterThan(10);
        expect(points.slice(0, common).map(({ C }) => C)).toEqual(all.slice(0, common));
      });
    }

    test(`-s 11 -C, bias ${bias}: the same tubes, and the same first C of each`, async () => {
      const { firsts } = await theirs(["-s", "11", ...flags], targets);
      const { points } = await liblinearSearch(LinearSVR, set.x, targets, { bias, centreTarget: false });
      const ours = new Map<string, number>();
      for (const { C, epsilon = Number.NaN } of points) if (!ours.has(epsilon.toFixed(2))) ours.set(epsilon.toFixed(2), C);
      expect(ours.size).toBe(20);
      expect(ours).toEqual(firsts);
    });
  }
});
