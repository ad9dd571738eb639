import { expect, test } from "vitest";
import { type KernelDcdProblem, kernelDcd, kernelDcdObjectives } from "../../../reference/kernel-dcd.ts";
import { Random } from "../../../src/base/random.ts";
import { sideStruct, smoProgress, smoStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

type Posed = Required<KernelDcdProblem>;

/** Random points on a line; their own kernel values differ. */
function problem(n: number, epsilon: number, seed: number): Posed {
  const random = new Random(seed);
  const points = Array.from({ length: n }, () => ({ x: 3 * random.unit(), size: 0.5 + random.unit() }));
  const kernel = points.map((u) => points.map((v) => Math.fround(u.size * v.size * Math.exp(-((u.x - v.x) ** 2)))));
  const y = points.map(({ x }) => (epsilon > 0 ? Math.sin(2 * x) : x > 1.5 === random.unit() > 0.1 ? 1 : -1));
  const lo = y.map((label) => (epsilon > 0 || label < 0 ? -2 : 0));
  const hi = y.map((label) => (epsilon > 0 || label > 0 ? 2 : 0));
  return { kernel, z: y, lo, hi, epsilon };
}

function gradientAt({ kernel, z }: Posed, value: readonly number[]): number[] {
  return z.map((target, t) => kernel.reduce((sum, row, s) => sum + at(row, t) * at(value, s), -target));
}

/** Rows are brought in one by one as they are wanted. */
function solve(posed: Posed, { tolerance = 1e-10, limit = Infinity, start = posed.z.map(() => 0) } = {}) {
  const { kernel, z, lo, hi, epsilon } = posed;
  const core = coreUnderTest();
  const n = z.length;
  const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
  const [f, value, rowOf, stamps] = [
    core.doubles(gradientAt(posed, start)),
    core.doubles(start),
    core.words(new Uint32Array(n)),
    core.words(new Uint32Array(n)),
  ];
  side.assign({
    ...{ size: n, f, z: core.doubles(z), value, lo: core.doubles(lo), hi: core.doubles(hi) },
    ...{ up: core.doubles(z), low: core.doubles(z), epsilon },
  });
  core.call.sideGains?.(side.pointer, 0);
  const state = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  const diagonal = core.floats(kernel.map((row, t) => at(row, t)));
  state.assign({ first: side.pointer, rowOf, stamps, diagonal, tolerance });
  core.call.descentLook?.(state.pointer);
  const read = (name: "value" | "f" | "up" | "low") => core.readDoubles(side.get(name), n);
  for (;;) {
    const said = core.call.descentAdvance?.(state.pointer, Math.min(3, limit - state.get("steps")));
    if (said === smoProgress.wanted) {
      const wanted = state.get("wanted");
      expect(core.readWords(rowOf, n)[wanted]).toBe(0);
      const [up, low, own] = [at(read("up"), wanted), at(read("low"), wanted), at(read("f"), wanted)];
      expect(state.get("wantedUp") === 1).toBe(up - own >= low + own);
      new Uint32Array(core.buffer, rowOf, n)[wanted] = core.floats(kernel[wanted] ?? []);
    } else if (said !== smoProgress.running || state.get("steps") >= limit) {
      return { said, value: read("value"), f: read("f"), steps: state.get("steps"), gained: state.get("dual"), side, state };
    }
  }
}

for (const epsilon of [0, 0.1]) {
  for (const n of [1, 2, 9, 30]) {
    test(`epsilon ${epsilon}, ${n} variables: step by step what the plain method does, to its optimum`, () => {
      const posed = problem(n, epsilon, n);
      // Between two steps of equal decrease rounding chooses; the first few have none.
      const few = Math.min(n, 8);
      const plain = kernelDcd(posed);
      let last: readonly number[] = posed.z.map(() => 0);
      for (let k = 0; k < few; k++) last = plain.next().value?.value ?? last;
      const early = solve(posed, { limit: few });
      early.value.forEach((v, t) => {
        expect(Math.abs(v - at(last, t))).toBeLessThanOrEqual(1e-12);
      });

      const { said, value, f, gained, side, state } = solve(posed);
      expect(said).toBe(smoProgress.converged);
      expect(state.get("violation")).toBeLessThanOrEqual(1e-10);
      expect(Math.max(side.get("mostUp"), side.get("mostLow"))).toBe(state.get("violation"));
      const { primal, dual } = kernelDcdObjectives(posed, value);
      // No gain above 1e-10, and no way longer than the box: what is left is at most their product.
      expect(primal - dual).toBeLessThanOrEqual(n * 4 * 1e-10 + 1e-12 * primal);
      expect(Math.abs(dual - gained)).toBeLessThanOrEqual(1e-12 * Math.max(1, dual));
      const wanted = gradientAt(posed, value);
      value.forEach((v, t) => {
        expect(v >= at(posed.lo, t) && v <= at(posed.hi, t)).toBe(true);
        expect(Math.abs(at(f, t) - at(wanted, t))).toBeLessThan(1e-12);
      });
    });
  }
}

test("a look finds the largest gains and the largest decrease, and changes nothing", () => {
  for (const n of [1, 2, 7, 12]) {
    const posed = problem(n, 0.1, 3 + n);
    const start = posed.z.map((_, t) => [0, -2, 2, 0.3, -0.7][t % 5] as number);
    const { side, f } = solve(posed, { start, limit: 0 });
    expect(f).toEqual(gradientAt(posed, start));
    const raised = start.map((v, t) => (v >= 2 ? -Infinity : (v < 0 ? 0.1 : -0.1) - at(f, t)));
    const lowered = start.map((v, t) => (v <= -2 ? -Infinity : (v > 0 ? 0.1 : -0.1) + at(f, t)));
    expect(side.get("mostUp")).toBe(Math.max(...raised));
    expect(side.get("mostLow")).toBe(Math.max(...lowered));
    const decreases = start.map((_, t) => Math.max(0, at(raised, t), at(lowered, t)) ** 2 / at(posed.kernel[t] ?? [], t));
    expect(at(decreases, side.get("upPlace"))).toBe(Math.max(...decreases));
  }
});

test("rows without a kernel value of their own, and an indefinite kernel, end at bounds", () => {
  const bounds = { z: [1, -1], lo: [0, -2], hi: [3, 0], epsilon: 0 };
  for (const own of [0, -1]) {
    const kernel = [
      [own, 0],
      [0, own],
    ];
    const { said, value } = solve({ ...bounds, kernel });
    expect(value).toEqual([3, -2]);
    expect(said).toBe(smoProgress.converged);
  }
});

test("a tube: the way ends at 0 first, and goes on from there", () => {
  const posed = { kernel: [[1]], z: [-3], lo: [-5], hi: [5], epsilon: 0.5 };
  expect(solve(posed, { start: [2], limit: 1 }).value).toEqual([0]);
  expect(solve(posed, { start: [2] }).value).toEqual([-2.5]);
});
