// Pipelines are their stages one after the other, as one model: fitted, asked, saved and loaded.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  load,
  MaxAbsScaler,
  MinMaxScaler,
  Normalizer,
  OneClassSVM,
  Pipeline,
  pipeline,
  StandardScaler,
  SVC,
} from "../src/index.ts";
import { rejected, thrown } from "./thrown.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-pipeline-"));
afterAll(() => rmSync(folder, { recursive: true }));

const x = Array.from({ length: 40 }, (_, i) => [1000 * Math.sin(i), 0.01 * Math.cos(2 * i), i]);
const y = x.map(([a = 0]) => (a > 0 ? "up" : "down"));
const t = x.map(([a = 0]) => a / 100);

test("a pipeline is its stages one after the other", async () => {
  const model = await pipeline(StandardScaler, [Normalizer, { norm: "l1" }], SVC).fit(x, y, { C: 10 });
  const scaler = await StandardScaler.fit(x);
  const scaled = await scaler.transform(x);
  const normal = await (await Normalizer.fit(scaled, { norm: "l1" })).transform(scaled);
  const own = await SVC.fit(normal, y, { C: 10 });
  expect(model.stages).toHaveLength(2);
  expect(model.classes).toEqual(["down", "up"]);
  expect(await model.predict(x)).toEqual(await own.predict(normal));
  expect(await model.decision(x)).toEqual(await own.decision(normal));
  expect(await model.score(x, y)).toBe(await own.score(normal, y));
  expect(model.report.certificate).toEqual(own.report.certificate);
  const again: (string | number)[] = await pipeline([SVC, { C: 3 }])
    .fit(x, y)
    .then((one) => one.predict(x));
  expect(again).toEqual(await (await SVC.fit(x, y, { C: 3 })).predict(x));
});

test("options: those of the pipeline hold unless fit is given others", async () => {
  const recipe = pipeline(MinMaxScaler, [LinearSVC, { C: 5, tolerance: 1e-6 }]);
  const scaled = await (await MinMaxScaler.fit(x)).transform(x);
  const weights = async (options: object) => (await recipe.fit(x, y, options)).model.coefficients;
  expect(await weights({})).toEqual((await LinearSVC.fit(scaled, y, { C: 5, tolerance: 1e-6 })).coefficients);
  expect(await weights({ C: 0.1 })).toEqual((await LinearSVC.fit(scaled, y, { C: 0.1, tolerance: 1e-6 })).coefficients);
});

test("weights go to every stage that counts rows", async () => {
  const sampleWeight = x.map((_, i) => (i % 4 === 0 ? 0 : 1));
  const kept = x.filter((_, i) => i % 4 !== 0);
  const model = await pipeline(MinMaxScaler, LinearSVR).fit(x, t, { sampleWeight });
  const without = await pipeline(MinMaxScaler, LinearSVR).fit(
    kept,
    t.filter((_, i) => i % 4 !== 0),
  );
  expect((model.stages[0] as MinMaxScaler).maximum).toEqual((without.stages[0] as MinMaxScaler).maximum);
  const [a, b] = await Promise.all([model.predict(x), without.predict(x)]);
  for (const [i, value] of a.entries()) expect(Math.abs(value - (b[i] as number))).toBeLessThan(0.05);
});

test("saved and loaded as one", async () => {
  for (const [k, recipe] of [
    pipeline(MinMaxScaler, SVC),
    pipeline(StandardScaler, MaxAbsScaler, LogisticRegression),
    pipeline(Normalizer, LinearSVC),
  ].entries()) {
    const model = (await recipe.fit(x, y)) as Pipeline;
    const path = join(folder, `${k}.json`);
    await model.save(path);
    const back = await load(path, Pipeline);
    expect(await back.predict(x)).toEqual(await model.predict(x));
    expect(await back.decision(x)).toEqual(await model.decision(x));
    expect(back.toBytes()).toEqual(model.toBytes());
    expect(await load(path)).toBeInstanceOf(Pipeline);
    expect(JSON.parse(JSON.stringify(model)).estimator).toBe("Pipeline");
    expect(typeof model.probabilities).toBe(k === 1 ? "function" : "undefined");
  }
  const regression = await pipeline(StandardScaler, LinearSVR).fit(x, t);
  expect(await regression.decision(x)).toEqual(await regression.predict(x));
  expect(regression.classes).toBeUndefined();
});

test("what is no pipeline is told so", async () => {
  for (const [call, message] of [
    [() => (pipeline as () => unknown)(), "a pipeline needs an estimator at its end, such as pipeline(MinMaxScaler, SVC)"],
    [() => pipeline(MinMaxScaler as never), "stage 1 of 1 of a pipeline must be one of LinearSVC, "],
    [() => pipeline(SVC as never, SVC), "stage 1 of 2 of a pipeline must be one of MinMaxScaler, "],
    [() => pipeline(MinMaxScaler, [SVC, 3] as never), "the options of stage 2 of a pipeline must be an object such as { C: 1 }, got 3"],
  ] as const) {
    expect(thrown(call).message).toContain(message);
  }
  expect((await rejected(pipeline([MinMaxScaler, { range: 1 }], SVC).fit(x, y))).message).toContain('MinMaxScaler has no option "range"');
  const model = await pipeline(MinMaxScaler, SVC).fit(x, y);
  expect((await rejected(model.save(join(folder, "p.model")))).message).toContain("no other format holds transformers, pipelines");
  const json = model.toJSON();
  for (const [broken, message] of [
    [{ ...json, stages: [json.model] }, 'stage 1 of the pipeline is a "SVC"; it must be a transformer'],
    [{ ...json, model: json.stages[0] }, 'the pipeline ends in a "MinMaxScaler"; it must end in an estimator'],
    [{ ...json, stages: 3 }, "not a pipeline: stages is missing or wrong"],
    [{ ...json, version: 9 }, "not a pipeline: its format is version 9, this hinge reads version 1"],
    [{ ...json, model: { estimator: "SVX" } }, 'no estimator is called "SVX"; did you mean "SVC"?'],
  ] as const) {
    expect(thrown(() => Pipeline.fromJSON(broken)).message).toBe(message);
  }
  expect((await rejected(load(model.toBytes(), SVC))).message).toContain("this is a Pipeline, a SVC was asked for");
  expect(OneClassSVM).toBeDefined();
});
