// Fits whose bytes are compared between Node and the browsers.

import type { LinearSvcOptions } from "../../src/index.ts";
import { sparseSet } from "../problems/generate.ts";

export const sameBytesCases = [
  { name: "hinge", set: sparseSet(600, 50, 9, 31), options: { loss: "hinge", tolerance: 1e-6 } satisfies LinearSvcOptions },
  { name: "squared hinge", set: sparseSet(600, 50, 9, 32), options: { C: 10, seed: 5 } satisfies LinearSvcOptions },
  {
    name: "weighted, no bias",
    set: sparseSet(300, 20, 5, 33),
    options: { bias: false, classWeight: "balanced", loss: "hinge" } satisfies LinearSvcOptions,
  },
];
