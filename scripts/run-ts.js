// node scripts/run-ts.js <file.ts> [arguments]: bundles a TypeScript program of this project and runs it.

import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { build } from "esbuild";

const [entry, ...args] = process.argv.slice(2);
const outfile = `build/run/${basename(entry, ".ts")}.mjs`;
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2023",
  packages: "external",
  logLevel: "warning",
  alias: { "#platform": "./src/runtime/node.ts", hinge: "./src/index.ts" },
});
const { status } = spawnSync(process.execPath, [outfile, ...args], { stdio: "inherit" });
process.exit(status ?? 1);
