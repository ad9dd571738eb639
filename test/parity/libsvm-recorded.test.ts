// The recorded models of LIBSVM 3.37 on their training rows, judged in float64: what was printed is what the judge finds, none is better than ours by more than
// 1e-6, relatively, and read by our loader they predict what svm-predict did.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type KernelModel, load, type Matrix, NuSVC, NuSVR, OneClassSVM, readSvmlight, SVC, SVR } from "../../src/index.ts";
import { HALF_ULP, judgedParts, type KernelPartJudged, type KernelProblemSettings, roundingOf, scaleOf, sizeOf } from "../kernel-parts.ts";
import { describeWith, sharedFolder } from "../requires.ts";

/** What is asked of our own fits, and of the sameness of printed and judged numbers. */
const AGREEMENT = 1e-6;

interface Recorded {
  readonly flags: string;
  readonly data: string;
  readonly train: { readonly exit: number; readonly stdout: string };
  readonly model: string | null;
  readonly predict: readonly { readonly flags: string; readonly exit: number; readonly output: string | null }[];
}

/** What flags of svm-train mean to us. */
interface Meaning {
  readonly isConvex: boolean;
  readonly constants: KernelProblemSettings;
  /** The same for the same problem: -h, -m, -q, -b and -e change nothing of it. */
  readonly key: string;
  train(x: Matrix, y: Float64Array): Promise<KernelModel>;
}

/** nu-SVR of targets within 0.1 of each other, and of a tube of 1e-5 and less: pair steps by the million, here as there. */
const isSlow = (flags: string): boolean => flags.startsWith("-s 4");

const kernels = ["linear", "poly", "rbf", "sigmoid"] as const;

function meaningOf(flags: string, featureCount: number): Meaning {
  const words = flags.split(" ").filter((word) => word !== "");
  const value = (flag: string, otherwise: number): number => (words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : otherwise);
  const [type, kernel] = [value("-s", 0), kernels[value("-t", 2)] as (typeof kernels)[number]];
  const [C, nu, epsilon] = [value("-c", 1), value("-n", 0.5), value("-p", 0.1)];
  const weights = new Map(words.flatMap((word, k) => (/^-w/.test(word) ? [[Number(word.slice(2)), Number(words[k + 1])] as const] : [])));
  const shape = { kernel, gamma: value("-g", 1 / featureCount), coef0: value("-r", 0), degree: value("-d", 3) };
  const limits = { tolerance: AGREEMENT, maxIterations: isSlow(flags) ? 50_000 : 1_000_000 };
  const classWeight = weights.size > 0 ? { classWeight: weights } : {};
  const train = (x: Matrix, y: Float64Array): Promise<KernelModel> => {
    if (type === 0) return SVC.fit(x, y, { C, ...classWeight, ...shape, ...limits });
    if (type === 1) return NuSVC.fit(x, y, { nu, ...shape, ...limits });
    if (type === 2) return OneClassSVM.fit(x, { nu, ...shape, ...limits });
    return type === 3 ? SVR.fit(x, y, { C, epsilon, ...shape, ...limits }) : NuSVR.fit(x, y, { C, nu, ...shape, ...limits });
  };
  return {
    isConvex: kernel !== "sigmoid",
    constants: { C, nu, epsilon, weightOf: (label) => weights.get(label) ?? 1 },
    key: JSON.stringify([type, shape, C, nu, epsilon, [...weights]]),
    train,
  };
}

const need = "the recorded cases in $HINGE_SHARED or ../shared";

describeWith(need, sharedFolder !== undefined, "recorded models of LIBSVM 3.37", () => {
  const golden = join(sharedFolder ?? "", "golden");
  const all: Recorded[] =
    sharedFolder === undefined ? [] : JSON.parse(gunzipSync(readFileSync(join(golden, "libsvm-3.37.json.gz"))).toString());
  const cases = all.filter((one): one is Recorded & { model: string } => typeof one.model === "string" && one.model.startsWith("svm_type"));
  const sets = new Map<string, ReturnType<typeof readSvmlight>>();
  const rowsOf = (data: string): ReturnType<typeof readSvmlight> => {
    const read = sets.get(data) ?? readSvmlight(join(golden, `${data}.svm`));
    sets.set(data, read);
    return read;
  };
  const fitted = new Map<string, Promise<KernelModel>>();

  test("there are many: every problem with every kernel that the records have", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cases.map(({ model }) => model.split("\n").slice(0, 2).join(" "))).size).toBe(5 * kernels.length);
  });

  for (const { flags, data, train, model, predict } of cases) {
    test(`${data} ${flags}`, async () => {
      const { x, y } = await rowsOf(data);
      const { isConvex, constants, key, ...meaning } = meaningOf(flags, x.featureCount);
      const recorded = (await load(new TextEncoder().encode(model))) as KernelModel;
      const theirs = judgedParts(recorded, x, y, constants);
      checkPrinted(theirs, train.stdout);
      await checkPredictions(recorded, x, theirs, predict.find((run) => run.flags === "" && run.exit === 0)?.output);

      const own = await (fitted.get(`${data} ${key}`) ?? meaning.train(x, y));
      fitted.set(`${data} ${key}`, Promise.resolve(own));
      if (!isSlow(flags)) expect(own.report.status).toBe("converged");
      for (const part of judgedParts(own, x, y, constants)) {
        const { primal, dual } = part.certificate;
        // What was not fitted to the end may be behind by its own gap.
        const left = isSlow(flags) ? primal - dual : AGREEMENT * sizeOf(part);
        const allowed = left + roundingOf(part);
        expect(primal - dual).toBeLessThanOrEqual(allowed);
        if (!isConvex) continue;
        const other = (theirs.find((one) => one.key === part.key) as KernelPartJudged).certificate;
        expect(primal).toBeLessThanOrEqual(other.primal + allowed);
        expect(other.dual).toBeLessThanOrEqual(dual + allowed);
        // By weak duality neither is better than the other by more than its gap.
        expect(other.primal - other.dual).toBeGreaterThanOrEqual(-roundingOf(part));
        expect(dual - other.dual).toBeLessThanOrEqual(other.primal - other.dual + allowed);
      }
    });
  }
});

/** What svm-train printed, six digits behind the point, for nu-SVC divided by r^2, pair by pair; and how many support vectors there are at a bound. */
function checkPrinted(parts: readonly KernelPartJudged[], stdout: string): void {
  const lines = [...stdout.matchAll(/obj = (\S+), rho = (\S+)\nnSV = (\d+), nBSV = (\d+)/g)];
  // Under -q nothing; under -b 1 those of its cross-validation, too: before every pair of classes, or behind a regression.
  if (lines.length === 0) return;
  const each = lines.length / parts.length;
  parts.forEach((part, k) => {
    const at = part.key === "" ? 0 : each * (k + 1) - 1;
    const [, objective, rho, count, bounded] = lines[at] as unknown as readonly string[];
    const { problem, point, certificate } = part;
    const scale = 1 / scaleOf(part);
    const allowed = AGREEMENT * Math.abs(certificate.dual) + 1e-6 * scale * scale + roundingOf(part);
    expect(Math.abs(-Number(objective) * scale * scale - certificate.dual)).toBeLessThanOrEqual(allowed);
    expect(Math.abs(Math.abs(Number(rho)) * scale - Math.abs(point.bias))).toBeLessThanOrEqual(
      1e-6 * Math.max(scale, Math.abs(point.bias)),
    );
    const values = Array.from(point.value, Math.abs);
    expect(values.filter((value) => value > 0).length).toBe(Number(count));
    expect(values.filter((value, i) => value >= (problem.costs[i] as number) * (1 - 1e-9)).length).toBe(Number(bounded));
  });
}

/** Kernel values are float32 here and float64 there: with d terms a product, a function of gamma times it, and one product a support vector. */
async function checkPredictions(
  model: KernelModel,
  x: Matrix,
  parts: readonly KernelPartJudged[],
  output: string | null | undefined,
): Promise<void> {
  if (typeof output !== "string") return;
  const predicted = output.trim().split("\n").map(Number);
  const ours = await (model as KernelModel & { predict(rows: Matrix): Promise<ArrayLike<number>> }).predict(x);
  const scores = await model.decision(x);
  const outputs = model.biases.length;
  const errors = parts.map((part) => {
    const steepness = 1 + model.kernel.gamma * mostSquare(x) * Math.max(1, model.kernel.degree);
    return 4 * x.featureCount * HALF_ULP * steepness * scaleOf(part) * (part.sum * part.mostDiagonal + Math.abs(part.point.bias));
  });
  expect(ours.length).toBe(predicted.length);
  predicted.forEach((value, i) => {
    if (model instanceof SVR || model instanceof NuSVR) {
      expect(Math.abs((ours[i] as number) - value)).toBeLessThanOrEqual((errors[0] as number) + 1e-5 * Math.abs(value));
    } else if (Array.from(scores.subarray(i * outputs, (i + 1) * outputs)).every((score, m) => Math.abs(score) > (errors[m] as number))) {
      expect(ours[i]).toBe(value);
    }
  });
}

function mostSquare(x: Matrix): number {
  let most = 0;
  for (let i = 0; i < x.rowCount; i++) {
    let square = 0;
    x.forEachInRow(i, (_, value) => {
      square += value * value;
    });
    most = Math.max(most, square);
  }
  return most;
}
