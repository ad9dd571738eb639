// node bench/search-ours.js <kernel|linear> <file> <threads>: a search as a user would write it, from the file on; prints the best point and its accuracy as JSON.

import { LinearSVC, logRange, readSvmlight, SVC, search, stopPool } from "../dist/hinge.node.js";

const [kind, path, threads] = process.argv.slice(2);
const { x, y } = await readSvmlight(path, { threads: Number(threads) });
const common = { folds: 5, threads: Number(threads), refit: false };
const { best } =
  kind === "kernel"
    ? await search(SVC, x, y, { ...common, grid: { C: logRange(2 ** -5, 2 ** 15, 11), gamma: logRange(2 ** -17, 2 ** 3, 11) } })
    : await search(LinearSVC, x, y, { ...common, bias: false, grid: { C: logRange(2 ** -5, 2 ** 5, 11) } });
stopPool();
process.stdout.write(`${JSON.stringify({ point: best.point, accuracy: best.score, deviation: best.deviation })}\n`);
