// hinge train: from a data file to a model file.

import { Command } from "commander";
import { counted } from "../base/words.js";
import type { KernelCertificate } from "../index.js";
import { type Console, INTERRUPTED, interruptible, live } from "./console.js";
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
import { addInputFlags, besideName, DATA_HELP, inputFlags, labelsOf, sizeOf } from "./input.js";
import { prepareFor } from "./prepare.js";
import { fitText, readLive } from "./progress.js";
import { turnToSteps } from "./steps.js";
import { checkLabelsFor, checkTarget } from "./target.js";
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
  const options = optionsFrom(given, allFields());
  const settings = checkFlags(estimator.options, options); // before the file is read, which may take long
  const flags = inputFlags(dataPath, given);
  const target = modelPath ?? besideName(dataPath, ".model.json");
  const calibration = calibrationFrom(given.calibrate, name, target);
  await checkTarget(target, flags, options);

  const started = performance.now();
  if (estimator.unit === "step") {
    turnToSteps(console);
    await prepareFor([dataPath], settings.threads);
  }
  const input = await readLive(console, dataPath, flags, { threads: settings.threads, isQuiet: given.quiet === true });
  labelsOf(input);
  checkLabelsFor(target, estimator, input, settings);
  const readSeconds = (performance.now() - started) / 1000;
  const told = given.json === true || given.quiet === true ? () => undefined : console.out;
  told(line("read", sizeOf(input), readSeconds));

  const shown = live(console, fitText(estimator.unit, settings.tolerance));
  const onProgress = given.quiet === true ? () => undefined : shown.update;
  const fitted = await interruptible((signal) => fitOn(estimator, name, input, { ...options, signal, onProgress }, calibration)).finally(
    shown.end,
  );
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
  if (status === "aborted") console.exit(INTERRUPTED);
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
