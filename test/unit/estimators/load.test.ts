// One door for models and scalers: what was saved comes back as what it was.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  LinearSVC,
  type LoadableClass,
  type Loaded,
  load,
  MaxAbsScaler,
  MinMaxScaler,
  Normalizer,
  StandardScaler,
} from "../../../src/index.ts";
import { rejected } from "../../thrown.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-load-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const x = [
  [1, 20, -3],
  [4, 0.5, 6],
  [0.125, 7, 1e-3],
];
const scalers = {
  MinMaxScaler: () => MinMaxScaler.fit(x, { featureRange: [-1, 2] }),
  StandardScaler: () => StandardScaler.fit(x, { withMean: false }),
  MaxAbsScaler: () => MaxAbsScaler.fit(x),
  Normalizer: () => Normalizer.fit(x, { norm: "l1" }),
};
const classes = { MinMaxScaler, StandardScaler, MaxAbsScaler, Normalizer };

describe("a scaler", () => {
  for (const [name, make] of Object.entries(scalers)) {
    const kind = classes[name as keyof typeof classes] as LoadableClass<Exclude<Loaded, LinearSVC>>;

    test(`${name} comes back from its file and from its bytes, and scales to the same bits`, async () => {
      const scaler = await make();
      const path = join(folder, `${name}.json`);
      await scaler.save(path);
      expect(new Uint8Array(readFileSync(path))).toEqual(scaler.toBytes());
      const scaled = [...(await scaler.transform(x)).values];
      for (const again of [await load(path), await load(scaler.toBytes()), await load(path, kind)]) {
        expect(again.constructor).toBe(kind);
        expect(again.toJSON()).toEqual(scaler.toJSON());
        expect([...(await (again as typeof scaler).transform(x)).values]).toEqual(scaled);
      }
    });

    test(`${name} is refused where a model is asked for, by path and by bytes`, async () => {
      const scaler = await make();
      const path = join(folder, `other-${name}.json`);
      await scaler.save(path);
      const message = `this is a ${name}, a LinearSVC was asked for; load another file`;
      const byBytes = await rejected(load(scaler.toBytes(), LinearSVC));
      expect([byBytes.code, byBytes.message]).toEqual(["bad-model", message]);
      expect((await rejected(load(path, LinearSVC))).message).toBe(`${path}: ${message}`);
    });

    test(`${name} is saved under names that end in .json only`, async () => {
      const scaler = await make();
      for (const path of [join(folder, "scaler.model"), "", undefined]) {
        const { code, message } = await rejected(scaler.save(path as string));
        expect(code).toBe("bad-option");
        expect(message).toContain("the name of the file must be a text that ends in .json");
      }
    });
  }
});

test("a file that is damaged is named with what is wrong", async () => {
  const json = { ...(await MaxAbsScaler.fit(x)).toJSON(), maxAbs: [1, -2] };
  const { code, message } = await rejected(load(new TextEncoder().encode(JSON.stringify(json))));
  expect([code, message]).toEqual(["bad-model", "not a MaxAbsScaler of hinge: maxAbs is missing or wrong"]);
});

test("a kind that no file holds is refused before anything is read", async () => {
  for (const kind of [Map, {}, "LinearSVC", null]) {
    const { code, message } = await rejected(load("no such file", kind as never));
    expect(code).toBe("bad-option");
    expect(message).toMatch(/^the kind to load must be one of the classes LinearSVC, LogisticRegression, LinearSVR, LinearOneClassSVM, /);
  }
});

test("types: what is asked for, or one of all", () => {
  const source = new Uint8Array();
  const types = async () => {
    expectTypeOf(await load(source)).toEqualTypeOf<Loaded>();
    expectTypeOf(await load(source, LinearSVC)).toEqualTypeOf<LinearSVC>();
    expectTypeOf(await load(source, StandardScaler)).toEqualTypeOf<StandardScaler>();
    expectTypeOf(await load(source, Normalizer)).toEqualTypeOf<Normalizer>();
  };
  expect(types).toBeTypeOf("function");
});
