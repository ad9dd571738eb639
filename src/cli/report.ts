// hinge report: trains on a part of the data, looks at the rest, and writes all of it down as one HTML file.

import { basename } from "node:path";
import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { Random } from "../base/random.js";
import { counted } from "../base/words.js";
import { takeList, takeRows } from "../data/take-rows.js";
import { version } from "../generated/version.js";
import { type CalibratedClassifier, calibrate, explain, type Pipeline } from "../index.js";
import type { ReportInput } from "../report/report.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import { type Console, INTERRUPTED, interruptible, live } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimators, learnerOn, type Trainable, testedName } from "./estimators.js";
import { addFlags, checkFlags, flagOf, optionsFrom } from "./flags.js";
import { foldsFrom, withFoldFlags } from "./folds.js";
import { addGridFlags, type Found, planFrom, searched } from "./grid.js";
import {
  addInputFlags,
  besideName,
  DATA_HELP,
  type Input,
  inputFlags,
  knownFrom,
  type Labels,
  labelsOf,
  readInput,
  sizeOf,
} from "./input.js";
import { fitText, readLive } from "./progress.js";
import { line } from "./text.js";

/** One row of so many is held out where there is no test file. */
const HELD_OUT = 4;

export function reportCommand(console: Console): Command {
  const command = new Command("report")
    .description("Train, test on rows held out, and write down all there is to see as one HTML file.")
    .argument("<data>", DATA_HELP)
    .argument("[out]", "where to write the page (default: the data file's name + .report.html, here)")
    .option("--test <file>", "rows to test on, of the same form (default: every fourth row, in random order, is held out)")
    .option("--search", "search C, and gamma of a kernel, first; the page shows all points")
    .option("--calibrate", "make probabilities of decision values, by cross-validation; the page shows how good they are")
    .option("--title <text>", "what stands at the head of the page")
    .option("--estimator <name>", ESTIMATOR_HELP);
  addGridFlags(command);
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--quiet", "print nothing but complaints");
  return command.action((data: string, out: string | undefined, given: Record<string, unknown>) => report(console, data, out, given));
}

/** What the page needs of a model, fitted by itself or at the end of a pipeline. */
interface Fitted {
  readonly report: ReportedModel;
  readonly classes?: readonly (number | string)[];
  readonly multiClass?: string;
  predict(x: never): Promise<ArrayLike<number | string>>;
  decision(x: never): Promise<Float64Array>;
  probabilities?(x: never): Promise<Float64Array>;
}
type ReportedModel = Pipeline["report"];

async function report(console: Console, dataPath: string, outPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = testedName(given.estimator);
  const estimator: Trainable = estimators[name];
  const options = optionsFrom(given, allFields());
  const settings = checkFlags(estimator.options, options);
  refuseIdle(given);
  const folds = foldsFrom(given, estimator, options);
  const plan = given.search === true ? planFrom(given, estimator, options) : undefined;
  const target = outPath ?? besideName(dataPath, ".report.html");
  await checkWritable(target);
  const isQuiet = given.quiet === true;
  const told = isQuiet ? () => undefined : console.out;
  const all = await readLive(console, dataPath, inputFlags(dataPath, given), { threads: settings.threads, isQuiet });
  told(line("read", sizeOf(all)));
  const { train, test } =
    given.test === undefined
      ? cut(all)
      : {
          train: all,
          test: await readInput(String(given.test), inputFlags(String(given.test), given), {
            threads: settings.threads,
            known: knownFrom(all),
          }),
        };
  const [y, held] = [labelsOf(train), labelsOf(test)];
  const learner = learnerOn(estimator, name, train) as never;
  const found = plan && (await searched(console, name, train, options, { plan, isQuiet }));
  if (plan !== undefined && found === undefined) return;
  const best = { ...options, ...found?.best.point };
  const shown = live(console, fitText(estimator.unit, settings.tolerance));
  const fitOne = (learner as { fit(x: unknown, y: unknown, options: object): Promise<Fitted> }).fit.bind(learner);
  const trained = async (signal?: AbortSignal): Promise<Fitted> =>
    given.calibrate === true
      ? ((await calibrate(learner, train.x as never, y as never, { ...best, folds, signal } as never)) as CalibratedClassifier & Fitted)
      : fitOne(train.x, y, { ...best, signal, ...(!isQuiet && { onProgress: shown.update }) });
  // After one Ctrl-C the next is not for us: it leaves at once.
  const isStopped = found?.ending === "aborted";
  const attempt = (signal: AbortSignal) =>
    trained(signal).catch((error: unknown) => {
      if (signal.aborted && error instanceof HingeError) return undefined;
      throw error;
    });
  const model = await withFoldFlags(() => (isStopped ? trained() : interruptible(attempt))).finally(shown.end);
  if (model === undefined) {
    console.err("interrupted before there was a model: nothing is written\n");
    console.exit(INTERRUPTED);
    return;
  }
  const { hardestRows, trainingReport } = await import("../report/report.js");
  const input = await inputFor(model, {
    train,
    test,
    y,
    held,
    dataPath,
    title: given.title as string | undefined,
    best,
    settings,
    name,
    found,
  });
  const hardest = input.test && hardestRows(input.test, { rowOf: (i: number) => i + 1 });
  await writeAtomic(target, new TextEncoder().encode(trainingReport({ ...input, ...(hardest && { hardest }) })));
  told(line("trained", `${counted(y.length, "row")}, ${model.report.status}; tested on ${counted(held.length, "row")}`));
  told(line("wrote", target));
  if (isStopped || model.report.status === "aborted") console.exit(INTERRUPTED);
}

/** Options that nothing would look at are a mistake. */
function refuseIdle(given: Readonly<Record<string, unknown>>): void {
  const find = (pattern: RegExp) => Object.keys(given).find((key) => pattern.test(key));
  const ofSearch = given.search === true ? undefined : find(/Grid$|^refine$/);
  if (ofSearch !== undefined) throw new HingeError("bad-option", `${flagOf(ofSearch)} is for a search; give --search too`);
  const ofFolds = given.search === true || given.calibrate === true ? undefined : find(/^folds/);
  if (ofFolds !== undefined) throw new HingeError("bad-option", `${flagOf(ofFolds)} is for --search and --calibrate; give one of them too`);
}

interface Parts {
  readonly train: Input;
  readonly test: Input;
  readonly y: Labels;
  readonly held: Labels;
  readonly dataPath: string;
  readonly title: string | undefined;
  readonly best: object;
  readonly settings: { readonly tolerance: number; readonly threads: number | undefined };
  readonly name: string;
  readonly found: Found | undefined;
}

async function inputFor(
  model: Fitted,
  { train, test, y, held, dataPath, title, best, settings, name, found }: Parts,
): Promise<ReportInput> {
  const { status, certificate, run } = model.report;
  const { classes } = model;
  const x = test.x as never;
  const predicted = await model.predict(x);
  const common = { rows: "held-out" as const, predicted };
  const tested: ReportInput["test"] =
    classes === undefined
      ? { kind: "numbers", ...common, y: held as Float64Array, predicted: predicted as Float64Array }
      : {
          ...{ kind: "classes", ...common, y: held, classes, decision: await model.decision(x), scheme: schemeOf(model) as never },
          ...(typeof model.probabilities === "function" && { probabilities: await model.probabilities(x) }),
        };
  const sizes = new Map<number | string, number>();
  for (let i = 0; i < y.length; i++) sizes.set(y[i] as number | string, (sizes.get(y[i] as number | string) ?? 0) + 1);
  return {
    title: title ?? `${basename(dataPath)}: ${name}`,
    data: {
      name: basename(dataPath),
      rowCount: y.length,
      featureCount: train.kind === "rows" ? train.x.featureCount : train.x.columns.length,
      ...(classes !== undefined && { classes: classes.map((label) => ({ label, count: sizes.get(label) ?? 0 })) }),
    },
    model: {
      ...(run as object),
      ...{ estimator: name, status, certificate: certificate as never, tolerance: settings.tolerance },
      options: Object.entries(best).filter(([, value]) => ["number", "string", "boolean"].includes(typeof value)) as never,
      versions: [
        ["hinge", version],
        ["Node", process.versions.node],
      ],
      ...(settings.threads !== undefined && { threads: settings.threads }),
    },
    test: tested,
    ...(found !== undefined && { search: { ...found, scoring: classes === undefined ? "r2" : "accuracy" } }),
    ...(await weightsOf(model)),
  } as ReportInput;
}

/** The scheme of decision values, of whatever is innermost. */
function schemeOf(model: Fitted): string | undefined {
  const inner = (model as { model?: Fitted & { model?: Fitted } }).model;
  return model.multiClass ?? inner?.multiClass ?? inner?.model?.multiClass;
}

/** A kernel machine has no weights of features: then there is no such section. */
async function weightsOf(model: unknown): Promise<{ weights?: readonly object[] }> {
  try {
    return { weights: await explain(model as never) };
  } catch (error) {
    if (error instanceof HingeError) return {};
    throw error;
  }
}

/** Every so-manyth row in random order is held out: the same rows for the same file. */
function cut(all: Input): { train: Input; test: Input } {
  const y = labelsOf(all);
  const order = Uint32Array.from({ length: y.length }, (_, i) => i);
  new Random(0).shuffle(order);
  const pick = (isTest: boolean): Input => {
    const ids = order.filter((_, k) => (k % HELD_OUT === HELD_OUT - 1) === isTest).sort();
    return { kind: all.kind, x: takeRows(all.x as never, ids), y: takeList(y as never, ids) } as Input;
  };
  if (y.length < HELD_OUT)
    throw new HingeError("bad-input", `${counted(y.length, "row is", "rows are")} too few to hold any out; give --test`);
  return { train: pick(false), test: pick(true) };
}
