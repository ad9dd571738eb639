// A kernel problem by the machine on this thread, and what the judge says of it.

import type { JudgedKernelProblem } from "../src/certify/kernel.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { coreShared } from "../src/generated/core-wasm.ts";
import type { Certificate } from "../src/model/certificate.ts";
import type { LibsvmType } from "../src/model/libsvm-file.ts";
import { type Core, instantiateCore } from "../src/runtime/core.ts";
import { RegionMemory } from "../src/runtime/memory.ts";
import { copyArrays, placeIn } from "../src/runtime/placement.ts";
import { type Task, WorkSpace } from "../src/runtime/task.ts";
import { offsetsOf, poseForm } from "../src/solve/kernel-forms.ts";
import { KernelMachine, kernelMachineBytes } from "../src/solve/kernel-machine.ts";
import type { KernelFunction, KernelProblem, KernelSolution } from "../src/solve/kernel-problem.ts";
import { provenKernel } from "./certify-kernel.ts";
import { KernelValues } from "./kernel-values.ts";

export interface KernelSettings {
  readonly form: LibsvmType;
  readonly kernel: KernelFunction;
  readonly C?: number;
  readonly nu?: number;
  readonly epsilon?: number;
  readonly weights?: readonly number[];
  /** Whether there is an offset, and with it a sum constraint. */
  readonly hasBias?: boolean;
  /** What replaces parts of the problem as it is posed. */
  readonly problem?: Partial<KernelProblem>;
  /** Looks at the caller after which it is told to stop. */
  readonly looks?: number;
}

export interface KernelAnswer {
  readonly status: string;
  readonly solution: KernelSolution;
  readonly certificate: Certificate;
  readonly judged: JudgedKernelProblem;
  readonly posed: KernelProblem;
  /** What the gap is relative to. */
  readonly size: number;
}

/** K and its constants, 0 where they are of no meaning. */
export const kernelOf = (kind: KernelFunction["kind"], gamma = 0, coef0 = 0, degree = 0): KernelFunction => ({
  kind,
  gamma,
  coef0,
  degree,
});

// One memory for all, or many small problems would ask for many: one problem at a time.
let home: { readonly memory: RegionMemory; readonly core: Core } | undefined;

/** A task on these rows, in memory that the next call takes back. */
export function kernelTask(x: Matrix, regionBytes: number): Task {
  if (home === undefined) {
    const memory = new RegionMemory(true);
    home = { memory, core: instantiateCore(new WebAssembly.Module(Buffer.from(coreShared(), "base64")), memory.memory) };
  }
  const { memory, core } = home;
  memory.reset();
  const { arrays, placement } = placeIn(memory, x);
  copyArrays(arrays, x);
  const region = memory.take(regionBytes);
  return {
    core,
    matrix: x,
    rows: placement.rows,
    space: new WorkSpace(memory.memory.buffer, region),
    checkpoint: async () => undefined,
    ask: async () => undefined,
  };
}

/** The problem, its rows of weight 0 left out, as the machine and as the judge have it. */
export function posedKernel(
  x: Matrix,
  y: ArrayLike<number>,
  { form, kernel, C = 1, nu = 0.3, epsilon = 0.1, weights, hasBias, problem }: KernelSettings,
): { posed: KernelProblem; judged: JudgedKernelProblem } {
  const scale = form === "one_class" || form === "nu_svc" ? 1 : C;
  const rowIds = Uint32Array.from({ length: x.rowCount }, (_, i) => i).filter((i) => weights?.[i] !== 0);
  const costs = Float64Array.from(rowIds, (i) => scale * (weights?.[i] ?? 1));
  const targets = Float64Array.from(rowIds, (i) => y[i] as number);
  const values = new KernelValues(x, kernel, rowIds);
  const mostDiagonal = Array.from(rowIds, (i) => Math.abs(values.ofItself(i))).reduce((a, b) => Math.max(a, b), 0);
  const posed = {
    ...{ kernel, rowIds, tolerance: 1e-6, stop: undefined, maxIterations: 1e6, shrinking: true, cacheBytes: 1e7 },
    ...poseForm({ form, targets, costs, nu, epsilon, mostDiagonal, hasBias }),
    ...problem,
  };
  return { posed, judged: { form, kernel, rowIds, targets, costs, nu, epsilon, hasBias } };
}

export async function solveKernel(x: Matrix, y: ArrayLike<number>, settings: KernelSettings): Promise<KernelAnswer> {
  const { posed, judged } = posedKernel(x, y, settings);
  let left = settings.looks ?? Infinity;
  const checkpoint = async () => (left-- > 0 ? undefined : ("aborted" as const));
  const machine = new KernelMachine({ ...kernelTask(x, kernelMachineBytes(posed, x)), checkpoint }, posed);
  const status = await machine.solve();
  const solution = machine.solution();
  const point = { value: solution.value, dual: solution.point, ...offsetsOf(settings.form, solution) };
  // The judge takes longer than most fits: only where he is asked.
  let judgement: Certificate | undefined;
  const certificate = (): Certificate => {
    judgement ??= provenKernel(x, judged, point);
    return judgement;
  };
  return {
    ...{ status, solution, judged, posed },
    get certificate() {
      return certificate();
    },
    get size() {
      return Math.max(Math.abs(certificate().primal), Math.abs(certificate().dual), posed.floor);
    },
  };
}
