// A fit that does not end by itself within any test: labels without a pattern, a huge C and a tolerance below all rounding.

import { flatSet } from "./generate.ts";

const { x } = flatSet(1500, 100, 77);

export const hard = { x, y: Array.from({ length: 1500 }, (_, i) => i % 2) };

export const endless = { tolerance: 1e-300, maxIterations: 2 ** 40, C: 1e6, loss: "hinge" as const, solver: "dual" as const };
