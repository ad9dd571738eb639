// What was trained and how: data, options, the certificate, the gap over time, the methods that ran.

import { figure, linearAxis, logAxis, PLOT } from "./axes.js";
import type { DataFacts, ModelFacts, ProblemFacts } from "./input.js";
import { lineChart, type Point } from "./line-chart.js";
import { extent } from "./scatter.js";
import { facts, table } from "./tables.js";
import { against, bound, brief, counted, cut, escaped, grouped, seconds, valueText } from "./text.js";

/** Curves in the chart; of more problems those with the largest gaps. */
const MOST_CURVES = 40;
const MOST_STAGES = 12;
/** Below any gap that float64 tells from 0. */
const LEAST_GAP = 1e-16;

export function trainingSection(model: ModelFacts, data: DataFacts): string {
  const what = `<div class="stack">\n<h3>Model</h3>\n${modelFacts(model)}\n<h3>Data</h3>\n${dataFacts(data)}\n</div>`;
  const proof = `<div class="stack">\n<h3>Certificate</h3>\n${certificateText(model)}\n${gapChart(model)}\n</div>`;
  return `<div class="pair">\n${what}\n${proof}\n</div>\n${stagesTable(model.problems ?? [])}`;
}

function modelFacts(model: ModelFacts): string {
  const { estimator, pipeline = [], options = [], status, solver, iterations, supportCount, seconds: took, threads, tolerance } = model;
  const steps = [...pipeline, estimator].filter((step, k, all) => step !== all[k - 1]);
  return facts([
    ["estimator", escaped(steps.join(" → "))],
    ...options.map(([name, value]): [string, string] => [name, escaped(cut(valueText(value), 200))]),
    ["tolerance", tolerance === undefined || options.some(([name]) => name === "tolerance") ? undefined : valueText(tolerance)],
    ["status", status === undefined ? undefined : escaped(statusText(status))],
    ["solver", solver === undefined ? undefined : escaped(solver)],
    ["iterations", whole(iterations)],
    ["support vectors", whole(supportCount)],
    ["time", took === undefined ? undefined : timeText(took)],
    ["threads", whole(threads)],
    ...(model.versions ?? []).map(([name, value]): [string, string] => [name, escaped(String(value))]),
  ]);
}

function whole(count: number | undefined): string | undefined {
  if (count === undefined || !Number.isFinite(count)) return undefined;
  return grouped(Math.round(10 * count) / 10);
}

function timeText({ total, certify }: { readonly total: number; readonly certify?: number | undefined }): string {
  const proof = certify === undefined || !(certify > 0) || certify > total ? "" : `, ${seconds(certify)} of it for the certificate`;
  return `${seconds(total)}${proof}`;
}

const meanings: Readonly<Record<string, string>> = {
  converged: "converged",
  "iteration-limit": "stopped at the limit of iterations",
  "precision-limit": "as good as the numbers allow",
  "time-limit": "stopped at the time limit",
  aborted: "stopped by hand",
  unknown: "not known: the model comes from a file",
};

function statusText(status: string): string {
  return meanings[status] ?? status;
}

function dataFacts({ name, rowCount, featureCount, classes = [], notes = [] }: DataFacts): string {
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  const most = 8;
  const parts = classes.slice(0, most).map(({ label, count }) => `${escaped(cut(String(label), 40))} ${grouped(count)}`);
  const more = classes.length > most ? `, and ${classes.length - most} more` : "";
  const counts = classes.map(({ count }) => count);
  const [least, largest] = extent(counts);
  return facts([
    ["name", escaped(name)],
    ["rows", grouped(rowCount)],
    ["features", grouped(featureCount)],
    [counted(classes.length, "class").replace(/^0 .*/, ""), total > 0 ? `${parts.join(", ")}${more}` : undefined],
    ["rows of a class", classes.length > most ? `${grouped(least)} to ${grouped(largest)}` : undefined],
    ...notes.map(([key, value]): [string, string] => [key, escaped(valueText(value))]),
  ]);
}

function certificateText({ certificate, noCertificate, tolerance, problems = [] }: ModelFacts): string {
  if (certificate === undefined) {
    const why = noCertificate ?? "nothing is known of how far this model is from the optimum";
    return `<p>None: ${escaped(why)}.</p>`;
  }
  const { primal, dual, relativeGap } = certificate;
  const isGap = relativeGap !== null && Number.isFinite(relativeGap);
  const words = isGap
    ? `The objective of this model is at most <b>${bound(relativeGap)}</b> above the best there is: ` +
      "the optimum lies between the two values below."
    : `There is no gap: ${escaped(relativeGap === null ? certificate.reason : "the objectives are not finite")}.`;
  const asked = tolerance === undefined || !isGap ? "" : `, asked for ${valueText(tolerance)}`;
  return `<p>${words}</p>\n${facts([
    ["objective, primal", brief(primal, 7)],
    ["bound, dual", brief(dual, 7)],
    ["relative gap", isGap ? `${brief(relativeGap, 3)}${asked}` : undefined],
    ["violation", relativeGap === null ? brief(certificate.violation, 3) : undefined],
    ["problems", problems.length > 1 ? `${grouped(problems.length)}; this is the one with the largest gap` : undefined],
  ])}`;
}

function gapOf({ certificate, history = [] }: ProblemFacts): number {
  return certificate?.relativeGap ?? history.at(-1)?.relativeGap ?? 0;
}

function gapPoints({ history = [] }: ProblemFacts): Point[] {
  return history.flatMap(({ seconds: time, relativeGap }): Point[] =>
    relativeGap === null || !Number.isFinite(relativeGap) || !Number.isFinite(time) ? [] : [[time, Math.max(relativeGap, LEAST_GAP)]],
  );
}

function gapChart({ problems = [], tolerance }: ModelFacts): string {
  const drawn = problems
    .map((problem) => ({ problem, points: gapPoints(problem) }))
    .filter(({ points }) => points.length > 1)
    .sort((a, b) => gapOf(b.problem) - gapOf(a.problem))
    .slice(0, MOST_CURVES);
  const [worst] = drawn;
  if (worst === undefined) return "";
  const [first, final] = [worst.points[0], worst.points.at(-1)] as [Point, Point];
  const isAsked = tolerance !== undefined && tolerance > 0 && Number.isFinite(tolerance);
  const all = drawn.flatMap(({ points }) => points);
  const [low, high] = extent([...all.map(([, gap]) => gap), ...(isAsked ? [tolerance] : [])]);
  const [, end] = extent(all.map(([time]) => time));
  const isShort = end < 0.1;
  const scaled = (points: readonly Point[]): Point[] => points.map(([time, gap]): Point => [isShort ? 1000 * time : time, gap]);
  const last = isShort ? 1000 * end : end;
  const across = linearAxis(isShort ? "milliseconds" : "seconds", 0, last);
  const name = worst.problem.positive === undefined ? "" : against(worst.problem.positive, worst.problem.negative);
  const curves = drawn.map(({ points }, k) => ({
    points: scaled(points),
    look: k === 0 ? ("accent" as const) : ("soft" as const),
    ...(k === 0 ? { dots: points.map((_, at) => (at === points.length - 1 ? 4 : points.length <= 30 ? 2.2 : 0)) } : {}),
  }));
  const chart = lineChart({
    ...{ ...PLOT, id: "gap", title: "Relative gap over time" },
    description: `From ${brief(first[1], 2)} to ${brief(final[1], 2)} in ${seconds(final[0])}.`,
    across,
    up: logAxis("relative gap", low, high),
    curves,
    guides: isAsked
      ? [
          [
            [0, tolerance],
            [across.ticks.at(-1) ?? last, tolerance],
          ],
        ]
      : [],
  });
  const others = drawn.length - 1;
  const legend = [
    { look: "accent" as const, text: name === "" ? "gap" : `${cut(name, 40)}${others > 0 ? ", the largest gap" : ""}` },
    ...(others > 0 ? [{ look: "soft" as const, text: counted(others, "other problem") }] : []),
    ...(isAsked ? [{ look: "dashed" as const, text: "asked for" }] : []),
  ];
  return figure("Gap over time", chart, { legend, caption: "How far from the optimum the model was known to be, at most." });
}

/** The methods that ran; of many problems those with the largest gaps. */
function stagesTable(problems: readonly ProblemFacts[]): string {
  const rows = [...problems]
    .sort((a, b) => gapOf(b) - gapOf(a))
    .flatMap(({ positive, negative, stages = [] }) =>
      stages.map(({ solver, why = "", iterations, relativeGap }) => [
        escaped(cut(problems.length === 1 && positive === undefined ? "all" : against(positive, negative), 60)),
        escaped(solver),
        escaped(why),
        whole(iterations) ?? "",
        typeof relativeGap === "number" ? brief(relativeGap, 2) : "",
      ]),
    );
  if (rows.length === 0) return "";
  const columns = [
    { head: "Problem" },
    { head: "method" },
    { head: "why", isText: true },
    { head: "iterations", isNumber: true },
    { head: "gap then", isNumber: true },
  ];
  const more = rows.length > MOST_STAGES ? `\n<p class="note">The ${MOST_STAGES} of ${rows.length} with the largest gaps.</p>` : "";
  return `<h3>Methods</h3>${more}\n${table("Methods that ran", columns, rows.slice(0, MOST_STAGES))}`;
}
