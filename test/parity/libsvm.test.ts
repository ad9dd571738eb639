// Every kernel problem against Debian's svm-train on the same rows: the same optimum within 1e-6, relatively, the same predictions away from ties, and files that
// either side reads.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KernelModel, load, NuSVC, NuSVR, OneClassSVM, readSvmlight, SVC, SVR } from "../../src/index.ts";
import { describeWith, hasProgram, sharedFolder } from "../requires.ts";

const AGREEMENT = 1e-6;

const kernels = [
  { flags: "-t 0", options: { kernel: "linear" } },
  { flags: "-t 1 -g 0.1 -r 1 -d 3", options: { kernel: "poly", gamma: 0.1, coef0: 1, degree: 3 } },
  { flags: "-t 2 -g 0.1", options: { kernel: "rbf", gamma: 0.1 } },
] as const;

type Rows = Awaited<ReturnType<typeof readSvmlight>>;

const problems: readonly { name: string; set: string; flags: string; train: (data: Rows, options: object) => Promise<KernelModel> }[] = [
  { name: "C-SVC", set: "heart_scale", flags: "-s 0 -c 1", train: ({ x, y }, options) => SVC.fit(x, y, { C: 1, ...options }) },
  { name: "C-SVC", set: "iris", flags: "-s 0 -c 10", train: ({ x, y }, options) => SVC.fit(x, y, { C: 10, ...options }) },
  {
    name: "C-SVC, weighted",
    set: "heart_scale",
    flags: "-s 0 -c 1 -w1 3 -w-1 0.5",
    train: ({ x, y }, options) =>
      SVC.fit(x, y, {
        C: 1,
        classWeight: new Map([
          [1, 3],
          [-1, 0.5],
        ]),
        ...options,
      }),
  },
  { name: "nu-SVC", set: "heart_scale", flags: "-s 1 -n 0.3", train: ({ x, y }, options) => NuSVC.fit(x, y, { nu: 0.3, ...options }) },
  { name: "nu-SVC", set: "iris", flags: "-s 1 -n 0.2", train: ({ x, y }, options) => NuSVC.fit(x, y, { nu: 0.2, ...options }) },
  { name: "one-class", set: "heart_scale", flags: "-s 2 -n 0.3", train: ({ x }, options) => OneClassSVM.fit(x, { nu: 0.3, ...options }) },
  {
    name: "epsilon-SVR",
    set: "bodyfat",
    flags: "-s 3 -c 1 -p 0.01",
    train: ({ x, y }, options) => SVR.fit(x, y, { C: 1, epsilon: 0.01, ...options }),
  },
  {
    name: "nu-SVR",
    set: "bodyfat",
    flags: "-s 4 -c 1 -n 0.4",
    train: ({ x, y }, options) => NuSVR.fit(x, y, { C: 1, nu: 0.4, ...options }),
  },
];

const need = "the recorded cases in $HINGE_SHARED or ../shared and svm-train";

describeWith(need, sharedFolder !== undefined && hasProgram("svm-train"), "kernel machines against svm-train, live", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-libsvm-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const { name, set, flags, train } of problems) {
    for (const kernel of kernels) {
      test(`${name} on ${set}, ${flags} ${kernel.flags}: the same optimum and predictions, files both ways`, async () => {
        const data = join(sharedFolder ?? "", "golden", `${set}.svm`);
        const [theirFile, ourFile, out] = ["theirs", "ours", "out"].map((file) => join(folder, file)) as [string, string, string];
        const said = execFileSync("svm-train", [...`${flags} ${kernel.flags} -e 1e-6`.split(" "), data, theirFile], { encoding: "utf8" });
        const theirs = [...said.matchAll(/obj = (\S+),/g)].map(([, value]) => Number(value));
        const read = await readSvmlight(data);
        const model = await train(read, { ...kernel.options, tolerance: 1e-7 });
        expect(model.report.status).toBe("converged");
        // It prints the minimised form, for nu-SVC after scaling by r^2, pair by pair in its own order of classes.
        const ours = (model.report.run?.problems ?? []).map(({ certificate }) => certificate);
        if (!name.startsWith("nu-SVC")) {
          const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
          const [own, other] = [sum(ours.map(({ dual }) => -dual)), sum(theirs)];
          // Printed with six digits behind the point. Its own rule leaves it a gap of up to its -e times the sum of the variables; ours is 1e-7 of the objective.
          // It rounds kernel values to float32, we round features: each v_i v_j K_ij is off by 2^-24 of itself, at random.
          const sizes = (power: number): number => model.coefficients.reduce((total, value) => total + Math.abs(value) ** power, 0);
          const digits = 1e-6 * theirs.length + 2 ** -24 * sizes(2);
          const left = 1e-6 * sizes(1);
          expect(own).toBeLessThanOrEqual(other + AGREEMENT * Math.abs(other) + digits);
          expect(other).toBeLessThanOrEqual(own + AGREEMENT * Math.abs(own) + digits + left);
        }
        const loaded = (await load(theirFile)) as typeof model & { predict(x: typeof read.x): Promise<ArrayLike<number>> };
        const [own, other] = [await (model as typeof loaded).predict(read.x), await loaded.predict(read.x)];
        const scores = await model.decision(read.x);
        const outputs = model.biases.length;
        for (let i = 0; i < own.length; i++) {
          const close = Math.min(...Array.from(scores.subarray(i * outputs, (i + 1) * outputs), Math.abs));
          if (name.includes("SVR")) expect(Math.abs((own[i] as number) - (other[i] as number))).toBeLessThan(1e-3);
          else if (close > 1e-3) expect(own[i]).toBe(other[i]);
        }
        await model.save(ourFile);
        execFileSync("svm-predict", [data, ourFile, out]);
        const predicted = readFileSync(out, "utf8").trim().split("\n").map(Number);
        predicted.forEach((value, i) => {
          const close = Math.min(...Array.from(scores.subarray(i * outputs, (i + 1) * outputs), Math.abs));
          if (name.includes("SVR")) expect(Math.abs(value - (own[i] as number))).toBeLessThan(1e-4);
          else if (close > 1e-4) expect(value).toBe(own[i]);
        });
      });
    }
  }
});
