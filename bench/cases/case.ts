// What a benchmark case is. To add one: a file here that exports a Case, and its name in bench/run.ts.

import type { DataFile } from "../data.ts";

/**
 * One line of a case's results: what was measured, on what, and the figures. Goes into the JSON as it is. Times are the fields of a
 * Spread, in milliseconds; other figures that were measured again and again are Spreads themselves.
 */
export interface Row {
  readonly data: string;
  readonly contender: string;
  readonly measure: string;
  readonly [figure: string]: unknown;
}

export type UsedData = Pick<DataFile, "name" | "bytes" | "sha256">;

export interface CaseSettings {
  readonly runs: number;
  readonly quick: boolean;
  /** Whether nothing but whole commands is to be measured, where a case has others. */
  readonly commandsOnly: boolean;
  /** Where the packed data sets are. */
  readonly folder: string | undefined;
  say(text: string): void;
  /** Tells of data that the case made itself, so that the results name them with their checksums. */
  used(data: UsedData): void;
}

export interface Case {
  readonly name: string;
  readonly title: string;
  /** Named data sets that it wants; those not in the folder are left out and named. */
  readonly sets: readonly string[];
  run(files: readonly DataFile[], settings: CaseSettings): Promise<Row[]>;
  /** What all rows say together, those that were kept of earlier runs among them. */
  summary?(rows: readonly Row[]): Row[];
}
