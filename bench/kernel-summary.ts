// What all sets of the cases "kernel" and "predict" say together: a ratio a set beside what is asked of it, and geometric means.

import type { Row } from "./cases/case.ts";
import { AT_DEFAULT } from "./kernel-commands.ts";
import { kernelSets } from "./kernel-sets.ts";
import { COUNTED, meanRatio, type Spread } from "./protocol.ts";

interface Comparison {
  readonly contender: RegExp;
  readonly measure: string;
  /** Whether of the race to the gap that svm-train comes to by default. */
  readonly isAtDefault?: boolean;
  /** What is asked, of a set or of all of them. */
  asked?(data: string): number | undefined;
}

const comparisons: readonly Comparison[] = [
  { contender: /^hinge train, 2 threads$/, measure: "svm-train over hinge train at the gap of -e 0.001, 2 threads", isAtDefault: true },
  { contender: /^hinge train, 1 thread$/, measure: "svm-train over hinge train at the gap of -e 0.001, 1 thread", isAtDefault: true },
  {
    contender: /^hinge train, 2 threads$/,
    measure: "svm-train over hinge train, whole command, 2 threads",
    asked: (data) => kernelSets.find((set) => set.data === data)?.floor,
  },
  { contender: /^hinge train, 1 thread$/, measure: "svm-train over hinge train, whole command, 1 thread" },
  { contender: /^SV[CR]\.fit, 2 threads$/, measure: "scikit-learn over SVC.fit and SVR.fit, in memory, 2 threads", asked: () => 4 },
  { contender: /^SV[CR]\.fit, 1 thread$/, measure: "scikit-learn over SVC.fit and SVR.fit, in memory, 1 thread" },
];

const predictions: readonly Comparison[] = [
  { contender: /^hinge predict, 2 threads$/, measure: "svm-predict over hinge predict, whole command, 2 threads", asked: () => 20 },
  { contender: /^hinge predict, 1 thread$/, measure: "svm-predict over hinge predict, whole command, 1 thread" },
  { contender: /^SV[CR] predict, 2 threads$/, measure: "scikit-learn's predict over ours, in memory, 2 threads", asked: () => 5 },
  { contender: /^SV[CR] predict, 1 thread$/, measure: "scikit-learn's predict over ours, in memory, 1 thread" },
];

export const kernelSummary = (rows: readonly Row[]): Row[] => summaryOf(comparisons, rows);
export const predictionSummary = (rows: readonly Row[]): Row[] => summaryOf(predictions, rows);

function summaryOf(compared: readonly Comparison[], rows: readonly Row[]): Row[] {
  return compared.flatMap(({ contender, measure, isAtDefault = false, asked }) => {
    const own = rows.flatMap((row) => {
      const ratio = (row.peerOverOurs as Spread | undefined)?.median;
      if (!contender.test(row.contender) || (row.measure === AT_DEFAULT) !== isAtDefault || ratio === undefined || row.reached === false)
        return [];
      return [{ set: row.data, contender: row.contender, ratio, isCounted: ratio * Number(row.median) >= COUNTED }];
    });
    const counted = own.filter(({ isCounted }) => isCounted).map(({ ratio }) => ratio);
    const common = { data: "summary", measure };
    const each = own.map(({ set, contender, ratio, isCounted }): Row => {
      const floor = asked?.(set);
      return { ...common, contender, set, ratio, counted: isCounted, ...(floor !== undefined && { asked: floor, met: ratio >= floor }) };
    });
    if (counted.length === 0) return each;
    const all: Row = {
      ...common,
      contender: own[0]?.contender ?? "",
      set: `geometric mean of ${counted.length}, where the peer needs 0.5 s`,
      ratio: meanRatio(counted),
    };
    return [...each, all];
  });
}
