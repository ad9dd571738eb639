// The package as npm would publish it.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lock = readFileSync("package-lock.json", "utf8");
let folder = "";
let tarball = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hinge-package-"));
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]));
  tarball = join(folder, packed.filename);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", tarball, resolve("node_modules/valibot")], folder);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd = "."): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

describe("the manifest", () => {
  test("names one run-time dependency, and pins every version", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["valibot"]);
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("lists the development dependencies that CONTRIBUTING.md explains, and no others", () => {
    const page = readFileSync("CONTRIBUTING.md", "utf8");
    for (const name of Object.keys(manifest.devDependencies)) expect(page).toContain(`\`${name}\``);
    expect(page.match(/^\| `/gm)).toHaveLength(Object.keys({ ...manifest.devDependencies, ...manifest.dependencies }).length);
  });

  test("the lock file names no host", () => {
    expect(lock).not.toMatch(/"resolved"/);
  });
});

describe("the tarball", () => {
  test("publint finds nothing", async () => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, "node_modules/hinge"), strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>, { color: false }))).toEqual([]);
  });

  test("are-the-types-wrong finds nothing", () => {
    // Exits with 1 on a problem; the profile leaves out what CommonJS and Node 10 would see.
    const attw = resolve("node_modules/@arethetypeswrong/cli/dist/index.js");
    const report = run(process.execPath, [
      attw,
      tarball,
      "--profile",
      "esm-only",
      "--no-emoji",
      "--exclude-entrypoints",
      "./worker.js",
      "./package.json",
    ]);
    expect(report).toMatch(/node16 \(from ESM\).*OK/);
    expect(report).toMatch(/bundler.*OK/);
  }, 60_000);

  test("holds what is needed and nothing else", () => {
    const files = run("tar", ["-tzf", tarball]).trim().split("\n");
    for (const file of [
      "bin/hinge.js",
      "dist/index.js",
      "dist/index.d.ts",
      "bin/load.js",
      "dist/cli.cjs",
      "dist/cli.code",
      "dist/worker.code",
      "dist/steps.code",
      "dist/core.wasm",
      "dist/worker.js",
      "dist/hinge.browser.js",
      "LICENSE",
      "README.md",
    ]) {
      expect(files).toContain(`package/${file}`);
    }
    expect(
      files.filter((file) => !/^package\/(bin|dist)\/|^package\/(package\.json|LICENSE|README\.md|CHANGELOG\.md)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /test|reference|\/\./.test(file))).toEqual([]);
  });

  // Budgets, so that growth is a decision: what a page loads, and what it costs beside the worker's copy.
  for (const [file, kilobytes] of [
    ["dist/hinge.browser.js", 246], // nine solvers in the core, with their judges, the kernel machines' own in float64; classes in one pass, also with a free bias, logistic ones, judged in one; equal rows, support vectors read and written by the core; rows of pairs brought in by it; rows of small sets as columns; two entries of H at a time; kernel rows that come alone; loaded models prepared by it; products of whole numbers of units, and how they are found; sixteen rows at a time; signs by float32; rows as bits; what shrinking keeps; rows as bits, and what shrinking keeps
    ["dist/worker.js", 68],
  ] as const) {
    test(`${file} stays below ${kilobytes} kB, compressed`, () => {
      expect(gzipSync(readFileSync(file)).length).toBeLessThan(kilobytes * 1000);
    });
  }

  test("the command line stays below 338 kB, compressed, and what the engine made of it, with the tasks of the calling thread, of the worker and of the core below 1,130", () => {
    const sizeOf = (file: string): number => gzipSync(readFileSync(`dist/${file}`)).length;
    expect(sizeOf("cli.cjs")).toBeLessThan(338_000);
    expect(sizeOf("cli.code") + sizeOf("worker.code") + sizeOf("steps.code") + sizeOf("core.code")).toBeLessThan(1_130_000);
  });

  interface Loader {
    codeIn(name: string): Uint8Array | undefined;
    scriptOf(code: Uint8Array): { readonly cachedDataRejected: boolean };
  }

  test("the engine takes what it made of the command line when the package was built", async () => {
    const { codeIn, scriptOf } = (await import(resolve("bin/load.js"))) as Loader;
    const code = codeIn("cli.code") as Uint8Array;
    expect(scriptOf(code).cachedDataRejected).toBe(false);
    expect(scriptOf(code.subarray(0, 1000)).cachedDataRejected).toBe(true);
    expect(codeIn("worker.code")?.length).toBeGreaterThan(100_000);
  });

  test("and what it made of the workers' text, under the flags of each command", () => {
    // The engine says of every script whether it took the code; the workers' is the only one that the command line makes.
    const program = `
      import vm from "node:vm";
      const made = [];
      vm.Script = class extends vm.Script { constructor(text, options) { super(text, options); made.push(this); } };
      const { codeIn, exportsOf, scriptOf } = await import(${JSON.stringify(pathToFileURL(resolve("bin/load.js")).href)});
      const { main, startPoolHere } = exportsOf(scriptOf(codeIn("cli.code")));
      made.length = 0;
      startPoolHere({ workerCode: codeIn("worker.code") });
      const asked = [];
      const keptCode = (name) => { asked.push(name); return codeIn(name); };
      const quiet = { out() {}, err(text) { throw new Error(text); }, isTerminal: false, exit() {}, keptCode };
      await main(["train", process.argv[1], process.argv[2], "--estimator", process.argv[3], "--threads", "1"], quiet);
      process.stdout.write(JSON.stringify({ asked, rejected: made.map((script) => script.cachedDataRejected) }));
      process.exit();`;
    const folder = mkdtempSync(join(tmpdir(), "hinge-code-"));
    try {
      const data = join(folder, "two.svm");
      writeFileSync(data, Array.from({ length: 40 }, (_, i) => `${i % 2} 1:${(i % 2) + 0.01 * i} 2:${(i * 7) % 5}\n`).join(""));
      const told = (estimator: string): unknown =>
        JSON.parse(run(process.execPath, ["--input-type=module", "-e", program, data, join(folder, "model"), estimator]));
      expect(told("linear-svc")).toEqual({ asked: [], rejected: [false] });
      expect(told("svc")).toEqual({ asked: ["steps.code"], rejected: [false] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("and the core as machine code, if it is that of this core, whole, and under the same flags", () => {
    const program = `
      const { readFileSync } = require("node:fs");
      const { setFlagsFromString } = require("node:v8");
      const { codeIn, exportsOf, scriptOf } = require(${JSON.stringify(resolve("bin/load.js"))});
      const { coreFrom } = exportsOf(scriptOf(codeIn("cli.code")));
      const [file, core] = [codeIn("core.code"), new Uint8Array(readFileSync("build/core-shared.wasm"))];
      const isTaken = (own, wire) => coreFrom(own, wire) instanceof WebAssembly.Module;
      const other = core.slice();
      other[other.length - 1] ^= 1;
      const told = [isTaken(file, core), isTaken(file, other), isTaken(file.subarray(0, -1), core), isTaken(file.subarray(0, 4), core), isTaken(undefined, core)];
      const lost = new Uint8Array(file);
      lost.fill(0, lost.length - 100_000, lost.length - 100_000 + 512);
      told.push(isTaken(lost, core));
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
      const { exports } = new WebAssembly.Instance(coreFrom(file, core), { env: { memory } });
      // Sparse rows, one of them, of one value at 64.
      new Uint32Array(memory.buffer).set([1, 1, 1, 64, 128, 192]);
      new Uint32Array(memory.buffer, 192).set([0, 1]);
      for (const value of [1, 2]) {
        new Float32Array(memory.buffer)[16] = value;
        told.push(exports.areOnes(0));
      }
      setFlagsFromString("--interrupt-budget=528000");
      told.push(isTaken(file, core));
      process.stdout.write(JSON.stringify(told));`;
    expect(JSON.parse(run(process.execPath, ["-e", program]))).toEqual([true, false, false, false, false, false, 1, 0, false]);
  });

  test("commands leave the engine's flags alone where they were frozen", () => {
    const folder = mkdtempSync(join(tmpdir(), "hinge-frozen-"));
    try {
      const data = join(folder, "two.svm");
      writeFileSync(data, Array.from({ length: 40 }, (_, i) => `${i % 2} 1:${(i % 2) + 0.01 * i} 2:${(i * 7) % 5}\n`).join(""));
      for (const estimator of ["linear-svc", "svc"]) {
        const model = join(folder, estimator);
        run(process.execPath, ["--freeze-flags-after-init", "bin/hinge.js", "train", data, model, "--estimator", estimator]);
        expect(readFileSync(model).length).toBeGreaterThan(50);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a command that ends before it is over says 13, others what they say", () => {
    const copy = mkdtempSync(join(tmpdir(), "hinge-ended-"));
    try {
      cpSync("bin", join(copy, "bin"), { recursive: true });
      mkdirSync(join(copy, "dist"));
      const statusOf = (start: string): number | null => {
        writeFileSync(join(copy, "dist/cli.cjs"), `exports.start = ${start};`);
        return spawnSync(process.execPath, [join(copy, "bin/hinge.js"), "train"]).status;
      };
      expect(statusOf("() => new Promise(() => {})")).toBe(13);
      expect(statusOf("async (code, ended) => { ended(); process.exit(); }")).toBe(0);
      expect(statusOf("async (code, ended) => { process.exitCode = 3; ended(); process.exit(); }")).toBe(3);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test("and is not even shown what another executable made", async () => {
    const copy = mkdtempSync(join(tmpdir(), "hinge-code-"));
    try {
      cpSync("bin", join(copy, "bin"), { recursive: true });
      cpSync("dist/cli.code", join(copy, "dist/cli.code"));
      const { codeIn } = (await import(join(copy, "bin/load.js"))) as Loader;
      expect(codeIn("cli.code")?.length).toBeGreaterThan(100_000);
      const bytes = readFileSync("dist/cli.code");
      const header = bytes.toString("latin1", 0, 128);
      expect(header.trim().split(" ")[0]).toBe(process.version);
      for (const other of ["v20.0.0", "sparc", "9.9.9.9", "12345"]) {
        const spoiled = header
          .trim()
          .split(" ")
          .map((word, k) => (k === ["v20.0.0", "", "sparc", "9.9.9.9", "12345"].indexOf(other) ? other : word));
        writeFileSync(join(copy, "dist/cli.code"), Buffer.concat([Buffer.from(spoiled.join(" ").padEnd(128)), bytes.subarray(128)]));
        expect(codeIn("cli.code"), other).toBeUndefined();
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  for (const [what, spoil] of [
    ["missing", (file: string) => rmSync(file)],
    ["another executable's", (file: string) => writeFileSync(file, readFileSync(file).fill(7, 0, 64))],
    ["cut off", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 1000))],
  ] as const) {
    test(`commands work where that is ${what}, of the workers, too`, () => {
      const copy = mkdtempSync(join(tmpdir(), "hinge-code-"));
      try {
        for (const part of [
          "bin",
          "dist/cli.cjs",
          "dist/cli.code",
          "dist/worker.code",
          "dist/worker.js",
          "dist/core.code",
          "dist/core.wasm",
          "package.json",
        ]) {
          cpSync(part, join(copy, part), { recursive: true });
        }
        const [data, model] = [join(copy, "rows.svm"), join(copy, "rows.model")];
        writeFileSync(data, Array.from({ length: 300 }, (_, i) => `${i % 3} 1:${(i * 7) % 11} ${2 + (i % 3)}:1\n`).join(""));
        const train = (): string => {
          run(process.execPath, [join(copy, "bin/hinge.js"), "train", data, model, "--loss", "hinge", "--threads", "2"]);
          return readFileSync(model, "utf8");
        };
        const whole = train();
        spoil(join(copy, "dist/core.code"));
        expect(train()).toBe(whole);
        spoil(join(copy, "dist/worker.code"));
        expect(train()).toBe(whole);
        spoil(join(copy, "dist/cli.code"));
        expect(train()).toBe(whole);
      } finally {
        rmSync(copy, { recursive: true });
      }
    });
  }

  test("a part of the command line that is missing is named, also to a thread that is at work when a helper cannot come", () => {
    const copy = mkdtempSync(join(tmpdir(), "hinge-part-"));
    try {
      for (const part of ["bin", "dist/cli.cjs", "dist/worker.js", "dist/core.wasm", "package.json"]) {
        cpSync(part, join(copy, part), { recursive: true });
      }
      const [data, model] = [join(copy, "rows.svm"), join(copy, "rows.model")];
      writeFileSync(data, Array.from({ length: 3000 }, (_, i) => `${i % 2} 1:${(i * 7) % 11} 2:${(i * 3) % 7} 3:${i % 5}\n`).join(""));
      const hinge = (...args: string[]) => spawnSync(process.execPath, [join(copy, "bin/hinge.js"), ...args], { encoding: "utf8" });
      expect(hinge("train", data, model, "--estimator", "svc", "--threads", "1").status).toBe(0);
      const labels = join(copy, "labels.txt");
      for (const missing of ["worker.js", "core.wasm"]) {
        rmSync(join(copy, "dist", missing));
        const { status, stderr } = hinge("predict", data, model, labels, "--threads", "2");
        expect([status, stderr.trim().split("\n").length]).toEqual([2, 1]);
        expect(stderr).toContain(`${missing}, a part of hinge, cannot be read; install hinge again`);
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test("a bundler for browsers takes the browser's half, and no module of Node", async () => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: 'export { LinearSVC } from "hinge";', resolveDir: folder },
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((path) => path.endsWith("dist/runtime/browser.js"))).toBe(true);
    expect(inputs.some((path) => path.endsWith("dist/runtime/node.js"))).toBe(false);
    expect(outputFiles[0]?.text).not.toMatch(/from\s*"node:|require\("node:/);
  });
});

describe("a program that installed the tarball", () => {
  test("imports it by name, fits, and sees its types", () => {
    writeFileSync(
      join(folder, "program.ts"),
      `import { LinearSVC, type FitReport } from "hinge";
       const model: LinearSVC<string> = await LinearSVC.fit([[0], [1]], ["a", "b"], { C: 1 });
       const report: FitReport = model.report;
       const label: string = model.predictOne([1]);
       // @ts-expect-error epsilon is no option of a classifier
       await LinearSVC.fit([[0]], [1], { epsilon: 1 });
       console.log(report.status, label);\n`,
    );
    const tsc = resolve("node_modules/typescript/bin/tsc");
    run(process.execPath, [tsc, "--module", "nodenext", "--target", "es2023", "--strict", "--noEmit", "program.ts"], folder);
    writeFileSync(
      join(folder, "program.js"),
      'import { LinearSVC } from "hinge"; const m = await LinearSVC.fit([[0], [1]], ["a", "b"]); console.log(m.report.status, m.predictOne([1]));',
    );
    expect(run(process.execPath, ["program.js"], folder)).toBe("converged b\n");
    expect(run(process.execPath, ["node_modules/hinge/bin/hinge.js", "--version"], folder)).toBe(`${manifest.version}\n`);
  }, 60_000);
});
