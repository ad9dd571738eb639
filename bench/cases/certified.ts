// Does every linear classifier prove what it promises? Each problem of the race, with the options' defaults, at small and large C: the certified
// gap, how the fit ended, by which methods, and how long it took, once, on all threads. No contender: only the proof counts here.

import { LinearSVC, LogisticRegression, matrix, readSvmlight } from "../../src/index.ts";
import { hingeVersion } from "../contenders/ours.ts";
import type { Case, Row } from "./case.ts";
import { linearCase, linearProblems } from "./linear.ts";

const ASKED = [
  { tolerance: 1e-3, costs: [0.01, 1, 100] },
  { tolerance: 1e-6, costs: [0.01, 1] },
];
/** A fit that takes longer ends with what it has, and its row says so. */
const TIME_LIMIT_SECONDS = 600;

export const certifiedCase: Case = {
  name: "certified",
  title: "Linear classifiers: certified gaps, defaults, two threads",
  sets: linearCase.sets,
  async run(files, { say, quick }) {
    const rows: Row[] = [];
    for (const file of files) {
      const read = await readSvmlight(file.path);
      const x = matrix(read.x);
      const isMulti = new Set(read.y).size > 2;
      for (const { name, options, logistic, multiOnly } of linearProblems) {
        if (multiOnly && !isMulti) continue;
        for (const { tolerance, costs } of ASKED) {
          for (const C of quick ? [1] : costs) {
            say(`certified ${file.name} ${name} C ${C} tolerance ${tolerance}`);
            const asked = { ...options, C, tolerance, timeLimitSeconds: TIME_LIMIT_SECONDS } as object;
            const { report } = await (logistic ? LogisticRegression : LinearSVC).fit(x, read.y, asked);
            const solvers = new Set(report.run?.problems.flatMap(({ stages }) => stages.map(({ solver }) => solver)));
            rows.push({
              data: file.name,
              measure: name,
              contender: "hinge",
              version: hingeVersion,
              C,
              tolerance,
              gap: report.certificate.relativeGap,
              reached: report.certificate.relativeGap <= tolerance,
              status: report.status,
              seconds: report.run?.seconds.total,
              solvers: [...solvers].join(", "),
            });
          }
        }
      }
    }
    return rows;
  },
  summary(rows) {
    const proven = rows.filter(({ reached }) => reached);
    return [{ data: "all", contender: "hinge", measure: "certified fits, of all", proven: proven.length, all: rows.length }];
  },
};
