// npm run bench [-- case …] [--data folder] [--sets a9a.train,…] [--runs 7] [--quick]: measures by the protocol and writes bench/results/<case>.json,
// from which docs/performance.md is made; --page only makes the page again. --keep keeps what an earlier run found on other sets, so that a long
// case can be run set by set: contenders are only compared on the same set, side by side. --quick only shows that a case works: one data set, one
// run after the warm-up, no waiting for a quiet machine, results in build/bench, the page left alone. --now does not wait either: for figures that are no times. --commands, of the case
// kernel: whole commands alone; what an earlier run found of fits in memory on these sets is kept with --keep.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Case, Row, UsedData } from "./cases/case.ts";
import { certifiedCase } from "./cases/certified.ts";
import { cliCase } from "./cases/cli.ts";
import { curvesCase } from "./cases/curves.ts";
import { epochCase } from "./cases/epoch.ts";
import { growthCase } from "./cases/growth.ts";
import { kernelCase } from "./cases/kernel.ts";
import { linearCase } from "./cases/linear.ts";
import { microCase } from "./cases/micro.ts";
import { predictCase } from "./cases/predict.ts";
import { readCase } from "./cases/read.ts";
import { regressionCase } from "./cases/regression.ts";
import { searchCase } from "./cases/search.ts";
import { smallCase } from "./cases/small.ts";
import { textCase } from "./cases/text.ts";
import { namedSet } from "./data.ts";
import { IN_MEMORY } from "./kernel-in-memory.ts";
import { machine, quiet } from "./protocol.ts";
import { writePerformancePage } from "./report/page.ts";

const cases: readonly Case[] = [
  microCase,
  readCase,
  epochCase,
  smallCase,
  linearCase,
  certifiedCase,
  regressionCase,
  kernelCase,
  predictCase,
  searchCase,
  textCase,
  cliCase,
  curvesCase,
  growthCase,
];

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const { positionals, values } = asked();
const folder = values.data ?? ["../shared/data"].find(existsSync);
const results = values.quick ? "build/bench" : "bench/results";
if (!/^[1-9]\d*$/.test(values.runs)) {
  say(`--runs must be a whole number from 1 on, got ${values.runs}`);
  process.exit(1);
}
if (values.commands && !(values.keep && positionals.length === 1 && positionals[0] === "kernel")) {
  say("--commands is for the case kernel, with --keep");
  process.exit(1);
}
const unknown = positionals.filter((name) => !cases.some((candidate) => candidate.name === name));
if (unknown.length > 0) {
  say(`no case is called ${unknown.join(", ")}; there are ${cases.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}

for (const one of cases.filter(({ name }) => !values.page && (positionals.length === 0 || positionals.includes(name)))) {
  const wanted = one.sets.filter((name) => values.sets === undefined || values.sets.split(",").includes(name));
  const found = wanted.flatMap((name) => namedSet(folder, name) ?? []);
  const files = values.quick ? found.slice(0, 1) : found;
  const missing = wanted.filter((name) => !found.some((file) => file.name === name));
  if (missing.length > 0) say(`${one.name}: without ${missing.join(", ")}, not in ${folder ?? "any folder given by --data"}`);
  if (!values.quick && !values.now) await quiet();
  const runs = values.quick ? 1 : Number(values.runs);
  const sets = values.keep ? ", set by set (--sets, --keep)" : values.sets === undefined ? "" : ` --sets ${values.sets}`;
  const command = `npm run bench -- ${one.name} --runs ${runs}${sets}${values.commands ? " --commands" : ""}${values.now ? " --now" : ""}${values.quick ? " --quick" : ""}`;
  const made = { case: one.name, title: one.title, command, machine: machine(), missing };
  const data: UsedData[] = [];
  const used = ({ name, bytes, sha256 }: UsedData): void => void data.push({ name, bytes, sha256 });
  for (const file of files) used(file);
  const { commit, cpu } = made.machine;
  const fresh = (await one.run(files, { runs, quick: values.quick, commandsOnly: values.commands, folder, say, used })).map((row) => ({
    ...row,
    commit,
    cpu,
  }));
  const path = `${results}/${one.name}.json`;
  const kept = values.keep && existsSync(path) ? others(JSON.parse(readFileSync(path, "utf8")), data) : { data: [], rows: [] };
  const rows = [...kept.rows, ...fresh];
  mkdirSync(results, { recursive: true });
  const result = { ...made, data: [...kept.data, ...data], rows: [...rows, ...(one.summary?.(rows) ?? [])] };
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
  say(path);
}

function asked() {
  const options = {
    data: { type: "string" },
    sets: { type: "string" },
    runs: { type: "string", default: "7" },
    quick: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    now: { type: "boolean", default: false },
    commands: { type: "boolean", default: false },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    say(`${(error as Error).message}\noptions: ${known.join(" ")}; cases: ${cases.map(({ name }) => name).join(" ")}`);
    process.exit(1);
  }
}

/** What a result says of other sets than these, and, of these, what was not measured anew because only whole commands were. */
function others(result: { data: UsedData[]; rows: Row[] }, measured: readonly UsedData[]): { data: UsedData[]; rows: Row[] } {
  const isMeasured = (name: string): boolean => measured.some((one) => one.name === name);
  const data = result.data.filter(({ name }) => !isMeasured(name));
  const same = result.data.filter(({ name, sha256 }) => measured.some((one) => one.name === name && one.sha256 === sha256));
  const isKept = (row: Row): boolean =>
    data.some(({ name }) => name === row.data) ||
    (values.commands && row.measure === IN_MEMORY && same.some(({ name }) => name === row.data));
  return { data, rows: result.rows.filter(isKept) };
}

if (!values.quick) writePerformancePage();
process.exit(0);
