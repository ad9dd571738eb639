import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { filesBelow } from "../../scripts/fingerprint.js";
import { mayImport, roomOf, violations } from "./rules.ts";

const sources = ["src", "core", "reference", "data"].flatMap(filesBelow).filter((path) => path.endsWith(".ts"));

describe("the rules of docs/architecture.md", () => {
  test("there is something to check in every room that exists", () => {
    expect(new Set(sources.map(roomOf))).toContain("runtime");
    for (const path of sources) expect(Object.keys(mayImport), `${path} is in no room`).toContain(roomOf(path));
  });

  for (const path of sources) {
    test(`${path} keeps them`, () => {
      expect(violations(path, readFileSync(path, "utf8"))).toEqual([]);
    });
  }

  const page = readFileSync("docs/architecture.md", "utf8");

  test("docs/architecture.md prints the same table", () => {
    for (const [room, allowed] of Object.entries(mayImport)) {
      if (room === "generated" || room === "embedded") continue;
      expect(page).toContain(`| \`${room}\` | ${allowed.length === 0 ? "nothing" : allowed.join(", ")} |`);
    }
  });

  test("and draws every room, and what the core consists of", () => {
    const drawing = /## Rooms\n+```text\n(.*?)```/s.exec(page)?.[1] ?? "";
    for (const room of Object.keys(mayImport)) {
      const top = room === "embedded" ? "data/" : room === "core" || room === "reference" ? `${room}/` : `  ${room}(/|\\.ts)`;
      expect(drawing).toMatch(new RegExp(`^${top} `, "m"));
    }
    const core = /^core\/.*?(?=^reference\/)/ms.exec(drawing)?.[0] ?? "";
    for (const name of readdirSync("core").filter((name) => !/^(index|tsconfig)/.test(name))) {
      expect(core).toMatch(new RegExp(`[ ]${name.replace(/\.ts$/, "")}[/ \n]`));
    }
  });
});

describe("a deliberate violation is caught", () => {
  const violating: [string, string, string, string][] = [
    ["an import from above", "src/base/errors.ts", 'import { Matrix } from "../data/matrix.js";', "base may not import data"],
    [
      "a type import from above",
      "src/data/pack.ts",
      'import type { LinearSVC } from "../estimators/linear-svc.js";',
      "data may not import estimators",
    ],
    ["a re-export from above", "src/model/linear-svc.ts", 'export { fit } from "../solve/linear-svc.js";', "model may not import solve"],
    [
      "a lazy import from above",
      "src/solve/linear-svc.ts",
      'const m = await import("../certify/linear.js");',
      "solve may not import certify",
    ],
    ["an import type from above", "src/certify/linear.ts", 'type T = import("../solve/linear-svc.js").T;', "certify may not import solve"],
    ["formats reaching into select", "src/formats/csv.ts", 'import { audit } from "../select/audit.js";', "formats may not import select"],
    ["the public door importing the command line", "src/index.ts", 'export * from "./cli/hinge.js";', "index may not import cli"],
    ["the core importing the host", "core/rows.ts", 'import { x } from "../src/base/math";', "core may not import base"],
    [
      "a reference that leans on anything",
      "reference/dcd-svc.ts",
      'import { exp } from "../src/base/math.ts";',
      "reference may not import base",
    ],
    ["a package out of place", "src/solve/linear-svc.ts", 'import * as v from "valibot";', "solve may not import the package valibot"],
    [
      "Node in a room for all hosts",
      "src/formats/svmlight.ts",
      'import { readFileSync } from "node:fs";',
      "only runtime/node.ts and cli import node:fs",
    ],
    ["a room that does not exist", "src/utils/x.ts", 'import { y } from "../base/errors.js";', "utils may not import base"],
    ["printing", "src/estimators/linear-svc.ts", 'console.log("done");', "only cli prints"],
    ["unseeded random numbers", "src/data/folds.ts", "const r = Math.random();", "Math.random is never used"],
    ["the host's exponential", "src/metrics/loss.ts", "const e = Math.exp(1);", "Math.exp differs between hosts"],
    ["the clock", "src/solve/linear-svc.ts", "const t = performance.now();", "only runtime and cli touch the host's performance"],
    ["the process", "src/base/errors.ts", "const e = process.env;", "only runtime and cli touch the host's process"],
  ];
  for (const [name, path, text, message] of violating) {
    test(`${name}: ${message}`, () => {
      expect(violations(path, text)).toEqual([expect.stringContaining(`${path}: ${message}`)]);
    });
  }

  test("what only looks like one is not", () => {
    expect(violations("src/solve/x.ts", "const a = { process: 1 }; a.process; Math.max(1, 2); // console.log")).toEqual([]);
  });
});
