// Model files of the originals: all recorded ones come back byte for byte, and a file of ours is one that LIBLINEAR reads.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLiblinearModel, writeLiblinearModel } from "../../src/formats/liblinear-model.ts";
import { readLibsvmModel, writeLibsvmModel } from "../../src/formats/libsvm-model.ts";
import {
  certify,
  LinearClassifier,
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  type LinearSvcOptions,
  LogisticRegression,
  load,
  NuSVC,
  NuSVR,
  OneClassSVM,
  readSvmlight,
  SVC,
  SVR,
} from "../../src/index.ts";
import { hinge } from "../cli/command.ts";
import { describeWith, hasProgram, sharedFolder } from "../requires.ts";
import { rejected } from "../thrown.ts";

// The gap of the bound that certify fits; LIBLINEAR's own at -e 1e-8 is taken to be no larger (test/parity/liblinear.test.ts).
const AGREEMENT = 1e-6;

interface Recorded {
  readonly flags: string;
  readonly data: string;
  readonly model: string | null;
  readonly predict: readonly { readonly flags: string; readonly exit: number; readonly output: string | null }[];
}

const need = "the recorded cases in $HINGE_SHARED or ../shared";
const golden = resolve(sharedFolder ?? "", "golden"); // whole, for commands that run in a folder of their own
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The recorded cases that ended with a model. */
function recordedIn(file: string): (Recorded & { readonly model: string })[] {
  if (sharedFolder === undefined) return [];
  const cases: Recorded[] = JSON.parse(gunzipSync(readFileSync(join(golden, file))).toString());
  return cases.filter((one): one is Recorded & { readonly model: string } => typeof one.model === "string");
}

/** All numbers of a model file in order, by JavaScript's own reading. */
const numbersOf = (text: string): number[] => (text.match(/(?<=[\s:])-?\d[\d.e+-]*/g) ?? []).map(Number);

describeWith(need, sharedFolder !== undefined, "recorded model files", () => {
  const liblinear = recordedIn("liblinear-2.50.json.gz");
  const libsvm = recordedIn("libsvm-3.37.json.gz");
  const written = (read: typeof readLiblinearModel | typeof readLibsvmModel, model: string): string => {
    const data = read(bytesOf(model), "model");
    return new TextDecoder().decode("solverType" in data ? writeLiblinearModel(data) : writeLibsvmModel(data));
  };

  test("there are many of both, of every type that the records cover", () => {
    const types = (cases: readonly { model: string }[]): Set<unknown> => new Set(cases.map(({ model }) => model.split("\n")[0]));
    expect([liblinear.length, libsvm.length]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.min(liblinear.length, libsvm.length)).toBeGreaterThanOrEqual(50);
    expect([types(liblinear).size, types(libsvm).size]).toEqual([12, 5]);
  });

  for (const [program, read, cases] of [
    ["LIBLINEAR", readLiblinearModel, liblinear],
    ["LIBSVM", readLibsvmModel, libsvm],
  ] as const) {
    test(`of ${program}: all ${cases.length} are written back with the same numbers, and the same bytes`, () => {
      for (const { flags, data, model } of cases) {
        const again = written(read, model);
        expect(numbersOf(again), `${data} ${flags}`).toEqual(numbersOf(model));
        expect(again, `${data} ${flags}`).toBe(model);
      }
    });
  }

  const ours = /^solver_type (L[12]R_(L[12]LOSS_SVC|LR)(_DUAL)?|MCSVM_CS)\nnr_class [^1]/;

  test("of LIBLINEAR: classifiers of all kinds predict what LIBLINEAR predicted", async () => {
    let compared = 0;
    for (const { flags, data, model, predict } of liblinear.filter(({ model }) => ours.test(model))) {
      const { x } = await readSvmlight(join(golden, `${data}.svm`));
      const run = predict.find(({ flags, exit, output }) => flags === "" && exit === 0 && output !== null);
      if (run === undefined) continue;
      const loaded = await load(bytesOf(model));
      if (!(loaded instanceof LinearClassifier)) throw new Error("no classifier");
      const labels = await loaded.predict(x);
      expect(`${labels.join("\n")}\n`, `${data} ${flags}`).toBe(run.output);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(30);
  });

  const single = /^solver_type (L2R_L[12]LOSS_SVR(_DUAL)?|ONECLASS_SVM)\n/;

  test("of LIBLINEAR: regressions and one-class models predict what LIBLINEAR predicted", async () => {
    const seen = new Set<string | undefined>();
    for (const { flags, data, model, predict } of liblinear.filter(({ model }) => single.test(model))) {
      const { x } = await readSvmlight(join(golden, `${data}.svm`));
      const run = predict.find(({ flags, exit, output }) => flags === "" && exit === 0 && output !== null);
      if (run === undefined) continue;
      const loaded = await load(bytesOf(model));
      if (!(loaded instanceof LinearSVR || loaded instanceof LinearOneClassSVM)) throw new Error("another kind");
      const predicted = Array.from(await loaded.predict(x));
      const theirs = (run.output ?? "").trim().split("\n").map(Number);
      expect(predicted.length).toBe(theirs.length);
      // liblinear-predict prints six digits.
      predicted.forEach((value, i) => {
        const own = theirs[i] as number;
        expect(Math.abs(value - own), `${data} ${flags} row ${i}`).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(own)));
      });
      seen.add(model.split("\n")[0]);
    }
    expect(seen.size).toBe(4);
  });

  test("those of LIBSVM are kernel machines", async () => {
    for (const { flags, model } of libsvm) {
      const classes = { c_svc: SVC, nu_svc: NuSVC, one_class: OneClassSVM, epsilon_svr: SVR, nu_svr: NuSVR };
      const type = /^svm_type (\w+)/.exec(model)?.[1] as keyof typeof classes;
      if (/^nr_class 1$/m.test(model)) continue;
      expect(await load(bytesOf(model)), flags).toBeInstanceOf(classes[type]);
    }
  });

  test("all others are refused by what they are", async () => {
    for (const { flags, model } of liblinear.filter(({ model }) => !ours.test(model) && !single.test(model))) {
      const { code, message } = await rejected(load(bytesOf(model)));
      expect(code).toBe("bad-model");
      expect(message, flags).toMatch(/^this is a LIB(LINEAR|SVM) model of type \w+.*; hinge cannot predict with it yet$/);
    }
  });
});

const peers = ["liblinear-predict", "liblinear-train"];
const live = sharedFolder !== undefined && peers.every(hasProgram);

describeWith(`${need}, ${peers.join(" and ")}`, live, "LIBLINEAR's programs, live", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-model-files-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const labelsBy = (model: string, data: string): string => {
    const out = join(folder, "labels");
    execFileSync("liblinear-predict", [data, model, out], { stdio: "ignore" });
    return readFileSync(out, "utf8");
  };

  const multi: readonly [string, () => Promise<LinearClassifier>][] = [
    ["one-vs-rest", async () => LinearSVC.fit(...(await iris()))],
    ["Crammer-Singer", async () => LinearSVC.fit(...(await iris()), { loss: "hinge", multiClass: "crammer_singer" })],
    ["logistic, one-vs-rest", async () => LogisticRegression.fit(...(await iris()), { multiClass: "ovr" })],
    ["l1 logistic, one-vs-rest", async () => LogisticRegression.fit(...(await iris()), { penalty: "l1", C: 10 })],
  ];
  const iris = async () => {
    const { x, y } = await readSvmlight(join(golden, "iris.svm"));
    return [x, y] as [typeof x, Float64Array];
  };
  for (const [name, train] of multi) {
    test(`liblinear-predict takes our file of three classes and predicts the same: ${name}`, async () => {
      const model = await train();
      const file = join(folder, "three.model");
      await model.save(file);
      const [x] = await iris();
      expect(labelsBy(file, join(golden, "iris.svm"))).toBe(`${(await model.predict(x)).join("\n")}\n`);
      const again = await load(file);
      if (!(again instanceof LinearClassifier)) throw new Error("no classifier");
      expect(await again.decision(x)).toEqual(await model.decision(x));
    });
  }

  const options: readonly LinearSvcOptions[] = [
    {},
    { loss: "hinge", C: 10 },
    { bias: false },
    { bias: "augmented", biasScale: 0.3 },
    { loss: "hinge", biasScale: 7, classWeight: { "-1": 2 } },
  ];
  for (const option of options) {
    test(`liblinear-predict takes our file and predicts the same: ${JSON.stringify(option)}`, async () => {
      const data = join(golden, "heart_scale.svm");
      const { x, y } = await readSvmlight(data);
      const model = await LinearSVC.fit(x, y, option);
      const file = join(folder, "ours.model");
      await model.save(file);
      expect(labelsBy(file, data)).toBe(`${(await model.predict(x)).join("\n")}\n`);
      const again = await load(file, LinearSVC);
      expect(await again.decision(x)).toEqual(await model.decision(x));
    });
  }

  test("liblinear-predict takes our regressions and predicts the same numbers", async () => {
    const data = join(golden, "heart_scale.svm");
    const { x, y } = await readSvmlight(data);
    for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
      for (const bias of ["unregularised", "augmented", false] as const) {
        const model = await LinearSVR.fit(x, y, { loss, bias });
        const file = join(folder, "svr.model");
        await model.save(file);
        const theirs = labelsBy(file, data).trim().split("\n").map(Number);
        const ours = await model.predict(x);
        // liblinear-predict prints six digits.
        theirs.forEach((value, i) => {
          expect(Math.abs(value - (ours[i] as number))).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(value)));
        });
        expect(await (await load(file, LinearSVR)).predict(x)).toEqual(ours);
      }
    }
  });

  test("liblinear-predict takes what hinge train wrote, and both commands print the same labels", async () => {
    const data = join(golden, "heart_scale.svm");
    const file = join(folder, "command.model");
    expect((await hinge(folder, ["train", data, file])).code).toBe(0);
    const { code, stdout } = await hinge(folder, ["predict", data, file]);
    expect(code).toBe(0);
    expect(labelsBy(file, data)).toBe(stdout);
  });

  test("the order of classes and ties is LIBLINEAR's: label order 1 2, and a row on the boundary", async () => {
    const data = join(folder, "order.svm");
    writeFileSync(data, "1 1:1 2:1\n2 1:-1 2:1\n1 1:2\n2 1:-2\n");
    const file = join(folder, "order.model");
    execFileSync("liblinear-train", ["-s", "1", "-q", data, file]);
    expect(readFileSync(file, "utf8")).toContain("\nlabel 1 2\n");
    const model = await load(file, LinearSVC);
    expect(model.classes).toEqual([2, 1]);
    const test = join(folder, "ties.svm");
    writeFileSync(test, "1 1:0\n1 1:1\n1 1:-1\n");
    const { x } = await readSvmlight(test);
    expect(`${(await model.predict(x)).join("\n")}\n`).toBe(labelsBy(file, test));
    expect([...(await model.decision(x))].map(Math.sign)).toEqual([0, 1, -1]);
  });

  for (const solver of [1, 2, 3]) {
    test(`heart_scale -s ${solver} -c 0.1 -B 2 -e 1e-8: certify proves LIBLINEAR's model, whichever label comes first`, async () => {
      const data = join(golden, "heart_scale.svm");
      const { x, y } = await readSvmlight(data);
      const turned = join(folder, "turned.svm"); // the first row's label, 1, becomes the smaller one: the file's order is 1 2
      writeFileSync(
        turned,
        readFileSync(data, "utf8").replace(/^\S+/gm, (label) => (Number(label) === 1 ? "1" : "2")),
      );
      const file = join(folder, "theirs.model");
      for (const [source, labels, classes] of [
        [data, y, [-1, 1]],
        [turned, y.map((label) => (label === 1 ? 1 : 2)), [2, 1]],
      ] as const) {
        execFileSync("liblinear-train", [...`-s ${solver} -c 0.1 -B 2 -e 1e-8 -q`.split(" "), source, file]);
        const model = await load(file, LinearSVC);
        expect(model.classes).toEqual(classes);
        const judged = await certify(model, x, labels, { C: 0.1 });
        // At the optimum the sums' rounding may leave a gap just below 0.
        expect(Math.abs(judged.relativeGap)).toBeLessThanOrEqual(2 * AGREEMENT);
      }
    });
  }
});

describeWith("svm-train", hasProgram("svm-train"), "LIBSVM's svm-train, live", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hinge-libsvm-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // What the records do not cover. An older LIBSVM may write fewer digits, hence numbers are compared besides bytes.
  const cases: readonly [what: string, flags: string, data: string][] = [
    ["a precomputed kernel", "-t 4", "1 0:1 1:1 2:0 3:0.5\n-1 0:2 1:0 2:1 3:0\n1 0:3 1:0.5 2:0 3:1\n"],
    ["one class only, with empty lists", "-s 0 -b 1", "1 1:1\n1 1:2\n"],
    ["features from 0 and values of many digits", "-c 3", "1 0:4 1:1\n2 0:1 1:2\n3 1:7\n3 1:1.23456789e10\n"],
  ];
  for (const [what, flags, data] of cases) {
    test(`${what}: its file comes back`, () => {
      const [source, file] = [join(folder, "data"), join(folder, "model")];
      writeFileSync(source, data);
      execFileSync("svm-train", [...flags.split(" "), source, file], { stdio: "ignore" });
      const text = readFileSync(file, "utf8");
      const again = new TextDecoder().decode(writeLibsvmModel(readLibsvmModel(bytesOf(text), file)));
      expect(numbersOf(again)).toEqual(numbersOf(text));
      expect(again).toBe(text);
    });
  }
});
