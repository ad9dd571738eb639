// What a model tells about how it was fitted.

import type { Status } from "../base/status.js";
import type { Certificate, KernelCertificate } from "../model/certificate.js";
import type { ProblemReport } from "./linear-fit.js";

/** What is known about how a model came to be: everything if hinge made it, nothing if it comes from LIBLINEAR's file. */
export type FitReport<C extends KernelCertificate = Certificate> = CertifiedReport<C> | UnknownReport;

/** Of a model that hinge made. `C` is `KernelCertificate` of kernel machines, whose certificates may have no gap. */
export interface CertifiedReport<C extends KernelCertificate = Certificate> {
  readonly status: Status;
  /**
   * The proof. Of a linear model: objectives recomputed from raw data, apart from the solver. Of a kernel machine: from the solver's own sums, with what float32 may
   * have done to them; `certify` recomputes it. Of several problems, that of the one with the largest gap.
   */
  readonly certificate: C;
  /** How the fit went; undefined for a model loaded from a file. */
  readonly run: FitRun<C> | undefined;
}

/** Of a model from a file that does not say how it was made. `certify(model, x, y, { C })` proves how good it is. */
export interface UnknownReport {
  readonly status: "unknown";
  readonly certificate: undefined;
  readonly run: undefined;
}

export interface FitRun<C extends KernelCertificate = Certificate> {
  /** The method that found the model, or the methods if one took over from another or problems differ. */
  readonly solver: string;
  /** Passes over the rows, of all problems; passes over fewer, while the others were left alone, count for their share. */
  readonly iterations: number;
  /** Rows with a dual variable that is not zero, in any problem: the ones that hold the model up. undefined where the method does not tell. */
  readonly supportCount: number | undefined;
  /** Rows that it was fitted on, those of weight 0 included. */
  readonly rowCount: number;
  readonly seconds: { readonly total: number; readonly certify: number };
  /** Of the matrix with its work space; 0 where the worker kept a copy of its own. */
  readonly memoryBytes: number;
  /** Each problem by itself: one for two classes, one a class or a pair of them for more, or a joint one. */
  readonly problems: readonly ProblemReport<C>[];
}

/** The report of a model: with its certificate come the details of its run, where it was fitted here and now. */
export function reportOf<C extends KernelCertificate>(
  { status, certificate }: { readonly status: Status | "unknown"; readonly certificate: C | undefined },
  run: FitRun<C> | undefined,
): FitReport<C> {
  if (certificate === undefined || status === "unknown")
    return Object.freeze({ status: "unknown", certificate: undefined, run: undefined });
  return Object.freeze({ status, certificate, run });
}
