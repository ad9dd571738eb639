// The search of a linear classifier of many classes, each against the rest: values of C in folds as jobs for workers that solve all classes at once (solve/linear-grid.ts), and what they say of the rows
// held out as scores.

import type { HeldOut } from "../base/options/cross-validate.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import type { GridPoint } from "../base/options/search.js";
import type { Fold } from "../data/folds.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import { mostSquare } from "../data/row-squares.js";
import { checkedCosts, poseProblems } from "../estimators/linear-problems.js";
import { LinearSVC, linearSvcSettings } from "../estimators/linear-svc.js";
import { Recipe } from "../estimators/pipeline.js";
import { beginCall } from "../runtime/runtime.js";
import {
  type LinearGridEnding,
  type LinearGridFold,
  type LinearGridInput,
  type LinearGridJob,
  type LinearGridOutcome,
  linearGridBytes,
} from "../solve/linear-grid.js";
import { planBinary } from "../solve/plan.js";
import { isForRest } from "../solve/rest-descent.js";
import {
  estimatorOf,
  type FoldScore,
  heldRows,
  inFold,
  type Learner,
  type Subject,
  scoreIn,
  scoreOf,
  scoreOfLabels,
  trainingWeights,
} from "./fold-rows.js";
import { type Ended, type GridCall, type GridChain, type GridScores, inWorkers, MOST_BYTES, overFolds } from "./grid-run.js";

/** Classes from which on one pass for all is worth it. */
const LEAST_CLASSES = 4;
/** Points of a line from which on it is cut in two, so that a few folds are enough work for two threads. */
const LEAST_TO_CUT = 6;

/** A line's points, or one half of them: what a worker solves at a time. */
interface Piece {
  readonly chain: number;
  readonly from: number;
  readonly Cs: readonly number[];
}

/** Scores of all chains, as far as descent got; undefined where the learner is another one, or descent is not what would solve it. */
export async function searchLinearGrid(
  learner: Learner,
  subject: Subject,
  fit: Readonly<Record<string, unknown>>,
  chains: readonly GridChain[],
  call: GridCall & { readonly seed: number },
  onDone: (points: number) => void,
): Promise<GridScores | undefined> {
  if (estimatorOf(learner) !== LinearSVC || chains.length === 0) return undefined;
  const given = (learner instanceof Recipe ? learner.optionsWith(fit) : fit) as Readonly<Record<string, unknown>>;
  const settingsAt = (point: GridPoint) => linearSvcSettings(linearSvcOptions.check({ ...given, ...point, seed: call.seed }));
  for (const { line } of chains) for (const point of line) settingsAt(point);
  const settings = settingsAt({ ...chains[0]?.line[0], C: 1 });
  const { loss, penalty, multiClass, stop, solver } = settings;
  const isOurs =
    loss !== "logistic" && penalty === "l2" && multiClass === "ovr" && stop === undefined && (solver === "auto" || solver === "dual");
  if (!isOurs) return undefined;
  return new LinearGrid(subject, { ...settings, loss }, call, onDone).run(learner instanceof Recipe, chains);
}

type Settings = ReturnType<typeof linearSvcSettings> & { readonly loss: "hinge" | "squared_hinge" };

/** What is to be known of a fold. */
interface PosedFold {
  readonly grid: LinearGridFold;
  readonly classes: readonly (number | string)[];
  readonly held: Pick<HeldOut, "y" | "weights">;
}

class LinearGrid {
  readonly #subject: Subject;
  readonly #settings: Settings;
  readonly #call: GridCall;
  readonly #onDone: (points: number) => void;

  constructor(subject: Subject, settings: Settings, call: GridCall, onDone: (points: number) => void) {
    this.#subject = subject;
    this.#settings = settings;
    this.#call = call;
    this.#onDone = onDone;
  }

  async run(hasStages: boolean, chains: readonly GridChain[]): Promise<GridScores | undefined> {
    const scores = chains.map((): (FoldScore | undefined)[] => []);
    const ended = await overFolds(this.#subject, this.#call, hasStages, [0], (x, group, _, limits) =>
      this.#over(x, group, chains, scores, limits),
    );
    // What was done stays; the rest goes point by point.
    return ended === undefined && scores.every((own) => own.length === 0) ? undefined : { scores, interruption: ended?.interruption };
  }

  /** Chains of folds that share their rows; undefined where it cannot be done. */
  async #over(
    x: Matrix,
    group: readonly number[],
    chains: readonly GridChain[],
    scores: (FoldScore | undefined)[][],
    limits: GridCall,
  ): Promise<Ended> {
    const pieces = piecesOf(chains, group);
    const Cs = pieces.flatMap((piece) => piece.Cs);
    const posed = group.map((fold) => this.#pose(x, fold, [Math.min(...Cs), Math.max(...Cs)]));
    if (posed.some((one) => one === undefined)) return undefined;
    const folds = posed as PosedFold[];
    const { scorer } = this.#subject;
    const { loss, bias, biasScale, tolerance, maxIterations, shrinking, seed } = this.#settings;
    const settings = { loss, bias, biasScale, tolerance, maxIterations, shrinking, seed };
    const input: LinearGridInput = { folds: folds.map(({ grid }) => grid), settings, wantsClasses: scorer.isOfPredictions };
    const jobs = pieces.map(
      ({ chain, Cs }, index): LinearGridJob => ({ index, fold: group.indexOf((chains[chain] as GridChain).fold), Cs }),
    );
    const settle = ({ index, done, said }: LinearGridOutcome): void => {
      const { fold } = jobs[index] as LinearGridJob;
      const { chain, from } = pieces[index] as Piece;
      for (let k = 0; k < done; k++) {
        const score = scoreIn(group[fold] as number, () => this.#scoreOf(folds[fold] as PosedFold, said, k));
        (scores[chain] as (FoldScore | undefined)[])[from + k] = { score, isConverged: true };
      }
      this.#onDone(done);
    };
    const call = beginCall(limits);
    const regionBytes = linearGridBytes(x, input);
    const threads = Math.min(call.threads, Math.floor(MOST_BYTES / regionBytes), jobs.length);
    if (threads === 0) return undefined;
    const work = { task: "search-linear", matrix: x, regionBytes, input };
    const queue = [...jobs];
    const answer = (last: unknown): LinearGridJob | undefined => {
      if (last !== undefined) settle(last as LinearGridOutcome);
      return queue.shift();
    };
    const clear = (): void => {
      queue.length = 0;
    };
    const { endings, interruption } = await inWorkers<LinearGridEnding>(threads, work, call, () => answer, clear);
    for (const { last } of endings) if (last !== undefined) settle(last);
    return { interruption };
  }

  #pose(x: Matrix, fold: number, ends: readonly number[]): PosedFold | undefined {
    const { y, weights, folds } = this.#subject;
    const { test } = folds[fold] as Fold;
    try {
      const sampleWeight = trainingWeights(weights, folds[fold] as Fold);
      const posed = poseProblems(x.rowCount, y as LabelsInput, { ...this.#settings, C: 1, sampleWeight });
      const { classes, scheme } = posed;
      const { rowIds, classIds, costs } = posed.joint();
      if (scheme !== "ovr" || classes.length < LEAST_CLASSES) return undefined;
      const { stages } = planBinary(x, posed.binary(0), this.#settings.solver, true);
      const most = mostSquare(x, rowIds);
      const isFit = ends.every((C) => isForRest({ ...this.#settings, costs: checkedCosts(costs, C) }, most));
      if (stages[0]?.solver !== "dual coordinate descent" || !isFit) return undefined;
      const grid = { rowIds, classIds, costs, classCount: classes.length, test };
      return { grid, classes: classes as PosedFold["classes"], held: heldRows(y, weights, test) };
    } catch (error) {
      throw inFold(fold, error);
    }
  }

  /** Of point k of what a worker said. */
  #scoreOf({ classes, held }: PosedFold, said: LinearGridOutcome["said"], k: number): number {
    const { scorer } = this.#subject;
    const count = held.y.length;
    if (said instanceof Uint32Array) return scoreOfLabels(scorer, held, classes, said.subarray(k * count, (k + 1) * count));
    const size = count * classes.length;
    return scoreOf(scorer, held, said.subarray(k * size, (k + 1) * size), { classes, scheme: "ovr" });
  }
}

/** The chains of these folds, long ones in two halves: first the small values of C in all folds, which are quick, so that whoever is stopped has whole points. */
function piecesOf(chains: readonly GridChain[], group: readonly number[]): Piece[] {
  const halves = chains.flatMap(({ line, fold }, chain): Piece[] => {
    if (!group.includes(fold)) return [];
    const Cs = line.map(({ C = 1 }) => C);
    const middle = Cs.length < LEAST_TO_CUT ? Cs.length : Math.ceil(Cs.length / 2);
    const pieces = [
      { chain, from: 0, Cs: Cs.slice(0, middle) },
      { chain, from: middle, Cs: Cs.slice(middle) },
    ];
    return pieces.filter((piece) => piece.Cs.length > 0);
  });
  return halves.sort((a, b) => a.from - b.from || a.chain - b.chain);
}
