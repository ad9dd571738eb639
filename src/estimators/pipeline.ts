// Pipelines: transformers and an estimator that are fitted, saved and loaded as one model, so that predicting never forgets a step.

import { HingeError, shown } from "../base/errors.js";
import type { PredictOptions } from "../base/options/data.js";
import { type LoadOptions, loadOptions } from "../base/options/kernel.js";
import { type RecordOfOne, tableOfOne } from "../data/one-row.js";
import { type PipelineJson, pipelineFromJson, pipelineToJson } from "../model/pipeline.js";
import { beginCall, timeLeft } from "../runtime/runtime.js";
import { Columns, ColumnsRecipe } from "./columns.js";
import { fitStage } from "./fit-stage.js";
import { HashingVectorizer } from "./hashing-vectorizer.js";
import { Imputer } from "./imputer.js";
import { estimators, knownFromJson, type Model, nameOf, type Transformer, transformers } from "./known.js";
import type { RowInput } from "./linear-decision.js";
import { OneHotEncoder } from "./one-hot-encoder.js";
import { MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler } from "./scalers.js";
import { StoredAsJson } from "./stored.js";
import { TfidfVectorizer } from "./tfidf-vectorizer.js";

type EstimatorClass = (typeof estimators)[keyof typeof estimators];
/** Classes that are fitted by themselves, and columns(…). */
const stageClasses = {
  ...{ MinMaxScaler, StandardScaler, MaxAbsScaler, Normalizer },
  ...{ Imputer, OneHotEncoder, TfidfVectorizer, HashingVectorizer },
} as const;
type TransformerClass = (typeof stageClasses)[keyof typeof stageClasses] | ColumnsRecipe;

/** A class, or a class with options for its fit. */
export type StageInput<T> = T | readonly [T, object];

type FitOf<E extends { fit: unknown }> = E["fit"] extends (...args: infer A) => unknown ? A : never;
type RowsFor<T extends { fit: unknown }> = FitOf<T>[0];
/** Of one-class estimators there is no y: `fit(x, options)`. */
type YOf<E extends { fit: unknown }> = FitOf<E>[1];
type OptionsFor<E extends { fit: unknown }> = FitOf<E>[2];
type ModelOf<E extends { fit: unknown }> = E["fit"] extends (...args: never[]) => Promise<infer M extends StageModel> ? M : never;

/** A model as far as a pipeline looks at it. */
interface StageModel {
  readonly report: { readonly status: Model["report"]["status"] };
  predict(x: never, options?: PredictOptions): Promise<unknown>;
  toJSON(): object;
}

/** Whether a stage counts rows by their weight. */
const isWeighted = (kind: unknown): boolean =>
  ([MinMaxScaler, StandardScaler, MaxAbsScaler, Imputer] as unknown[]).includes(kind) || kind instanceof ColumnsRecipe;

/**
 * Returns what is fitted as one: each stage on what the one before it made of the rows, the estimator at the end. A stage is a class, or `[class, options]`;
 * options given to `fit` are the estimator's. `pipeline(MinMaxScaler, SVC).fit(x, y, { C: 10 })`.
 */
export function pipeline<E extends EstimatorClass>(estimator: StageInput<E>): Recipe<E, RowsFor<E>>;
export function pipeline<T extends TransformerClass, E extends EstimatorClass>(
  first: StageInput<T>,
  ...rest: readonly [...StageInput<TransformerClass>[], StageInput<E>]
): Recipe<E, RowsFor<T>>;
export function pipeline(...stages: readonly StageInput<EstimatorClass | TransformerClass>[]): Recipe<EstimatorClass, unknown> {
  if (stages.length === 0) throw HingeError.input("a pipeline needs an estimator at its end, such as pipeline(MinMaxScaler, SVC)");
  const parts = stages.map((stage, k) => {
    const [kind, options] = Array.isArray(stage) ? (stage as readonly [unknown, unknown]) : [stage, {}];
    const isLast = k === stages.length - 1;
    const allowed = isLast ? estimators : stageClasses;
    if (!(Object.values(allowed) as unknown[]).includes(kind) && (isLast || !(kind instanceof ColumnsRecipe))) {
      const names = [...Object.keys(allowed), ...(isLast ? [] : ["columns(…)"])].join(", ");
      throw HingeError.option(`stage ${k + 1} of ${stages.length} of a pipeline`, `one of ${names}, or [class, options]`, kind);
    }
    if (typeof options !== "object" || options === null || Array.isArray(options)) {
      throw HingeError.option(`the options of stage ${k + 1} of a pipeline`, "an object such as { C: 1 }", options);
    }
    return { kind, options };
  });
  const last = parts.pop() as { kind: EstimatorClass; options: object };
  return new Recipe(parts as { kind: TransformerClass; options: object }[], last.kind, last.options);
}

/** A pipeline that is not fitted: classes and their options. Make one with `pipeline(…)`. Immutable. */
export class Recipe<E extends EstimatorClass = EstimatorClass, X = unknown> {
  readonly estimator: E;
  readonly #stages: readonly { readonly kind: TransformerClass; readonly options: object }[];
  readonly #options: object;

  /** @internal */
  constructor(stages: readonly { readonly kind: TransformerClass; readonly options: object }[], estimator: E, options: object) {
    this.#stages = stages;
    this.estimator = estimator;
    this.#options = options;
    Object.freeze(this);
  }

  /** Returns the model that fits rows `x` with labels or targets `y`, all stages of it. `options` are the estimator's; what it was given in the pipeline holds unless it is given here. */
  async fit(x: X, y: YOf<E>, options?: OptionsFor<E>): Promise<Pipeline<ModelOf<E>, X>> {
    const settings: Record<string, unknown> = { ...this.#options, ...(options as object | undefined) };
    const { sampleWeight, threads } = settings as { sampleWeight?: ArrayLike<number>; threads?: number };
    const { seconds } = beginCall({});
    const { stages, rows } = await this.prepare(x, sampleWeight, threads);
    // Stages take their part of the time; the fit says when it is over.
    const limit = settings.timeLimitSeconds;
    if (typeof limit === "number") settings.timeLimitSeconds = limit > 0 ? timeLeft(limit, seconds) : limit;
    return new Pipeline(stages, await this.fitPrepared(rows, y, settings));
  }

  /** @internal The stages fitted, and what they make of the rows. */
  async prepare(x: X, sampleWeight: ArrayLike<number> | undefined, threads?: number): Promise<{ stages: Transformer[]; rows: unknown }> {
    const stages: Transformer[] = [];
    let rows: unknown = x;
    for (const { kind, options: own } of this.#stages) {
      const weights = isWeighted(kind) && sampleWeight !== undefined ? { sampleWeight } : {};
      const both = await fitStage<Transformer>(kind, rows, { ...weights, ...own }, threads);
      stages.push(both.fitted);
      rows = both.rows;
    }
    return { stages, rows };
  }

  /** @internal The estimator's model of rows that have gone through the stages. */
  fitPrepared(rows: unknown, y: unknown, options: object): Promise<ModelOf<E>> {
    const fit = this.estimator.fit as unknown as (x: unknown, y: unknown, options: object) => Promise<ModelOf<E>>;
    return fit.call(this.estimator, rows, y, this.optionsWith(options));
  }

  /** @internal The estimator's options: those given, and those of the pipeline where none are. */
  optionsWith(options: object): object {
    return { ...this.#options, ...options };
  }
}

/** A fitted pipeline: it takes what its first stage takes, and says what its model says. Make one with `pipeline(…).fit`. Immutable. */
export class Pipeline<M extends StageModel = Model, X = unknown> extends StoredAsJson {
  /** The transformers, in their order. */
  readonly stages: readonly Transformer[];
  /** The model behind them, which takes what they make of rows. */
  readonly model: M;

  /** @internal */
  constructor(stages: readonly Transformer[], model: M) {
    super();
    this.stages = Object.freeze([...stages]);
    this.model = model;
    Object.freeze(this);
  }

  get report(): M["report"] {
    return this.model.report;
  }

  /** The labels; undefined for a regression and for one class. */
  get classes(): M extends { readonly classes: infer C } ? C : undefined {
    return (this.model as { readonly classes?: unknown }).classes as M extends { readonly classes: infer C } ? C : undefined;
  }

  /** Returns the rows as the model sees them. */
  async transform(x: X, options?: PredictOptions): Promise<unknown> {
    return throughStages(this.stages, x, options);
  }

  /** Returns the label or number of every row. */
  async predict(x: X, options?: PredictOptions): Promise<Awaited<ReturnType<M["predict"]>>> {
    return (await this.model.predict((await this.transform(x, options)) as never, options)) as Awaited<ReturnType<M["predict"]>>;
  }

  /**
   * Returns the label or number of one row: its features in order, `[indices, values]` or `{index: value}`; where the pipeline takes tables, an object of one value a
   * column, in which what is not named is missing; where it takes texts, a text.
   */
  async predictOne(
    row: RowInput | RecordOfOne | string,
  ): Promise<Awaited<ReturnType<M["predict"]>> extends ArrayLike<infer P> ? P : never> {
    const predicted = (await this.predict(this.tableOf(row))) as ArrayLike<unknown>;
    return predicted[0] as Awaited<ReturnType<M["predict"]>> extends ArrayLike<infer P> ? P : never;
  }

  /** @internal The row as rows that the first stage takes. */
  tableOf(row: RowInput | RecordOfOne | string): X {
    const [first] = this.stages;
    return (first instanceof Columns ? tableOfOne(row as RecordOfOne, first.kinds) : [row]) as X;
  }

  /** Returns the decision values of every row; of a linear regression, its predictions. */
  async decision(x: X, options?: PredictOptions): Promise<Float64Array> {
    const rows = (await this.transform(x, options)) as never;
    const model = this.model as StageModel & { decision?(x: never, options?: PredictOptions): Promise<Float64Array> };
    return model.decision === undefined ? (model.predict(rows, options) as Promise<Float64Array>) : model.decision(rows, options);
  }

  /** Returns the probability of every class for every row, where the model has probabilities. */
  get probabilities(): M extends { probabilities: unknown } ? (x: X, options?: PredictOptions) => Promise<Float64Array> : undefined {
    const model = this.model as { probabilities?(x: never, options?: PredictOptions): Promise<Float64Array> };
    const own =
      model.probabilities === undefined
        ? undefined
        : async (x: X, options?: PredictOptions) => model.probabilities?.((await this.transform(x, options)) as never, options);
    return own as unknown as M extends { probabilities: unknown } ? (x: X, options?: PredictOptions) => Promise<Float64Array> : undefined;
  }

  /** Returns the model's own score: the share of rows whose label is predicted right, or R^2. */
  async score(x: X, y: M extends { score(x: never, y: infer Y): unknown } ? Y : never): Promise<number> {
    const model = this.model as StageModel & { score?(x: unknown, y: unknown): Promise<number> };
    if (model.score === undefined) throw new HingeError("bad-model", `a pipeline that ends in ${nameOf(model.constructor)} has no score`);
    return model.score(await this.transform(x), y);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): PipelineJson {
    return pipelineToJson(
      this.stages.map((stage) => stage.toJSON()),
      this.model.toJSON(),
    );
  }

  /** Returns the pipeline in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): Pipeline {
    const parts = pipelineFromJson(json);
    const checked = loadOptions.check(options);
    const stages = parts.stages.map((stage, k) => {
      const own = knownFromJson(stage, {});
      if (isTransformer(own)) return own;
      throw new HingeError("bad-model", `stage ${k + 1} of the pipeline is a ${shown(stage.estimator)}; it must be a transformer`);
    });
    const model = knownFromJson(parts.model, checked);
    if (isTransformer(model))
      throw new HingeError("bad-model", `the pipeline ends in a ${shown(parts.model.estimator)}; it must end in an estimator`);
    return new Pipeline(stages, model);
  }
}

function isTransformer(own: Model | Transformer): own is Transformer {
  return Object.values(transformers).some((kind) => own instanceof kind);
}

/** @internal What fitted stages make of rows, one after the other. */
export async function throughStages(stages: readonly Transformer[], x: unknown, options?: PredictOptions): Promise<unknown> {
  let rows = x;
  for (const stage of stages) rows = await stage.transform(rows as never, options);
  return rows;
}
