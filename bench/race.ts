// A race at equal gap: each contender climbs its own ladder of tolerances once, judged by P - D_best, and its loosest rung that reaches
// the gap is timed, alternating. Who reaches it on no rung runs at the rung of its smallest gap, and the row says so.

import type { BiasForm, TrainedLinear } from "./contenders/contender.ts";
import type { Judge } from "./judge.ts";
import { alternate, ratioOf, type Spread, spreadBy } from "./protocol.ts";

export interface Racer {
  readonly id: string;
  readonly version: string | undefined;
  readonly threads: number;
  readonly form: BiasForm;
  readonly ladder: readonly number[];
  train(tolerance: number): Promise<TrainedLinear>;
}

/** One step of a climb: what came of a tolerance. */
export interface Rung {
  readonly tolerance: number;
  readonly gap: number;
  readonly gapAtOwnBias?: number;
  readonly flags?: string;
  /** Why there is no model. */
  readonly failure?: string;
}

export interface Climb {
  readonly best: Rung;
  readonly reached: boolean;
  readonly rungs: readonly Rung[];
}

/** Up the ladder until the gap is reached. */
export async function climb({ ladder, train }: Pick<Racer, "ladder" | "train">, judge: Judge, gap: number): Promise<Climb> {
  const rungs: Rung[] = [];
  let best: Rung = { tolerance: Number.NaN, gap: Infinity };
  for (const tolerance of ladder) {
    const rung = await stepOn(tolerance, train, judge);
    rungs.push(rung);
    if (rung.gap < best.gap) best = rung;
    if (best.gap <= gap) break;
  }
  return { best, reached: best.gap <= gap, rungs };
}

/**
 * The loosest rung that reaches the gap where every step is dear: from rung `start` on to looser ones while they reach it, else to tighter ones until one does.
 * Takes for granted that a tighter rung has no larger gap.
 */
export async function gallop<R extends Rung>(
  ladder: readonly number[],
  start: number,
  gap: number,
  step: (tolerance: number) => Promise<R>,
): Promise<Climb & { readonly best: R; readonly rungs: readonly R[] }> {
  const from = Math.max(0, ladder.indexOf(start));
  const first = await step(ladder[from] as number);
  const rungs = [first];
  let best = first;
  const direction = first.gap <= gap ? -1 : 1;
  for (let at = from + direction; at >= 0 && at < ladder.length; at += direction) {
    const rung = await step(ladder[at] as number);
    rungs.push(rung);
    const isReached = rung.gap <= gap;
    if (direction < 0 ? isReached : rung.gap < best.gap) best = rung;
    if (direction < 0 !== isReached) break;
  }
  return { best, reached: best.gap <= gap, rungs };
}

async function stepOn(tolerance: number, train: Racer["train"], judge: Judge): Promise<Rung> {
  try {
    const { w, bias, flags } = await train(tolerance);
    return { tolerance, ...judge.judge(w, bias), flags };
  } catch (error) {
    return { tolerance, gap: Infinity, failure: error instanceof Error ? error.message : String(error) };
  }
}

export interface RaceSettings {
  readonly gap: number;
  readonly runs: number;
  /** The contender that the others are compared with. */
  readonly ours: string;
  judgeFor(form: BiasForm): Promise<Judge>;
}

/** One row of figures a racer. */
export async function race(racers: readonly Racer[], { gap, runs, ours, judgeFor }: RaceSettings): Promise<RaceRow[]> {
  const climbs = new Map<string, Climb>();
  for (const racer of racers) climbs.set(racer.id, await climb(racer, await judgeFor(racer.form), gap));
  const peaks = new Map<string, number[]>();
  const runners = racers.flatMap((racer) => {
    const { best } = climbs.get(racer.id) as Climb;
    const once = async (): Promise<number> => {
      const { milliseconds, peakBytes } = await racer.train(best.tolerance);
      if (peakBytes !== undefined) peaks.set(racer.id, [...(peaks.get(racer.id) ?? []), peakBytes]);
      return milliseconds;
    };
    return Number.isFinite(best.gap) ? [[racer.id, once] as const] : [];
  });
  const times: Readonly<Record<string, Spread>> = await alternate<string>(Object.fromEntries(runners), runs);
  return racers.map((racer) => rowOf(racer, climbs.get(racer.id) as Climb, times, { ours, peakBytes: peaks.get(racer.id)?.slice(1) }));
}

export interface RaceRow extends Partial<Spread> {
  readonly contender: string;
  readonly [figure: string]: unknown;
}

function rowOf(
  { id, version, threads, form }: Racer,
  { best, reached, rungs }: Climb,
  times: Readonly<Record<string, Spread>>,
  { ours, peakBytes }: { ours: string; peakBytes: readonly number[] | undefined },
): RaceRow {
  const [own, reference] = [times[id], times[ours]];
  return {
    contender: id,
    version,
    threads,
    bias: form,
    tolerance: best.tolerance,
    gap: best.gap,
    reached,
    flags: best.flags,
    rungs,
    ...own,
    ...(own && reference && id !== ours && { timesOurs: ratioOf(own, reference) }),
    ...(peakBytes && { peakMebibytes: spreadBy(peakBytes, (bytes) => bytes / 2 ** 20) }),
  };
}
