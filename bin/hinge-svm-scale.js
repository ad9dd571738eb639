#!/usr/bin/env node
process.argv.splice(2, 0, "svm-scale");
await import("../dist/cli.js");
