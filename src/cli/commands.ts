// The commands of hinge, in the order in which help lists them.

import type { Command } from "commander";
import { checkCommand } from "./check.js";
import type { Console } from "./console.js";
import { convertCommand } from "./convert.js";
import { cvCommand } from "./cv.js";
import { demoCommand } from "./demo.js";
import { predictCommand } from "./predict.js";
import { reportCommand } from "./report.js";
import { scaleCommand } from "./scale.js";
import { searchCommand } from "./search.js";
import { trainCommand } from "./train.js";

export const commands: Readonly<Record<string, (console: Console) => Command>> = {
  train: trainCommand,
  predict: predictCommand,
  search: searchCommand,
  cv: cvCommand,
  scale: scaleCommand,
  check: checkCommand,
  convert: convertCommand,
  report: reportCommand,
  demo: demoCommand,
};
