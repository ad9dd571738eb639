// What a training report is made of: plain data, so that any program can fill it in. What is left out has no place on the page.

import type { KernelCertificate } from "../model/certificate.js";
import type { Scheme } from "../model/linear-classifier.js";

type Label = number | string;
/** A name and what it stands for, as they are printed. */
export type NamedValue = readonly [name: string, value: number | string | boolean];

export interface ReportInput {
  readonly title: string;
  readonly data: DataFacts;
  readonly model: ModelFacts;
  readonly test?: TestPart | undefined;
  readonly search?: SearchFacts | undefined;
  /** What `explain(model)` returns: the features or terms with the largest weights, by decision value. */
  readonly weights?: readonly WeightFacts[] | undefined;
  /** The hardest first; `hardestRows` finds them. */
  readonly hardest?: readonly HardRow[] | undefined;
}

/** What it was trained on. */
export interface DataFacts {
  readonly name: string;
  readonly rowCount: number;
  readonly featureCount: number;
  /** How many training rows each class has. */
  readonly classes?: readonly { readonly label: Label; readonly count: number }[] | undefined;
  /** Whatever else there is to say: where it comes from, how it was split. */
  readonly notes?: readonly NamedValue[] | undefined;
}

/** What was trained, and how that went. Most of it stands in `model.report` and `model.report.run`. */
export interface ModelFacts {
  readonly estimator: string;
  /** What rows go through before they come to the estimator: the names of a pipeline's stages. */
  readonly pipeline?: readonly string[] | undefined;
  readonly options?: readonly NamedValue[] | undefined;
  readonly status?: string | undefined;
  readonly solver?: string | undefined;
  readonly iterations?: number | undefined;
  readonly supportCount?: number | undefined;
  readonly seconds?: { readonly total: number; readonly certify?: number | undefined } | undefined;
  readonly threads?: number | undefined;
  /** The gap that was asked for. */
  readonly tolerance?: number | undefined;
  /** `model.report.certificate`; of a model without one, `noCertificate` says why. */
  readonly certificate?: KernelCertificate | undefined;
  readonly noCertificate?: string | undefined;
  /** `model.report.run.problems`: one for two classes, one a class or a pair of them for more, or a joint one. */
  readonly problems?: readonly ProblemFacts[] | undefined;
  /** Programs and their versions. */
  readonly versions?: readonly NamedValue[] | undefined;
}

/** How one problem of a fit went: a `ProblemReport` is one. */
export interface ProblemFacts {
  readonly positive?: Label | undefined;
  readonly negative?: Label | undefined;
  readonly status?: string | undefined;
  readonly certificate?: { readonly relativeGap: number | null } | undefined;
  readonly stages?: readonly StageFacts[] | undefined;
  readonly history?: readonly GapMoment[] | undefined;
}

export interface StageFacts {
  readonly solver: string;
  readonly why?: string | undefined;
  readonly iterations?: number | undefined;
  readonly relativeGap?: number | null | undefined;
}

export interface GapMoment {
  readonly seconds: number;
  readonly iterations?: number | undefined;
  readonly relativeGap: number | null;
}

export type TestPart = ClassTest | NumberTest;

/** Which rows the predictions are of: such as the model never saw, or each predicted by a model of the other folds, or the very rows of the fit. */
export type TestedRows = "held-out" | "cross-validated" | "training";

/** Labels and what was predicted. */
export interface ClassTest {
  readonly kind: "classes";
  /** Default "held-out". */
  readonly rows?: TestedRows | undefined;
  readonly y: ArrayLike<number> | ArrayLike<string> | ArrayLike<Label>;
  readonly predicted: ArrayLike<number> | ArrayLike<string> | ArrayLike<Label>;
  /** `model.classes`: decision values and probabilities are in this order. */
  readonly classes: readonly Label[];
  /** What `model.decision` returns, row after row. */
  readonly decision?: ArrayLike<number> | undefined;
  /** `model.multiClass`; needed with three classes, where pairs are as many. */
  readonly scheme?: Scheme | undefined;
  /** What `model.probabilities` returns, row after row, one a class. */
  readonly probabilities?: ArrayLike<number> | undefined;
}

/** Targets of a regression and what was predicted. */
export interface NumberTest {
  readonly kind: "numbers";
  /** Default "held-out". */
  readonly rows?: TestedRows | undefined;
  readonly y: ArrayLike<number>;
  readonly predicted: ArrayLike<number>;
  /** Half the width of the tube within which errors cost nothing. */
  readonly epsilon?: number | undefined;
}

/** What a search found: a `Search` is one. */
export interface SearchFacts {
  readonly points: readonly SearchPoint[];
  readonly best?: SearchPoint | undefined;
  /** What the scores are: "accuracy", "r2", … */
  readonly scoring?: string | undefined;
  readonly lowerIsBetter?: boolean | undefined;
  /** "complete", or why it ended before. */
  readonly ending?: string | undefined;
}

export interface SearchPoint {
  readonly point: { readonly [name: string]: number | undefined };
  readonly score: number;
  readonly deviation?: number | undefined;
  readonly folds?: readonly number[] | undefined;
}

/** The weights of a decision value: an `ExplainedWeights` is one. */
export interface WeightFacts {
  readonly positive?: Label | undefined;
  readonly negative?: Label | undefined;
  readonly up: readonly FeatureFacts[];
  readonly down: readonly FeatureFacts[];
}

export interface FeatureFacts {
  readonly feature: number;
  readonly name?: string | undefined;
  readonly weight: number;
}

/** A row that the model got most wrong, or only just right. */
export interface HardRow {
  /** As the reader counts them. */
  readonly row: number | string;
  readonly label: Label;
  readonly predicted: Label;
  /** Of classes: by how much the score of the row's own class is above the best other; below 0 it is taken for another. */
  readonly margin?: number | undefined;
  /** Of numbers: what was predicted less what is true. */
  readonly residual?: number | undefined;
  /** What the row says, cut where it is long. */
  readonly text?: string | undefined;
}
