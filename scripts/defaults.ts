// Why every default of the linear estimators is what it is, and what others have: the words of docs/reference/defaults.md. The values come from
// the option tables; an option without words here does not compile.

import { linearOneClassOptions } from "../src/base/options/linear-one-class.ts";
import { linearSvcOptions } from "../src/base/options/linear-svc.ts";
import { linearSvrOptions } from "../src/base/options/linear-svr.ts";
import { logisticRegressionOptions } from "../src/base/options/logistic-regression.ts";
import { type Field, shownDefault, type Table } from "../src/base/options/table.ts";

/** Said of a default: why, then what LIBLINEAR's and scikit-learn's is. */
type Words = readonly [why: string, liblinear: string, scikit: string];

const common = {
  C: ["a loss of 1 costs as much as a weight vector of length 1.4 does; a beginning, to be chosen by validation", "1", "1"],
  penalty: ["solved faster, keeps all features, never ambiguous between equal ones", "l2 (`-s 1`)", "l2"],
  biasScale: ["the constant feature weighs like a feature of size 1", "no bias; with `-B 1` the same", "1 (`intercept_scaling`)"],
  classWeight: ["rows count as they are", "1 for every class (`-wi`)", "none"],
  sampleWeight: ["rows count as they are", "not in the standard program", "none"],
  tolerance: [
    "a promise about the result: the objective is within 0.1 % of the best one, proven",
    "its own measures, not a gap: 0.1 (`-s 1`, `3`, `4`, `7`) or 0.01 (`-s 0`, `2`, `5`, `6`)",
    "1e-4, in the measure of the chosen solver",
  ],
  maxIterations: [
    "a fit should end at its tolerance; this many passes are seldom reached, since a method that stalls hands over",
    "fixed limits in the code, no option",
    "1000 for LinearSVC, 100 for LogisticRegression; a warning when reached",
  ],
  timeLimitSeconds: ["a result must not depend on the clock unless somebody asks for it", "none", "none"],
  warmStart: ["every fit stands by itself", "not on its command line", "none for LinearSVC; `warm_start=False`"],
  seed: ["the same call gives the same bits; another seed shows what depends on the order of rows", "no option", "`random_state=None`"],
  threads: ["all cores; the result does not depend on their number", "one", "one (`n_jobs=None`)"],
  signal: ["a fit runs to its own end", "none", "none"],
  onProgress: ["silence", "prints as it goes unless `-q`", "`verbose=0`"],
} satisfies Readonly<Record<string, Words>>;

const svc: Readonly<Record<keyof typeof linearSvcOptions.fields, Words>> = {
  ...common,
  loss: [
    "smooth, so that Newton's method applies where descent is slow; hinge has fewer support vectors",
    "squared hinge (`-s 1`)",
    "squared_hinge",
  ],
  multiClass: ["one problem a class: fast, and each certified by itself", "one-vs-rest (`-s 4`: Crammer-Singer)", "ovr"],
  bias: [
    "an intercept should not be pulled towards 0 by the penalty; where that is not cheap (crammer_singer), augmented",
    "no bias (`-B -1`)",
    "an intercept, regularised (augmented)",
  ],
  solver: [
    "chosen by loss and shape of the data; changes the time, not the optimum",
    "`-s 1`, dual coordinate descent",
    "LIBLINEAR with `dual=True`",
  ],
  stop: ["the gap bounds the error of the result, a violation does not", "a violation, each solver its own", "LIBLINEAR's"],
  shrinking: ["saves time and changes nothing else: the last check sees every row", "always on for `-s 1`, `3`, `4`", "LIBLINEAR's"],
};

const logistic: Readonly<Record<keyof typeof logisticRegressionOptions.fields, Words>> = {
  ...common,
  penalty: [common.penalty[0], "l2 (`-s 0`, `-s 7`)", common.penalty[2]],
  multiClass: [
    "one model of all probabilities, which then need no repair to sum to 1",
    "one-vs-rest",
    "`auto`: multinomial for the default solver",
  ],
  bias: [
    "augmented: cheap for every solver, while dual coordinate descent has no form of a free one for this loss",
    "no bias (`-B -1`)",
    "an intercept, not regularised by the default solver",
  ],
  solver: [
    "chosen by shape of the data; changes the time, not the optimum",
    "none for logistic regression: `-s 0`, `6` or `7` is said",
    "lbfgs",
  ],
  stop: ["the gap bounds the error of the result, a violation does not", "a violation, each solver its own", "its own measures"],
  shrinking: [
    "saves time and changes nothing else: every feature is looked at again before the end",
    "always on for `-s 5` and `6`",
    "LIBLINEAR's for its solvers",
  ],
};

const svr: Readonly<Record<keyof typeof linearSvrOptions.fields, Words>> = {
  ...common,
  epsilon: ["the only width that fits targets of every size; to be chosen by their scale", "0.1 (`-p`)", "0"],
  loss: [
    "smooth, so that Newton's method applies; epsilon_insensitive is pulled less by outliers",
    "none for regression: `-s 11`, `12` or `13` is said",
    "epsilon_insensitive",
  ],
  bias: ["predictions should follow the targets wherever they lie", "no bias (`-B -1`)", "an intercept, regularised (augmented)"],
  centreTarget: ["an augmented bias would otherwise pull predictions towards 0", "not there", "not there"],
  tolerance: [common.tolerance[0], "its own measures, not a gap: 0.0001 (`-s 11`), 0.1 (`-s 12`, `13`)", common.tolerance[2]],
  maxIterations: [common.maxIterations[0], common.maxIterations[1], "1000 for LinearSVR; a warning when reached"],
  warmStart: [common.warmStart[0], common.warmStart[1], "none for LinearSVR"],
  solver: [
    "chosen by loss and shape of the data; changes the time, not the optimum",
    "none for regression: `-s 11`, `12` or `13` is said",
    "LIBLINEAR with `dual=True`",
  ],
  stop: ["the gap bounds the error of the result, a violation does not", "a violation, each solver its own", "LIBLINEAR's"],
  shrinking: ["saves time and changes nothing else: the last check sees every row", "always on for `-s 12` and `13`", "LIBLINEAR's"],
};

const oneClass: Readonly<Record<keyof typeof linearOneClassOptions.fields, Words>> = {
  ...common,
  nu: ["a beginning, to be chosen by how many outliers are expected", "0.5 (`-n`)", "0.5 (`SGDOneClassSVM`, `OneClassSVM`)"],
  tolerance: [common.tolerance[0], "its own measure, not a gap: 0.01 (`-s 21`)", "1e-3, in the measure of the chosen class"],
  maxIterations: [common.maxIterations[0], common.maxIterations[1], "1000 (`SGDOneClassSVM`)"],
  warmStart: [common.warmStart[0], common.warmStart[1], "`warm_start=False` (`SGDOneClassSVM`)"],
  stop: ["the gap bounds the error of the result, a violation does not", "the violation", "its own measures"],
  shrinking: ["saves time and changes nothing else: the last check sees every row", "always on", "on (`OneClassSVM`)"],
};

const introduction = `What you get when you say nothing, why, and what others give you then. LIBLINEAR's are those of \`train\` 2.3, scikit-learn's those of
its classes of the same names in version 1.2 (for one-class those named); other versions may differ.

The same C means the same problem in all three: 1/2 |w|^2 (or |w|_1) plus C times the sum of the losses. What differs most by default is the bias: to compare
with LIBLINEAR say \`bias: false\`, or \`bias: "augmented"\` against \`-B 1\`; to compare with scikit-learn's LinearSVC say \`bias: "augmented"\`, with its
LogisticRegression \`bias: "unregularised"\`. And a tolerance means something else in each: only a gap says how far the result is from the optimum.
`;

/** The text of the page below its title. */
export function defaultsText(): string {
  return [
    introduction,
    section(linearSvcOptions, svc),
    section(logisticRegressionOptions, logistic),
    section(linearSvrOptions, svr),
    section(linearOneClassOptions, oneClass),
  ].join("\n");
}

// biome-ignore lint/suspicious/noExplicitAny: any table has a section
function section({ owner, fields }: Table<any>, words: Readonly<Record<string, Words>>): string {
  const rows = Object.entries(fields as Record<string, Field<unknown>>).map(([name, field]) => {
    const value = shownDefault(field);
    return `| \`${name}\` | ${value === "" ? "not set" : `\`${value}\``} | ${(words[name] as Words).join(" | ")} |`;
  });
  return [`## ${owner}`, "", "| option | default | why | LIBLINEAR | scikit-learn |", "|---|---|---|---|---|", ...rows, ""].join("\n");
}
