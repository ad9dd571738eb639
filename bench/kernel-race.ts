// Kernel machines at equal gap: ours, with two threads and with one, against a peer. Ours and the peer climb their ladders once, judged by P - D_best of the worst pair
// of classes; then the loosest rungs that reach the gap are timed, alternating.

import type { KernelModel } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import type { DataFile } from "./data.ts";
import { kept } from "./kept.ts";
import { type KernelSet, problemText } from "./kernel-sets.ts";
import { alternate, machine, ratioOf, type Spread, VERY_LONG_RUN } from "./protocol.ts";
import { type Climb, gallop, type Rung } from "./race.ts";

export const GAP = 1e-3;
/** Down by about thirds, theirs and ours: a coarser ladder is an advantage of the other side. */
export const LADDER = [1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7];

export interface Trained {
  readonly milliseconds: number;
  /** In memory, or where its file is; undefined where there is none. */
  readonly model: KernelModel | string | undefined;
}

export interface KernelRacer {
  readonly id: string;
  readonly version: string | undefined;
  readonly threads: number;
  /** Where its climb begins. */
  readonly start: number;
  flags(tolerance: number): string;
  train(tolerance: number): Promise<Trained>;
}

export interface KernelRung extends Rung {
  /** Of the run that was judged. */
  readonly milliseconds: number;
  readonly supportVectors: number;
}

export interface RaceContext {
  readonly set: KernelSet;
  readonly file: DataFile;
  readonly runs: number;
  say(text: string): void;
  /** The gap by P - D_best, and how many support vectors there are. */
  verdictOn(model: KernelModel | string): Promise<{ gap: number; gapAtOwnBias: number; supportVectors: number }>;
}

export interface RaceResult {
  readonly rows: readonly Row[];
  /** What ours was timed with, and the peer. */
  readonly tolerance: number;
  readonly peerTolerance: number | undefined;
}

export interface KernelRace {
  readonly measure: string;
  readonly part: string;
  /** The first climbs, the others make the same model. */
  readonly ours: readonly [KernelRacer, ...KernelRacer[]];
  readonly peer: KernelRacer | undefined;
  /** Where the peer does not climb but is run with this, and ours climbs to the gap that comes of it. */
  readonly peerTolerance?: number;
}

export async function raceKernel(context: RaceContext, { measure, part, ours, peer, peerTolerance }: KernelRace): Promise<RaceResult> {
  const { set, file, runs } = context;
  const climbs = new Map<KernelRacer, Climb & { readonly best: KernelRung }>();
  const theirs =
    peer &&
    (await climbed(peer, context, { isKept: true, ...(peerTolerance !== undefined && { ladder: [peerTolerance], gap: Infinity }) }));
  const own = await climbed(ours[0], context, { gap: peerTolerance === undefined ? GAP : (theirs?.best.gap ?? GAP) });
  for (const racer of ours) climbs.set(racer, own);
  if (peer !== undefined && theirs !== undefined) climbs.set(peer, theirs);
  const racers = [...climbs.keys()];
  const bestOf = (racer: KernelRacer): KernelRung => (climbs.get(racer) as { best: KernelRung }).best;
  const times: Readonly<Record<string, Spread>> = await alternate<string>(
    Object.fromEntries(
      racers.map((racer) => {
        const { tolerance, milliseconds } = bestOf(racer);
        // What takes so long was run once, for its climb, and that is kept.
        const isKnown = racer === peer && milliseconds > VERY_LONG_RUN;
        return [racer.id, async () => (isKnown ? milliseconds : (await racer.train(tolerance)).milliseconds)];
      }),
    ),
    runs,
    peer && { [peer.id]: bestOf(peer).milliseconds },
  );
  const rows = racers.map((racer): Row => {
    const { best, reached, rungs } = climbs.get(racer) as Climb & { best: KernelRung };
    const spread = times[racer.id] as Spread;
    return {
      data: file.name,
      measure,
      part,
      problem: problemText(set),
      contender: racer.id,
      version: racer.version,
      threads: racer.threads,
      flags: best.flags,
      tolerance: best.tolerance,
      gap: best.gap,
      reached,
      supportVectors: best.supportVectors,
      rungs,
      ...spread,
      ...(peer !== undefined && racer !== peer && { peerOverOurs: ratioOf(times[peer.id] as Spread, spread) }),
    };
  });
  return { rows, tolerance: own.best.tolerance, peerTolerance: peer && bestOf(peer).tolerance };
}

/** Peers do today what they did yesterday: their rungs are kept. */
async function climbed(
  racer: KernelRacer,
  context: RaceContext,
  { isKept = false, ladder = LADDER, gap = GAP }: { readonly isKept?: boolean; readonly ladder?: readonly number[]; readonly gap?: number },
): Promise<Climb & { readonly best: KernelRung }> {
  const { file, say, verdictOn } = context;
  const { booted } = machine();
  return gallop(ladder, racer.start, gap, async (tolerance): Promise<KernelRung> => {
    const flags = racer.flags(tolerance);
    const step = async (): Promise<Omit<KernelRung, "tolerance" | "flags">> => {
      say(`  ${racer.id} at ${tolerance}`);
      const { milliseconds, model } = await racer.train(tolerance);
      const verdict = model === undefined ? { gap: Infinity, gapAtOwnBias: Infinity, supportVectors: 0 } : await verdictOn(model);
      say(`  ${racer.id} at ${tolerance}: ${(milliseconds / 1000).toFixed(2)} s, gap ${verdict.gap.toExponential(2)}`);
      return { milliseconds, ...verdict };
    };
    return { tolerance, flags, ...(isKept ? await kept([file.sha256, flags, racer.version, booted], step) : await step()) };
  });
}
