// Types and lint, for the project and for the core.

import { spawnSync } from "node:child_process";

const checks = [
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"],
  ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
];
const failed = checks.filter((args) => spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0);
process.exit(failed.length === 0 ? 0 : 1);
