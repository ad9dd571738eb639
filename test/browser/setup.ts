// Before the browser suites: fits the cases in Node, whose bytes the browsers must reproduce.

import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    bytesFromNode: Record<string, string>;
    isolated: boolean;
  }
}

export async function setup(project: TestProject): Promise<void> {
  const outfile = "build/browser-cases.mjs";
  await build({
    stdin: {
      contents: `import { sameBytesCases } from "./test/browser/cases.ts";
        export const bytes = {};
        for (const { name, train } of sameBytesCases) bytes[name] = new TextDecoder().decode((await train({})).toBytes());`,
      resolveDir: ".",
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { "#platform": "./src/runtime/node.ts" },
  });
  const { bytes } = (await import(new URL(`../../${outfile}?${Date.now()}`, import.meta.url).href)) as { bytes: Record<string, string> };
  project.provide("bytesFromNode", bytes);
}
