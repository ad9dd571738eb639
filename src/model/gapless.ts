// Which kernels have no duality gap: P - D bounds the optimum only if the kernel is positive semidefinite.

import type { KernelConstants } from "./kernel-model.js";

/** Why P - D proves nothing under this kernel; undefined where it proves what it should. */
export function gapless({ kind, gamma, coef0, degree, psd }: KernelConstants): string | undefined {
  if (kind === "sigmoid") return "a sigmoid kernel is not positive semidefinite, so there is no duality gap";
  if (kind === "poly" && degree > 0 && (gamma < 0 || coef0 < 0))
    return "a polynomial kernel with a gamma or coef0 below 0 need not be positive semidefinite, so there is no duality gap";
  if (kind === "rbf" && gamma < 0) return "an rbf kernel with a gamma below 0 is not positive semidefinite, so there is no duality gap";
  // Whatever hinge does not compute itself.
  if (kind !== "linear" && kind !== "rbf" && kind !== "poly" && psd !== true)
    return `a ${kind} kernel need not be positive semidefinite, so there is no duality gap; the option psd: true says that it is`;
  return undefined;
}
