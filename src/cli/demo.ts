// hinge demo: the whole job on an embedded data set.

import { Command } from "commander";
import { flowers, species } from "../../data/iris.js";
import { counted } from "../base/words.js";
import { version } from "../generated/version.js";
import { LinearSVC } from "../index.js";
import type { Console } from "./console.js";
import { brief, line, percent } from "./text.js";

export function demoCommand(console: Console): Command {
  return new Command("demo")
    .description("Train, certify and predict on Fisher's irises.")
    .option("--json", "print one JSON object on stdout")
    .action((given: Record<string, unknown>) => demo(console, given.json === true));
}

async function demo(console: Console, json: boolean): Promise<void> {
  const rows = flowers.map((x, i) => ({ x, y: species[i] === "virginica" ? "virginica" : "another" }));
  const kept = rows.filter((_, i) => i % 3 !== 2);
  const heldBack = rows.filter((_, i) => i % 3 === 2);

  const options = { C: 10, tolerance: 1e-3 };
  const model = await LinearSVC.fit(
    kept.map(({ x }) => x),
    kept.map(({ y }) => y),
    options,
  );
  const started = performance.now();
  const predicted = await model.predict(heldBack.map(({ x }) => x));
  const predictSeconds = (performance.now() - started) / 1000;
  const right = predicted.filter((label, i) => label === heldBack[i]?.y).length;

  const { status, certificate, run } = model.report;
  if (json) {
    console.out(
      `${JSON.stringify({ ...model.report, heldBack: heldBack.length, right, accuracy: right / heldBack.length, predictSeconds })}\n`,
    );
    return;
  }
  console.out(
    line("hinge", version) +
      line("data", "150 irises, 4 measurements each: virginica or another species?") +
      line("train", `${kept.length} rows, ${run?.solver}, ${status} in ${counted(run?.iterations ?? 0, "pass")}`, run?.seconds.total) +
      line("certify", `relative gap ${brief(certificate.relativeGap)} <= ${brief(options.tolerance)}`, run?.seconds.certify) +
      line("", `the optimum lies between ${brief(certificate.dual)} and ${brief(certificate.primal)}`) +
      line("predict", `${heldBack.length} rows held back: accuracy ${percent(right, heldBack.length)}`, predictSeconds) +
      line("next", "hinge train <data> [model], hinge predict <data> <model>"),
  );
}
