// Tables that differ from those a model was trained on, and data that comes in odd wrappings.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { columns, LinearSVC, OneHotEncoder, pipeline, readCsv, TfidfVectorizer } from "../../src/index.ts";
import { hasProgram } from "../requires.ts";
import { rejected } from "../thrown.ts";
import { folder, hinge, tiny } from "./command.ts";

const zips = "zip,v,y\nA1,1,a\n12,2,b\nA1,3,a\n12,4,b\nA1,3,a\n12,4,b\n";

/** A folder in which z.json is the model of z.csv, besides other files. */
async function trained(files: Readonly<Record<string, string>>, csv = zips, more: readonly string[] = []): Promise<string> {
  const cwd = folder({ "z.csv": csv, ...files });
  const { code, stderr } = await hinge(cwd, ["train", "z.csv", "z.json", "--label", "y", "--quiet", ...more]);
  expect([code, stderr]).toEqual([0, ""]);
  return cwd;
}

describe.concurrent("a table is read as the model's was", () => {
  test("whatever its own values suggest", async () => {
    const cwd = await trained({
      "one.csv": "zip,v\nA1,3\n",
      "numbers.csv": "zip,v\n12,4\n12,2\n",
      "unseen.csv": "zip,v\nQ9,3\n",
      "turned.csv": "more,v,zip\nx,4,12\ny,1,A1\n",
      "empty.csv": "zip,v\n,3\n",
    });
    for (const [name, wanted] of [
      ["one.csv", ["a"]],
      ["numbers.csv", ["b", "b"]],
      ["unseen.csv", [expect.stringMatching(/^[ab]$/)]],
      ["turned.csv", ["b", "a"]],
      ["empty.csv", [expect.stringMatching(/^[ab]$/)]],
    ] as const) {
      const { code, stdout, stderr } = await hinge(cwd, ["predict", name, "z.json", "--quiet"]);
      expect([name, code, stderr, stdout.trim().split("\n")]).toEqual([name, 0, "", wanted]);
    }
  });

  test("columns that are not there are named", async () => {
    const cwd = await trained({ "other.csv": "v,zap\n3,A1\n", "none.csv": "y\na\n" });
    const one = await hinge(cwd, ["predict", "other.csv", "z.json"]);
    expect([one.code, one.stderr]).toEqual([
      1,
      "other.csv: there must be the column zip, which the model learnt from; besides the label the file has v, zap. Add it, or rename what stands for it\n",
    ]);
    const two = await hinge(cwd, ["predict", "none.csv", "z.json", "--label", "y"]);
    expect(two.stderr).toMatch(/^none\.csv: there must be the columns v, zip, .* the file has none\. Add them/);
  });

  test("a number that is none is shown in its place", async () => {
    const cwd = await trained({ "bad.csv": "zip,v\nA1,three\n" });
    const { code, stderr } = await hinge(cwd, ["predict", "bad.csv", "z.json"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^bad\.csv:2:4: column "v" must hold finite decimal numbers, got "three"/)]);
  });

  test("labels that are texts stay texts, and numbers are the same however they are written", async () => {
    const texts = await trained({ "l.csv": "v,y\n1,007\n" }, "v,y\n1,007\n2,x\n1,007\n2,x\n");
    for (const label of ["y", "1", "-1"]) {
      const { stdout } = await hinge(texts, ["predict", "l.csv", "z.json", "--label", label, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ labels: ["007"], right: 1, accuracy: 1 });
    }
    const numbers = await trained({ "l.csv": "v,y\n1,1.0\n2,other\n" }, "v,y\n1,1\n2,2\n1,1\n2,2\n");
    const { stdout } = await hinge(numbers, ["predict", "l.csv", "z.json", "--label", "y", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ labels: [1, 2], right: 1 });
  });

  test("a report's test file as well", async () => {
    const cwd = folder({ "z.csv": zips, "t.csv": "zip,v,y\n12,4,b\n12,2,b\n" });
    const { code, stderr } = await hinge(cwd, ["report", "z.csv", "r.html", "--label", "y", "--test", "t.csv", "--quiet"]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a pipeline that begins with an encoder says its columns too", async () => {
    const cwd = folder({ "one.csv": "zip\n12\n" });
    const { table, y } = await readCsv(new TextEncoder().encode("zip,y\nA1,a\n12,b\nA1,a\n12,b\n"), { label: "y" });
    await (await pipeline(OneHotEncoder, LinearSVC).fit(table, y as string[])).save(join(cwd, "m.json"));
    expect((await hinge(cwd, ["predict", "one.csv", "m.json", "--quiet"])).stdout).toBe("b\n");
  });

  test("a model of a table takes no svmlight file, and the other way round", async () => {
    const cwd = await trained({ "tiny.svm": tiny });
    for (const command of ["predict", "check"]) {
      const { code, stderr } = await hinge(cwd, [command, "tiny.svm", "z.json"]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^tiny\.svm: the model in z\.json takes a table with the columns v, zip; this is read as svmlight/),
      ]);
    }
    await hinge(cwd, ["train", "tiny.svm", "t.json", "--quiet"]);
    const { code, stderr } = await hinge(cwd, ["predict", "z.csv", "t.json"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^t\.json: this model takes svmlight files, not tables/)]);
  });
});

describe.concurrent("kinds of columns at training", () => {
  test("--kinds says them", async () => {
    const cwd = await trained({}, "a,b=c,v,y\n1,one way,1,p\n2,two ways,2,q\n1,one way,3,p\n2,two ways,4,q\n", [
      "--kinds",
      "v=categorical,b=c=text",
    ]);
    const [{ parts }] = JSON.parse(readFileSync(join(cwd, "z.json"), "utf8")).stages as [{ parts: { names: string[]; kind: string }[] }];
    expect(parts.map(({ names, kind }) => [names, kind])).toEqual([
      [["b=c"], "text"],
      [["a"], "numeric"],
      [["v"], "categorical"],
    ]);
  });

  const must = "--kinds must be column=kind with a kind of numeric, categorical, text, and commas between columns, got";
  test.each([
    ["missing.csv", "v=categoric", `${must} "v=categoric"; did you mean "categorical"?`],
    ["missing.csv", "zip=text,v", `${must} "v"`],
    ["missing.csv", "=text", `${must} "=text"`],
    ["missing.csv", "v=text,v=numeric", '--kinds names column "v" twice; leave one out'],
    ["missing.svm", "v=text", "--kinds is for CSV and TSV; in svmlight files all is numbers. --format says what the file is"],
  ])("%s --kinds %s is refused before anything is read", async (file, kinds, wanted) => {
    const { code, stderr } = await hinge(folder(), ["train", file, "m.json", "--kinds", kinds]);
    expect([code, stderr]).toEqual([1, `${wanted}\n`]);
  });

  test("a column that is not there is refused with the nearest name", async () => {
    const { code, stderr } = await hinge(folder({ "z.csv": zips }), ["train", "z.csv", "--label", "y", "--kinds", "zi=text"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('kinds names column "zi", but there is none among 3; did you mean "zip"?')]);
  });

  test("texts without a term are categories", async () => {
    const cwd = await trained({ "more.csv": "c\nx\n?\nw\n" }, "c,y\nx,1\ny,0\n");
    expect((await hinge(cwd, ["predict", "z.csv", "z.json", "--label", "y", "--quiet"])).stdout).toBe("1\n0\n");
    expect((await hinge(cwd, ["predict", "more.csv", "z.json"])).code).toBe(0);
    const { code, stderr } = await hinge(cwd, ["train", "z.csv", "--label", "y", "--kinds", "c=text", "--quiet"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^column "c" as text: no text has a term; .* kind "categorical"\n$/)]);
  });

  test("the library names the column too", async () => {
    const { table, y } = await readCsv(new TextEncoder().encode("c,y\nx,1\ny,0\n"), { label: "y" });
    const error = await rejected(pipeline(columns({ c: TfidfVectorizer }), LinearSVC).fit(table, y as Float64Array));
    expect(error.message).toMatch(/^column "c" as text: no text has a term/);
  });

  test("decimal commas are refused, in features and labels", async () => {
    const cwd = folder({ "c.csv": "a;b;y\n1,5;2;x\n-2;2;z\n", "ids.csv": "a;y\n1,5;x\n2,5;y\n1,5;x\n2,5;y\n" });
    const feature = await hinge(cwd, ["train", "c.csv", "--label", "y"]);
    expect([feature.code, feature.stderr]).toEqual([
      1,
      'c.csv: column "a" must hold numbers with decimal points, got commas as in "1,5"; write points, or say --kinds a=categorical if these are no numbers\n',
    ]);
    const label = await hinge(cwd, ["train", "c.csv", "--label", "0"]);
    expect([label.code, label.stderr]).toEqual([
      1,
      expect.stringMatching(/^c\.csv: the label column must hold numbers with decimal points/),
    ]);
    expect((await hinge(cwd, ["train", "ids.csv", "--label", "y", "--kinds", "a=categorical", "--quiet"])).code).toBe(0);
  });
});

describe.concurrent("wrappings", () => {
  const pack = (name: string, text: string): Buffer => spawnSync(name, ["-c"], { input: text }).stdout;

  test.runIf(hasProgram("bzip2"))("bzip2 data of several streams is read to its end", async () => {
    const one = pack("bzip2", tiny);
    const long = spawnSync("bzip2", ["-1", "-c"], { input: tiny.repeat(8000) }).stdout;
    const two = Buffer.concat([one, long]);
    const cwd = folder({
      "two.bz2": two,
      "cut.bz2": two.subarray(0, one.length + 4),
      "short.bz2": two.subarray(0, -40),
      "broken.bz2": Buffer.concat([one, one.map((byte, k) => (k === 30 ? byte ^ 1 : byte))]),
      "more.bz2": Buffer.concat([one, Buffer.from("more\n")]),
    });
    const { stdout } = await hinge(cwd, ["train", "two.bz2", "m.json", "--json"]);
    expect(JSON.parse(stdout).rowCount).toBe(4 + 4 * 8000);
    for (const name of ["cut", "short", "broken"]) {
      const { code, stderr } = await hinge(cwd, ["train", `${name}.bz2`, "m.json"]);
      expect([code, stderr]).toEqual([1, `${name}.bz2: the bzip2 data is damaged or cut off\n`]);
    }
    expect((await hinge(cwd, ["train", "more.bz2", "m.json"])).stderr).toBe(
      "more.bz2: something else follows the bzip2 data; cut it off\n",
    );
  });

  // The block of a stream ends where the first byte of the next one's head could be: data cut there looks whole to whoever asks only whether bytes are left.
  test.runIf(hasProgram("bzip2"))("bzip2 data that is cut anywhere is refused", async () => {
    const whole = pack("bzip2", tiny);
    const cuts = Array.from({ length: 14 }, (_, k) => whole.subarray(0, whole.length - 1 - k));
    const cwd = folder(Object.fromEntries(cuts.map((bytes, k) => [`${k}.bz2`, bytes])));
    for (const k of cuts.keys()) expect((await hinge(cwd, ["train", `${k}.bz2`, "m.json"])).stderr).toContain("damaged or cut off");
  });

  test.runIf(hasProgram("xz"))("damaged xz data names its file once", async () => {
    const cwd = folder({ "cut.xz": pack("xz", tiny).subarray(0, 60) });
    expect((await hinge(cwd, ["train", "cut.xz", "m.json"])).stderr).toBe("cut.xz: the xz data is damaged or cut off\n");
  });

  const canPipe = process.platform !== "win32" && hasProgram("bash");
  test.runIf(canPipe).each(["cat", ...["xz", "gzip", "bzip2", "zstd"].filter(hasProgram)])("a pipe of %s", async (name) => {
    const cwd = folder({ "tiny.svm": tiny });
    const bin = join(import.meta.dirname, "../../bin/hinge.js");
    const command = `"${process.execPath}" "${bin}" train <(${name} ${name === "cat" ? "" : "-c "}tiny.svm) m.json --json`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8", timeout: 60_000 });
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).rowCount).toBe(4);
  });
});

describe.concurrent("predictions and probabilities", () => {
  test("--json holds the probabilities that were asked for; - is stdout", async () => {
    const cwd = folder();
    await hinge(cwd, ["train", "tiny.svm", "m.json", "--estimator", "logistic-regression", "--quiet"]);
    const { stdout } = await hinge(cwd, ["predict", "tiny.svm", "m.json", "-", "--probabilities", "--json"]);
    const { classes, labels, probabilities } = JSON.parse(stdout) as { classes: number[]; labels: number[]; probabilities: number[][] };
    expect(classes).toEqual([-1, 1]);
    expect(probabilities.length).toBe(4);
    for (const [i, [no = 0, yes = 0]] of probabilities.entries()) {
      expect(no + yes).toBeCloseTo(1, 12);
      expect(labels[i]).toBe(yes > no ? 1 : -1);
    }
    expect((await hinge(cwd, ["predict", "tiny.svm", "m.json", "-", "--quiet"])).stdout).toBe("1\n-1\n1\n-1\n");
    expect(existsSync(join(cwd, "-"))).toBe(false);
    const filed = await hinge(cwd, ["predict", "tiny.svm", "m.json", "out", "--probabilities", "--json"]);
    expect(JSON.parse(filed.stdout)).not.toHaveProperty("probabilities");
  });

  test("LIBSVM's estimates are not lost without a word", async () => {
    const cwd = folder({ "some.svm": tiny.repeat(5) });
    await hinge(cwd, ["svm-train", "-b", "1", "-q", "some.svm", "p.model"]);
    await hinge(cwd, ["svm-train", "-q", "some.svm", "plain.model"]);
    const { code, stderr } = await hinge(cwd, ["convert", "p.model", "p.json", "--quiet"]);
    expect([code, stderr]).toEqual([
      0,
      "p.json has no probability estimates: those in p.model are LIBSVM's own, which hinge svm-predict -b 1 reads there\n",
    ]);
    expect((await hinge(cwd, ["convert", "plain.model", "q.json", "--quiet"])).stderr).toBe("");
    const asked = await hinge(cwd, ["predict", "some.svm", "p.model", "--probabilities"]);
    expect([asked.code, asked.stderr]).toEqual([
      1,
      "p.model: this model has no probabilities; LIBSVM's own estimates in its file are for hinge svm-predict -b 1\n",
    ]);
    expect((await hinge(cwd, ["predict", "some.svm", "plain.model", "--probabilities"])).stderr).toContain("logistic-regression");
  });
});

describe.concurrent("check", () => {
  test("tells what the columns of a table hold, and what about them will hurt", async () => {
    const lines = Array.from(
      { length: 42 },
      (_, i) => `${i},${i % 2 ? "left" : "right"},,same,${i % 5 ? "" : "one text"} ${i},${i < 2 ? "rare" : "usual"}`,
    );
    const cwd = folder({ "t.csv": `size,side,empty,still,note,y\n${lines.join("\n")}\n`.replace("\n7,left", "\n,left") });
    const { code, stdout, stderr } = await hinge(cwd, ["check", "t.csv", "--label", "y"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((text) => text.replace(/ +[\d.]+ m?s$/, ""))).toEqual([
      "read      42 rows, 5 columns",
      "data      2 classes: rare (2 rows), usual (40 rows)",
      "column    size: numeric, 41 values from 0 to 41, 1 missing",
      "column    side: categorical, 2 values",
      "column    empty: missing",
      "column    still: categorical, 1 value",
      "column    note: text, 42 values",
      expect.stringMatching(/^warning {3}class usual has 40 rows, 20 times as many/),
      expect.stringContaining("--class-weight balanced"),
      expect.stringMatching(/^warning {3}1 class has fewer rows than the 5 folds/),
      expect.anything(),
      expect.stringMatching(/^warning {3}nu-SVC can have a nu of at most/),
      expect.anything(),
      "warning   1 column has no values: empty",
      expect.anything(),
      "warning   1 column holds one value only: still",
      expect.anything(),
      "note      1 column lacks values: size",
      expect.anything(),
      "",
    ]);
    const { columns: told, labels } = JSON.parse((await hinge(cwd, ["check", "t.csv", "--label", "y", "--json"])).stdout);
    expect(told[0]).toEqual({ name: "size", kind: "numeric", missingCount: 1, valueCount: 41, minimum: 0, maximum: 41 });
    expect(labels).toEqual({
      kind: "classes",
      classes: [
        { label: "rare", count: 2 },
        { label: "usual", count: 40 },
      ],
    });
    expect((await hinge(cwd, ["check", "t.csv"])).stdout).toContain("no labels; --label names their column");
  });

  test.each(["xz", "bzip2", "zstd"].filter(hasProgram))("reads svmlight packed by %s, with the same lines", async (name) => {
    const text = `${tiny}1 3:x\n`;
    const cwd = folder({ "plain.svm": text, packed: spawnSync(name, ["-c"], { input: text }).stdout });
    const findings = async (path: string): Promise<unknown> => JSON.parse((await hinge(cwd, ["check", path, "--json"])).stdout).findings;
    expect(JSON.stringify(await findings("packed"))).toContain('"line":5');
    expect(await findings("packed")).toEqual(await findings("plain.svm"));
  });

  test("reads stdin", () => {
    const bin = join(import.meta.dirname, "../../bin/hinge.js");
    const { status, stdout } = spawnSync(process.execPath, [bin, "check", "-", "--json"], { input: tiny, encoding: "utf8" });
    expect([status, JSON.parse(stdout).rowCount]).toEqual([0, 4]);
  });
});

describe.concurrent("train --calibrate", () => {
  test("writes a model with probabilities, of rows and of tables", async () => {
    const cwd = await trained({ "some.svm": tiny.repeat(8) }, `zip,v,y\n${zips.split("\n").slice(1).join("\n").repeat(5)}`, [
      "--calibrate",
      "sigmoid",
    ]);
    const table = await hinge(cwd, ["predict", "z.csv", "z.json", "--label", "y", "--probabilities", "--json"]);
    expect(JSON.parse(table.stdout)).toMatchObject({ accuracy: 1, classes: ["a", "b"] });
    const svc = await hinge(cwd, ["train", "some.svm", "s.json", "--estimator", "svc", "--calibrate", "isotonic"]);
    expect([svc.code, svc.stderr]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(join(cwd, "s.json"), "utf8"))).toMatchObject({ estimator: "CalibratedClassifier", method: "isotonic" });
    const rows = await hinge(cwd, ["predict", "some.svm", "s.json", "--probabilities", "--json"]);
    expect(JSON.parse(rows.stdout)).toMatchObject({ accuracy: 1, classes: [-1, 1] });
  });

  test.each([
    ["m.json --calibrate platt", /^--calibrate must be .*sigmoid.*got "platt"/],
    ["m.model --calibrate sigmoid", "a calibrated model is saved with its calibration, which only JSON holds: m.model must end in .json\n"],
    [
      "m.json --estimator linear-svr --calibrate sigmoid",
      "--calibrate is for classifiers, linear-svr tells no classes apart; leave it out\n",
    ],
  ])("train missing.svm %s is refused before anything is read", async (args, wanted) => {
    const { code, stderr } = await hinge(folder(), ["train", "missing.svm", ...args.split(" ")]);
    expect([code, stderr]).toEqual([1, typeof wanted === "string" ? wanted : expect.stringMatching(wanted)]);
  });
});
