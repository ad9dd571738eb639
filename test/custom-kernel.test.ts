// Kernels that are the user's own functions: fitted, predicting, saved, loaded, stopped, and what becomes of their mistakes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type CustomKernel, certify, load, matrix, NuSVC, NuSVR, OneClassSVM, SVC, SVR, startPool, stopPool } from "../src/index.ts";
import { denseRows, multiClassSet, sparseSet } from "./problems/generate.ts";
import { rejected, thrown } from "./thrown.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-custom-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => stopPool());

const two = sparseSet(160, 8, 4, 5);
const many = multiClassSet(160, 8, 4, 4, 7);
const dense = denseRows(two);
const targets = two.y.map((label, i) => label + Math.sin(3 * i));

const gamma = 0.2;
const rbf: CustomKernel = (u, v) => {
  let square = 0;
  for (let j = 0; j < u.length; j++) square += ((u[j] as number) - (v[j] as number)) ** 2;
  return Math.exp(-gamma * square);
};
/** What two rows have in common, feature by feature: positive semidefinite on numbers of at least 0. */
const intersection: CustomKernel = (u, v) => u.reduce((sum, value, j) => sum + Math.min(value, v[j] as number), 0);

/** Calls before which it works like `kernel`; then `then`. */
function lastingFor(calls: number, then: () => unknown, kernel: CustomKernel = rbf): CustomKernel {
  let count = 0;
  return (u, v) => (++count > calls ? (then() as number) : kernel(u, v));
}

const fits = {
  SVC: (options: object) => SVC.fit(two.x, two.y, { C: 2, ...options }),
  "SVC, four classes": (options: object) => SVC.fit(many.x, many.y, { C: 2, ...options }),
  "SVC, one against the rest": (options: object) => SVC.fit(many.x, many.y, { C: 2, multiClass: "ovr", ...options }),
  NuSVC: (options: object) => NuSVC.fit(two.x, two.y, { nu: 0.4, ...options }),
  SVR: (options: object) => SVR.fit(two.x, targets, { C: 2, epsilon: 0.05, ...options }),
  NuSVR: (options: object) => NuSVR.fit(two.x, targets, { C: 2, nu: 0.3, ...options }),
  OneClassSVM: (options: object) => OneClassSVM.fit(two.x, { nu: 0.2, ...options }),
};
const rowsOf = (name: string) => (/four|rest/.test(name) ? many.x : two.x);

for (const [name, train] of Object.entries(fits)) {
  describe(name, () => {
    const x = rowsOf(name);

    test("with the function of rbf it is the model of rbf", async () => {
      const tolerance = 1e-7;
      const [own, built] = [await train({ kernel: rbf, psd: true, tolerance }), await train({ kernel: "rbf", gamma, tolerance })];
      expect(own.kernel.kind).toBe("custom");
      expect(own.report.status).toBe("converged");
      const [a, b] = [await own.decision(x), await built.decision(x)];
      const outputs = own.biases.length;
      // P is strongly convex in w: a model within gap g of the optimum has |w - w*| <= sqrt(2 g), and |f - f*| no more, since K(x, x) = 1. nu-SVC's is scaled
      // by 1 / r = sum |coefficients| / N. Kernel values in float32 are wrong by 1e-6, times the sum of the coefficients.
      const sizes = [own, built].map(({ coefficients }) => coefficients.reduce((sum, value) => sum + Math.abs(value), 0));
      const most = Math.max(...sizes);
      const scale = name === "NuSVC" ? most / (0.4 * x.length) : 1;
      const length = (model: typeof own): number => {
        const gaps = model.report.run?.problems.map(({ certificate: { primal, dual } }) => primal - dual) ?? [];
        return Math.sqrt(2 * Math.max(0, ...gaps)) * scale;
      };
      const bound = length(own) + length(built) + 1e-6 * most;
      expect(bound).toBeLessThan(0.1);
      a.forEach((value, k) => {
        const [p, q] = [own.biases[k % outputs] as number, built.biases[k % outputs] as number];
        expect(Math.abs(value - p - ((b[k] as number) - q))).toBeLessThanOrEqual(bound);
      });
    });

    test("predictOne is predict, bit for bit; bytes come back; threads and memory change nothing", async () => {
      const model = await train({ kernel: rbf });
      const decision = await model.decision(x);
      const outputs = model.biases.length;
      x.forEach((row, i) => {
        expect(model.decisionOne(row)).toEqual(decision.slice(i * outputs, (i + 1) * outputs));
      });
      const again = (await load(model.toBytes(), { kernel: rbf })) as typeof model;
      expect(again.constructor).toBe(model.constructor);
      expect(again.toBytes()).toEqual(model.toBytes());
      expect(await again.decision(matrix(x))).toEqual(decision);
      for (const threads of [1, 7]) expect((await train({ kernel: rbf, threads })).toBytes()).toEqual(model.toBytes());
      stopPool();
      startPool({ sharedMemory: false });
      expect((await train({ kernel: rbf })).toBytes()).toEqual(model.toBytes());
    });
  });
}

test("a kernel that hinge does not have: proven in float64", async () => {
  const counts = dense.map((row) => row.map((value) => Math.abs(Math.round(4 * value))));
  const [C, tolerance] = [0.5, 1e-6];
  const model = await SVC.fit(counts, two.y, { kernel: intersection, psd: true, C, tolerance });
  expect(model.report.status).toBe("converged");
  const { starts, indices, values, count } = model.supportVectors;
  const vectors = Array.from({ length: count }, (_, s) => {
    const row = new Float32Array(8);
    for (let k = starts[s] as number; k < (starts[s + 1] as number); k++) row[indices[k] as number] = values[k] as number;
    return row;
  });
  const score = (row: Float32Array): number =>
    vectors.reduce((sum, vector, s) => sum + (model.coefficients[s] as number) * intersection(vector, row), 0);
  const bias = model.biases[0] as number;
  const square = vectors.reduce((sum, vector, s) => sum + (model.coefficients[s] as number) * score(vector), 0);
  const losses = counts.map((row, i) => Math.max(0, 1 - (two.y[i] as number) * (score(Float32Array.from(row)) + bias)));
  const primal = square / 2 + C * losses.reduce((a, b) => a + b);
  const sizes = model.coefficients.map(Math.abs);
  const dual = sizes.reduce((a, b) => a + b) - square / 2;
  expect(Math.max(...sizes)).toBeLessThanOrEqual(C);
  expect(Math.abs(model.coefficients.reduce((a, b) => a + b))).toBeLessThan(1e-9);
  expect((primal - dual) / primal).toBeLessThanOrEqual(tolerance);
  expect(model.report.certificate.primal).toBeCloseTo(primal, 3);
  expect(await model.decision(counts)).toEqual(Float64Array.from(counts, (row) => score(Float32Array.from(row)) + bias));
});

test("the audit calls the function itself; without psd there is no gap", async () => {
  for (const train of [
    async (options: object) => {
      const model = await SVC.fit(many.x, many.y, { C: 2, kernel: rbf, ...options });
      return { model, certificate: await certify(model, many.x, many.y) };
    },
    async (options: object) => {
      const model = await NuSVR.fit(two.x, targets, { C: 2, nu: 0.3, kernel: rbf, ...options });
      return { model, certificate: await certify(model, two.x, targets) };
    },
    async (options: object) => {
      const model = await OneClassSVM.fit(two.x, { nu: 0.2, kernel: rbf, ...options });
      return { model, certificate: await certify(model, two.x) };
    },
  ]) {
    const proven = await train({ psd: true });
    expect(proven.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
    expect(proven.certificate.primal).toBeCloseTo(proven.model.report.certificate.primal, 3);
    const { model, certificate } = await train({});
    expect(model.report.certificate.relativeGap).toBeNull();
    expect(certificate).toMatchObject({ relativeGap: null, reason: expect.stringContaining("a kernel that is a function") });
    if (certificate.relativeGap === null) expect(certificate.violation).toBeLessThanOrEqual(1.01e-3);
  }
});

test("dense and sparse rows are the same to the function and make the same bytes", async () => {
  const seen = new Set<number>();
  const kernel: CustomKernel = (u, v) => {
    seen.add(u.length).add(v.length);
    return rbf(u, v);
  };
  const [a, b] = [await SVC.fit(dense, two.y, { kernel }), await SVC.fit(matrix(two.x, { featureCount: 8 }), two.y, { kernel })];
  expect(b.toBytes()).toEqual(a.toBytes());
  expect([...seen]).toEqual([8]);
  // A row of fewer features than the model has.
  expect(a.decisionOne([[0], [1.5]])).toEqual(a.decisionOne([1.5, 0, 0, 0, 0, 0, 0, 0]));
  expect(await a.decision([[1.5]])).toEqual(a.decisionOne([1.5]));
});

test("of two rows the one with the smaller number comes first; rows of weight 0 never come", async () => {
  const numbered = dense.map((row, i) => [i, ...row]);
  const orders = new Set<number>();
  const rows = new Set<number>();
  const kernel: CustomKernel = (u, v) => {
    orders.add(Math.sign((v[0] as number) - (u[0] as number)));
    rows.add(u[0] as number);
    return rbf(u.subarray(1), v.subarray(1));
  };
  await SVC.fit(numbered, two.y, { kernel, sampleWeight: two.y.map((_, i) => (i === 17 ? 0 : 1)) });
  expect([...orders].sort()).toEqual([0, 1]);
  expect(rows.has(17)).toBe(false);
  expect(rows.size).toBe(two.y.length - 1);
});

describe("a function that", () => {
  test("throws: fit rejects with what it threw, early or late", async () => {
    const error = new TypeError("not today");
    const fail = () => {
      throw error;
    };
    for (const train of Object.values(fits)) {
      for (const calls of [0, 200, 2000]) {
        expect(await train({ kernel: lastingFor(calls, fail) }).catch((reason: unknown) => reason)).toBe(error);
      }
    }
    expect((await fits.SVC({ kernel: rbf })).report.status).toBe("converged");
  });

  test("returns no finite number: the rows and the value are named", async () => {
    const numbered = dense.map((row, i) => [i, ...row]);
    for (const [value, text] of [
      [NaN, "NaN"],
      [-Infinity, "-Infinity"],
      [1e39, "1e+39"],
      ["0.5", '"0.5"'],
      [undefined, "undefined"],
      [1n, "1n"],
    ] as const) {
      const kernel = ((u, v) => (u[0] === 3 && v[0] === 11 ? value : rbf(u, v))) as CustomKernel;
      const { code, message } = await rejected(OneClassSVM.fit(numbered, { kernel }));
      expect(code).toBe("bad-option");
      expect(message).toBe(`kernel must return a finite number in the range of float32, got ${text} for rows 3 and 11 of x`);
      const itself = ((u, v) => (u[0] === 3 && v[0] === 3 ? value : rbf(u, v))) as CustomKernel;
      expect((await rejected(SVR.fit(numbered, targets, { kernel: itself }))).message).toContain(`got ${text} for rows 3 and 3 of x`);
    }
  });

  test("fails in a prediction: support vector and row are named, errors are passed on", async () => {
    let bad: (() => number) | undefined;
    const model = await SVC.fit(two.x, two.y, { kernel: (u, v) => bad?.() ?? rbf(u, v) });
    bad = () => NaN;
    const message = "kernel must return a finite number in the range of float32, got NaN for support vector 0 and row 0 of x";
    expect((await rejected(model.predict(two.x))).message).toBe(message);
    expect(thrown(() => model.predictOne(two.x[0] as never)).message).toBe(message);
    const error = new Error("mine");
    bad = () => {
      throw error;
    };
    expect(await model.predict(two.x).catch((reason: unknown) => reason)).toBe(error);
    expect(() => model.predictOne(two.x[0] as never)).toThrow(error);
  });

  test("aborts in the middle: the model so far, and soon no more calls", async () => {
    const large = sparseSet(400, 8, 4, 6);
    const fitsOf400 = {
      SVC: (options: object) => SVC.fit(large.x, large.y, { C: 100, tolerance: 1e-9, ...options }),
      OneClassSVM: (options: object) => OneClassSVM.fit(large.x, options),
    };
    for (const [name, train] of Object.entries(fitsOf400)) {
      for (const calls of [0, 410, 3000]) {
        const controller = new AbortController();
        let late = 0;
        const kernel = lastingFor(calls, () => {
          controller.abort();
          late++;
          const until = performance.now() + 0.05;
          while (performance.now() < until);
          return 0.5;
        });
        const model = await train({ kernel, psd: true, signal: controller.signal });
        expect(model.report.status).toBe("aborted");
        expect(model.report.certificate.relativeGap).toBeGreaterThan(0);
        // Calls that nobody waits for would still come.
        await new Promise((resolve) => setTimeout(resolve, 100));
        // The diagonal is always found, one call a row. After that at most 8 ms of calls, and 256 before the clock is looked at; the first question of one-class
        // is about 3,200.
        expect(late, `${name} after ${calls}`).toBeLessThanOrEqual((calls === 0 ? 400 : 0) + 160 + 256);
        await model.predict(large.x.slice(0, 2));
      }
    }
  });

  test("is slow: the time limit holds, timers fire", async () => {
    const started = performance.now();
    let late = 0;
    const slow: CustomKernel = (u, v) => {
      const now = performance.now();
      if (now > started + 500) late++;
      while (performance.now() < now + 0.2);
      return rbf(u, v);
    };
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const model = await OneClassSVM.fit(two.x, { kernel: slow, timeLimitSeconds: 0.5, nu: 0.5, tolerance: 1e-9 });
    expect(model.report.status).toBe("time-limit");
    // Of at least 80 x 80 values, which take more than a second: the diagonal, if it came to that, and a slice of 8 ms.
    expect(late).toBeLessThanOrEqual(160 + 40 + 256);
    expect(ticks).toBeGreaterThan(10);
    const fitted = await SVC.fit(two.x.slice(0, 60), two.y.slice(0, 60), { kernel: slow });
    ticks = 0;
    await fitted.predict(two.x.slice(0, 60));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });
});

describe("files", () => {
  test("JSON holds everything but the function, which is given again", async () => {
    const path = join(folder, "custom.json");
    const model = await SVC.fit(two.x, two.y, { kernel: rbf });
    await model.save(path);
    const message = "the kernel of this SVC is a function, which no file holds; give it again as { kernel }";
    const byPath = await rejected(load(path));
    expect([byPath.code, byPath.message]).toEqual(["bad-option", `${path}: ${message}`]);
    expect(thrown(() => SVC.fromJSON(model.toJSON())).message).toBe(message);
    const decision = await model.decision(two.x);
    for (const again of [
      (await load(path, { kernel: rbf })) as SVC,
      await load(path, SVC, { kernel: rbf }),
      SVC.fromJSON(JSON.parse(JSON.stringify(model)), { kernel: rbf }),
    ]) {
      expect(await again.decision(two.x)).toEqual(decision);
    }
    expect((await rejected(load(path, SVR, { kernel: rbf }))).message).toContain("this is a SVC, a SVR was asked for");
  });

  test("LIBSVM's format is refused with a word on what to do", async () => {
    const model = await SVC.fit(two.x, two.y, { kernel: rbf });
    const { code, message } = thrown(() => model.toBytes("libsvm"));
    expect(code).toBe("bad-model");
    expect(message).toBe("LIBSVM's files hold no kernels that are functions; save as .json, and give the function again to load");
    expect((await rejected(model.save(join(folder, "custom.model")))).message).toBe(message);
  });

  test("a function for a model that has none is refused", async () => {
    const model = await SVC.fit(two.x, two.y);
    expect((await rejected(load(model.toBytes(), { kernel: rbf }))).message).toBe(
      "kernel is for models whose kernel is a function, this SVC has rbf; leave it out",
    );
    for (const bytes of [model.toBytes("libsvm"), (await SVC.fit(two.x, two.y, { kernel: "linear" })).toBytes("libsvm")])
      expect((await rejected(load(bytes, SVC, { kernel: rbf }))).message).toContain("kernel is for models whose kernel is a function");
    expect((await rejected(load(model.toBytes(), { kernal: rbf } as never))).message).toContain('load has no option "kernal"');
    expect((await rejected(load(model.toBytes(), SVC, { kernel: "rbf" } as never))).message).toContain(
      "kernel must be a function of two rows",
    );
  });
});

test("options: what a kernel and psd may be", async () => {
  expect((await rejected(SVC.fit(two.x, two.y, { kernel: "rfb" as never }))).message).toBe(
    'kernel must be "rbf", "linear", "poly", "sigmoid", "precomputed", or a function of two rows, got "rfb"',
  );
  expect((await rejected(SVC.fit(two.x, two.y, { kernel: rbf, psd: 1 as never }))).message).toBe("psd must be true or false, got 1");
});
