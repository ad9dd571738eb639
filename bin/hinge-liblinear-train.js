#!/usr/bin/env node
process.argv.splice(2, 0, "liblinear-train");
await import("../dist/cli.js");
