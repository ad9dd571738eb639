#!/usr/bin/env node
process.argv.splice(2, 0, "svm-predict");
require("./load.js").run();
