#!/usr/bin/env node
process.argv.splice(2, 0, "liblinear-predict");
await import("../dist/cli.js");
