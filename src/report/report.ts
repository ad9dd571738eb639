// The training report: from plain data to one HTML text that needs nothing else, to be sent, printed and kept. Same data, same bytes.

import { classResults } from "./class-results.js";
import { hardestTable } from "./hardest.js";
import { headline, lead, type Tested } from "./headline.js";
import type { ReportInput, TestPart } from "./input.js";
import { numberResults } from "./number-results.js";
import { page, type Section } from "./page.js";
import { scoreCurves } from "./score-curves.js";
import { searchResults } from "./search-results.js";
import { type ClassCurve, classCurves, testedClasses, testedNumbers } from "./tested.js";
import { escaped } from "./text.js";
import { trainingSection } from "./training.js";
import { weightResults } from "./weight-results.js";

export { hardestRows } from "./hardest.js";
export type * from "./input.js";

/** Returns the report as a page of HTML, with style and drawings inside and no script. */
export function trainingReport(input: ReportInput): string {
  const { test, search, weights, hardest, model, data } = input;
  const tested = testedOf(test);
  const curves = tested.classes === undefined ? [] : classCurves(tested.classes);
  const sections: Section[] = [
    { id: "result", heading: resultHeading(test), content: resultContent(test, tested, curves) },
    { id: "scores", heading: "Scores", content: tested.classes === undefined ? "" : scoreCurves(tested.classes, curves) },
    { id: "search", heading: "Search", content: search === undefined ? "" : searchResults(search) },
    { id: "features", heading: "What it goes by", content: weights === undefined ? "" : weightResults(weights) },
    { id: "hardest", heading: "Hardest rows", content: hardest === undefined ? "" : hardestTable(hardest) },
    { id: "training", heading: "Training", content: trainingSection(model, data) },
  ];
  const versions = (model.versions ?? []).map(([name, value]) => `${name} ${value}`);
  const footer = `<p>${escaped(["Training report", ...versions].join(" · "))}</p>`;
  return page({ title: input.title, headline: headline(input, tested), lead: lead(input, tested), sections, footer });
}

function testedOf(test: TestPart | undefined): Tested {
  if (test === undefined) return {};
  return test.kind === "classes" ? { classes: testedClasses(test) } : { numbers: testedNumbers(test) };
}

function resultHeading(test: TestPart | undefined): string {
  const rows = test?.rows ?? "held-out";
  return rows === "held-out"
    ? "Result on held-out rows"
    : rows === "training"
      ? "Result on the training rows"
      : "Result of cross-validation";
}

function resultContent(test: TestPart | undefined, { classes, numbers }: Tested, curves: readonly ClassCurve[]): string {
  if (classes !== undefined) return classResults(classes, curves, test?.rows);
  return numbers !== undefined && test?.kind === "numbers" ? numberResults(numbers, test) : "";
}
