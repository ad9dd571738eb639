#!/usr/bin/env node
import { run } from "./load.js";

process.argv.splice(2, 0, "svm-predict");
await run();
