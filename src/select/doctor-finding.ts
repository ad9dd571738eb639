// What the doctor says, as data: one finding a kind of trouble, with what to do about it.

/** How much it matters: a problem keeps a model from being trained, a warning makes it worse or slower than need be, a note is good to know. */
export type Severity = "note" | "warning" | "problem";

/** Everything that the doctor knows to look for. */
export type FindingKind =
  // of the text
  | "no-rows"
  | "damaged-file"
  | "bad-label"
  | "bad-feature"
  | "bad-value"
  | "not-finite"
  | "too-large"
  | "index-zero"
  | "index-too-large"
  | "unsorted-indices"
  | "repeated-indices"
  | "mixed-queries"
  // of the labels
  | "single-class"
  | "numbers-as-labels"
  | "unscaled-targets"
  | "imbalance"
  | "small-classes"
  | "infeasible-nu"
  // of the columns
  | "unscaled-columns"
  | "far-from-zero"
  | "lost-digits"
  | "constant-columns"
  | "unused-columns"
  | "rare-columns"
  | "single-row-columns"
  | "more-features-than-rows"
  // of the rows
  | "conflicting-rows"
  | "duplicate-rows"
  | "empty-rows"
  | "stored-zeros"
  | "dense-rows";

/** What only tables can have. */
export type TableFindingKind = "empty-columns" | "missing-values";

/** Where something is. Lines and columns count from 1, features as the file does, rows from 0. */
export interface Place {
  readonly line?: number;
  readonly column?: number;
  readonly row?: number;
  readonly feature?: number;
  /** What stands there, cut where it is long. */
  readonly text?: string;
}

export interface Finding {
  readonly kind: FindingKind | TableFindingKind;
  readonly severity: Severity;
  /** What there is. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Of the things that the message speaks of. */
  readonly count: number;
  /** The first few of them; none where the whole file is meant. */
  readonly places: readonly Place[];
}

/** Places that a finding shows. */
export const MOST_PLACES = 3;

const order: readonly Severity[] = ["problem", "warning", "note"];

/** The most serious first; those alike in their order. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

/** Three digits: 1234.5 is 1230, 0.00012345 is 1.23e-4. */
export function rounded(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace(/\.?0+(?=e)/, "");
  return String(Number(value.toPrecision(3)));
}
