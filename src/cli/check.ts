// hinge check: what a data file holds and what about it will hurt, what training would take, or how good a model is on it.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { auditOptions, kernelAuditOptions, oneClassAuditOptions, regressionAuditOptions } from "../base/options/data.js";
import { counted } from "../base/words.js";
import { blocksOf } from "../formats/blocks.js";
import { withSource } from "../formats/with-source.js";
import { type Loaded, load, type Matrix, readSvmlight } from "../index.js";
import { type Diagnosis, examine, type Finding, type LabelSummary, type Place, rowsNamed, withLines } from "../select/doctor.js";
import { auditModel, auditTable, type ModelAudit } from "../select/doctor-audit.js";
import { linesOfRows, readTolerantly } from "../select/doctor-lines.js";
import { type ColumnSummary, examineTable } from "../select/doctor-table.js";
import { type EstimatorForecast, type Forecast, forecast } from "../select/forecast.js";
import { type Console, interruptible } from "./console.js";
import { addFlags, checkFlags, type Fields, flagOf, optionsFrom } from "./flags.js";
import { addInputFlags, DATA_HELP, type Input, type InputFlags, inputFlags, readInput, sizeOf } from "./input.js";
import { checkTakes } from "./model-input.js";
import { brief, line, percent, sourceName } from "./text.js";
import { rereadable } from "./unpack.js";

/** Everything that any model's audit may be told. */
const fields = {
  ...auditOptions.fields,
  ...regressionAuditOptions.fields,
  ...oneClassAuditOptions.fields,
  ...kernelAuditOptions.fields,
  ...Object.fromEntries(
    Object.entries({
      bias: auditOptions.fields.bias,
      centreTarget: regressionAuditOptions.fields.centreTarget,
      psd: kernelAuditOptions.fields.psd,
    }).map(([name, field]) => [name, { ...field, flag: "value" }]),
  ),
} as unknown as Fields;

export function checkCommand(console: Console): Command {
  const command = new Command("check")
    .description("Say what a data file holds, what about it will hurt and what training would take; or audit a model on it.")
    .argument("<data>", `${DATA_HELP}; svmlight may be broken`)
    .argument("[model]", "model file of hinge, LIBLINEAR or LIBSVM that was trained on the data: it is audited")
    .option("--json", "print one JSON object on stdout");
  addInputFlags(command);
  addFlags(command, fields);
  command.addHelpText(
    "after",
    "\nOptions besides --json and those of the data file tell the audit what the model was trained with and its file does not hold.",
  );
  return command.action((data: string, model: string | undefined, given: Record<string, unknown>) => check(console, data, model, given));
}

async function check(console: Console, dataPath: string, modelPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const flags = inputFlags(dataPath, given);
  const { format, indexBase } = flags;
  if (format !== "svmlight" && modelPath !== undefined)
    throw new HingeError(
      "bad-option",
      "hinge check audits models on svmlight files only, and this is a table; hinge predict compares one with its labels",
    );
  const options = optionsFrom(given, fields);
  const model = modelPath === undefined ? undefined : await load(modelPath);
  if (model !== undefined && modelPath !== undefined) checkTakes(model, modelPath, dataPath, flags);
  const settings = checkedFor(model, modelPath, options);
  const told = given.json === true ? () => undefined : console.out;

  if (format !== "svmlight") return checkTable(console, dataPath, flags, given);
  const started = performance.now();
  const data = { name: sourceName(dataPath), source: await rereadable(dataPath) };
  const read = await readAnyhow(data, indexBase, (model as { featureCount?: number } | undefined)?.featureCount);
  const readSeconds = secondsSince(started);
  const { x, y, findings: reading } = read;
  told(line("read", sizeOf({ kind: "rows", x, y }), readSeconds));
  const diagnosis = await diagnose(data, read);
  told(line("data", summaryText(diagnosis)));
  const audited =
    model &&
    (reading.length > 0 ? refused() : await timed(() => interruptible((signal) => auditModel(model, x, y, { ...settings, signal }))));
  if (audited !== undefined) told(auditText(audited, x.rowCount));
  told(diagnosis.findings.map(findingText).join("") || line("well", "nothing here will hurt"));
  const forecasted = model === undefined && x.rowCount > 0 ? await timed(() => forecast(x, y, diagnosis.labels)) : undefined;
  if (forecasted !== undefined) told(forecastText(forecasted));
  if (given.json === true) {
    const parts = { data: dataPath, indexBase: read.indexBase, readSeconds, ...diagnosis };
    console.out(`${JSON.stringify({ ...parts, model: modelPath, audit: audited?.result, forecast: forecasted?.result })}\n`);
  }
}

/** The options for the audit of this model; complains about those that mean nothing to it. */
function checkedFor(model: Loaded | undefined, modelPath: string | undefined, options: Record<string, unknown>): object {
  const table = model && auditTable(model);
  if (table === undefined) {
    const [name] = Object.keys(options);
    if (name === undefined || model !== undefined) return {};
    throw new HingeError("bad-option", `${flagOf(name)} is about a model; name one behind the data: hinge check <data> <model>`);
  }
  const { threads, ...rest } = options;
  const stray = Object.keys(rest).find((name) => !Object.hasOwn(table.fields, name));
  if (stray !== undefined)
    throw new HingeError("bad-option", `${flagOf(stray)} is nothing that the model in ${modelPath} has; leave it out`);
  const known = threads !== undefined && Object.hasOwn(table.fields, "threads") ? { ...rest, threads } : rest;
  checkFlags(table, known);
  return known;
}

/** Columns of a table that are listed; the others --json tells. */
const MOST_COLUMNS = 30;

async function checkTable(console: Console, dataPath: string, flags: InputFlags, given: Record<string, unknown>): Promise<void> {
  const started = performance.now();
  const input = (await readInput(dataPath, flags)) as Input & { kind: "table" };
  const readSeconds = secondsSince(started);
  const diagnosis = examineTable(input.x, input.y);
  if (given.json === true) {
    console.out(`${JSON.stringify({ data: dataPath, readSeconds, ...diagnosis })}\n`);
    return;
  }
  const { columns, labels, findings } = diagnosis;
  const more = columns.length > MOST_COLUMNS ? line("", `and ${counted(columns.length - MOST_COLUMNS, "other")}`) : "";
  console.out(
    line("read", sizeOf(input), readSeconds) +
      line("data", flags.label === undefined ? "no labels; --label names their column" : labelsText(labels)),
  );
  console.out(columns.slice(0, MOST_COLUMNS).map(columnText).join("") + more);
  console.out(findings.map(findingText).join("") || line("well", "nothing here will hurt"));
}

function columnText({ name, kind, missingCount, valueCount, minimum, maximum }: ColumnSummary): string {
  const range = minimum === undefined || maximum === undefined ? "" : ` from ${brief(minimum)} to ${brief(maximum)}`;
  const values = kind === "missing" ? "" : `, ${counted(valueCount, "value")}${range}`;
  return line("column", `${name}: ${kind}${values}${missingCount === 0 || kind === "missing" ? "" : `, ${missingCount} missing`}`);
}

/** What is read, more than once, and what messages call it. */
interface Data {
  readonly source: string | Uint8Array;
  readonly name: string;
}

interface ReadAnyhow {
  readonly x: Matrix;
  readonly y: Float64Array;
  readonly indexBase: 0 | 1;
  readonly findings: readonly Finding[];
}

/** By the strict reader, which is fast; where it refuses the text, as far as it can be read. `width`: features that the model knows. */
async function readAnyhow(data: Data, indexBase: 0 | 1, width: number | undefined): Promise<ReadAnyhow> {
  try {
    const { source, name } = data;
    const read = await readSvmlight(source, { indexBase, name });
    const isNarrow = width !== undefined && read.x.featureCount < width;
    const { x, y } = isNarrow ? await readSvmlight(source, { indexBase, name, featureCount: width }) : read;
    return { x, y, indexBase, findings: [] };
  } catch (error) {
    if (!(error instanceof HingeError) || error.code !== "bad-file") throw error;
    const read = await withBlocks(data, (blocks) => readTolerantly(blocks, indexBase));
    if (read.findings.length > 0) return read;
    const message = error.message.split("\n")[0] as string;
    return { ...read, findings: [{ kind: "bad-feature", severity: "problem", message, remedy: "see the place", count: 1, places: [] }] };
  }
}

const BLOCK_BYTES = 2 ** 20;
const freshBuffers = { take: (bytes: number) => new Uint8Array(bytes), give: () => undefined };

function withBlocks<T>({ source, name }: Data, use: (blocks: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
  return withSource(source, name, (opened) => use(blocksOf(opened, BLOCK_BYTES, freshBuffers)));
}

/** The diagnosis, with lines where it names rows: the file is read again for them. */
async function diagnose(data: Data, { x, y, indexBase, findings: reading }: ReadAnyhow): Promise<Diagnosis> {
  const diagnosis = await examine(x, y, { indexBase, reading });
  const rows = rowsNamed(diagnosis);
  return rows.length === 0 ? diagnosis : withLines(diagnosis, await withBlocks(data, (blocks) => linesOfRows(blocks, rows)));
}

interface Timed<T> {
  readonly result: T;
  readonly seconds: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: secondsSince(started) };
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

function refused(): Timed<Partial<ModelAudit>> {
  return {
    result: { reason: "the data file must be mended first: an audit needs the very rows that the model was trained on" },
    seconds: 0,
  };
}

const MOST_CLASSES = 6;

function summaryText({ density, labels }: Diagnosis): string {
  return `density ${brief(100 * density)} %, ${labelsText(labels)}`;
}

function labelsText(labels: LabelSummary): string {
  if (labels.kind === "none") return "no labels";
  if (labels.kind === "numbers") return `targets from ${brief(labels.minimum)} to ${brief(labels.maximum)}, mean ${brief(labels.mean)}`;
  const { classes } = labels;
  const sizes = classes.slice(0, MOST_CLASSES).map(({ label, count }) => `${label} (${counted(count, "row")})`);
  return `${counted(classes.length, "class")}: ${sizes.join(", ")}${classes.length > MOST_CLASSES ? ", …" : ""}`;
}

/** Two lines: what there is, with the first places, and what to do. */
function findingText({ severity, message, remedy, count, places }: Finding): string {
  const more = count > places.length ? ", …" : "";
  const where = places.length === 0 ? "" : ` [${places.map(placeText).join(", ")}${more}]`;
  return line(severity, message + where) + line("", remedy);
}

function placeText({ line: lineNumber, column, feature, row, text }: Place): string {
  if (feature !== undefined) return `feature ${feature}`;
  const place = lineNumber === undefined ? `row ${row}` : `line ${lineNumber}${column === undefined ? "" : `:${column}`}`;
  return text === undefined ? place : `${place} ${JSON.stringify(text)}`;
}

function auditText({ result, seconds }: Timed<Partial<ModelAudit>>, rowCount: number): string {
  const { estimator, origin, certificate, reason, missing, figures = {} } = result;
  const from = origin === "hinge" ? "hinge" : "a file of LIBLINEAR or LIBSVM";
  const head = estimator === undefined ? "" : line("model", `${estimator}, from ${from}`);
  if (certificate === undefined)
    return head + line("audit", `not possible: ${missingText(missing) ?? reason}`) + figuresText(figures, rowCount);
  const { primal, dual, relativeGap } = certificate;
  const proof =
    relativeGap === null
      ? [`violation ${brief(certificate.violation)}; no gap: ${certificate.reason}`, `objective ${brief(primal)}`]
      : [`relative gap ${brief(relativeGap)}, certified`, `objective ${brief(primal)}, the optimum is at least ${brief(dual)}`];
  const doubt = relativeGap !== null && relativeGap > WIDE_GAP ? line("", DOUBTFUL) : "";
  return head + line("audit", proof[0] as string, seconds) + line("", proof[1] as string) + doubt + figuresText(figures, rowCount);
}

/** A gap that no solver would stop at. */
const WIDE_GAP = 0.05;
const DOUBTFUL = "a gap so wide: these may not be the rows, or the constants, that it was trained with";

const EXAMPLES: Readonly<Record<string, number>> = { C: 1, nu: 0.5, epsilon: 0.1 };

/** What to add to the command, in the words of the command line. */
function missingText(missing: readonly string[] | undefined): string | undefined {
  if (missing === undefined) return undefined;
  const flags = missing.map((name) => `${flagOf(name)} ${EXAMPLES[name] ?? 1}`).join(" ");
  return `the file does not hold ${missing.join(" and ")}; give what it was trained with, such as ${flags}`;
}

function figuresText({ right, inside, meanSquaredError, r2 }: ModelAudit["figures"], rowCount: number): string {
  if (right !== undefined) return line("accuracy", percent(right, rowCount));
  if (inside !== undefined) return line("inside", percent(inside, rowCount));
  if (meanSquaredError === undefined || r2 === undefined) return "";
  return line("error", `mean squared ${brief(meanSquaredError)}, R^2 ${brief(r2)}`);
}

function forecastText({ result, seconds }: Timed<Forecast>): string {
  if (result.estimators.length === 0) return line("forecast", `the rows take ${bytesText(result.rows)} of memory`);
  return (
    line("forecast", `the rows take ${bytesText(result.rows)}; a fit with the defaults takes about`, seconds) +
    result.estimators.map(estimatorText).join("")
  );
}

const NAME_WIDTH = 21;
const RANGE_WIDTH = 18;

function estimatorText({ estimator, seconds, memory, settings, reason }: EstimatorForecast): string {
  const time = seconds === undefined ? (reason ?? "") : rangeText(seconds.low, seconds.high);
  const cache = memory.cache === 0 ? "" : `, kernel rows ${bytesText(memory.cache)}`;
  const nu = settings.nu === undefined ? "" : `, with --nu ${settings.nu}`;
  const sizes = `work ${bytesText(memory.work)}${cache}, model ${bytesText(memory.model)}${nu}`;
  return line("", `${estimator.padEnd(NAME_WIDTH)}${time.padEnd(RANGE_WIDTH)} ${sizes}`);
}

/** "0.4 to 1.2 s", "2 to 5 min": two digits, in one unit. */
function rangeText(low: number, high: number | null): string {
  const [unit, size] = unitOf(high ?? low);
  if (high === null) return `over ${twoDigits(low / size)} ${unit}`;
  const [from, to] = [twoDigits(low / size), twoDigits(high / size)];
  return from === to ? `${to} ${unit}` : `${from} to ${to} ${unit}`;
}

function unitOf(seconds: number): readonly [string, number] {
  if (seconds < 0.1) return ["ms", 1e-3];
  if (seconds < 120) return ["s", 1];
  return seconds < 7200 ? ["min", 60] : ["h", 3600];
}

const twoDigits = (value: number): string => String(Number(value.toPrecision(2)));

function bytesText(bytes: number): string {
  const [unit, size] =
    bytes < 1e3
      ? (["B", 1] as const)
      : bytes < 1e6
        ? (["kB", 1e3] as const)
        : bytes < 1e9
          ? (["MB", 1e6] as const)
          : (["GB", 1e9] as const);
  return `${twoDigits(bytes / size)} ${unit}`;
}
