import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesBelow } from "../../../scripts/fingerprint.js";

const tests = filesBelow("test/unit/core")
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");
const entry = ["entry", "descent", "crammer-singer", "kernel"].map((name) => readFileSync(`test/core/${name}.ts`, "utf8")).join("\n");
// Generic, so never exported; each is one load or store, and everything else goes through them.
const untestable = new Set(["at", "put"]);

for (const path of filesBelow("core").filter((file) => file.endsWith(".ts") && file !== "core/index.ts")) {
  for (const [, name] of readFileSync(path, "utf8").matchAll(/^export function (\w+)/gm)) {
    if (untestable.has(String(name))) continue;
    test(`${path}: ${name} is exported to the tests and one of them calls it`, () => {
      expect(entry).toMatch(new RegExp(`\\b${name}\\b`));
      const exported = new RegExp(`\\b${name} as (\\w+)`).exec(entry)?.[1] ?? name;
      expect(tests + entry).toMatch(new RegExp(`call\\.${exported}\\?\\.\\(`));
    });
  }
}
