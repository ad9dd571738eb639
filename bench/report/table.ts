// The table of all races: what was asked of each kind of work, the geometric mean of what was measured, and the set on which we are worst. Only cells on which the peer needs
// half a second count; cells in which a peer does not reach the gap have no ratio.

import type { Row } from "../cases/case.ts";
import { COUNTED, meanRatio, type Spread } from "../protocol.ts";

interface Cell {
  readonly name: string;
  readonly ratio: number;
  readonly peerMilliseconds: number;
}

interface Work {
  readonly work: string;
  readonly against: string;
  readonly asked: number;
  /** The case whose results hold it. */
  readonly from: string;
  /** Whether small cells count, too, because all of them are small by nature. */
  readonly countsAll?: boolean;
  cells(rows: readonly Row[]): Cell[];
}

export interface TableLine {
  readonly work: string;
  readonly against: string;
  readonly asked: number;
  readonly from: string;
  readonly mean: number;
  readonly worst: Cell;
  readonly cellCount: number;
  /** Cells on which the peer is faster by more than a tenth, which is what noise may be. */
  readonly behind: readonly Cell[];
  /** As many of those that do not count. */
  readonly behindUncounted: number;
}

/** Cells of rows of ours that say how much longer a peer takes. */
const ownRatios =
  (field: string, isMeant: (row: Row) => boolean, nameOf = nameByMeasure) =>
  (rows: readonly Row[]): Cell[] =>
    rows.flatMap((row) => {
      const ratio = (row[field] as Spread | undefined)?.median;
      if (ratio === undefined || row.reached === false || !isMeant(row)) return [];
      return [{ name: nameOf(row), ratio, peerMilliseconds: ratio * Number(row.median) }];
    });

/** Cells of rows of a peer that say how many times as long as ours they take. */
const peerRatios =
  (isMeant: (row: Row) => boolean) =>
  (rows: readonly Row[]): Cell[] =>
    rows.flatMap((row) => {
      const ratio = (row.timesOurs as Spread | undefined)?.median;
      if (ratio === undefined || row.reached === false || !isMeant(row)) return [];
      return [{ name: short(row.data), ratio, peerMilliseconds: Number(row.median) }];
    });

const short = (data: string): string => data.replace(/\.train\b/, "");
const nameByMeasure = ({ data, measure }: Row): string => `${short(data)}, ${measure}`;
const nameByData = ({ data }: Row): string => short(data);

const isWhole = ({ measure }: Row): boolean => measure.startsWith("whole command, file to model");
const isAtDefault = ({ measure }: Row): boolean => measure.startsWith("whole command, as above");

export const works: readonly Work[] = [
  {
    ...{ work: "linear, file to model on disk, gap 1e-3", against: "liblinear-train", asked: 3, from: "cli" },
    cells: ownRatios("peerOverOurs", ({ contender }) => contender === "hinge train, 2 threads"),
  },
  {
    ...{ work: "linear, solve only, one thread, gap 1e-3", against: "liblinear-train", asked: 1.5, from: "linear" },
    cells: ownRatios("bestOverOurs", ({ contender }) => contender === "hinge"),
  },
  {
    ...{ work: "kernel, file to model, gap 1e-3", against: "svm-train -m 1000", asked: 12, from: "kernel" },
    cells: ownRatios("peerOverOurs", (row) => row.contender === "hinge train, 2 threads" && isWhole(row), nameByData),
  },
  {
    ...{ work: "kernel, file to model, at the gap of svm-train's default -e", against: "svm-train -m 1000", asked: 12, from: "kernel" },
    cells: ownRatios("peerOverOurs", (row) => row.contender === "hinge train, 2 threads" && isAtDefault(row), nameByData),
  },
  {
    ...{ work: "kernel, fit in memory, dense rows", against: "scikit-learn SVC", asked: 4, from: "kernel" },
    cells: ownRatios("peerOverOurs", ({ contender }) => /^SV[CR]\.fit, 2 threads$/.test(contender), nameByData),
  },
  {
    ...{ work: "kernel prediction, whole command", against: "svm-predict", asked: 20, from: "predict" },
    cells: ownRatios("peerOverOurs", ({ contender }) => contender === "hinge predict, 2 threads", nameByData),
  },
  {
    ...{ work: "kernel prediction in memory", against: "scikit-learn", asked: 5, from: "predict" },
    cells: ownRatios("peerOverOurs", ({ contender }) => /^SV[CR] predict, 2 threads$/.test(contender), nameByData),
  },
  {
    ...{ work: "reading svmlight", against: "liblinear-train -e 1e9", asked: 6, from: "read" },
    cells: peerRatios(({ contender }) => contender === "liblinear-train"),
  },
  {
    ...{ work: "reading svmlight", against: "load_svmlight_file", asked: 8, from: "read" },
    cells: peerRatios(({ contender }) => contender === "scikit-learn"),
  },
  {
    ...{ work: "fit in process, small data", against: "libsvm-js", asked: 3, from: "small", countsAll: true },
    cells: peerRatios(({ contender }) => contender === "libsvm-js"),
  },
  {
    ...{ work: "5-fold search, 11 x 11", against: "svm-grid", asked: 20, from: "search" },
    cells: peerRatios(({ contender }) => contender === "svm-grid"),
  },
];

const isBehind = ({ ratio }: Cell): boolean => ratio < 1 / 1.1;

/** `rowsOf`: the rows of a case's results, none where it was not run. */
export function tableLines(rowsOf: (name: string) => readonly Row[]): TableLine[] {
  return works.flatMap(({ work, against, asked, from, countsAll, cells }) => {
    const all = cells(rowsOf(from));
    const counted = all.filter(({ peerMilliseconds }) => countsAll || peerMilliseconds >= COUNTED);
    const [worst] = [...counted].sort((a, b) => a.ratio - b.ratio);
    if (worst === undefined) return [];
    const behind = counted.filter(isBehind);
    const behindUncounted = all.filter(isBehind).length - behind.length;
    const mean = meanRatio(counted.map(({ ratio }) => ratio));
    return [{ work, against, asked, from, mean, worst, cellCount: counted.length, behind, behindUncounted }];
  });
}

export function tableSection(lines: readonly TableLine[]): string {
  const behind = lines.flatMap((line) => line.behind.map(({ name, ratio }) => `${line.work}: ${name} (${factor(ratio)})`));
  const small = lines.reduce((sum, { behindUncounted }) => sum + behindUncounted, 0);
  const uncounted = `on ${small} ${small === 1 ? "cell" : "cells"} whose peer needs less than ${COUNTED / 1000} s`;
  return [
    "## The table",
    "",
    "How many times as long the peer takes, geometric mean over the sets on which it needs at least 0.5 s (small data: all sets). Two threads of ours unless it says one; the C programs have one,",
    "`svm-grid` runs two processes. From `bench/results`, which `npm run bench` makes; the sections below hold every cell.",
    "",
    "![The table as a chart](performance-table.svg)",
    "",
    "| work | against | asked | measured | worst | cells |",
    "|---|---|--:|--:|---|--:|",
    ...lines.map(
      ({ work, against, asked, mean, worst, cellCount }) =>
        `| ${work} | ${against} | ${asked}x | **${factor(mean)}**${mean < asked ? " (missed)" : ""} | ${factor(worst.ratio)} ${worst.name} | ${cellCount} |`,
    ),
    "",
    behind.length === 0
      ? `On none of these sets is a peer faster by more than a tenth${small === 0 ? "" : `; it is ${uncounted}`}.`
      : `Of these sets, a peer is faster by more than a tenth on: ${behind.join("; ")}${small === 0 ? "" : `; and ${uncounted}`}.`,
  ].join("\n");
}

export function factor(ratio: number): string {
  return `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(ratio >= 2 ? 1 : 2)}x`;
}
