// The commands of hinge, in the order in which help lists them.

import type { Command } from "commander";
import type { Console } from "./console.js";
import { convertCommand } from "./convert.js";
import { cvCommand } from "./cv.js";
import { demoCommand } from "./demo.js";
import { predictCommand } from "./predict.js";
import { scaleCommand } from "./scale.js";
import { searchCommand } from "./search.js";
import { trainCommand } from "./train.js";

export const commands: readonly ((console: Console) => Command)[] = [
  trainCommand,
  predictCommand,
  searchCommand,
  cvCommand,
  scaleCommand,
  convertCommand,
  demoCommand,
];
