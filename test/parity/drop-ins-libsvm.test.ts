// The recorded cases of LIBSVM 3.37 through our svm-train, svm-predict and svm-scale: same exit codes, lines of the same shape, files that either side reads.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { svmPredict } from "../../src/cli/drop-ins/svm-predict.ts";
import { svmScale } from "../../src/cli/drop-ins/svm-scale.ts";
import { svmTrain } from "../../src/cli/drop-ins/svm-train.ts";
import { type KernelModel, load, readSvmlight } from "../../src/index.ts";
import { describeWith, sharedFolder } from "../requires.ts";
import { collected, shapeOf } from "./recorded-lines.ts";

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
