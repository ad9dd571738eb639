// File to model on disk at equal gap: each contender climbs its own ladder of tolerances once, judged by P - D_best, and the
// loosest rung that reaches the gap is timed, alternating.

import type { Contender, LinearProblem } from "../contenders/contender.ts";
import { liblinear } from "../contenders/liblinear.ts";
import { hinge } from "../contenders/ours.ts";
import { scikitLearn } from "../contenders/scikit-learn.ts";
import { judgeOf } from "../judge.ts";
import { alternate } from "../protocol.ts";
import type { Case, Row } from "./case.ts";

const GAP = 1e-3;
const contenders: readonly Contender[] = [hinge(1), hinge(2), liblinear, scikitLearn];

export const trainCase: Case = {
  name: "train",
  title: "From file to model, at a gap of 1e-3",
  sets: ["news20b.train", "a9a.train"],
  async run(files, { runs, say }) {
    const rows: Row[] = [];
    for (const file of files) {
      for (const loss of ["hinge", "squared_hinge"] as const) {
        say(`train ${file.name} ${loss}`);
        rows.push(...(await race({ file, loss, C: 1 }, runs)));
      }
    }
    return rows;
  },
};

async function race(problem: LinearProblem, runs: number): Promise<Row[]> {
  const judge = await judgeOf(problem);
  const rungs = new Map<Contender, { tolerance: number; gap: number; reached: boolean }>();
  for (const contender of contenders.filter(({ version, trainLinear }) => version !== undefined && trainLinear !== undefined)) {
    let best = { tolerance: Number.NaN, gap: Infinity, reached: false };
    for (const tolerance of contender.ladder ?? []) {
      const trained = await contender.trainLinear?.(problem, tolerance);
      const gap = judge.gapOf(trained?.w ?? new Float64Array(0));
      if (gap < best.gap) best = { tolerance, gap, reached: gap <= GAP };
      if (best.reached) break;
    }
    rungs.set(contender, best);
  }
  const racing = [...rungs].filter(([, { reached }]) => reached);
  const times = await alternate(
    Object.fromEntries(
      racing.map(([contender, { tolerance }]) => [
        contender.id,
        async () => (await contender.trainLinear?.(problem, tolerance))?.milliseconds ?? Number.NaN,
      ]),
    ),
    runs,
  );
  return [...rungs].map(([{ id, version, threads }, rung]) => ({
    data: problem.file.name,
    loss: problem.loss,
    contender: id,
    version,
    threads,
    measure: "file to model",
    ...rung,
    ...times[id],
  }));
}
