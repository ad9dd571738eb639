// Small kernel problems of every form whose variables can go far without doing much: few features, large ones, rows that nearly repeat, C up to 1e6.

import { Random } from "../../src/base/random.ts";
import type { LibsvmType } from "../../src/model/libsvm-file.ts";
import { mostNu } from "../../src/solve/kernel-forms.ts";
import { type KernelSettings, kernelOf } from "../kernel-here.ts";

export interface IllConditioned {
  readonly title: string;
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly tolerance: number;
  readonly settings: Omit<KernelSettings, "problem">;
}

export function illConditioned(seed: number): IllConditioned {
  const random = new Random(seed);
  const part = (): number => random.below(2 ** 20) / 2 ** 20;
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const form = one<LibsvmType>(["c_svc", "nu_svc", "epsilon_svr", "nu_svr", "one_class"]);
  const n = one([2, 3, 7, 12, 30, 60]);
  const d = one([1, 1, 2, 3, 8]);
  const scale = one([1e-2, 1, 1, 10, 1e3]);
  const apart = one([0, 0, 1e-6, 1e-3]);
  const distinct = Array.from({ length: n }, () => Array.from({ length: d }, () => 2 * scale * (part() - 0.5)));
  const x = distinct.map((row, i) =>
    apart > 0 && i % 2 === 1 ? (distinct[i - 1] as number[]).map((value) => value + apart * scale * (part() - 0.5)) : row,
  );
  const steep = one([1, 100]);
  const y = x.map((row, i) => {
    if (form === "epsilon_svr" || form === "nu_svr") return (steep * (row[0] as number)) / scale + part() - 0.5;
    return i < 2 ? 1 - 2 * i : part() > 0.5 ? 1 : -1;
  });
  const gamma = one([0.01, 1, 100]) / scale ** 2;
  const kernel = one([
    kernelOf("linear"),
    kernelOf("linear"),
    kernelOf("rbf", gamma),
    kernelOf("polynomial", 1 / scale ** 2, 1, one([2, 3, 4])),
  ]);
  const most = form === "nu_svc" ? mostNu(y, new Float64Array(n).fill(1)) : 1;
  const settings = { form, kernel, C: one([1e-3, 1, 100, 1e4, 1e6]), nu: most * one([0.1, 0.3, 0.7, 1]), epsilon: one([0, 0.1]) };
  const tolerance = one([1e-3, 1e-6]);
  return { title: `seed ${seed}: ${form}, ${n} x ${d}, ${kernel.kind}, C ${settings.C}`, x, y, tolerance, settings };
}
