// Whole commands: from a file to a model on disk at a gap of 1e-3, hinge train against liblinear-train; and what starting takes. LIBLINEAR's model format on both sides,
// so that one judge reads both. Tolerances come from the case "linear", which climbs the ladders in memory, and every model that a command wrote is judged again.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linearSvcOptions } from "../../src/base/options/linear-svc.ts";
import { logisticRegressionOptions } from "../../src/base/options/logistic-regression.ts";
import { linearSvcSettings } from "../../src/estimators/linear-svc.ts";
import { logisticSettings } from "../../src/estimators/logistic-regression.ts";
import { type LabelledRows, type LinearClassifier, LinearSVC, LogisticRegression, load, matrix, readSvmlight } from "../../src/index.ts";
import { runCommand } from "../command.ts";
import { liblinear } from "../contenders/liblinear.ts";
import { hingeVersion } from "../contenders/ours.ts";
import type { DataFile } from "../data.ts";
import { OUR_LADDER, THEIR_LADDER } from "../in-memory-race.ts";
import { problemsJudge } from "../linear-judge.ts";
import { alternate, COUNTED, meanRatio, ratioOf, type Spread, spreadBy } from "../protocol.ts";
import type { Case, CaseSettings, Row } from "./case.ts";
import { linearCase, linearProblems } from "./linear.ts";

const GAP = 1e-3;
/** The fit whose dual values are the bounds: what it leaves open counts against every contender alike. */
const BOUND = { tolerance: 1e-4, timeLimitSeconds: 120 };
/** What most people train; the others are in the case "linear". */
const problems = linearProblems.filter(({ name }) => ["hinge", "squared hinge", "logistic"].includes(name));
/** A solver of LIBLINEAR that the case "linear" saw take so many times as long as another is not tried. */
const HOPELESS = 1.5;

export const cliCase: Case = {
  name: "cli",
  title: "Whole commands: file to model on disk at a gap of 1e-3, and starting",
  sets: linearCase.sets,
  async run(files, settings) {
    const rows: Row[] = await starts(settings.runs);
    const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
    try {
      for (const file of files) {
        const read = await readSvmlight(file.path);
        const data = { ...read, x: matrix(read.x) };
        for (const problem of settings.quick ? problems.slice(0, 1) : problems)
          rows.push(...(await raceOn(file, data, problem, folder, settings)));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return rows;
  },
  summary: (rows) => summaryOf(rows.filter(({ measure }) => measure !== STARTING)),
};

const STARTING = "starting: hinge --version beside node -e 0";

async function starts(runs: number): Promise<Row[]> {
  const command = (args: string[]) => async () => (await runCommand(process.execPath, args)).milliseconds;
  const times = await alternate({ ours: command(["bin/hinge.js", "--version"]), node: command(["-e", "0"]) }, 3 * runs);
  const above = times.ours.median - times.node.median;
  const common = { data: "none", measure: STARTING };
  return [
    { ...common, contender: "hinge --version", version: hingeVersion, ...times.ours, aboveNode: above },
    { ...common, contender: "node -e 0", version: process.version, ...times.node },
  ];
}

type Problem = (typeof problems)[number];

interface Command {
  readonly id: string;
  readonly version: string | undefined;
  readonly threads: number;
  readonly program: string;
  readonly ladder: readonly number[];
  /** As the case "linear" calls it. */
  readonly inMemory: string;
  args(tolerance: number): string[];
}

function hingeTrain(problem: Problem, threads: number): Command {
  const { loss } = problem.options as { loss?: string };
  const own = problem.logistic
    ? ["--estimator", "logistic-regression", "--multi-class", "ovr"]
    : ["--estimator", "linear-svc", "--loss", loss ?? "squared_hinge"];
  return {
    id: `hinge train, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version: hingeVersion,
    threads,
    program: process.execPath,
    ladder: OUR_LADDER,
    inMemory: "hinge",
    args: (tolerance) => [
      ...["bin/hinge.js", "train", ...own, "--c", "1", "--bias", "false"],
      ...["--tolerance", String(tolerance), "--threads", String(threads), "--quiet"],
    ],
  };
}

function liblinearTrain(solver: number): Command {
  return {
    id: `liblinear-train -s ${solver}`,
    version: liblinear.version,
    threads: 1,
    program: "liblinear-train",
    ladder: THEIR_LADDER,
    inMemory: `liblinear -s ${solver}`,
    args: (tolerance) => ["-s", String(solver), "-c", "1", "-e", String(tolerance), "-q"],
  };
}

interface Climbed {
  readonly command: Command;
  readonly tolerance: number;
  readonly gap: number;
  /** Of the run that was judged. */
  readonly milliseconds: number;
}

async function raceOn(file: DataFile, data: LabelledRows, problem: Problem, folder: string, settings: CaseSettings): Promise<Row[]> {
  const { runs, say } = settings;
  say(`cli ${file.name} ${problem.name}`);
  const model = join(folder, "a.model");
  const gapOf = await judgeOf(data, problem);
  const peaks = new Map<string, number[]>();
  const run = async ({ id, program, args }: Command, tolerance: number): Promise<number> => {
    const { milliseconds, peakBytes } = await runCommand(program, [...args(tolerance), file.path, model]);
    peaks.set(id, [...(peaks.get(id) ?? []), peakBytes]);
    return milliseconds;
  };
  const climbed = async (command: Command): Promise<Climbed> => {
    const start = Math.max(0, command.ladder.indexOf(foundInMemory(file.name, problem.name, command.inMemory)?.tolerance ?? Number.NaN));
    let last: Climbed | undefined;
    for (const tolerance of command.ladder.slice(start)) {
      const milliseconds = await run(command, tolerance);
      last = { command, tolerance, gap: gapOf((await load(model)) as LinearClassifier), milliseconds };
      if (last.gap <= GAP) break;
    }
    return last as Climbed;
  };
  const two = await climbed(hingeTrain(problem, 2));
  const racers = [two, { ...two, command: hingeTrain(problem, 1) }];
  const peers: Climbed[] = [];
  for (const solver of worthTrying(file.name, problem)) peers.push(await climbed(liblinearTrain(solver)));
  const [best] = peers.filter(({ gap }) => gap <= GAP).sort((a, b) => a.milliseconds - b.milliseconds);
  if (best !== undefined) racers.push(best);
  const known = Object.fromEntries(racers.map(({ command, milliseconds }) => [command.id, milliseconds]));
  const times: Readonly<Record<string, Spread>> = await alternate<string>(
    Object.fromEntries(racers.map(({ command, tolerance }) => [command.id, () => run(command, tolerance)])),
    runs,
    known,
  );
  return racers.map(({ command, tolerance, gap }): Row => {
    const spread = times[command.id] as Spread;
    return {
      ...{ data: file.name, measure: problem.name, contender: command.id, version: command.version, threads: command.threads },
      ...{
        flags: command
          .args(tolerance)
          .slice(command.program === process.execPath ? 1 : 0)
          .join(" "),
        tolerance,
        gap,
        reached: gap <= GAP,
      },
      ...spread,
      peakMebibytes: spreadBy(peaks.get(command.id) ?? [], (bytes) => bytes / 2 ** 20),
      ...(best !== undefined && command !== best.command && { peerOverOurs: ratioOf(times[best.command.id] as Spread, spread) }),
    };
  });
}

/** (P - D_best) / P of a model, the worst of its problems. */
async function judgeOf(data: LabelledRows, problem: Problem): Promise<(model: LinearClassifier) => number> {
  const options = { ...problem.options, C: 1, bias: false as const };
  const best: LinearClassifier = problem.logistic
    ? await LogisticRegression.fit(data.x, data.y, { ...options, ...BOUND } as object)
    : await LinearSVC.fit(data.x, data.y, { ...options, ...BOUND } as object);
  const settings = problem.logistic
    ? logisticSettings(logisticRegressionOptions.check(options))
    : linearSvcSettings(linearSvcOptions.check(options));
  return problemsJudge(data, settings, best).gapOf;
}

interface InMemory {
  readonly tolerance: number;
  readonly reached: boolean;
  readonly median?: number;
}

/** What the case "linear" found of a contender on this set, if it was run. */
function foundInMemory(data: string, measure: string, contender: string): InMemory | undefined {
  const path = "bench/results/linear.json";
  const rows = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { rows: Row[] }).rows : [];
  return rows.find((row) => row.data === data && row.measure === measure && row.contender === contender) as unknown as InMemory | undefined;
}

/** LIBLINEAR's solvers of the problem but for those that are known not to reach the gap, or to be much slower than another. */
function worthTrying(data: string, { name, solvers }: Problem): number[] {
  if (liblinear.version === undefined) return [];
  const found = solvers.map((solver) => ({ solver, known: foundInMemory(data, name, `liblinear -s ${solver}`) }));
  const least = Math.min(...found.map(({ known }) => known?.median ?? Infinity));
  return found
    .filter(({ known }) => known === undefined || (known.reached && (known.median ?? Infinity) <= HOPELESS * least))
    .map(({ solver }) => solver);
}

function summaryOf(rows: readonly Row[]): Row[] {
  return [...problems.map(({ name }) => name), undefined].flatMap((problem) =>
    ["hinge train, 2 threads", "hinge train, 1 thread"].flatMap((contender) => {
      const own = rows.filter((row) => row.contender === contender && (problem === undefined || row.measure === problem));
      const ratios = own.flatMap(({ median, peerOverOurs }) => {
        const ratio = (peerOverOurs as Spread | undefined)?.median;
        return ratio !== undefined && ratio * Number(median) >= COUNTED ? [ratio] : [];
      });
      if (ratios.length === 0) return [];
      const measure = "liblinear-train over hinge train, geometric mean where the peer needs 0.5 s";
      return [
        {
          data: `${ratios.length} cells`,
          contender,
          measure,
          problem: problem ?? "all",
          mean: meanRatio(ratios),
          worst: Math.min(...ratios),
        },
      ];
    }),
  );
}
