#!/usr/bin/env node
process.argv.splice(2, 0, "svm-train");
await import("../dist/cli.js");
