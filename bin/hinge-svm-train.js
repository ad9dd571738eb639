#!/usr/bin/env node
process.argv.splice(2, 0, "svm-train");
require("./load.js").run();
