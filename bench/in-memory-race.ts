// A race on data in memory: each contender climbs its own ladder of tolerances once, judged by P - D_best, and its loosest rung that reaches the gap
// is timed, alternating. Ours against LIBLINEAR's solvers of the same problem, each train() of Debian's library.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FitReport, type Loaded, load } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { type InMemoryPeer, liblinearLibraryVersion, PATIENCE } from "./contenders/liblinear-library.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { alternate, meanRatio, ratioOf, type Spread } from "./protocol.ts";

const GAP = 1e-3;
/**
 * Of ours, on the relative gap; of theirs, -e. The loosest rung that reaches the gap by P - D_best is timed. Both go down by half a decade: a coarser ladder is an
 * advantage of the other side.
 */
export const OUR_LADDER = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3];
export const THEIR_LADDER = [10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5];
/** Cells in which the best of LIBLINEAR needs less, in milliseconds, are shown and not counted. */
const COUNTED = 100;
/** A rung that takes longer, in milliseconds, is the last. */
const LONG = 20_000;
/** The fit whose dual values are the bounds. */
export const BOUND = { tolerance: 1e-5, timeLimitSeconds: 120 };

export const OURS = "hinge";
export const OURS_ON_TWO = "hinge, 2 threads";

interface Runner<Model> {
  readonly id: string;
  readonly ladder: readonly number[];
  /** Milliseconds, and the model if asked for. */
  run(tolerance: number, wantsModel: boolean): Promise<{ milliseconds: number; model?: Model }>;
  flags(tolerance: number): string;
}

/** One cell of a table: a set and a problem. */
export interface Cell<Model> {
  readonly data: string;
  readonly measure: string;
  /** All of the problem, as options of ours; tolerance and threads are the race's. */
  readonly options: object;
  train(more: { readonly tolerance: number; readonly threads: number }): Promise<Model>;
  /** LIBLINEAR's -s. */
  readonly solvers: readonly number[];
  /** Whether a second thread has something to do. */
  readonly onTwo: boolean;
  /** The model in LIBLINEAR's file. */
  modelOf(loaded: Loaded): Model;
  /** (P - D_best) / P. */
  gapOf(model: Model): number;
}

export async function raceInMemory<Model extends { readonly report: FitReport }>(
  cell: Cell<Model>,
  peer: InMemoryPeer | undefined,
  runs: number,
): Promise<Row[]> {
  const ours = ourRunner(cell, OURS, 1);
  // The same bits in less time, so the tolerance is that of one thread.
  const both = cell.onTwo ? ourRunner(cell, OURS_ON_TWO, 2) : undefined;
  const theirs = peer === undefined ? [] : cell.solvers.map((solver) => libraryRunner(cell, peer, solver));
  const climbs = new Map<Runner<Model>, Climb>();
  for (const runner of [ours, ...theirs]) climbs.set(runner, await climb(runner, cell.gapOf));
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
    data: cell.data,
    measure: cell.measure,
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

/** The whole fit but for the judge's own passes: posing the problems and the worker are in it. */
function ourRunner<Model extends { readonly report: FitReport }>(
  { options, train }: Cell<Model>,
  id: string,
  threads: number,
): Runner<Model> {
  return {
    id,
    ladder: OUR_LADDER,
    async run(tolerance) {
      const model = await train({ tolerance, threads });
      const { total, certify } = model.report.run?.seconds ?? { total: Number.NaN, certify: Number.NaN };
      // The judge's seconds are those of all threads together.
      return { milliseconds: 1000 * (total - certify / Math.min(threads, model.report.run?.problems.length ?? 1)), model };
    },
    flags: (tolerance) => JSON.stringify({ ...options, threads, tolerance }),
  };
}

function libraryRunner<Model>({ modelOf }: Cell<Model>, peer: InMemoryPeer, solver: number): Runner<Model> {
  const file = join(tmpdir(), `hinge-bench-${process.pid}.model`);
  return {
    id: `liblinear -s ${solver}`,
    ladder: THEIR_LADDER,
    async run(tolerance, wantsModel) {
      const milliseconds = await peer.train(solver, 1, tolerance, wantsModel ? file : undefined);
      if (!wantsModel || milliseconds === Infinity) return { milliseconds };
      const model = modelOf(await load(file));
      rmSync(file);
      return { milliseconds, model };
    },
    flags: (tolerance) => `-s ${solver} -c 1 -p 0.1 -e ${tolerance}`,
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

async function climb<Model>({ ladder, run }: Runner<Model>, gapOf: (model: Model) => number): Promise<Climb> {
  let best: Climb = { tolerance: ladder[0] as number, gap: Infinity, milliseconds: Number.NaN, longest: 0, reached: false };
  for (const tolerance of ladder) {
    const { model, milliseconds } = await run(tolerance, true);
    const gap = model === undefined ? Infinity : gapOf(model);
    const longest = Math.max(best.longest, Math.min(milliseconds, 1000 * PATIENCE));
    best = gap < best.gap ? { tolerance, gap, milliseconds, longest, reached: gap <= GAP } : { ...best, longest };
    if (best.reached || milliseconds > LONG) break;
  }
  return best;
}

/**
 * Geometric means of the ratios, a problem and all, over the cells in which the best of LIBLINEAR needs at least 0.1 s. Where none of its solvers reaches the gap
 * (they stop after 1,000 iterations of their own, or were not waited for) there is no ratio, only that it was not reached.
 */
export function raceSummary(rows: readonly Row[], problems: readonly string[]): Row[] {
  const measured = [...problems, undefined].map((problem) => ({ problem, contender: OURS }));
  return [...measured, { problem: undefined, contender: OURS_ON_TWO }].flatMap(({ problem, contender }) => {
    const own = rows.filter((row) => row.contender === contender && (problem === undefined || row.measure === problem));
    const ratios = own.flatMap(({ median, bestOverOurs }) => {
      const ratio = (bestOverOurs as Spread | undefined)?.median;
      return ratio !== undefined && ratio * Number(median) >= COUNTED ? [ratio] : [];
    });
    const notReached = own.filter(
      ({ bestOverOurs, bestOverOursAbove }) => bestOverOurs === undefined && bestOverOursAbove !== undefined,
    ).length;
    if (ratios.length === 0) return [];
    return [
      {
        data: `${ratios.length} cells`,
        contender,
        measure: "geometric mean of the best of LIBLINEAR over ours, cells of at least 0.1 s",
        problem: problem ?? "all",
        mean: meanRatio(ratios),
        worst: Math.min(...ratios),
        cellsNotReachedByLiblinear: notReached,
      },
    ];
  });
}
