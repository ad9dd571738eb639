// Kernel machines begun at other models: fewer steps, the same optimum.

import { describe, expect, test } from "vitest";
import {
  type CertifiedReport,
  type KernelCertificate,
  type KernelModel,
  load,
  matrix,
  NuSVC,
  NuSVR,
  OneClassSVM,
  SVC,
  SVR,
} from "../src/index.ts";
import { multiClassSet, sparseSet } from "./problems/generate.ts";

const two = sparseSet(600, 12, 6, 5);
const many = multiClassSet(600, 8, 4, 4, 7);
const targets = two.x.map(([indices, values], i) =>
  Array.from(indices, (j, k) => Math.cos(j) * (values[k] as number)).reduce((a, b) => a + b, Math.sin(3 * i)),
);

type Fitted = KernelModel & { readonly report: CertifiedReport<KernelCertificate> };
type Fit = (keep: (i: number) => boolean, options: object) => Promise<Fitted>;

const kept = <T>(list: readonly T[], keep: (i: number) => boolean): T[] => list.filter((_, i) => keep(i));
const all = (): boolean => true;
const most = (i: number): boolean => i % 10 !== 3;
const common = { gamma: 0.1, tolerance: 1e-4 };

const machines: Record<string, { train: Fit; from: object; to: object }> = {
  SVC: {
    train: (keep, options) => SVC.fit(kept(two.x, keep), kept(two.y, keep), { ...common, ...options }),
    from: { C: 1 },
    to: { C: 2 },
  },
  "SVC, no intercept": {
    train: (keep, options) => SVC.fit(kept(two.x, keep), kept(two.y, keep), { ...common, solver: "dcd", ...options }),
    from: { C: 1 },
    to: { C: 2 },
  },
  "SVC, four classes": {
    train: (keep, options) => SVC.fit(kept(many.x, keep), kept(many.y, keep), { ...common, ...options }),
    from: { C: 1 },
    to: { C: 2 },
  },
  "SVC, against the rest": {
    train: (keep, options) => SVC.fit(kept(many.x, keep), kept(many.y, keep), { ...common, multiClass: "ovr", ...options }),
    from: { C: 2 },
    to: { C: 1 },
  },
  NuSVC: {
    train: (keep, options) => NuSVC.fit(kept(many.x, keep), kept(many.y, keep), { ...common, ...options }),
    from: { nu: 0.5 },
    to: { nu: 0.45 },
  },
  SVR: {
    train: (keep, options) => SVR.fit(kept(two.x, keep), kept(targets, keep), { ...common, ...options }),
    from: { C: 1, epsilon: 0.1 },
    to: { C: 2, epsilon: 0.15 },
  },
  "SVR, no intercept": {
    train: (keep, options) => SVR.fit(kept(two.x, keep), kept(targets, keep), { ...common, solver: "dcd", ...options }),
    from: { C: 1 },
    to: { C: 2 },
  },
  NuSVR: {
    train: (keep, options) => NuSVR.fit(kept(two.x, keep), kept(targets, keep), { ...common, nu: 0.5, ...options }),
    from: { C: 1 },
    to: { C: 2 },
  },
  OneClassSVM: {
    train: (keep, options) => OneClassSVM.fit(kept(two.x, keep), { ...common, ...options }),
    from: { nu: 0.3 },
    to: { nu: 0.33 },
  },
};

const steps = (model: Fitted): number => model.report.run?.iterations ?? Number.NaN;

/** Both are within their gaps of the same optimum. */
function expectSame(one: Fitted, other: Fitted): void {
  const [a, b] = [one.report, other.report];
  expect(a.status).toBe("converged");
  expect(b.status).toBe("converged");
  if (a.run?.problems.length !== b.run?.problems.length) throw new Error("not the same problems");
  a.run?.problems.forEach(({ certificate }, k) => {
    const rival = b.run?.problems[k]?.certificate ?? certificate;
    const rounding = 1e-6 * Math.abs(certificate.primal);
    expect(certificate.dual).toBeLessThanOrEqual(rival.primal + rounding);
    expect(rival.dual).toBeLessThanOrEqual(certificate.primal + rounding);
  });
}

for (const [name, { train, from, to }] of Object.entries(machines)) {
  describe(name, () => {
    test("with other constants", async () => {
      const near = await train(all, from);
      const [cold, warm] = [await train(all, to), await train(all, { ...to, warmStart: near })];
      expectSame(cold, warm);
      expect(steps(warm)).toBeLessThan(steps(cold));
      const again = await train(all, { ...from, warmStart: near });
      expectSame(near, again);
      expect(steps(again)).toBeLessThanOrEqual(0.1 * steps(near));
    });

    test("without a tenth of the rows, and with them again", async () => {
      const [whole, part] = [await train(all, to), await train(most, to)];
      const without = await train(most, { ...to, warmStart: whole });
      expectSame(without, part);
      expect(steps(without)).toBeLessThan(steps(part));
      const back = await train(all, { ...to, warmStart: part });
      expectSame(back, whole);
      expect(steps(back)).toBeLessThan(steps(whole));
    });

    test("from files: JSON with and without its state, LIBSVM's 8 digits", async () => {
      const near = await train(all, { ...from, keepState: true });
      const cold = await train(all, to);
      const bare = await train(all, from);
      expect(bare.toJSON().state).toBeUndefined();
      expect(near.toJSON().state?.rowIds).toEqual(near.supportIds);
      const kept = (await load(near.toBytes())) as Fitted;
      expect(kept.supportIds).toEqual(near.supportIds);
      expect(JSON.stringify(kept)).toBe(JSON.stringify(near));
      const warm = await train(all, { ...to, warmStart: near });
      expect((await train(all, { ...to, warmStart: kept })).coefficients).toEqual(warm.coefficients);
      const files = [bare.toBytes("json"), ...(name.includes("rest") ? [] : [bare.toBytes("libsvm")])];
      for (const bytes of files) {
        const loaded = (await load(bytes)) as Fitted;
        expect(loaded.supportIds).toBeUndefined();
        const model = await train(all, { ...to, warmStart: loaded });
        expectSame(model, cold);
        expect(steps(model)).toBeLessThan(steps(cold));
      }
    });
  });
}

test("classes in the order of LIBSVM's files, and signs with them", async () => {
  for (const order of [
    [1, 2],
    [3, 5, 7],
  ]) {
    const labels = two.y.map((y, i) => (order.length === 2 ? (y > 0 ? 1 : 2) : i % 3 === 0 ? 7 : y > 0 ? 5 : 3));
    // Fitted under the name of the next class, and named back in the file: the classes are there in another order.
    const next = (label: number): number => order[(order.indexOf(label) + 1) % order.length] as number;
    const named = await SVC.fit(two.x, labels.map(next), common);
    const text = new TextDecoder().decode(named.toBytes("libsvm"));
    const renamed = text.replace(/^label (.*)$/m, (_, list: string) => {
      const back = list.split(" ").map((name) => order.find((label) => next(label) === Number(name)));
      return `label ${back.join(" ")}`;
    });
    const file = (await load(new TextEncoder().encode(renamed))) as SVC;
    expect(file.classes).not.toEqual(order);
    const cold = await SVC.fit(two.x, labels, common);
    const warm = await SVC.fit(two.x, labels, { ...common, warmStart: file });
    expectSame(cold, warm);
    expect(steps(warm)).toBeLessThan(0.5 * steps(cold));
  }
});

test("rows are found by their ids, whatever has become of them", async () => {
  const ids = two.x.map((_, i) => `row ${i}`);
  const near = await SVC.fit(two.x, two.y, { ...common, rowIds: ids });
  expect(near.supportIds?.every((id) => ids.includes(id as string))).toBe(true);
  // Other features, of the same kernel values; another order.
  const moved = two.x.map(([indices, values]) => [Array.from(indices, (j) => j + 3), values] as const).reverse();
  const options = { ...common, rowIds: [...ids].reverse() };
  const y = [...two.y].reverse();
  const cold = await SVC.fit(moved, y, options);
  const warm = await SVC.fit(moved, y, { ...options, warmStart: near });
  expectSame(cold, warm);
  expect(steps(warm)).toBeLessThan(0.5 * steps(cold));
});

test("a precomputed kernel's rows are found by number, or by id after some are gone", async () => {
  const small = sparseSet(150, 8, 4, 5);
  const rows = small.x.map(([indices, values]) => Object.fromEntries(Array.from(indices, (j, k) => [j, values[k] as number])));
  const product = (u: Record<number, number>, v: Record<number, number>): number =>
    Object.entries(u).reduce((sum, [j, value]) => sum + value * (v[Number(j)] ?? 0), 0);
  const gram = (list: typeof rows) =>
    list.map((u) => list.map((v) => Math.exp(-0.1 * (product(u, u) + product(v, v) - 2 * product(u, v)))));
  const options = { kernel: "precomputed", tolerance: 1e-4 } as const;
  const ids = rows.map((_, i) => 100 + i);
  const near = await SVC.fit(gram(rows), small.y, { ...options, rowIds: ids });
  const same = await SVC.fit(gram(rows), small.y, { ...options, warmStart: near });
  expect(steps(same)).toBeLessThanOrEqual(0.1 * steps(near));
  const [x, y, rowIds] = [gram(kept(rows, most)), kept(small.y, most), kept(ids, most)];
  const cold = await SVC.fit(x, y, options);
  const warm = await SVC.fit(x, y, { ...options, rowIds, warmStart: near });
  expectSame(cold, warm);
  expect(steps(warm)).toBeLessThan(steps(cold));
});

test("rows that are there twice share what the model has for them", async () => {
  const near = await SVC.fit(two.x, two.y, { ...common, sampleWeight: two.y.map(() => 2) });
  const [x, y] = [two.x.flatMap((row) => [row, row]), two.y.flatMap((label) => [label, label])];
  const cold = await SVC.fit(x, y, common);
  const warm = await SVC.fit(x, y, { ...common, warmStart: near });
  expectSame(cold, warm);
  expect(steps(warm)).toBeLessThan(0.5 * steps(cold));
});

test("another kernel, other weights and another solver are only a worse guess", async () => {
  const near = await SVC.fit(two.x, two.y, { ...common, solver: "dcd", gamma: 0.3 });
  const sampleWeight = two.y.map((_, i) => i % 3);
  const cold = await SVC.fit(two.x, two.y, { ...common, sampleWeight });
  expectSame(cold, await SVC.fit(two.x, two.y, { ...common, sampleWeight, warmStart: near }));
});

test("a model of another kind is refused before any work", async () => {
  const x = matrix(two.x);
  const [svc, nu] = [await SVC.fit(x, two.y), await NuSVC.fit(x, two.y, { nu: 0.3 })];
  await expect(SVC.fit(x, two.y, { warmStart: nu })).rejects.toThrow("warmStart is of NuSVC, this fits SVC; they must be the same");
  await expect(SVC.fit(x, two.y, { warmStart: {} as never })).rejects.toThrow(/warmStart must be a fitted model/);
  const fake = { kernel: { kind: "rbf" }, supportVectors: { count: 0 }, coefficients: new Float64Array(0) };
  await expect(SVC.fit(x, two.y, { warmStart: fake })).rejects.toThrow(/warmStart must be a fitted SVC/);
  const other = two.y.map((label) => label + 5);
  await expect(SVC.fit(x, other, { warmStart: svc })).rejects.toThrow("warmStart has the classes -1, 1, y has 4, 6; they must be the same");
  const pairs = await SVC.fit(many.x, many.y);
  await expect(SVC.fit(many.x, many.y, { warmStart: pairs, multiClass: "ovr" })).rejects.toThrow(
    'warmStart has multiClass "ovo", this fit "ovr"; they must be the same',
  );
  await expect(SVC.fit(x, two.y, { rowIds: [1, 2] })).rejects.toThrow(/2 rowIds for 600 rows/);
});

test("a file's state must fit its support vectors", async () => {
  const json = (await SVC.fit(two.x, two.y, { ...common, keepState: true })).toJSON();
  const state = json.state as NonNullable<typeof json.state>;
  for (const wrong of [
    { ...state, rowIds: state.rowIds.slice(1) },
    { ...state, scales: [] },
    { ...state, rowIds: state.rowIds.map(() => "a") },
    { ...state, rowIds: state.rowIds.map(() => null) },
  ])
    expect(() => SVC.fromJSON({ ...json, state: wrong })).toThrow(/state(\.rowIds)? is missing or wrong/);
});
