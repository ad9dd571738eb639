// Fits whose bytes are compared between Node and the browsers.

import { LinearSVC, type LinearSvcOptions, NuSVR, OneClassSVM, SVC, SVR } from "../../src/index.ts";
import { multiClassSet, sparseSet } from "../problems/generate.ts";

const linear = (set: ReturnType<typeof sparseSet>, options: LinearSvcOptions) => (more: { threads?: number }) =>
  LinearSVC.fit(set.x, set.y, { ...options, ...more });

const many = multiClassSet(240, 10, 5, 4, 34);
const two = sparseSet(200, 12, 6, 35);
const waves = two.x.map(([, values], i) => (values[0] as number) + (i % 7) / 7);

export const sameBytesCases = [
  { name: "hinge", train: linear(sparseSet(600, 50, 9, 31), { loss: "hinge", tolerance: 1e-6 }) },
  { name: "squared hinge", train: linear(sparseSet(600, 50, 9, 32), { C: 10, seed: 5 }) },
  { name: "weighted, no bias", train: linear(sparseSet(300, 20, 5, 33), { bias: false, classWeight: "balanced", loss: "hinge" }) },
  // Every kernel with a function of its own: exp, tanh, powers; unscaled rows, whose products are summed in float64.
  {
    name: "kernel, four classes",
    train: (more: { threads?: number }) => SVC.fit(many.x, many.y, { C: 3, gamma: 0.3, tolerance: 1e-5, ...more }),
  },
  { name: "kernel, sigmoid", train: (more: { threads?: number }) => SVC.fit(two.x, two.y, { kernel: "sigmoid", gamma: 0.05, ...more }) },
  {
    name: "kernel, regression on unscaled rows",
    train: (more: { threads?: number }) => {
      const x = two.x.map(([indices, values]) => [indices, Array.from(values, (value, k) => (k === 0 ? 1e4 + value : value))] as const);
      return SVR.fit(x, waves, { gamma: 0.1, ...more });
    },
  },
  {
    name: "kernel, polynomial regression",
    train: (more: { threads?: number }) => NuSVR.fit(two.x, waves, { kernel: "poly", gamma: 0.2, coef0: 1, ...more }),
  },
  { name: "kernel, one class", train: (more: { threads?: number }) => OneClassSVM.fit(two.x, { nu: 0.3, ...more }) },
] as const;
