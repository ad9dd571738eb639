// Makes the checkout ready to run: installs the locked packages and builds, each only if something changed since it was last
// done. Needs nothing but Node and npm, because it is what runs first on a machine that has nothing else.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { executable } from "../bin/load.js";
import { fingerprint } from "./fingerprint.js";

const INSTALLED = "node_modules/.hinge-installed";
const BUILT = "dist/.built";
const OUTPUTS = [
  ...["index.js", "hinge.node.js", "cli.cjs", "core.wasm", "worker.js"].map((name) => `dist/${name}`),
  ...["cli", "worker", "steps"].map((name) => `dist/${name}.code`),
  ...["src/generated/core-flag.ts", "src/generated/core-wasm.ts", "src/generated/worker-source.ts"],
];

requireNode(20, 19);
const lock = fingerprint(["package.json", "package-lock.json", ".npmrc"]) + process.version.split(".")[0];
if (isStale(INSTALLED, lock)) {
  // npm start and npm test hand their settings down in the environment; of those only the cache and the registry may matter.
  run("install", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(INSTALLED, lock);
}
// The build keeps code that is for one executable alone (bin/load.js).
const sources = `${executable()} ${fingerprint([
  "bin",
  "core",
  "src",
  "data",
  "scripts",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
])}`;
if (isStale(BUILT, sources) || !OUTPUTS.every(existsSync)) {
  run("build", process.execPath, ["scripts/build.js"]);
  writeFileSync(BUILT, sources);
}

function isStale(stamp, wanted) {
  return !existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted;
}

function run(what, command, args) {
  process.stderr.write(`${what}: ${[command === process.execPath ? "node" : command, ...args].join(" ")}\n`);
  const started = Date.now();
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (status !== 0) {
    process.stderr.write(`${what} failed${error ? `: ${error.message}` : ""}\n`);
    process.exit(1);
  }
  process.stderr.write(`${what}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split(".").map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  process.stderr.write(`hinge needs Node ${major}.${minor} or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}
