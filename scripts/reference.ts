// Writes the reference pages that the option tables determine. Run by npm run docs; test/docs compares.

import { writeFileSync } from "node:fs";
import { calibrateOptions } from "../src/base/options/calibrate.ts";
import { crossValidateOptions } from "../src/base/options/cross-validate.ts";
import { foldOptions } from "../src/base/options/folds.ts";
import { nuSvcOptions, nuSvrOptions, oneClassOptions, svcOptions, svrOptions } from "../src/base/options/kernel.ts";
import { liblinearSearchOptions } from "../src/base/options/liblinear-search.ts";
import { linearOneClassOptions } from "../src/base/options/linear-one-class.ts";
import { linearSvcOptions } from "../src/base/options/linear-svc.ts";
import { linearSvrOptions } from "../src/base/options/linear-svr.ts";
import { logisticRegressionOptions } from "../src/base/options/logistic-regression.ts";
import { averagedOptions, calibrationOptions, curveOptions, metricOptions } from "../src/base/options/metrics.ts";
import {
  maxAbsScalerOptions,
  minMaxScalerOptions,
  normalizerOptions,
  standardScalerOptions,
  transformOptions,
} from "../src/base/options/scalers.ts";
import { searchOptions } from "../src/base/options/search.ts";
import { type Field, shownDefault, type Table } from "../src/base/options/table.ts";
import { columnsOptions, imputerOptions, oneHotEncoderOptions } from "../src/base/options/tables.ts";
import { hashingVectorizerOptions, tfidfVectorizerOptions } from "../src/base/options/text.ts";
import { commands } from "../src/cli/commands.ts";
import type { Console } from "../src/cli/console.ts";
import { dropIns } from "../src/cli/drop-ins/drop-ins.ts";
import { flagOf } from "../src/cli/flags.ts";
import { defaultsText } from "./defaults.ts";

/** Path → text of every generated page. */
export const generatedPages: Readonly<Record<string, string>> = {
  "docs/reference/defaults.md": page("Defaults of the linear estimators", defaultsText()),
  "docs/reference/linear-svc.md": page("Options of LinearSVC", optionsTable(linearSvcOptions, "hinge train")),
  "docs/reference/linear-svr.md": page("Options of LinearSVR", optionsTable(linearSvrOptions, "hinge train --estimator linear-svr")),
  "docs/reference/linear-one-class-svm.md": page(
    "Options of LinearOneClassSVM",
    optionsTable(linearOneClassOptions, "hinge train --estimator linear-one-class"),
  ),
  "docs/reference/logistic-regression.md": page(
    "Options of LogisticRegression",
    optionsTable(logisticRegressionOptions, "hinge train --estimator logistic-regression"),
  ),
  "docs/reference/liblinear-search.md": page(
    "Options of liblinearSearch",
    `Besides these it takes the options of the fits, but for \`C\`, \`epsilon\`, \`warmStart\` and \`onProgress\`.\n\n${optionsTable(liblinearSearchOptions)}`,
  ),
  "docs/reference/kernel-machines.md": page(
    "Options of the kernel machines",
    Object.entries({
      svc: svcOptions,
      "nu-svc": nuSvcOptions,
      svr: svrOptions,
      "nu-svr": nuSvrOptions,
      "one-class-svm": oneClassOptions,
    })
      .map(([name, options]) => `## ${options.owner}\n\n${optionsTable(options, `hinge train --estimator ${name}`)}`)
      .join("\n"),
  ),
  "docs/reference/metric-options.md": page(
    "Options of metrics, crossValidate and search",
    [metricOptions, averagedOptions, curveOptions, calibrationOptions, crossValidateOptions, searchOptions]
      .map((options) => `## ${options.owner}\n\n${optionsTable(options)}`)
      .join("\n"),
  ),
  "docs/reference/calibrate-options.md": page(
    "Options of calibrate",
    `Besides these it takes the options of the fits, but for \`warmStart\`, \`keepState\`, \`rowIds\` and \`onProgress\`.\n\n${optionsTable(calibrateOptions)}`,
  ),
  "docs/reference/text-options.md": page(
    "Options of vectorisers",
    [tfidfVectorizerOptions, hashingVectorizerOptions].map((options) => `## ${options.owner}\n\n${optionsTable(options)}`).join("\n"),
  ),
  "docs/reference/commands.md": page("Commands", commandsText()),
  "docs/reference/preprocessing-options.md": page(
    "Options of folds, scalers and encoders",
    [
      ...[foldOptions, minMaxScalerOptions, standardScalerOptions, maxAbsScalerOptions, normalizerOptions, transformOptions],
      ...[imputerOptions, oneHotEncoderOptions, columnsOptions],
    ]
      .map((options) => `## ${options.owner}\n\n${optionsTable(options)}`)
      .join("\n"),
  ),
};

function page(title: string, text: string): string {
  return `# ${title}\n\nGenerated from the option table by \`npm run docs\`.\n\n${text}`;
}

/** Every command as its help tells it. */
function commandsText(): string {
  const silent: Console = { out: () => undefined, err: () => undefined, isTerminal: false, exit: () => undefined };
  const row = (flags: string, meaning: string): string => `| \`${flags}\` | ${meaning.replaceAll("|", "\\|")} |`;
  const sections = Object.values(commands).map((make) => {
    const command = make(silent);
    const words = command.registeredArguments.map((argument) => {
      const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
      return { name, meaning: argument.description };
    });
    const title = [`hinge ${command.name()}`, ...words.map(({ name }) => name)].join(" ");
    const rows = [
      ...words.map(({ name, meaning }) => row(name, meaning)),
      ...command.options.map(({ flags, description }) => row(flags, description)),
    ];
    return `## ${title}\n\n${command.description()}\n\n| | |\n|---|---|\n${rows.join("\n")}\n`;
  });
  const codes =
    "0 ok, 1 your input, 2 a bug of ours, 3 not converged under `--strict`, 130 interrupted (Ctrl-C: the best model so far is saved; twice: left at once)";
  const others = Object.keys(dropIns)
    .map((name) => `\`hinge ${name}\``)
    .join(", ");
  return `Results go to stdout, progress and complaints to stderr. Exit codes: ${codes}. ${others} are the programs of LIBLINEAR and LIBSVM by their own flags, also as \`hinge-svm-train\` and so on: [from LIBSVM](../guides/from-libsvm.md), [from LIBLINEAR](../guides/from-liblinear.md).\n\n${sections.join("\n")}`;
}

/** The options as a table; with a command, also its flags. */
// biome-ignore lint/suspicious/noExplicitAny: any table has a page
function optionsTable({ fields }: Table<any>, command?: string): string {
  const rows = Object.entries(fields as Record<string, Field<unknown, unknown>>).map(([name, field]) => {
    const fallback = shownDefault(field as Field<unknown>);
    const cells = [`\`${name}\``, field.allowed, fallback === "" ? "not set" : `\`${fallback}\``, field.help];
    if (command !== undefined) cells.push(flagCell(name, field));
    return cells.map((cell) => cell.replaceAll("|", "\\|"));
  });
  const head = ["option", "must be", "default", "meaning", ...(command === undefined ? [] : [`\`${command}\``])];
  const lines = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0], `|${"---|".repeat(head.length)}`, ...lines.slice(1), ""].join("\n");
}

function flagCell(name: string, field: Field<unknown, unknown>): string {
  if (field.flag === "none") return "";
  return `\`${field.flag === "switch" && field.fallback === true ? flagOf(name).replace("--", "--no-") : flagOf(name)}\``;
}

export function writePages(): void {
  for (const [path, text] of Object.entries(generatedPages)) writeFileSync(path, text);
}
