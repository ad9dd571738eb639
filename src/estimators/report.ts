// What a model tells about how it was fitted.

import type { Status } from "../base/status.js";
import type { Certificate } from "../model/certificate.js";
import type { FitProof } from "../model/json.js";
import type { ProblemReport } from "./linear-fit.js";

/** What is known about how a model came to be: everything if hinge made it, nothing if it comes from LIBLINEAR's file. */
export type FitReport = CertifiedReport | UnknownReport;

/** Of a model that hinge made. */
export interface CertifiedReport {
  readonly status: Status;
  /** The proof: objectives recomputed from raw data, apart from the solver. Of several problems, that of the one with the largest gap. */
  readonly certificate: Certificate;
  /** How the fit went; undefined for a model loaded from a file. */
  readonly run: FitRun | undefined;
}

/** Of a model from a file that does not say how it was made. `certify(model, x, y, { C })` proves how good it is. */
export interface UnknownReport {
  readonly status: "unknown";
  readonly certificate: undefined;
  readonly run: undefined;
}

export interface FitRun {
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
  readonly problems: readonly ProblemReport[];
}

/** The report of a model: with its certificate come the details of its run, where it was fitted here and now. */
export function reportOf({ status, certificate }: FitProof, run: FitRun | undefined): FitReport {
  return Object.freeze(certificate === undefined ? { status, certificate, run: undefined } : { status, certificate, run });
}
