// The search of a kernel machine: all points of all folds as jobs for workers that keep kernel values (solve/kernel-grid.ts), and what they say of the rows held out as scores.

import type { HeldOut } from "../base/options/cross-validate.js";
import { type CheckedKernelOptions, nuSvcOptions, nuSvrOptions, svcOptions, svrOptions } from "../base/options/kernel.js";
import type { GridPoint } from "../base/options/search.js";
import { rowsWhere } from "../base/rows-where.js";
import type { Fold } from "../data/folds.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import { mostSquare } from "../data/row-squares.js";
import { takeList } from "../data/take-rows.js";
import { type ClassesSettings, NuSVC, poseClasses, SVC } from "../estimators/kernel-classifier.js";
import { functionOf } from "../estimators/kernel-outputs.js";
import { checkFinite, mostDiagonal } from "../estimators/kernel-posing.js";
import { type KernelTask, resolveKernel } from "../estimators/kernel-problems.js";
import { NuSVR, SVR } from "../estimators/kernel-regression.js";
import { checkedCosts, gathered, stopOf } from "../estimators/linear-problems.js";
import { Recipe } from "../estimators/pipeline.js";
import { withQuickRows } from "../estimators/quick-rows.js";
import { surveyWithin } from "../estimators/row-survey.js";
import { gapless } from "../model/gapless.js";
import { beginCall } from "../runtime/runtime.js";
import type { GridConstants, GridFold, GridInput, GridJob, GridOutcome, GridTask } from "../solve/grid-problem.js";
import { usualError } from "../solve/kernel-error.js";
import { gridBytes } from "../solve/kernel-grid.js";
import { mostSteps } from "../solve/pose-kernel.js";
import {
  estimatorOf,
  heldRows,
  inFold,
  type Learner,
  type Subject,
  scoreIn,
  scoreOf,
  scoreOfLabels,
  trainingWeights,
} from "./fold-rows.js";
import type { Line } from "./grid.js";
import { type GridCall, type GridChain, type GridScores, inWorkers, MOST_BYTES, overFolds } from "./grid-run.js";

type PosedClasses = ReturnType<typeof poseClasses>;

/** What float32 sums may do to kernel values before they go over to float64. */
const NARROW_ERROR = 2e-6;

const tables = new Map<unknown, typeof svcOptions | typeof nuSvcOptions | typeof svrOptions | typeof nuSvrOptions>([
  [SVC, svcOptions],
  [NuSVC, nuSvcOptions],
  [SVR, svrOptions],
  [NuSVR, nuSvrOptions],
]);

/** The options of a fit, checked: whichever of the four estimators it is. */
type Settings = CheckedKernelOptions & {
  readonly C?: number;
  readonly nu?: number;
  readonly epsilon?: number;
  readonly solver?: string;
  readonly multiClass?: "ovo" | "ovr";
  readonly classWeight?: ClassesSettings["classWeight"];
};

/** Scores of all chains; undefined where the learner is none of these, or has a kernel whose values only the caller knows, or where they do not fit in memory. */
export async function searchKernelGrid(
  learner: Learner,
  subject: Subject,
  fit: Readonly<Record<string, unknown>>,
  chains: readonly GridChain[],
  call: GridCall,
  onDone: (points: number) => void,
): Promise<GridScores | undefined> {
  const estimator = estimatorOf(learner);
  const table = tables.get(estimator);
  if (table === undefined || chains.length === 0) return undefined;
  const given = (learner instanceof Recipe ? learner.optionsWith(fit) : fit) as Readonly<Record<string, unknown>>;
  const settingsOf = (point: GridPoint): Settings => table.check({ ...given, ...point }) as Settings;
  const all = new Map(chains.flatMap(({ line }) => line.map((point) => [point, settingsOf(point)] as const)));
  const [any] = all.values();
  if (typeof any?.kernel === "function" || any?.kernel === "precomputed") return undefined;
  const grid = new KernelGrid(estimator, subject, all, given.cacheBytes as number | undefined, call, onDone);
  return grid.run(learner instanceof Recipe, chains);
}

class KernelGrid {
  readonly #estimator: unknown;
  readonly #subject: Subject;
  readonly #settings: ReadonlyMap<GridPoint, Settings>;
  readonly #cacheBytes: number | undefined;
  readonly #call: GridCall;
  readonly #onDone: (points: number) => void;

  constructor(
    estimator: unknown,
    subject: Subject,
    settings: ReadonlyMap<GridPoint, Settings>,
    cacheBytes: number | undefined,
    call: GridCall,
    onDone: (points: number) => void,
  ) {
    this.#estimator = estimator;
    this.#subject = subject;
    this.#settings = settings;
    this.#cacheBytes = cacheBytes;
    this.#call = call;
    this.#onDone = onDone;
  }

  async run(hasStages: boolean, chains: readonly GridChain[]): Promise<GridScores | undefined> {
    const scores = new Array<GridScores["scores"][number]>(chains.length).fill(undefined);
    const kernels = new Set(chains.map(({ line }) => kernelIn(line)));
    const ended = await overFolds(this.#subject, this.#call, hasStages, kernels, async (x, group, kernel, limits) => {
      const isNow = ({ line, fold }: GridChain): boolean => group.includes(fold) && (kernel === undefined || kernelIn(line) === kernel);
      const numbers = rowsWhere(chains.length, (k) => isNow(chains[k] as GridChain));
      const own = Array.from(numbers, (k) => chains[k] as GridChain);
      const found = await this.#over(x, group, own, limits);
      numbers.forEach((k, at) => {
        scores[k] = found?.scores[at];
      });
      return found;
    });
    // What was done stays; the rest goes point by point.
    return ended === undefined && scores.every((one) => one === undefined) ? undefined : { scores, interruption: ended?.interruption };
  }

  /** Chains of folds that share their rows. */
  async #over(x: Matrix, group: readonly number[], chains: readonly GridChain[], limits: GridCall): Promise<GridScores | undefined> {
    const order = orderOf(this.#subject, group, this.#estimator === SVC || this.#estimator === NuSVC);
    const posed = new Map(group.map((fold) => [fold, this.#pose(x, fold, order)] as const));
    const [point] = this.#settings.keys();
    const settings = this.#settings.get(point as GridPoint) as Settings;
    const input: GridInput = {
      order,
      folds: group.map((fold) => (posed.get(fold) as PosedFold).grid),
      mostPoints: chains.reduce((most, { line }) => Math.max(most, line.length), 0),
      settings: { tolerance: settings.tolerance, stop: stopOf(settings), maxIterations: settings.maxIterations ?? mostSteps(x.rowCount) },
    };
    const kernels = new Map<string, number>();
    const jobs = chains.map(({ line, fold }, index): GridJob => {
      const { kernel, ...job } = this.#job(x, posed.get(fold) as PosedFold, line);
      const name = JSON.stringify(kernel);
      if (!kernels.has(name)) kernels.set(name, kernels.size);
      return { ...job, index, kernel, kernelIndex: kernels.get(name) as number, fold: group.indexOf(fold) };
    });
    const call = beginCall(limits);
    const scores = new Array<GridScores["scores"][number]>(chains.length).fill(undefined);
    const settle = ({ index, said, unproven }: GridOutcome): void => {
      const { line, fold } = chains[index] as GridChain;
      const found = scoreIn(fold, () => this.#scored(posed.get(fold) as PosedFold, line.length, said));
      scores[index] = found.map((score, k) => ({ score, isConverged: unproven[k] === 0 }));
      this.#onDone(line.length);
    };
    return withQuickRows(x, { kind: settings.kernel as "rbf", gamma: 0, coef0: 0, degree: 0 }, async (quick) => {
      const regionBytes = gridBytes(quick, input);
      const most = Math.floor((this.#cacheBytes ?? MOST_BYTES) / regionBytes);
      const threads = Math.min(call.threads, most, jobs.length);
      if (threads === 0) return undefined;
      const queue = new Queue(jobs);
      const work = { task: "search-kernel", matrix: quick, regionBytes, input };
      const { interruption } = await inWorkers(
        threads,
        work,
        call,
        () => queue.worker(settle),
        () => queue.clear(),
      );
      return { scores, interruption };
    });
  }

  #pose(x: Matrix, index: number, order: Uint32Array): PosedFold {
    const { y, weights, folds } = this.#subject;
    const fold = folds[index] as Fold;
    const place = new Uint32Array(x.rowCount);
    order.forEach((row, k) => {
      place[row] = k;
    });
    const own = trainingWeights(weights, fold);
    const test = fold.test.map((row) => place[row] as number);
    // Rising, so that those that lie together are read together.
    const ranks = Uint32Array.from(test.keys()).sort((a, b) => (test[a] as number) - (test[b] as number));
    const held = heldRows(y, weights, fold.test);
    const { tasks, classes, scheme } = this.#tasksOf(index, x.rowCount, own);
    const isWanted = this.#subject.scorer.isOfPredictions && classes !== undefined && scheme !== undefined;
    const wanted = isWanted ? { scheme, count: classes.length } : undefined;
    const grid: GridFold = {
      test: takeList(test, ranks),
      tasks: tasks.map((task) => placed(task, place)),
      classes: wanted,
    };
    return { grid, ranks, held, classes, scheme, weights: own };
  }

  #tasksOf(
    fold: number,
    rowCount: number,
    sampleWeight: Float64Array,
  ): Pick<PosedFold, "classes" | "scheme"> & { tasks: readonly KernelTask[] } {
    const { y } = this.#subject;
    if (this.#estimator === SVC || this.#estimator === NuSVC) {
      const estimator = this.#estimator === SVC ? "SVC" : "NuSVC";
      const pose = ({ nu = 0, multiClass = "ovo", classWeight, solver }: Settings): PosedClasses => {
        try {
          return poseClasses(y as LabelsInput, rowCount, {
            ...{ estimator, multiClass, classWeight, sampleWeight, nu },
            ...{ scale: 1, hasBias: solver !== "dcd" },
          });
        } catch (error) {
          throw inFold(fold, error);
        }
      };
      // Once for every nu, which must leave room in every fold; the problems are the same.
      const [posed] = [...this.#settings.values()].map(pose);
      const { classes, scheme, ...problems } = posed as PosedClasses;
      return {
        tasks: Array.from({ length: problems.count }, (_, index) => problems.pose(index)),
        classes: classes as PosedFold["classes"],
        scheme,
      };
    }
    const rowIds = rowsWhere(rowCount, (row) => (sampleWeight[row] as number) > 0);
    const [{ solver } = { solver: undefined }] = this.#settings.values();
    const task: KernelTask = {
      form: this.#estimator === SVR ? "epsilon_svr" : "nu_svr",
      rowIds,
      targets: gathered(y as Float64Array, rowIds),
      costs: gathered(sampleWeight, rowIds),
      ...{ nu: 0, epsilon: 0, hasBias: solver !== "dcd" },
    };
    return { tasks: [task], classes: undefined, scheme: undefined };
  }

  #job(x: Matrix, { weights }: PosedFold, line: Line): Omit<GridJob, "index" | "kernelIndex" | "fold"> {
    const settings = line.map((point) => this.#settings.get(point) as Settings);
    const kernel = resolveKernel(settings[0] as Settings, x, weights);
    const rows = rowsWhere(weights.length, (row) => (weights[row] as number) > 0);
    checkFinite(x, kernel, rows);
    const hasC = this.#estimator !== NuSVC;
    const constants = settings.map(({ C = 1, nu = 0, epsilon = 0 }): GridConstants => {
      if (hasC) checkedCosts(weights, C);
      return { scale: hasC ? C : 1, nu, epsilon };
    });
    const most = mostDiagonal(x, kernel, rows);
    const own = functionOf(kernel);
    // Values that stand for the kernel at any C are worth a little more work than those that a machine would mend.
    const error = usualError(own, surveyWithin(x, rows).largest);
    const isWide = own.kind !== "linear" && error > NARROW_ERROR;
    const mostValue = own.kind === "rbf" ? mostLess(x, own.gamma, rows) : most;
    const narrow = isWide ? 0 : own.kind === "polynomial" ? error * most : error;
    return {
      ...{ line: constants, kernel: { ...own, isWide }, gapless: gapless(kernel), mostDiagonal: most, mostValue },
      valueError: Math.max(2 ** -24 * mostValue, narrow),
    };
  }

  #scored({ ranks, held, classes, scheme }: PosedFold, points: number, said: GridOutcome["said"]): number[] {
    const { scorer } = this.#subject;
    const size = said.length / points;
    return Array.from({ length: points }, (_, k) => {
      const own = said.subarray(k * size, (k + 1) * size);
      if (own instanceof Float64Array) return scoreOf(scorer, held, turned(own, size / ranks.length, ranks), { classes, scheme });
      const ids = new Uint32Array(size);
      ranks.forEach((rank, t) => {
        ids[rank] = own[t] as number;
      });
      return scoreOfLabels(scorer, held, classes, ids);
    });
  }
}

/** |K - 1| of rbf at most: no two rows are farther from each other than twice the farthest from 0. */
function mostLess(x: Matrix, gamma: number, rows: Uint32Array): number {
  return Math.min(1, gamma * 4 * mostSquare(x, rows));
}

/** What of a line's points says which kernel they have. */
function kernelIn([point]: Line): string {
  return JSON.stringify([point?.gamma, point?.coef0, point?.degree]);
}

/** What is to be known of a fold. */
interface PosedFold {
  readonly grid: GridFold;
  /** Which of the rows held out each of `grid.test` is. */
  readonly ranks: Uint32Array;
  readonly held: Pick<HeldOut, "y" | "weights">;
  readonly classes: readonly (number | string)[] | undefined;
  readonly scheme: "binary" | "ovo" | "ovr" | undefined;
  /** Of the rows trained on; 0 for the others. */
  readonly weights: Float64Array;
}

/** Rows fold by fold, each in the fold that tests it first, and class by class: so that what is left out of a problem is left out in a few pieces. */
function orderOf({ y, folds }: Subject, group: readonly number[], hasClasses: boolean): Uint32Array {
  const foldOf = new Uint32Array(y.length).fill(folds.length);
  const isUsed = new Uint8Array(y.length);
  for (const fold of [...group].reverse()) {
    const { train, test } = folds[fold] as Fold;
    for (const row of train) isUsed[row] = 1;
    for (const row of test) {
      isUsed[row] = 1;
      foldOf[row] = fold;
    }
  }
  const numbers = new Map<number | string, number>();
  const classAt = Uint32Array.from({ length: y.length }, (_, row) => {
    const label = hasClasses ? (y[row] as number | string) : 0;
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label) as number;
  });
  return rowsWhere(y.length, (row) => isUsed[row] === 1).sort(
    (a, b) => (foldOf[a] as number) - (foldOf[b] as number) || (classAt[a] as number) - (classAt[b] as number) || a - b,
  );
}

/** The problem with places instead of rows, in their order. */
function placed({ form, rowIds, targets, costs, hasBias = true }: KernelTask, place: Uint32Array): GridTask {
  const places = rowIds.map((row) => place[row] as number);
  const ranks = Uint32Array.from(places.keys()).sort((a, b) => (places[a] as number) - (places[b] as number));
  return { form, places: takeList(places, ranks), targets: takeList(targets, ranks), weights: takeList(costs, ranks), hasBias };
}

/** From f64[outputs][tested] to f64[rows held out][outputs]. */
function turned(decisions: Float64Array, outputs: number, ranks: Uint32Array): Float64Array {
  const all = new Float64Array(decisions.length);
  for (let m = 0; m < outputs; m++) {
    for (let t = 0; t < ranks.length; t++) all[(ranks[t] as number) * outputs + m] = decisions[m * ranks.length + t] as number;
  }
  return all;
}

/** Who gets which job: whoever has the values of a kernel goes on with it; then that of which most is left. */
class Queue {
  readonly #left = new Map<number, GridJob[]>();

  constructor(jobs: readonly GridJob[]) {
    for (const job of jobs) this.#left.set(job.kernelIndex, [...(this.#left.get(job.kernelIndex) ?? []), job]);
  }

  /** What answers a worker's questions: the next job, for the outcome of the last one. */
  worker(settle: (outcome: GridOutcome) => void): (last: unknown) => GridJob | undefined {
    let own = -1;
    return (last) => {
      if (last !== undefined) settle(last as GridOutcome);
      if ((this.#left.get(own)?.length ?? 0) === 0) own = this.#fullest();
      return this.#left.get(own)?.shift();
    };
  }

  /** Nobody gets any more. */
  clear(): void {
    this.#left.clear();
  }

  /** The first of those with most jobs left. */
  #fullest(): number {
    let best = -1;
    for (const [index, jobs] of this.#left) if (jobs.length > (this.#left.get(best)?.length ?? 0)) best = index;
    return best;
  }
}
