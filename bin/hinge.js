#!/usr/bin/env node
import { readFileSync } from "node:fs";

// The one question that needs nothing of what is behind: answered at once.
if (process.argv.length === 3 && process.argv[2] === "--version") {
  process.stdout.write(`${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
} else await (await import("./load.js")).run();
