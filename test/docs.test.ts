// Every code block of README and docs runs; generated pages are fresh; links lead somewhere.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesBelow } from "../scripts/fingerprint.js";
import { generatedPages } from "../scripts/reference.ts";
import { sparseSet } from "./problems/generate.ts";

const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...filesBelow("docs").filter((path) => path.endsWith(".md"))];
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
let folder = "";

/** Where the blocks run: a folder with the data files that they speak of. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hinge-docs-"));
  const set = sparseSet(200, 20, 6, 4);
  const lines = set.x.map(([indices, values], i) => `${set.y[i]} ${Array.from(indices, (j, k) => `${j + 1}:${values[k]}`).join(" ")}\n`);
  writeFileSync(join(folder, "train.svm"), lines.slice(0, 150).join(""));
  writeFileSync(join(folder, "test.svm"), lines.slice(150).join(""));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    text: match[2] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
}

async function runProgram(page: string, { text, line }: Block): Promise<string> {
  const outfile = join(folder, `${page.replace(/\W/g, "-")}-${line}.mjs`);
  await build({
    stdin: { contents: text, loader: "ts", resolveDir: dirname(resolve(page)) },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    tsconfigRaw: "{}",
    external: ["hinge"],
    alias: { hinge: resolve("dist/index.js") },
  });
  return execFileSync(process.execPath, [outfile], { cwd: folder, encoding: "utf8" });
}

/** Runs hinge's own commands; of npm's, which would run this very suite, checks that they exist. */
function runCommand(command: string): void {
  const [program, ...args] = command.split(/\s+/);
  if (program === "hinge") {
    execFileSync(process.execPath, [resolve("bin/hinge.js"), ...args], { cwd: folder, stdio: "ignore" });
  } else if (program === "npm") {
    expect(Object.keys(manifest.scripts)).toContain(args[0] === "run" ? args[1] : args[0]);
  } else {
    throw new Error(`nobody checks this command: ${command}`);
  }
}

/** What a comment behind console.log(…) promises, if the block makes promises. */
function promises({ text }: Block): string[] {
  return [...text.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, promised]) => String(promised));
}

describe("code blocks", () => {
  test("are of a kind that is checked", () => {
    for (const page of pages)
      for (const { language, line } of blocksOf(page)) expect(["ts", "sh", "text"], `${page}:${line}`).toContain(language);
    expect(pages.flatMap(blocksOf).filter(({ language }) => language === "ts").length).toBeGreaterThanOrEqual(4);
  });

  for (const page of pages) {
    for (const block of blocksOf(page)) {
      if (block.language === "ts") {
        test(`${page}:${block.line} runs and prints what it promises`, async () => {
          const printed = (await runProgram(page, block)).split("\n");
          for (const promise of promises(block)) expect(printed).toContain(promise);
        });
      }
      if (block.language === "sh") {
        test(`${page}:${block.line} runs`, () => {
          for (const command of block.text.trim().split("\n")) runCommand(command);
        });
      }
    }
  }
});

describe("pages", () => {
  for (const [path, text] of Object.entries(generatedPages)) {
    test(`${path} is what npm run docs writes`, () => {
      expect(readFileSync(path, "utf8")).toBe(text);
    });
  }

  for (const page of pages) {
    test(`${page}: every link to a file leads to one`, () => {
      for (const [, target = ""] of readFileSync(page, "utf8").matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
        if (!/^[a-z]+:/.test(target)) expect(existsSync(join(dirname(page), target)), target).toBe(true);
      }
    });
  }

  test("docs/reference/errors.md explains every code, and no other", () => {
    const source = readFileSync("src/base/errors.ts", "utf8");
    const codes = [...(/export type ErrorCode =([^;]*);/.exec(source)?.[1] ?? "").matchAll(/"([\w-]+)"/g)].map(([, code]) => code);
    const explained = [...readFileSync("docs/reference/errors.md", "utf8").matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code);
    expect(explained).toEqual(codes);
  });

  test("both commands stand on the README's first screen", () => {
    const screen = readFileSync("README.md", "utf8").split("\n").slice(0, 40).join("\n");
    expect(screen).toContain("npm start");
    expect(screen).toContain("npm test");
  });
});

test("a second npm start or npm test installs and builds nothing that is fresh", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ready.js"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
