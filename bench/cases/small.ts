// Fits of small dense data in one process, at equal gap: ours against packages, all of them on the calling
// thread. Each in its own form of the bias, judged by the bound of that form.

import { matrix } from "../../src/index.ts";
import type { TrainedLinear } from "../contenders/contender.ts";
import type { InProcessContender, SmallProblem } from "../contenders/in-process.ts";
import { libsvmJs } from "../contenders/libsvm-js.ts";
import { mlSvm } from "../contenders/ml-svm.ts";
import { hingeInProcess } from "../contenders/ours.ts";
import { judgesOf } from "../judge.ts";
import { race } from "../race.ts";
import { type SmallSet, smallSets } from "../small-sets.ts";
import type { Case, Row } from "./case.ts";

const GAP = 1e-3;
const C = 1;
/** A turn is as many fits as take this long: one takes a tenth of a millisecond, which a cache that somebody else filled, or a collection of somebody's garbage, doubles. So everybody pays for their own. */
const TURN_MILLISECONDS = 25;
/** Before the race everyone fits for this long: engines compile what runs often, and whoever fits fast would otherwise be timed while that is under way. */
const WARM_MILLISECONDS = 1000;
const contenders: readonly InProcessContender[] = [hingeInProcess, libsvmJs, mlSvm];

export const smallCase: Case = {
  name: "small",
  title: "Fits of small data in process, at a gap of 1e-3",
  sets: [],
  async run(_files, { runs, quick, say, used }) {
    const present = contenders.filter(({ version }) => version !== undefined);
    for (const contender of present) await contender.ready();
    const rows: Row[] = [];
    for (const set of smallSets().slice(0, quick ? 1 : undefined)) {
      say(`small ${set.name}`);
      used(set);
      rows.push(...(await raceOn(set, present, runs)));
    }
    return rows;
  },
};

async function raceOn({ name, rows, y }: SmallSet, present: readonly InProcessContender[], runs: number): Promise<Row[]> {
  const problem = { rows, y, C };
  for (const contender of present) await warm(contender, problem);
  const racers = present.map((contender) => ({
    ...contender,
    train: (tolerance: number) => turn(contender, problem, tolerance),
  }));
  const judgeFor = judgesOf({ x: matrix(rows), y, loss: "hinge", C });
  const figures = await race(racers, { gap: GAP, runs, ours: hingeInProcess.id, judgeFor });
  const measure = `hinge loss, C = ${C}, one fit; every contender solves its own form of the bias and is judged by the bound of that form`;
  return figures.map((figure) => ({ data: name, measure, ...figure }));
}

async function turn(contender: InProcessContender, problem: SmallProblem, tolerance: number): Promise<TrainedLinear> {
  // The first pays for whoever came before.
  const { milliseconds } = await contender.fit(problem, tolerance, 1);
  return contender.fit(problem, tolerance, Math.ceil(TURN_MILLISECONDS / milliseconds));
}

async function warm(contender: InProcessContender, problem: SmallProblem): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < WARM_MILLISECONDS) {
    await contender.fit(problem, contender.ladder[0] as number, 1).catch(() => undefined); // giving up is a finding of the climb, not of the warm-up
  }
}
