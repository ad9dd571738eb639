// The proof that comes with every model.

/** Objective values of a model's training problem, from raw data, in float64. See docs/notation.md. */
export interface Certificate {
  /** P: objective of the model as it predicts. The optimum is not above it. */
  readonly primal: number;
  /** D: objective of the dual point found with it. The optimum is not below it. */
  readonly dual: number;
  /** (P - D) / max(|P|, |D|, floor): the model's objective is above the optimum by at most this share of that maximum. */
  readonly relativeGap: number;
}

/** Of a kernel machine whose kernel need not be positive semidefinite: without duality P - D bounds nothing, and what is known is how much a step still gains. */
export interface ViolationCertificate {
  /** P of the model as it predicts. */
  readonly primal: number;
  /** D of its dual point; not a bound. */
  readonly dual: number;
  readonly relativeGap: null;
  /** The largest sum of gains of two variables, one raised and one lowered; 0 where no pair of them can be improved. LIBSVM's -e is about this. */
  readonly violation: number;
  /** Why there is no gap. */
  readonly reason: string;
}

/** Of a kernel machine: `relativeGap` is null where its kernel allows none. */
export type KernelCertificate = Certificate | ViolationCertificate;

/** How much is missing: the gap or, where there is none, the violation. */
export function shortfall(certificate: KernelCertificate): number {
  return certificate.relativeGap === null ? certificate.violation : certificate.relativeGap;
}

/** The one with the largest shortfall, the first of equal ones. */
export function worstOf<C extends KernelCertificate>(certificates: readonly C[]): C {
  return certificates.reduce((most, one) => (shortfall(one) > shortfall(most) ? one : most));
}
