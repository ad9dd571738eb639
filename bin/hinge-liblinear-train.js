#!/usr/bin/env node
process.argv.splice(2, 0, "liblinear-train");
require("./load.js").run();
