// npm run bench [-- case …] [--data folder] [--runs 7] [--quick]: measures by the protocol and writes bench/results/<case>.json,
// from which docs/performance.md is made; --page only makes the page again.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Case } from "./cases/case.ts";
import { epochCase } from "./cases/epoch.ts";
import { microCase } from "./cases/micro.ts";
import { readCase } from "./cases/read.ts";
import { trainCase } from "./cases/train.ts";
import { namedSet } from "./data.ts";
import { machine, quiet } from "./protocol.ts";
import { writePerformancePage } from "./report/page.ts";

const cases: readonly Case[] = [microCase, readCase, epochCase, trainCase];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    runs: { type: "string", default: "7" },
    quick: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});
const folder = values.data ?? ["../shared/data"].find(existsSync);
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const unknown = positionals.filter((name) => !cases.some((candidate) => candidate.name === name));
if (unknown.length > 0) {
  say(`no case is called ${unknown.join(", ")}; there are ${cases.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}

for (const one of cases.filter(({ name }) => !values.page && (positionals.length === 0 || positionals.includes(name)))) {
  const files = one.sets.flatMap((name) => namedSet(folder, name) ?? []);
  const missing = one.sets.filter((name) => !files.some((file) => file.name === name));
  if (missing.length > 0) say(`${one.name}: without ${missing.join(", ")}, not in ${folder ?? "any folder given by --data"}`);
  await quiet();
  const runs = values.quick ? 3 : Number(values.runs);
  const made = { case: one.name, title: one.title, command: `npm run bench -- ${one.name} --runs ${runs}`, machine: machine(), missing };
  const rows = await one.run(values.quick ? files.slice(0, 1) : files, { runs, quick: values.quick, say });
  mkdirSync("bench/results", { recursive: true });
  const data = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  writeFileSync(`bench/results/${one.name}.json`, `${JSON.stringify({ ...made, data, rows }, null, 1)}\n`);
}
writePerformancePage();
process.exit(0);
