#!/usr/bin/env node
process.argv.splice(2, 0, "svm-scale");
require("./load.js").run();
