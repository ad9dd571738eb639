// Time to a gap of 1e-3, solve only, one thread, C 1, no bias: ours against LIBLINEAR's solvers of the same problem, on data in memory.
// Theirs is train() of Debian's library. Ours is the whole fit but for the judge's own passes: posing the problems and the worker
// are in it. Where there are several classes, hence problems, ours is timed on two threads, too. Who of several solvers of LIBLINEAR is the best, the table tells; every one climbs its own ladder of -e once.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linearSvcOptions } from "../../src/base/options/linear-svc.ts";
import { logisticRegressionOptions } from "../../src/base/options/logistic-regression.ts";
import { linearSvcSettings } from "../../src/estimators/linear-svc.ts";
import { logisticSettings } from "../../src/estimators/logistic-regression.ts";
import { type LabelledRows, LinearClassifier, LinearSVC, LogisticRegression, load, matrix, readSvmlight } from "../../src/index.ts";
import { type InMemoryPeer, liblinearLibrary, liblinearLibraryVersion, PATIENCE } from "../contenders/liblinear-library.ts";
import { hingeVersion } from "../contenders/ours.ts";
import type { DataFile } from "../data.ts";
import { type ProblemsJudge, problemsJudge } from "../linear-judge.ts";
import { alternate, ratioOf, type Spread } from "../protocol.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

const GAP = 1e-3;
const BOUND = { tolerance: 1e-5, timeLimitSeconds: 120 };
/** Of ours, on the relative gap; of theirs, -e. The loosest rung that reaches the gap by P - D_best is timed. */
const OUR_LADDER = [0.3, 0.1, 0.03, 0.01, 5e-3, 2e-3, 1e-3];
const THEIR_LADDER = [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5];

/** Cells in which the best of LIBLINEAR needs less, in milliseconds, are shown and not counted. */
const COUNTED = 100;
/** A rung that takes longer, in milliseconds, is the last. */
const LONG = 20_000;

interface Problem {
  readonly name: string;
  readonly options: object;
  readonly logistic?: boolean;
  /** LIBLINEAR's -s. */
  readonly solvers: readonly number[];
  readonly multiOnly?: boolean;
}

export const linearProblems: readonly Problem[] = [
  { name: "hinge", options: { loss: "hinge" }, solvers: [3] },
  { name: "squared hinge", options: {}, solvers: [1, 2] },
  { name: "logistic", options: { multiClass: "ovr" }, logistic: true, solvers: [0, 7] },
  { name: "Crammer-Singer", options: { loss: "hinge", multiClass: "crammer_singer" }, solvers: [4], multiOnly: true },
  { name: "l1 squared hinge", options: { penalty: "l1" }, solvers: [5] },
  { name: "l1 logistic", options: { penalty: "l1", multiClass: "ovr" }, logistic: true, solvers: [6] },
];

export const linearCase: Case = {
  name: "linear",
  title: "Linear classifiers: time to a gap of 1e-3, one thread",
  sets: ["a9a", "w8a", "news20b", "20news", "reuters-r52", "clinc150", "sst2", "kdd99", "covtype93k", "connect-4", "usps", "mnist"].map(
    (name) => `${name}.train`,
  ),
  async run(files, settings) {
    const rows: Row[] = [];
    for (const file of files) rows.push(...(await onFile(file, settings)));
    return rows;
  },
  summary,
};

async function onFile(file: DataFile, { runs, say }: CaseSettings): Promise<Row[]> {
  const read = await readSvmlight(file.path);
  const data = { ...read, x: matrix(read.x) };
  const classCount = new Set(data.y).size;
  const peer = liblinearLibraryVersion === undefined ? undefined : await liblinearLibrary(data);
  const rows: Row[] = [];
  for (const problem of linearProblems.filter(({ multiOnly }) => classCount > 2 || !multiOnly)) {
    say(`linear ${file.name} ${problem.name}`);
    rows.push(...(await raceOn(file.name, data, problem, peer, runs)));
  }
  peer?.end();
  return rows;
}

const OURS = "hinge";
const OURS_ON_TWO = "hinge, 2 threads";

interface Runner {
  readonly id: string;
  readonly ladder: readonly number[];
  /** Milliseconds, and the model if asked for. */
  run(tolerance: number, wantsModel: boolean): Promise<{ milliseconds: number; model?: LinearClassifier }>;
  flags(tolerance: number): string;
}

async function raceOn(name: string, data: LabelledRows, problem: Problem, peer: InMemoryPeer | undefined, runs: number): Promise<Row[]> {
  const base = { ...problem.options, C: 1, bias: false };
  const train = (more: object): Promise<LinearClassifier> =>
    (problem.logistic ? LogisticRegression : LinearSVC).fit(data.x, data.y, { ...base, threads: 1, ...more } as object);
  const settings = problem.logistic
    ? logisticSettings(logisticRegressionOptions.check(base))
    : linearSvcSettings(linearSvcOptions.check(base));
  const judge = problemsJudge(data, settings, await train(BOUND));
  const ourRunner = (id: string, threads: number): Runner => ({
    id,
    ladder: OUR_LADDER,
    async run(tolerance) {
      const model = await train({ tolerance, threads });
      const { total, certify } = model.report.run?.seconds ?? { total: Number.NaN, certify: Number.NaN };
      // The judge's seconds are those of all threads together.
      return { milliseconds: 1000 * (total - certify / Math.min(threads, model.report.run?.problems.length ?? 1)), model };
    },
    flags: (tolerance) => JSON.stringify({ ...base, threads, tolerance }),
  });
  const ours = ourRunner(OURS, 1);
  // The same bits in less time, so the tolerance is that of one thread. One problem alone has nothing for a second thread.
  const both = new Set(data.y).size > 2 && !problem.multiOnly ? ourRunner(OURS_ON_TWO, 2) : undefined;
  const theirs = peer === undefined ? [] : problem.solvers.map((solver) => libraryRunner(peer, solver));
  const climbs = new Map<Runner, Climb>();
  for (const runner of [ours, ...theirs]) climbs.set(runner, await climb(runner, judge));
  if (both !== undefined) climbs.set(both, climbs.get(ours) as Climb);
  const reached = theirs.filter((runner) => climbs.get(runner)?.reached);
  // Who does not reach the gap is out of the race: its one run tells enough.
  const times: Readonly<Record<string, Spread>> = await alternate<string>(
    Object.fromEntries(
      [ours, ...(both ? [both] : []), ...reached].map((runner) => {
        const { tolerance } = climbs.get(runner) as Climb;
        return [runner.id, async () => (await runner.run(tolerance, false)).milliseconds];
      }),
    ),
    runs,
  );
  const best = reached.reduce<Spread | undefined>((least, { id }) => {
    const own = times[id] as Spread;
    return least === undefined || own.median < least.median ? own : least;
  }, undefined);
  // Where no solver of LIBLINEAR reaches the gap, the best needs more than the time that the quickest to give up was given.
  const given = Math.min(...theirs.map((runner) => climbs.get(runner)?.longest ?? Infinity));
  const ratioTo = (own: Spread): object => {
    if (best !== undefined) return { bestOverOurs: ratioOf(best, own) };
    return theirs.length > 0 ? { bestOverOursAbove: given / own.median } : {};
  };
  return [...climbs].map(([runner, { tolerance, gap, reached, milliseconds }]) => ({
    data: name,
    measure: problem.name,
    contender: runner.id,
    version: runner === ours || runner === both ? hingeVersion : liblinearLibraryVersion,
    flags: runner.flags(tolerance),
    tolerance,
    gap,
    reached,
    ...(times[runner.id] ?? { once: milliseconds }),
    ...((runner === ours || runner === both) && ratioTo(times[runner.id] as Spread)),
  }));
}

function libraryRunner(peer: InMemoryPeer, solver: number): Runner {
  const file = join(tmpdir(), `hinge-bench-${process.pid}.model`);
  return {
    id: `liblinear -s ${solver}`,
    ladder: THEIR_LADDER,
    async run(tolerance, wantsModel) {
      const milliseconds = await peer.train(solver, 1, tolerance, wantsModel ? file : undefined);
      if (!wantsModel || milliseconds === Infinity) return { milliseconds };
      const model = await load(file);
      rmSync(file);
      if (!(model instanceof LinearClassifier)) throw new Error("not a classifier");
      return { milliseconds, model };
    },
    flags: (tolerance) => `-s ${solver} -c 1 -e ${tolerance}`,
  };
}

interface Climb {
  readonly tolerance: number;
  readonly gap: number;
  /** Of the one run of this rung. */
  readonly milliseconds: number;
  /** Of the longest run, as far as it was waited for. */
  readonly longest: number;
  readonly reached: boolean;
}

async function climb({ ladder, run }: Runner, judge: ProblemsJudge): Promise<Climb> {
  let best: Climb = { tolerance: ladder[0] as number, gap: Infinity, milliseconds: Number.NaN, longest: 0, reached: false };
  for (const tolerance of ladder) {
    const { model, milliseconds } = await run(tolerance, true);
    const gap = model === undefined ? Infinity : judge.gapOf(model);
    const longest = Math.max(best.longest, Math.min(milliseconds, 1000 * PATIENCE));
    best = gap < best.gap ? { tolerance, gap, milliseconds, longest, reached: gap <= GAP } : { ...best, longest };
    if (best.reached || milliseconds > LONG) break;
  }
  return best;
}

/** Geometric means of the ratios, over the cells in which the best of LIBLINEAR needs at least 0.1 s. */
function summary(rows: readonly Row[]): Row[] {
  const measured = [...linearProblems.map(({ name }) => name), undefined].map((problem) => ({ problem, contender: OURS }));
  return [...measured, { problem: undefined, contender: OURS_ON_TWO }].flatMap(({ problem, contender }) => {
    const own = rows.filter((row) => row.contender === contender && (problem === undefined || row.measure === problem));
    const ratios = own.flatMap(({ median, bestOverOurs, bestOverOursAbove }) => {
      const ratio = (bestOverOurs as Spread | undefined)?.median ?? (bestOverOursAbove as number | undefined);
      return ratio !== undefined && ratio * Number(median) >= COUNTED ? [ratio] : [];
    });
    if (ratios.length === 0) return [];
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    return [
      {
        data: `${ratios.length} cells`,
        contender,
        measure: "geometric mean of the best of LIBLINEAR over ours, cells of at least 0.1 s",
        problem: problem ?? "all",
        mean,
        worst: Math.min(...ratios),
      },
    ];
  });
}
