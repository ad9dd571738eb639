#!/usr/bin/env node
process.argv.splice(2, 0, "liblinear-predict");
require("./load.js").run();
