// hinge train: from a data file to a model file.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { log } from "../base/math.js";
import type { KernelProgress, Progress } from "../base/options/fit.js";
import { counted, grouped } from "../base/words.js";
import { type KernelCertificate, LinearClassifier } from "../index.js";
import { checkWritable } from "../runtime/runtime.js";
import { type Console, interruptible, live } from "./console.js";
import {
  allFields,
  CALIBRATE_HELP,
  calibrationFrom,
  ESTIMATOR_HELP,
  estimatorName,
  estimators,
  fitOn,
  type Trainable,
} from "./estimators.js";
import { addFlags, checkFlags, optionsFrom } from "./flags.js";
import { addInputFlags, besideName, DATA_HELP, inputFlags, labelsOf, readInput, sizeOf } from "./input.js";
import { brief, line } from "./text.js";

export function trainCommand(console: Console): Command {
  const command = new Command("train")
    .description("Learn a model from a data file and write it down, with the proof of its optimality.")
    .argument("<data>", DATA_HELP)
    .argument(
      "[model]",
      "where to write the model: hinge's JSON if it ends in .json, otherwise LIBLINEAR's format, or LIBSVM's for the estimators with a kernel (default: the data file's name + .model.json, here)",
    );
  command.option("--estimator <name>", ESTIMATOR_HELP);
  addFlags(command, allFields());
  addInputFlags(command);
  command
    .option("--calibrate <method>", CALIBRATE_HELP)
    .option("--strict", "exit with 3 if a limit was reached before the tolerance")
    .option("--json", "print the report as one JSON object on stdout")
    .option("--quiet", "print nothing but complaints");
  command.addHelpText(
    "after",
    "\nTraining ends when the relative duality gap, (primal - dual) / max(|primal|, |dual|), is at most --tolerance.",
  );
  return command.action((data: string, model: string | undefined, given: Record<string, unknown>) => train(console, data, model, given));
}

async function train(console: Console, dataPath: string, modelPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = estimatorName(given.estimator);
  const estimator: Trainable = estimators[name];
  const options = optionsFrom(given, allFields()) as object;
  const settings = checkFlags(estimator.options, options); // before the file is read, which may take long
  const flags = inputFlags(dataPath, given);
  const target = modelPath ?? besideName(dataPath, ".model.json");
  if (flags.format !== "svmlight" && !target.endsWith(".json"))
    throw new HingeError("bad-option", `a model of a table is saved with its columns, which only JSON holds: ${target} must end in .json`);
  LinearClassifier.checkSave(target, []);
  const calibration = calibrationFrom(given.calibrate, name, target);
  await checkWritable(target);

  const started = performance.now();
  const input = await readInput(dataPath, flags, settings);
  labelsOf(input);
  if (input.kind === "rows") estimator.checkSave?.(target, input.y, settings.multiClass); // before training, which may take longer
  const readSeconds = (performance.now() - started) / 1000;
  const told = given.json === true || given.quiet === true ? () => undefined : console.out;
  told(line("read", sizeOf(input), readSeconds));

  const left = remaining(settings.tolerance);
  const shown = live(
    console,
    (progress: Progress | KernelProgress) =>
      `train     ${problemsLeft(progress)}${estimator.unit} ${grouped(progress.iterations)}, ${wayLeft(progress)}, ${progress.seconds.toFixed(1)} s${left(progress)}`,
  );
  const onProgress = given.quiet === true ? () => undefined : shown.update;
  const fitted = await interruptible((signal) => fitOn(estimator, name, input, { ...options, signal, onProgress }, calibration));
  shown.end();
  const { status, certificate, run } = fitted.report;
  const ended = status === "converged" ? "converged" : `not converged (${status})`;
  const problems = counted(run?.problems.length ?? 0, "problem");
  told(line("train", `${run?.solver}, ${problems}, ${ended} in ${counted(run?.iterations ?? 0, estimator.unit)}`, run?.seconds.total));
  told(line("", proofText(certificate, settings)));
  const support = run?.supportCount === undefined ? "" : `   support ${counted(run.supportCount, "row")}`;
  told(line("", `objective ${brief(certificate.primal)}${support}`));

  await fitted.save(target);
  told(line("wrote", target));
  if (given.json === true) {
    const size =
      input.kind === "rows" ? { featureCount: input.x.featureCount, valueCount: input.x.valueCount } : { columns: input.x.columns.length };
    const { rowCount } = input.x;
    console.out(`${JSON.stringify({ data: dataPath, rowCount, ...size, readSeconds, model: target, ...fitted.report })}\n`);
  }
  if (status === "aborted") console.exit(130);
  else if (status !== "converged" && given.strict === true) console.exit(3);
}

/** What was proved; of a kernel without a gap, what is known instead, and why. */
function proofText(certificate: KernelCertificate, settings: { tolerance: number; stop?: string }): string {
  const { relativeGap } = certificate;
  if (relativeGap === null) return `violation ${compared(certificate.violation, settings.tolerance)}; no gap: ${certificate.reason}`;
  return `relative gap ${brief(relativeGap)}${comparison(relativeGap, settings)}, certified`;
}

function compared(value: number, limit: number): string {
  return `${brief(value)} ${value <= limit ? "<=" : ">"} ${brief(limit)}`;
}

/** LIBLINEAR's and LIBSVM's own rules have tolerances of their own, with which the gap cannot be compared. */
function comparison(gap: number, { tolerance, stop }: { tolerance: number; stop?: string }): string {
  return stop === "violation" ? "" : ` ${gap <= tolerance ? "<=" : ">"} ${brief(tolerance)}`;
}

function wayLeft(progress: Progress | KernelProgress): string {
  if (progress.relativeGap !== null) return `gap ${brief(progress.relativeGap)}`;
  return `violation ${brief((progress as KernelProgress).violation)}`;
}

/** How long it will go on, by the problems that are done, or by how fast the gap of a single one falls; nothing where neither says anything. */
function remaining(tolerance: number): (progress: Progress | KernelProgress) => string {
  let first: { readonly gap: number; readonly seconds: number } | undefined;
  return ({ problems: { done, total }, relativeGap, seconds }) => {
    if (relativeGap !== null && Number.isFinite(relativeGap)) first ??= { gap: relativeGap, seconds };
    const byGap =
      first === undefined || relativeGap === null
        ? Number.NaN
        : ((seconds - first.seconds) * log(relativeGap / tolerance)) / log(first.gap / relativeGap);
    const rest = total > 1 ? (seconds * (total - done)) / done : byGap;
    return Number.isFinite(rest) && rest > 0 ? `, about ${rest.toFixed(rest < 10 ? 1 : 0)} s left` : "";
  };
}

function problemsLeft({ problems: { done, total } }: Pick<Progress, "problems">): string {
  return total === 1 ? "" : `problem ${done + 1} of ${total}, `;
}
