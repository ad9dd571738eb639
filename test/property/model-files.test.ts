// Model files of LIBLINEAR and LIBSVM: whatever is written is read back, and any bytes give data or a HingeError, at a cost that the
// file pays for. HINGE_FUZZ_RUNS says how many damaged files of each format to try.

import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HingeError } from "../../src/base/errors.ts";
import { readLiblinearModel, writeLiblinearModel } from "../../src/formats/liblinear-model.ts";
import { readLibsvmModel, writeLibsvmModel } from "../../src/formats/libsvm-model.ts";
import { hasLabels, type LiblinearData, liblinearSolverTypes, weightColumns, weightRows } from "../../src/model/liblinear-file.ts";
import { isClassification, type LibsvmData, type LibsvmKernel, libsvmTypes, pairCount } from "../../src/model/libsvm-file.ts";

const RUNS = Number(process.env.HINGE_FUZZ_RUNS ?? 2000);
const MOST_BYTES_A_BYTE = 10;

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const doubles = (length: number) => fc.array(double, { minLength: length, maxLength: length }).map((list) => Float64Array.from(list));
const labelsOf = (count: number) =>
  fc.uniqueArray(fc.integer(), { minLength: count, maxLength: count }).map((list) => Int32Array.from(list));
const none = fc.constant(undefined);

const liblinear: fc.Arbitrary<LiblinearData> = fc
  .record({
    solverType: fc.constantFrom(...liblinearSolverTypes),
    classes: fc.integer({ min: 1, max: 5 }),
    featureCount: fc.nat(6),
    bias: fc.oneof(double, fc.constantFrom(-1, 0, 1)),
  })
  .chain(({ solverType, classes, featureCount, bias }) => {
    const classCount = hasLabels(solverType) ? classes : 2;
    return fc.record({
      solverType: fc.constant(solverType),
      classCount: fc.constant(classCount),
      labels: hasLabels(solverType) ? labelsOf(classCount) : none,
      featureCount: fc.constant(featureCount),
      bias: fc.constant(bias),
      rho: solverType === "ONECLASS_SVM" ? double : none,
      weights: doubles(weightRows(featureCount, bias) * weightColumns(solverType, classCount)),
    });
  });

const kernel: fc.Arbitrary<LibsvmKernel> = fc.oneof(
  fc.constant({ type: "linear" as const }),
  fc.record({ type: fc.constant("polynomial" as const), degree: fc.nat(9), gamma: double, coef0: double }),
  fc.record({ type: fc.constant("rbf" as const), gamma: double }),
  fc.record({ type: fc.constant("sigmoid" as const), gamma: double, coef0: double }),
  fc.constant({ type: "precomputed" as const }),
);

/** Eight digits, as files hold them. */
const value = double.map((x) => Number(x.toPrecision(8))).filter(Number.isFinite);
const row = fc
  .uniqueArray(fc.tuple(fc.nat(2 ** 31 - 1), value), { selector: ([index]) => index, maxLength: 5 })
  .map((entries) => entries.sort(([a], [b]) => a - b));
const serialRow = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((serial): [number, number][] => [[0, serial]]);

function vectorsOf(rows: readonly (readonly [number, number][])[], coefficients: Float64Array): LibsvmData["vectors"] {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((entries, i) => {
    starts[i + 1] = (starts[i] as number) + entries.length;
  });
  const entries = rows.flat();
  return {
    count: rows.length,
    coefficients,
    starts,
    indices: Uint32Array.from(entries, ([index]) => index),
    values: Float64Array.from(entries, ([, value]) => value),
  };
}

const libsvm: fc.Arbitrary<LibsvmData> = fc
  .record({ type: fc.constantFrom(...libsvmTypes), kernel, classes: fc.integer({ min: 1, max: 4 }), hasEstimates: fc.boolean() })
  .chain((one) => {
    const isLabelled = isClassification(one.type);
    const classCount = isLabelled ? one.classes : 2;
    const pairs = pairCount(classCount);
    const each = one.kernel.type === "precomputed" ? serialRow : row;
    return fc.array(each, { maxLength: classCount === 1 ? 0 : 6 }).chain((rows) =>
      fc.record({
        type: fc.constant(one.type),
        kernel: fc.constant(one.kernel),
        classCount: fc.constant(classCount),
        rho: doubles(pairs),
        labels: isLabelled ? labelsOf(classCount) : none,
        probA: one.hasEstimates && one.type !== "one_class" ? doubles(pairs) : none,
        probB: one.hasEstimates && isLabelled ? doubles(pairs) : none,
        densityMarks: one.hasEstimates && one.type === "one_class" ? doubles(10) : none,
        vectorCounts: fc.constant(isLabelled ? Uint32Array.from({ length: classCount }, (_, k) => (k === 0 ? rows.length : 0)) : undefined),
        vectors: doubles(rows.length * (classCount - 1)).map((coefficients) => vectorsOf(rows, coefficients)),
      }),
    );
  });

type Damage = (bytes: Uint8Array) => Uint8Array;

const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const at = (share: number, bytes: Uint8Array): number => Math.floor(share * bytes.length);
// Not fc.double, whose numbers crowd near 0: damage must reach every part of a file.
const share = fc.nat(9999).map((part) => part / 10_000);
const words = [
  "2147483647",
  "1000000000",
  "4294967296",
  "1e9",
  "1e999",
  "-1",
  "0",
  "nan",
  "inf",
  "0x10",
  "",
  "__proto__",
  "1:1",
  ":".repeat(2000),
];

/** One way to damage a file: a byte, a stretch, its end, a word, a line. */
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, fc.nat(255)).map(
    ([where, byte]): Damage =>
      (bytes) =>
        bytes.map((old, k) => (k === at(where, bytes) ? byte : old)),
  ),
  fc.tuple(share, fc.nat(9)).map(
    ([where, length]): Damage =>
      (bytes) => {
        return joined(bytes.subarray(0, at(where, bytes)), bytes.subarray(at(where, bytes) + length));
      },
  ),
  share.map(
    (where): Damage =>
      (bytes) =>
        bytes.slice(0, at(where, bytes)),
  ),
  fc.tuple(share, share).map(
    ([from, to]): Damage =>
      (bytes) => {
        return joined(bytes, bytes.subarray(at(Math.min(from, to), bytes), at(Math.max(from, to), bytes)));
      },
  ),
  // A header that claims more than there is.
  fc.tuple(share, fc.constantFrom(10, 100, 10_000, 1_000_000, 2 ** 30)).map(
    ([where, claim]): Damage =>
      (bytes) => {
        return replaced(bytes, /(?<=^(nr_class|nr_feature|total_sv) )\d+/gm, where, () => String(claim));
      },
  ),
  fc.tuple(share, fc.constantFrom(...words)).map(
    ([where, word]): Damage =>
      (bytes) =>
        replaced(bytes, /[^ \n]+/g, where, () => word),
  ),
  fc.tuple(share, fc.nat(2)).map(
    ([where, times]): Damage =>
      (bytes) =>
        replaced(bytes, /.*\n/g, where, (line) => line.repeat(times)),
  ),
);

/** The file with one match of `pattern` replaced, the one at `where` of all. */
function replaced(bytes: Uint8Array, pattern: RegExp, where: number, by: (found: string) => string): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes);
  const matches = [...text.matchAll(pattern)];
  const match = matches[Math.floor(where * matches.length)];
  if (match === undefined) return bytes;
  const changed = text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
  return Uint8Array.from(changed, (character) => character.charCodeAt(0));
}

/** Counts the bytes of all typed arrays that are made with a length while `call` runs. */
function allocatedBy(call: () => unknown): number {
  let bytes = 0;
  const counting = <T extends object>(kind: T): T =>
    new Proxy(kind, {
      construct(target, args, newTarget) {
        const made = Reflect.construct(target as unknown as new () => ArrayBufferView, args, newTarget) as ArrayBufferView;
        if (typeof args[0] === "number") bytes += made.byteLength;
        return made;
      },
    });
  vi.stubGlobal("Float64Array", counting(Float64Array));
  vi.stubGlobal("Uint32Array", counting(Uint32Array));
  vi.stubGlobal("Int32Array", counting(Int32Array));
  try {
    call();
  } finally {
    vi.unstubAllGlobals();
  }
  return bytes;
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

interface Format<T> {
  readonly name: string;
  readonly data: fc.Arbitrary<T>;
  readonly read: (bytes: Uint8Array, name: string) => T;
  readonly write: (data: T) => Uint8Array;
}

function describeFormat<T>({ name, data, read, write }: Format<T>): void {
  describe(`files of ${name}`, () => {
    test("are read back as what was written, bit for bit", () => {
      fc.assert(
        fc.property(data, (given) => {
          const bytes = write(given);
          expect(read(bytes, "model")).toEqual(given);
          expect(write(read(bytes, "model"))).toEqual(bytes);
        }),
        { seed: 41, numRuns: 200 },
      );
    });

    test(
      `damaged in any way, ${RUNS} times, give data or a HingeError with its place, and cost at most ten times their size`,
      () => {
        const endings = { data: 0, error: 0 };
        fc.assert(
          fc.property(data, fc.array(damage, { minLength: 1, maxLength: 3 }), (given, damages) => {
            const bytes = damages.reduce((so, harm) => harm(so), write(given));
            const ending: { data?: T; error?: unknown } = {};
            const allocated = allocatedBy(() => {
              try {
                ending.data = read(bytes, "model");
              } catch (error) {
                ending.error = error;
              }
            });
            expect(allocated).toBeLessThanOrEqual(MOST_BYTES_A_BYTE * bytes.length);
            if (ending.data !== undefined) {
              endings.data++;
              expect(read(write(ending.data), "model")).toEqual(read(write(read(bytes, "model")), "model"));
            } else {
              endings.error++;
              expect(ending.error).toBeInstanceOf(HingeError);
              const { code, where } = ending.error as HingeError;
              expect([code, where?.file]).toEqual(["bad-model", "model"]);
            }
          }),
          { seed: 42, numRuns: RUNS },
        );
        // Both ends were reached, by more than a few.
        expect(endings.data).toBeGreaterThan(RUNS / 50);
        expect(endings.error).toBeGreaterThan(RUNS / 2);
      },
      60_000 + 10 * RUNS,
    );

    test("that are no files at all give a HingeError", () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          expect(() => read(bytes, "model")).toThrow(HingeError);
        }),
        { seed: 43, numRuns: 300 },
      );
    });
  });
}

describeFormat({ name: "LIBLINEAR", data: liblinear, read: readLiblinearModel, write: writeLiblinearModel });
describeFormat({ name: "LIBSVM", data: libsvm, read: readLibsvmModel, write: writeLibsvmModel });

test("the count of allocations sees what the readers allocate", () => {
  const text = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1\n2\n";
  expect(allocatedBy(() => readLiblinearModel(new TextEncoder().encode(text), "model"))).toBe(2 * 4 + 2 * 8);
});
