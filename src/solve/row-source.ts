// What a kernel machine asks of those who have kernel values: the core's (kernel-rows.ts), those of pairs of classes (segment-rows.ts), the caller's own (custom-rows.ts).

/** Where kernel values come from. */
export interface RowSource {
  /** Kernel values computed so far. */
  readonly computed: number;
  /** K of each row with itself where it is known in advance: by row, or the same of all. */
  readonly diagonal?: Float64Array | number | undefined;
  /** Whether a value costs so much that none should be computed that another row holds. */
  readonly isCostly?: boolean;
  /** Where values take no longer to compute than memory that nobody has touched yet takes to be had: the part of a row for which there is more room with each that comes back. */
  readonly roomPerReturn?: number | undefined;
  /** Whether a row by itself costs little more than one of eight. */
  readonly isAptAlone?: boolean;
  /** Where it is kept how many rows that came along were used (company.ts), if several problems have that in common. */
  readonly companyShare?: number;
  /** What a generator waits for when it yields: to be awaited before it is asked for more. */
  readonly pending?: Promise<unknown> | undefined;
  /** What lets the core bring in rows of the columns that it was made for by itself, all of a row at a time; undefined where the host has to. */
  readonly segments?: CoreSegments | undefined;
  /** The columns that it was made for are in another order from now on. */
  reordered?(): void;
  /** A few sums in float64, at once; where there is no such thing, `addExact` makes them. */
  sumExact?(sums: ExactSums): void;
  /** Values of up to eight rows with those at `columns[from, to)`, into float32 arrays by position; up to three positions beyond `to` are overwritten. Yields between slices. */
  fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): Generator<undefined, void>;
  /** f_t += sum over up to eight rows of deltas K, in float64, for t in [from, to). */
  addExact(
    rows: readonly number[],
    deltas: readonly number[],
    columns: Uint32Array,
    f: Float64Array,
    from: number,
    to: number,
  ): Generator<undefined, void>;
}

/** Of core/layout/kernel.ts's Segments what is known before there is room for rows: byte offsets, and how many columns are of the first class. */
export interface CoreSegments {
  readonly kernel: number;
  readonly rows: number;
  readonly ids: number;
  readonly split: number;
  readonly kept: number;
  readonly room: number;
}

/** f_t += sum_s values_s K(ids_s, columns_t) for the first `count` columns; all in the core's memory. */
export interface ExactSums {
  readonly ids: Uint32Array;
  readonly values: Float64Array;
  readonly columns: Uint32Array;
  readonly f: Float64Array;
  readonly count: number;
}
