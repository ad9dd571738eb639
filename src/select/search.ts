// Search: cross-validation of every point of a grid. Within a fold, models along C are begun from each other; the stages of a pipeline
// are fitted once a fold. What comes out does not depend on threads or on time.

import { HingeError } from "../base/errors.js";
import { inLanes } from "../base/lanes.js";
import { type CheckedSearchOptions, type GridPoint, type SearchedName, type SearchOptions, searchOptions } from "../base/options/search.js";
import { splitOptions } from "../base/options/table.js";
import { type Interruption, isInterruption } from "../base/status.js";
import type { Fold } from "../data/folds.js";
import { NuSVC, SVC } from "../estimators/kernel-classifier.js";
import { NuSVR, SVR } from "../estimators/kernel-regression.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import { beginCall, timeLeft } from "../runtime/runtime.js";
import {
  estimatorOf,
  type FittedModel,
  type FoldScore,
  inFold,
  type Learner,
  type OptionsOf,
  onRows,
  type Prepared,
  type RowsOf,
  type Subject,
  scoreIn,
  spreadOf,
  subjectOf,
  type TargetsOf,
} from "./fold-rows.js";
import { type Line, linesOf, refined } from "./grid.js";
import type { GridChain, GridScores } from "./grid-run.js";
import { searchKernelGrid } from "./kernel-grid.js";
import { searchLinearGrid } from "./linear-grid.js";

/** A point of the grid and what cross-validation said of it. */
export interface SearchResult {
  readonly point: GridPoint;
  /** The mean of the folds' scores. */
  readonly score: number;
  /** Their standard deviation. */
  readonly deviation: number;
  readonly folds: readonly number[];
  /** How many of the folds' models were not solved to the tolerance: 0 unless there was a limit of iterations or of precision. */
  readonly unconverged: number;
}

/** Scores over two options, as a heat map shows them. */
export interface Surface {
  readonly names: readonly [rows: SearchedName, columns: SearchedName];
  /** Rising. */
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  /** scores[row][column]; NaN where the search did not get to. */
  readonly scores: readonly Float64Array[];
}

/** What `search` returns. */
export interface Search<Model> {
  /** The best point, of several equally good the one with the smallest C; undefined if none was done. */
  readonly best: SearchResult | undefined;
  /** All that were done, in the order of the grid; those of refinements follow. */
  readonly points: readonly SearchResult[];
  /** Fitted with the best point on all rows; undefined without `refit`, or if the search was stopped before. */
  readonly model: Model | undefined;
  /** Of the grid, if it has two options. */
  readonly surface: Surface | undefined;
  readonly ending: "complete" | Interruption;
}

type ModelOf<E extends Learner> = Awaited<ReturnType<E["fit"]>>;

/**
 * Returns the options with which an estimator or a pipeline predicts best what it has not seen, all points of a grid and the model fitted with the best of them:
 * `search(SVC, x, y, { grid: { C: logRange(0.1, 1000, 5), gamma: logRange(1e-3, 1, 4) } })`. Deterministic; when stopped it returns what it has.
 */
export async function search<E extends Learner>(
  estimator: E,
  x: RowsOf<E>,
  y: TargetsOf<E>,
  options: SearchOptions & Omit<OptionsOf<E>, SearchedName> & { readonly [K in SearchedName]?: number | undefined | "scale" | "auto" },
): Promise<Search<ModelOf<E>>> {
  const { own, fit } = checkedOptions(estimator, options);
  const { seconds } = beginCall({});
  return onRows(estimator, x, (rows) => new Searcher(estimator, subjectOf(estimator, rows, y, fit, own), own, fit, seconds).run());
}

/** What each estimator can search. */
const searchable = new Map<unknown, readonly SearchedName[]>([
  [LinearSVC, ["C"]],
  [LogisticRegression, ["C"]],
  [LinearSVR, ["C", "epsilon"]],
  [SVC, ["C", "gamma", "coef0", "degree"]],
  [NuSVC, ["nu", "gamma", "coef0", "degree"]],
  [SVR, ["C", "epsilon", "gamma", "coef0", "degree"]],
  [NuSVR, ["C", "nu", "gamma", "coef0", "degree"]],
]);

/** Whose models can be begun from each other along C. */
const warm: readonly unknown[] = [LinearSVC, LogisticRegression, LinearSVR, SVC, SVR];

function checkedOptions(learner: Learner, options: object): { own: CheckedSearchOptions; fit: Record<string, unknown> } {
  const { own, rest: fit } = splitOptions(searchOptions, options ?? {});
  const checked = searchOptions.check(own);
  const allowed = searchable.get(estimatorOf(learner));
  if (allowed === undefined)
    throw HingeError.option(
      "the estimator of a search",
      "one that is fitted to labels or targets, or a pipeline that ends in one",
      learner,
    );
  const names = Object.keys(checked.grid) as SearchedName[];
  if (names.length === 0) throw HingeError.option("grid", "an object such as { C: [1, 10] }", own.grid);
  for (const name of names) {
    if (!allowed.includes(name)) throw new HingeError("bad-option", `grid has ${name}, this estimator can search ${allowed.join(", ")}`);
    if (fit[name] !== undefined) throw new HingeError("bad-option", `${name} is in the grid and given besides; leave one of them out`);
  }
  for (const name of ["warmStart", "keepState", "rowIds"]) {
    if (fit[name] !== undefined) throw new HingeError("bad-option", `${name} cannot be given to search`);
  }
  return { own: checked, fit };
}

class Searcher<E extends Learner> {
  readonly #learner: E;
  readonly #subject: Subject;
  readonly #own: CheckedSearchOptions;
  readonly #fit: Readonly<Record<string, unknown>>;
  readonly #seconds: () => number;
  #prepared: (Promise<Prepared> | undefined)[] = [];
  #done = 0;
  #total = 0;
  #ending: "complete" | Interruption = "complete";

  constructor(learner: E, subject: Subject, own: CheckedSearchOptions, fit: Readonly<Record<string, unknown>>, seconds: () => number) {
    this.#learner = learner;
    this.#subject = subject;
    this.#own = own;
    this.#fit = fit;
    this.#seconds = seconds;
  }

  async run(): Promise<Search<ModelOf<E>>> {
    const { grid, refine, refit } = this.#own;
    const points = await this.#lines(linesOf(grid));
    const surface = surfaceOf(this.#own, points);
    for (let round = 1; round <= refine && this.#ending === "complete"; round++) {
      const known = new Set(points.map(({ point }) => JSON.stringify(point)));
      const lines = linesOf(refined(grid, this.#bestOf(points)?.point ?? {}, round));
      const fresh = lines.map((line) => line.filter((point) => !known.has(JSON.stringify(point)))).filter((line) => line.length > 0);
      points.push(...(await this.#lines(fresh)));
    }
    const best = this.#bestOf(points);
    const model = best !== undefined && refit && this.#ending === "complete" ? await this.#refitted(best.point) : undefined;
    return { best, points, model, surface, ending: this.#ending };
  }

  #bestOf(points: readonly SearchResult[]): SearchResult | undefined {
    const { sign } = this.#subject.scorer;
    const isBefore = (a: GridPoint, b: GridPoint): boolean => (a.C ?? 0) < (b.C ?? 0);
    const isBetter = (a: SearchResult, b: SearchResult): boolean =>
      sign * (a.score - b.score) > 0 || (a.score === b.score && isBefore(a.point, b.point));
    return points.reduce<SearchResult | undefined>((best, one) => (best === undefined || isBetter(one, best) ? one : best), undefined);
  }

  /** All lines in all folds, as many at a time as there are threads: scores of the points that every fold got to. */
  async #lines(lines: readonly Line[]): Promise<SearchResult[]> {
    const { folds } = this.#subject;
    this.#total += folds.length * lines.reduce((sum, line) => sum + line.length, 0);
    const chains = lines.flatMap((line) => folds.map((_, fold) => ({ line, fold })));
    const together = (await this.#together(chains)) ?? [];
    // What those who share work have not done, or not to the end, goes point by point.
    const found = await inLanes(chains.length, this.#own.threads ?? Infinity, async (c) => {
      const { line, fold } = chains[c] as GridChain;
      const done = together[c] ?? [];
      const left = Array.from(line.keys()).filter((at) => done[at] === undefined);
      const own = await this.#chain({ line: left.map((at) => line[at] as GridPoint), fold });
      return line.map((_, at) => done[at] ?? own[left.indexOf(at)]);
    });
    return lines.flatMap((line, k) =>
      line.flatMap((point, at) => {
        const own = folds.map((_, fold) => found[k * folds.length + fold]?.[at]);
        if (own.some((score) => score === undefined)) return [];
        const scores = (own as FoldScore[]).map(({ score }) => score);
        const { mean, deviation } = spreadOf(scores);
        return [{ point, score: mean, deviation, folds: scores, unconverged: own.filter((one) => one?.isConverged === false).length }];
      }),
    );
  }

  /** Kernel machines, or linear ones of many classes, all at once: scores as far as they got; undefined where that cannot be done. */
  async #together(chains: readonly GridChain[]): Promise<GridScores["scores"] | undefined> {
    const { threads, signal, timeLimitSeconds } = this.#own;
    const call = { threads, signal, timeLimitSeconds: timeLeft(timeLimitSeconds, this.#seconds) };
    const common = [this.#learner, this.#subject, this.#fit, chains] as const;
    const tell = (points: number): void => this.#tell(points);
    const found =
      (await searchKernelGrid(...common, call, tell)) ?? (await searchLinearGrid(...common, { ...call, seed: this.#own.seed }, tell));
    if (found?.interruption !== undefined) this.#ending = found.interruption;
    return found?.scores;
  }

  #tell(points: number): void {
    this.#done += points;
    const seconds = this.#seconds();
    this.#own.onProgress?.({
      done: this.#done,
      total: this.#total,
      seconds,
      remainingSeconds: (seconds / this.#done) * (this.#total - this.#done),
    });
  }

  /** One fold along C, each model begun from the one before: the scores, as far as it got. */
  async #chain({ line, fold }: GridChain): Promise<FoldScore[]> {
    const { seed, signal, timeLimitSeconds } = this.#own;
    const scores: FoldScore[] = [];
    if (line.length === 0 || this.#ending !== "complete") return scores;
    this.#prepared[fold] ??= this.#subject.prepare(this.#subject.folds[fold] as Fold);
    const prepared = await (this.#prepared[fold] as Promise<Prepared>);
    const canBeWarm = warm.includes(estimatorOf(this.#learner));
    let before: FittedModel | undefined;
    for (const point of line) {
      const left = timeLeft(timeLimitSeconds, this.#seconds);
      const warmStart = canBeWarm && before !== undefined ? { warmStart: before } : {};
      before = await prepared.fit({ seed, threads: 1, signal, timeLimitSeconds: left, ...point, ...warmStart }).catch((error: unknown) => {
        throw inFold(fold, error);
      });
      const { status } = before.report;
      if (isInterruption(status)) {
        this.#ending = status;
        return scores;
      }
      const held = await prepared.heldOut(before, 1);
      scores.push({ score: scoreIn(fold, () => this.#subject.scorer.score(held)), isConverged: status === "converged" });
      this.#tell(1);
    }
    return scores;
  }

  async #refitted(point: GridPoint): Promise<ModelOf<E> | undefined> {
    const { seed, threads, signal, timeLimitSeconds } = this.#own;
    const left = timeLeft(timeLimitSeconds, this.#seconds);
    const settings = { ...this.#fit, ...point, seed, threads, signal, timeLimitSeconds: left };
    const model = await this.#learner.fit(this.#subject.rows, this.#subject.y, settings);
    const { status } = model.report;
    if (isInterruption(status)) this.#ending = status;
    return model as ModelOf<E>;
  }
}

function surfaceOf({ grid }: CheckedSearchOptions, points: readonly SearchResult[]): Surface | undefined {
  const names = Object.keys(grid) as SearchedName[];
  if (names.length !== 2) return undefined;
  const [a, b] = names as [SearchedName, SearchedName];
  const rising = (name: SearchedName): number[] => [...(grid[name] ?? [])].sort((p, q) => p - q);
  const [rows, columns] = [rising(a), rising(b)];
  const scores = rows.map(() => new Float64Array(columns.length).fill(Number.NaN));
  for (const { point, score } of points) {
    const row = scores[rows.indexOf(point[a] as number)];
    if (row !== undefined) row[columns.indexOf(point[b] as number)] = score;
  }
  return { names: [a, b], rows, columns, scores };
}
