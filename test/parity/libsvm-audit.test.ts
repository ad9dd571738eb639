// The audit of models that Debian's svm-train has just made: every problem and kernel, judged on the rows that it was given.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certify, type KernelAuditOptions, type KernelCertificate, load, readSvmlight } from "../../src/index.ts";
import { describeWith, hasProgram, sharedFolder } from "../requires.ts";

const problems: readonly { name: string; set: string; flags: string; given: KernelAuditOptions; cost: number }[] = [
  { name: "C-SVC", set: "heart_scale", flags: "-s 0 -c 1", given: { C: 1 }, cost: 1 },
  { name: "C-SVC, three classes", set: "iris", flags: "-s 0 -c 10", given: { C: 10 }, cost: 10 },
  {
    name: "C-SVC, weighted",
    set: "heart_scale",
    flags: "-s 0 -c 1 -w1 3 -w-1 0.5",
    given: {
      C: 1,
      classWeight: new Map([
        [1, 3],
        [-1, 0.5],
      ]),
    },
    cost: 3,
  },
  { name: "nu-SVC", set: "heart_scale", flags: "-s 1 -n 0.3", given: { nu: 0.3 }, cost: 1 },
  { name: "nu-SVC, three classes", set: "iris", flags: "-s 1 -n 0.2", given: { nu: 0.2 }, cost: 1 },
  { name: "one-class", set: "heart_scale", flags: "-s 2 -n 0.3", given: { nu: 0.3 }, cost: 1 },
  { name: "epsilon-SVR", set: "bodyfat", flags: "-s 3 -c 1 -p 0.01", given: { C: 1, epsilon: 0.01 }, cost: 2 },
  { name: "nu-SVR", set: "bodyfat", flags: "-s 4 -c 1 -n 0.4", given: { C: 1, nu: 0.4 }, cost: 1 },
];

const kernels: readonly { flags: string; own: (square: number) => number }[] = [
  { flags: "-t 0", own: (square) => square },
  { flags: "-t 1 -g 0.1 -r 1 -d 3", own: (square) => (0.1 * square + 1) ** 3 },
  { flags: "-t 2 -g 0.1", own: () => 1 },
  { flags: "-t 3 -g 0.02 -r 0", own: () => 1 },
];
const EPSILON = 1e-5;

const need = "the recorded cases in $HINGE_SHARED or ../shared and svm-train";

describeWith(need, sharedFolder !== undefined && hasProgram("svm-train"), "the audit of svm-train's files, live", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-audit-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const { name, set, flags, given, cost } of problems) {
    for (const kernel of kernels) {
      test(`${name} on ${set}, ${flags} ${kernel.flags}`, async () => {
        const data = join(sharedFolder ?? "", "golden", `${set}.svm`);
        const file = join(folder, "model");
        execFileSync("svm-train", ["-q", ...`${flags} ${kernel.flags} -e ${EPSILON}`.split(" "), data, file]);
        const { x, y } = await readSvmlight(data);
        const model = await load(file);
        const judge = certify as (model: unknown, ...rest: unknown[]) => Promise<KernelCertificate>;
        const judged = await judge(model, x, ...(name === "one-class" ? [] : [y]), given);
        const squares = Array.from({ length: x.rowCount }, (_, i) => {
          let square = 0;
          x.forEachInRow(i, (_, value) => {
            square += value * value;
          });
          return square;
        });
        // What it stopped by was summed up from kernel values in float32: wrong by 2^-24 of |v_s| K each, at most.
        const error = EPSILON + 2 * 2 ** -24 * x.rowCount * cost * Math.max(...squares.map(kernel.own));
        if (kernel.flags.startsWith("-t 3")) {
          if (judged.relativeGap !== null) throw new Error("a sigmoid kernel has no gap");
          expect(judged.violation).toBeLessThanOrEqual(error);
          return;
        }
        // Where no pair gains more than its epsilon, each variable's part of P - D is at most epsilon times the length of its interval.
        expect(judged.relativeGap).not.toBe(null);
        expect(judged.primal - judged.dual).toBeLessThanOrEqual(error * x.rowCount * cost);
        expect(judged.primal - judged.dual).toBeGreaterThanOrEqual(-1e-9 * Math.abs(judged.primal));
      });
    }
  }
});
