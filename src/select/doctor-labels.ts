// What stands first in the rows: classes or numbers, and what there is to say about them.

import { counted } from "../base/words.js";
import type { Label } from "../data/labels.js";
import { type Finding, rounded } from "./doctor-finding.js";

/** What the labels are; rows without a readable one are left out. */
export type LabelSummary =
  | { readonly kind: "classes"; readonly classes: readonly ClassCount[] }
  | {
      readonly kind: "numbers";
      readonly minimum: number;
      readonly maximum: number;
      readonly mean: number;
      readonly deviation: number;
    }
  | { readonly kind: "none" };

export interface ClassCount {
  readonly label: Label;
  readonly count: number;
}

/** More classes than this are none: a problem a class or a pair of them would be too many for anybody. */
const MOST_CLASSES = 1000;
/** More different fractions than this are no classes either. */
const MOST_FRACTIONS = 10;

export function summarize(y: ArrayLike<Label>): LabelSummary {
  return y instanceof Float64Array ? summarizeNumbers(y) : { kind: "classes", classes: countedClasses(Array.from(y)) };
}

function summarizeNumbers(y: Float64Array): LabelSummary {
  const counts = new Map<number, number>();
  let [rowCount, hasFractions] = [0, false];
  for (const label of y) {
    if (Number.isNaN(label)) continue;
    rowCount++;
    hasFractions ||= !Number.isInteger(label);
    if (counts.size <= MOST_CLASSES) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  if (rowCount === 0) return { kind: "none" };
  // Where most rows have a label of their own there is nothing to learn about it as a class.
  const isAlone = counts.size > 2 && 2 * counts.size > rowCount;
  if (counts.size > MOST_CLASSES || isAlone || (hasFractions && counts.size > MOST_FRACTIONS)) return numbersOf(y, rowCount);
  const classes = [...counts].map(([label, count]) => ({ label, count })).sort((a, b) => a.label - b.label);
  return { kind: "classes", classes };
}

/** Of labels that are texts, in the order of their code units. */
function countedClasses(y: readonly Label[]): ClassCount[] {
  const counts = new Map<Label, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => ({ label, count })).sort((a, b) => (a.label < b.label ? -1 : 1));
}

function numbersOf(y: Float64Array, rowCount: number): LabelSummary {
  let [minimum, maximum, sum] = [Infinity, -Infinity, 0];
  for (const target of y) {
    if (Number.isNaN(target)) continue;
    minimum = Math.min(minimum, target);
    maximum = Math.max(maximum, target);
    sum += target / rowCount;
  }
  const squares = y.reduce((total, target) => (Number.isNaN(target) ? total : total + (target - sum) ** 2), 0);
  return { kind: "numbers", minimum, maximum, mean: sum, deviation: Math.sqrt(squares / rowCount) };
}

/** Rows of a class that folds need: one in each of five. */
const FOLDS = 5;
/** The largest class over the smallest from which a model does best by forgetting the smallest. */
const IMBALANCE = 20;
/** What nu-SVC takes if nothing is said. */
const DEFAULT_NU = 0.5;

export function labelFindings(labels: LabelSummary): Finding[] {
  if (labels.kind === "numbers") return targetFindings(labels);
  if (labels.kind === "none") return [];
  const { classes } = labels;
  const [only] = classes;
  if (classes.length === 1 && only !== undefined) {
    const message = `all labels are ${only.label}: there is nothing to tell apart`;
    const remedy = "bring rows of another class, or learn what is usual: --estimator one-class-svm or linear-one-class";
    return [{ kind: "single-class", severity: "problem", message, remedy, count: only.count, places: [] }];
  }
  return [...imbalance(classes), ...smallClasses(classes), ...infeasibleNu(classes)];
}

/** A spread of targets beyond which the default C and epsilon of SVR mean something else than they were chosen for. */
const WIDE = 100;
const NARROW = 0.1;

function targetFindings({ minimum, maximum, deviation }: LabelSummary & { readonly kind: "numbers" }): Finding[] {
  const findings: Finding[] = [
    {
      kind: "numbers-as-labels",
      severity: "note",
      message: `the labels are numbers from ${rounded(minimum)} to ${rounded(maximum)}, not classes`,
      remedy: "this is a regression: --estimator linear-svr, svr or nu-svr",
      count: 1,
      places: [],
    },
  ];
  if (deviation > 0 && (deviation > WIDE || deviation < NARROW)) {
    const size = rounded(deviation);
    findings.push({
      kind: "unscaled-targets",
      severity: "warning",
      message: `the targets spread by ${size} (standard deviation), and the default epsilon is 0.1 and C is 1`,
      remedy: `divide the targets by ${size}, or choose epsilon and C of that size`,
      count: 1,
      places: [],
    });
  }
  return findings;
}

const MOST_LISTED = 4;

/** "-1: 950, 1: 50", the smallest first. */
function listed(classes: readonly ClassCount[]): string {
  const shown = classes.slice(0, MOST_LISTED).map(({ label, count }) => `${label}: ${counted(count, "row")}`);
  return shown.join(", ") + (classes.length > MOST_LISTED ? ", …" : "");
}

const bySize = (classes: readonly ClassCount[]): ClassCount[] => [...classes].sort((a, b) => a.count - b.count);

function imbalance(classes: readonly ClassCount[]): Finding[] {
  const sorted = bySize(classes);
  const least = sorted[0] as ClassCount;
  const most = sorted.at(-1) as ClassCount;
  const ratio = most.count / least.count;
  if (ratio < IMBALANCE) return [];
  const small = sorted.filter(({ count }) => most.count >= IMBALANCE * count);
  const size = `${counted(most.count, "row")}, ${rounded(ratio)} times as many as the smallest`;
  const message = `class ${most.label} has ${size} (${listed(small)})`;
  const remedy = 'classWeight: "balanced" (--class-weight balanced), and judge by balancedAccuracy or f1';
  return [{ kind: "imbalance", severity: "warning", message, remedy, count: small.length, places: [] }];
}

function smallClasses(classes: readonly ClassCount[]): Finding[] {
  const small = bySize(classes).filter(({ count }) => count < FOLDS);
  if (small.length === 0) return [];
  const which = counted(small.length, "class has", "classes have");
  const message = `${which} fewer rows than the ${FOLDS} folds of a cross-validation (${listed(small)})`;
  const remedy = "bring more rows of them, join them with another class, or leave them out";
  return [{ kind: "small-classes", severity: "warning", message, remedy, count: small.length, places: [] }];
}

/** The largest nu that nu-SVC can have: 2 min(n1, n2) / (n1 + n2), of the pair of classes where that is smallest. */
export function mostNu(classes: readonly ClassCount[]): number {
  const sorted = bySize(classes);
  const [least, most] = [sorted[0]?.count ?? 1, sorted.at(-1)?.count ?? 1];
  return (2 * least) / (least + most);
}

function infeasibleNu(classes: readonly ClassCount[]): Finding[] {
  const largest = mostNu(classes);
  if (largest >= DEFAULT_NU) return [];
  const sorted = bySize(classes);
  const [least, most] = [sorted[0] as ClassCount, sorted.at(-1) as ClassCount];
  // Rounded down: what is said must be feasible.
  const said = Math.floor(largest * 1e4) / 1e4 || Number(largest.toPrecision(2));
  const cause = `because of the classes ${least.label} and ${most.label}`;
  const message = `nu-SVC can have a nu of at most ${said}, ${cause}; its default is ${DEFAULT_NU}`;
  const remedy = `--nu ${said} or less, or svc, which has no such limit`;
  return [{ kind: "infeasible-nu", severity: "warning", message, remedy, count: 1, places: [] }];
}
