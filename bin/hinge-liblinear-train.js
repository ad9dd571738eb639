#!/usr/bin/env node
import { run } from "./load.js";

process.argv.splice(2, 0, "liblinear-train");
await run();
