#!/usr/bin/env node
// The one question that needs nothing of what is behind: answered at once.
if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${require("../package.json").version}\n`);
else require("./load.js").run();
