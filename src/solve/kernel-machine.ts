// Every kernel problem (kernel-problem.ts) by sequential minimal optimisation: pair steps in the core, kernel rows brought in as they are wanted.
//
//   F = K v - z         kept for all rows in use
//   step                core/kernel/smo.ts; without sum constraints core/kernel/descent.ts, one variable at a time; every 64 of them a look at the gap (core/kernel/rounds.ts)
//   rows                one that is missing is computed with the seven next in line, or alone where these are seldom used (company.ts, row-store.ts; of pairs of classes core/kernel/segments.ts)
//   shrinking           a variable at a bound that gains with nobody is set aside; its F is no longer kept. Before the end all are taken back: their F is
//                       what it was when the first was set aside, plus K times all that changed since
//   stop                P - D <= tolerance max(|P|, |D|, floor), both from F, at the best offsets, with what float32 kernel values may have done to them; or no
//                       pair gains more than LIBSVM's epsilon
//   fine                where float32 rows lead astray (vigil.ts), steps go on with rows in float64 (fine-steps.ts); where these do as well, precision is at its end
//   free                a problem without sum constraints is that of a model without an offset: rho = 0, and a variable needs no partner
//
// docs/algorithms/kernel.md tells more. Checked in test/kernel-machine.test.ts.

import { rowsWhere } from "../base/rows-where.js";
import type { Matrix } from "../data/matrix.js";
import { Crew } from "../runtime/crew.js";
import { roundsStruct, sideStruct, smoProgress, smoStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { AskedError } from "./asked-error.js";
import { rowSource } from "./custom-rows.js";
import type { Ending } from "./drive.js";
import { FineSteps } from "./fine-steps.js";
import {
  countingPlaces,
  errorElsewhere,
  type GapError,
  type MeasuredError,
  measuredError,
  noError,
  type PlacedStanding,
  roundingError,
  SAMPLE,
  samplePlaces,
} from "./gap-error.js";
import { Block, blockBytes } from "./kernel-block.js";
import type { KernelProblem, KernelSide, KernelSolution } from "./kernel-problem.js";
import { FUNCTION_COST, kernelRowsBytes, LANES, sharedLoops } from "./kernel-rows.js";
import type { SideArrays } from "./pair-steps.js";
import { relayBytes, relayIn } from "./relay.js";
import type { RowSource } from "./row-source.js";
import { type KernelStore, RowStore, rowStoreBytes } from "./row-store.js";
import { Vigil } from "./vigil.js";

/**
 * Steps between two looks at the gap (core/kernel/rounds.ts has the same), and at how steps come on and what can be set aside; the part of the rows for which the latter is worth while, and the part of a row
 * for every variable that is not 0 that taking them back costs.
 */
const LOOK = 64;
const ASK = 1024;
const SHRINK_PART = 0.1;
const SHRINK_PRICE = 0.5;
/** How many of those that gain most are asked for at a time: half a block, or a group of rows. */
const IN_LINE = LANES;
/** Variables of a block, the part of the violation to which it is solved, and the part of new ones below which blocks have done their work. */
const BLOCK = 2 * LANES;
const DEPTH = 0.1;
/** Steps of a block: what more would bring is for others to decide. */
const MOST_BLOCK_STEPS = 64 * BLOCK;
const NEW_PART = 0.3;
/** The gap up to which a start that somebody gave is near. */
const NEAR = 0.5;
/** The part of the gap that may be left after as many steps as rows before steps go beyond the optimum of their pair; and how far they go. */
const SLOW_PART = 0.25;
const BEYOND = 0.75;
/** Kernel values up to which passes may be made in float32. */
const QUICK_DIAGONAL = 1e8;
/** Kernel values that are sums in float32 as well. */
const MOST_DIAGONAL = 1e30;
const MOST_FLOAT = (2 - 2 ** -23) * 2 ** 127;
/** Numbers of F that steps pass over between two yields. */
const SLICE = 4_000_000;
/** Of F that a thread adds rows to at a time. */
const ADD_SHARE = 4096;
const NONE = 0xffffffff;
/** The part of the gap asked for up to which an error of it is met by steps, and what it may have become by the next proof. */
const SMALL_ERROR = 0.2;
const ERROR_MARGIN = 1.5;
/** How many times the largest error that F may have is to make no difference where F stays as it is; and the part of the rows up to which making it anew where it counts is worth while. */
const REACH = 2;
const COUNTING_PART = 0.25;
/** Multiplications in float64 that a stopped fit may still make, a fraction of a second. */
const MOST_WORK = 2e8;
/** How often F is made in float64 in vain: the gap must have become smaller by this part. */
const MOST_STALE = 2;
const STALE_PART = 0.9;
/** Steps without a smaller gap after which it is asked whether they gain anything: at least these, and so many a row. */
const WINDOW = 4096;
const WINDOW_A_ROW = 8;
/** Rows up to which steps that are merely slow give way to those in float64; and those that are many, at least these and so many a row, though the gap comes down. */
const MOST_FINE = 4096;
const MOST_FINE_LONG = 1024;
const LONG = 65_536;
const LONG_A_ROW = 64;
/** Rows below which everything is soon in memory. */
const LEAST_FOR_BLOCKS = 2000;
/** Rows from which on passes in float32 save time. */
const LEAST_FOR_QUICK = 256;
/** Rows from which on the core makes a pass in two halves: core/kernel/smo.ts. */
const LEAST_FOR_TWO = 2048;

/** What the work space of a problem depends on. */
export interface ProblemSize {
  readonly rowIds: { readonly length: number };
  readonly sides: { readonly length: number };
  readonly cacheBytes: number;
}

/** Work space that the problem needs, besides what its kernel values come from. */
export function problemBytes(size: ProblemSize): number {
  return rowStoreBytes(size.rowIds.length, size.cacheBytes) + variablesBytes(size);
}

/** That of everything but kernel rows. */
export function variablesBytes({ rowIds, sides }: Omit<ProblemSize, "cacheBytes">): number {
  const n = rowIds.length;
  return (
    spaceFor(
      ...new Array(5).fill(8 * n),
      4 * 8 * n,
      ...new Array(5).fill(4 * n),
      n,
      smoStruct.size,
      roundsStruct.size,
      relayBytes,
      4 * SAMPLE,
      8 * SAMPLE,
      4 * SAMPLE,
      3 * 8,
      4 * BLOCK,
      8 * BLOCK,
    ) +
    blockBytes +
    sides.length * spaceFor(sideStruct.size, ...new Array(6).fill(8 * n), 4 * n, 4 * n, 8 * IN_LINE, 4 * IN_LINE)
  );
}

/** Work space of one that computes them itself. */
export function kernelMachineBytes(size: ProblemSize & Pick<KernelProblem, "kernel">, x: Matrix): number {
  const { kernel } = size;
  return problemBytes(size) + kernelRowsBytes(x, kernel.kind === "custom" ? undefined : kernel.unit);
}

type Doubles = Float64Array;

/** Where the kernel values of a problem come from whose columns are these: rows in float32, computed as they are wanted or all there, and sums in float64. */
export type RowSources = (
  columns: Uint32Array,
) => { readonly exact: RowSource } & ({ readonly rows: RowSource; readonly store?: undefined } | { readonly store: KernelStore });

/** A side in memory, by position. */
interface Placed extends SideArrays {
  /** Values when the first row was set aside. */
  readonly before: Doubles;
  /** The largest gains, and where they are. */
  readonly scores: Doubles;
  readonly places: Uint32Array;
  rho: number;
}

export class KernelMachine {
  readonly #task: Task;
  #problem: KernelProblem;
  readonly #crew: Crew | undefined;
  readonly #store: KernelStore;
  readonly #exact: RowSource;
  readonly #sample: { columns: Uint32Array; f: Doubles; places: Uint32Array; sums: Doubles };
  /** sqrt(K_tt), for errors of F; and where variables change their minds, for offsets. */
  readonly #units: Doubles;
  readonly #steps: Doubles;
  readonly #f: Doubles;
  readonly #z: Doubles;
  /** F when the first row was set aside. */
  readonly #fBefore: Doubles;
  readonly #scratch: Doubles;
  /** Rows of the matrix, and of the problem, by position: those in use come first. */
  readonly #columns: Uint32Array;
  readonly #origin: Uint32Array;
  readonly #order: Uint32Array;
  readonly #diagonal: Float32Array;
  readonly #sides: readonly Placed[];
  readonly #smo: StructView<keyof typeof smoStruct.offsets>;
  /** What a look at the gap found, and what it has to know. */
  readonly #rounds: StructView<keyof typeof roundsStruct.offsets>;
  readonly #block: Block;
  readonly #changed: { rows: Uint32Array; deltas: Doubles };
  /** u8 by position: what shrinking keeps. */
  readonly #marks: Uint8Array;
  /** Positions that steps have passed over in vain since variables were last set aside. */
  #passed = 0;
  /** When it was last asked how steps come on, and the gap then; what is not a number says nothing. */
  #paced = { steps: 0, gap: Number.NaN };
  /** Positions in use. */
  #size: number;
  /** Whether positions are others than those of the problem. */
  #isReordered = false;
  /** How often F was made anew in float64, all of it or where it counts; and in the latter case what its error was then, and still is elsewhere. */
  #refreshes = 0;
  #elsewhere: MeasuredError | undefined;
  /** Whether F is being made, at the start or anew, and is not yet what it should be. */
  #isMaking = true;
  #tolerance: number;
  #isStarted = false;
  /** The largest |K_tt|; not a number where one is none. */
  #mostDiagonal = 0;
  /** How often in a row F was made anew and the gap had not become smaller. */
  #stale = 0;
  /** Steps on rows in float64, once those in float32 are of no more use. */
  #fine: FineSteps | undefined;
  /** Of a kernel that the caller's thread computes. */
  readonly #asked: AskedError | undefined;

  /** `sources`: where its kernel values come from, if not from itself. */
  constructor(task: Task, problem: KernelProblem, sources?: RowSources) {
    const { space } = task;
    const n = problem.rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#size = n;
    this.#tolerance = problem.tolerance;
    this.#columns = space.rawWords(n);
    this.#columns.set(problem.rowIds);
    const { kernel } = problem;
    const crew = problem.crew && new Crew(problem.crew);
    this.#crew = crew;
    const found = sources?.(this.#columns) ?? {
      rows: rowSource(task, kernel, this.#columns, { crew }),
      exact: rowSource(task, kernel, this.#columns, { isExact: true, crew }),
    };
    this.#store = found.store ?? new RowStore(task, found.rows, this.#columns, problem.cacheBytes);
    this.#exact = found.exact;
    this.#asked = kernel.kind === "custom" ? new AskedError(kernel.diagonal, this.#columns) : undefined;
    this.#sample = {
      columns: space.rawWords(SAMPLE),
      f: space.rawDoubles(SAMPLE),
      places: space.rawWords(SAMPLE),
      sums: space.rawDoubles(3),
    };
    this.#units = space.rawDoubles(n);
    this.#steps = space.rawDoubles(4 * n);
    this.#order = space.rawWords(n);
    this.#marks = space.rawBytes(n);
    this.#origin = space.rawWords(n);
    for (let k = 0; k < n; k++) this.#origin[k] = k;
    this.#diagonal = space.rawFloats(n).fill(1);
    this.#z = space.rawDoubles(n);
    this.#z.set(problem.z);
    this.#f = space.rawDoubles(n);
    for (let k = 0; k < n; k++) this.#f[k] = -(problem.z[k] as number);
    this.#fBefore = space.rawDoubles(n);
    this.#scratch = space.rawDoubles(n);
    this.#sides = problem.sides.map((side) => this.#place(side));
    this.#changed = { rows: space.rawWords(BLOCK), deltas: space.rawDoubles(BLOCK) };
    this.#block = new Block(task, problem.epsilon);
    this.#smo = space.struct(smoStruct);
    this.#smo.assign({
      first: this.#sides[0]?.state.pointer ?? 0,
      other: this.#sides[1]?.state.pointer ?? 0,
      rowOf: this.#store.rowOf.byteOffset,
      stamps: this.#store.stamps.byteOffset,
      diagonal: this.#diagonal.byteOffset,
      tolerance: problem.stop?.epsilon ?? 0,
      ...relayIn(space),
      drift: space.rawFloats(n).fill(0).byteOffset,
    });
    this.#rounds = space.struct(roundsStruct);
    this.#rounds.assign({ smo: this.#smo.pointer, isWhole: 1, relativeGap: 1, ...this.#terms(problem) });
  }

  /** What the core has to know of a problem. */
  #terms({ isFree, canRest, stop, floor, tolerance, gapless }: KernelProblem): Partial<Record<keyof typeof roundsStruct.offsets, number>> {
    const byViolation = stop !== undefined;
    return {
      ...{
        isFree: isFree ? 1 : 0,
        canRest: canRest ? 1 : 0,
        byViolation: byViolation ? 1 : 0,
        isGapless: gapless === undefined ? 0 : 1,
        floor,
      },
      tolerance: byViolation ? stop.epsilon : tolerance,
    };
  }

  #place({ lo, hi, start }: KernelSide): Placed {
    const { space, core } = this.#task;
    const n = this.#size;
    const state = space.struct(sideStruct);
    const copied = (values: Doubles): Doubles => {
      const copy = space.rawDoubles(n);
      copy.set(values);
      return copy;
    };
    const placed = {
      ...{ state, value: copied(start), lo: copied(lo), hi: copied(hi), up: space.rawDoubles(n), low: space.rawDoubles(n) },
      ...{ before: space.rawDoubles(n), scores: space.rawDoubles(IN_LINE), places: space.rawWords(IN_LINE), rho: 0 },
    };
    const { value, up, low, scores, places } = placed;
    state.assign({
      ...{ size: n, f: this.#f.byteOffset, z: this.#z.byteOffset, value: value.byteOffset },
      ...{ lo: placed.lo.byteOffset, hi: placed.hi.byteOffset, up: up.byteOffset, low: low.byteOffset },
      ...{ scores: scores.byteOffset, places: places.byteOffset, epsilon: this.#problem.epsilon },
      ...{ upGain: space.rawFloats(n).byteOffset, lowGain: space.rawFloats(n).byteOffset },
    });
    core.sideGains(state.pointer, 0);
    return placed;
  }

  /** Goes on until the gap from its own F is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    const run = this.#run();
    try {
      for (;;) {
        const interruption = await this.#task.checkpoint(() => ({
          iterations: this.#iterations,
          relativeGap: this.#problem.gapless === undefined ? this.#relativeGap : null,
          violation: this.#violation,
        }));
        if (interruption !== undefined) {
          if (this.#asked !== undefined) this.#settleUnasked(this.#asked, this.#totals());
          else for (const _ of this.#settle());
          return interruption;
        }
        const { value } = run.next();
        if (value !== undefined) return value;
        const pending = this.#store.pending ?? this.#exact.pending;
        if (pending !== undefined) await pending;
      }
    } finally {
      this.#crew?.withdraw();
    }
  }

  /** After an interruption, wherever it came: F of all rows, and the gap. F that was being made is made from the beginning. */
  *#settle(): Generator<undefined, void> {
    if (this.#isMaking) {
      this.#resize(this.#origin.length);
      yield* this.#refresh();
    } else yield* this.#takeBack();
    yield* this.#prove(false);
  }

  /**
   * The same without any more kernel values: where each is a call of somebody's function, nobody who says stop waits for a million of them. No row is ever set
   * aside there.
   */
  #settleUnasked(asked: AskedError, total: Doubles): void {
    this.#fold();
    if (this.#isMaking && this.#isStarted) this.#f.set(this.#fBefore);
    else if (this.#isMaking && !this.#problem.canRest) this.#beginCold();
    else if (this.#isMaking && total.some((v) => v !== 0)) {
      // F at the start is not known, but the zero model costs nothing.
      const length = asked.length(total);
      this.#restAt(-0.5 * length * length);
      return;
    }
    this.#isMaking = false;
    this.#error = noError;
    this.#measure();
    if (this.#rests) this.#restAt(this.#dual - asked.weighted(total, total));
    else {
      this.#error = { gap: asked.ofGap(this.#standing(), total), dual: 0 };
      this.#sumUp();
    }
  }

  /** A guess whose F is not known is of no use: back to where v = 0 and F = -z. */
  #beginCold(): void {
    this.#sides.forEach(({ value, state }, k) => {
      const { start, cold = start } = this.#problem.sides[k] as KernelSide;
      value.set(cold);
      this.#task.core.sideGains(state.pointer, 0);
    });
    for (let t = 0; t < this.#size; t++) this.#f[t] = -(this.#z[t] as number);
  }

  /** The zero model, with this much known of D. */
  #restAt(dual: number): void {
    this.#smo.set("dual", dual);
    this.#rounds.assign({ rests: 1, primal: 0, relativeGap: dual < 0 ? -dual / Math.max(-dual, this.#problem.floor) : 0 });
  }

  /** Asks for more than before. */
  tighten(): void {
    this.#tolerance /= 2;
    if (this.#problem.stop === undefined) this.#rounds.set("tolerance", this.#tolerance);
  }

  /** Whether it can go on with other bounds: float32 rows are still what steps are made on. */
  get canGoOn(): boolean {
    return this.#fine === undefined;
  }

  /** The same rows and targets within other bounds, from where these begin. All rows are in memory and none is set aside. */
  goOn(problem: KernelProblem): void {
    this.#problem = problem;
    this.#tolerance = problem.tolerance;
    this.#rounds.assign(this.#terms(problem));
    const changes = this.#scratch.fill(0);
    this.#fold();
    this.#sides.forEach((side, k) => {
      const { lo, hi, start } = problem.sides[k] as KernelSide;
      for (let t = 0; t < start.length; t++) changes[t] = (changes[t] as number) + ((start[t] as number) - (side.value[t] as number));
      side.lo.set(lo);
      side.hi.set(hi);
      side.value.set(start);
      this.#task.core.sideGains(side.state.pointer, 0);
    });
    const changed = rowsWhere(changes.length, (t) => changes[t] !== 0);
    const deltas = Float64Array.from(changed, (t) => changes[t] as number);
    for (const _ of this.#addProducts(changed, deltas, 0, changes.length));
    this.#error = noError;
    this.#stale = 0;
    this.#smo.assign({ steps: 0, beyond: 0 });
    this.#paced = { steps: 0, gap: Number.NaN };
    this.#measure();
  }

  solution(): KernelSolution {
    const value = new Float64Array(this.#problem.rowIds.length);
    const [only, ...others] = this.#sides;
    if (only !== undefined && others.length === 0 && !this.#isReordered) value.set(only.value);
    else
      for (const side of this.#sides) {
        for (let t = 0; t < value.length; t++) {
          const k = this.#origin[t] as number;
          value[k] = (value[k] as number) + (side.value[t] as number);
        }
      }
    return {
      value: this.#rests ? new Float64Array(value.length) : value,
      point: value,
      rho: this.#sides.map(({ rho }) => (this.#rests ? 0 : rho)),
      ...{ primal: this.#primal, dual: this.#dual, relativeGap: this.#relativeGap, violation: this.#violation },
      ...{ iterations: this.#iterations, kernelValues: this.#store.computed },
    };
  }

  get #primal(): number {
    return this.#rounds.get("primal");
  }

  get #relativeGap(): number {
    return this.#rounds.get("relativeGap");
  }

  /** Whether the zero model is better than the one of the variables. */
  get #rests(): boolean {
    return this.#rounds.get("rests") === 1;
  }

  /** What float32 kernel values may have done to the gap and to D. */
  get #error(): GapError {
    return { gap: this.#rounds.get("errorGap"), dual: this.#rounds.get("errorDual") };
  }

  set #error({ gap, dual }: GapError) {
    this.#rounds.set("errorGap", gap);
    this.#rounds.set("errorDual", dual);
  }

  get #iterations(): number {
    return this.#smo.get("steps");
  }

  get #dual(): number {
    return this.#smo.get("dual");
  }

  /** The largest sum of gains of a pair, or the largest gain where none is needed, as of the last look. */
  get #violation(): number {
    const { isFree } = this.#problem;
    const ofSide = (up: number, low: number): number => (isFree ? Math.max(up, low) : up + low);
    return Math.max(0, ...this.#sides.map(({ state }) => ofSide(state.get("mostUp"), state.get("mostLow"))));
  }

  /** The method, slice by slice: yields nothing while it runs, and its ending until it is asked for more. */
  *#run(): Generator<Ending | undefined, never, undefined> {
    if (!this.#isStarted) yield* this.#start();
    const { isFree, isWarm } = this.#problem;
    // What float32 cannot hold is for float64 from the beginning.
    if (this.#fine === undefined && !(this.#mostDiagonal < MOST_DIAGONAL)) yield* this.#isAtEnd();
    // Blocks bring in what is new; of a start that is near, little is.
    else if (!isFree && !(isWarm && this.#relativeGap <= NEAR)) yield* this.#blocks();
    let shrunk = 0;
    let looked = this.#iterations;
    let asked = looked;
    let exactGap = Infinity;
    this.#rounds.set("looked", looked);
    this.#look();
    const { maxIterations } = this.#problem;
    let vigil = this.#watch();
    let isFineWatched = this.#fine !== undefined;
    // Positions since the last yield.
    let passed = 0;
    for (;;) {
      if (this.#fine !== undefined && !isFineWatched) {
        // What coarser steps said they gained is nothing to go by.
        isFineWatched = true;
        vigil = this.#watch();
      }
      // Rows that are taken back are computed twice, and calls of the caller's function are what costs.
      const shrinking = this.#problem.shrinking && this.#asked === undefined && this.#fine === undefined;
      if (shrinking && this.#iterations >= shrunk + ASK) {
        shrunk = this.#iterations;
        this.#setAside();
      }
      const before = this.#refreshes;
      const begun = this.#iterations;
      // Steps end early where a row is not in memory: what is done after a number of them is done after exactly that number, whatever is kept.
      const due = Math.min(asked + ASK, shrinking ? shrunk + ASK : Infinity, maxIterations);
      const said = this.#fine === undefined ? this.#advance(due) : yield* this.#advanceFine(this.#fine, due);
      if (said === smoProgress.wanted) yield* this.#bring();
      passed += (this.#iterations - begun + LANES) * this.#size;
      if (said === smoProgress.running) passed = SLICE;
      // What follows from a look is done where it was made, before any other step.
      const last = this.#rounds.get("looked");
      const isNewLook = last > looked && last === this.#iterations;
      looked = last;
      if (isNewLook && this.#rounds.get("needsCleansing") === 1) yield* this.#cleanse();
      if (this.#iterations >= asked + ASK) {
        asked = this.#iterations;
        this.#pace();
        const rowCount = this.#origin.length;
        if (this.#fine === undefined && rowCount <= MOST_FINE_LONG && asked >= Math.max(LONG, LONG_A_ROW * rowCount)) {
          yield* this.#takeBack();
          yield* this.#isAtEnd();
        }
      }
      if (isNewLook && looked >= this.#rounds.get("patience")) {
        yield* this.#takeBack();
        const gained = this.#count();
        yield* this.#refresh();
        this.#error = noError;
        this.#measure();
        const isAstray = vigil.isAstray(this.#dual, gained, this.#primal - this.#dual);
        this.#rounds.assign({ stretch: vigil.stretch, patience: looked + vigil.stretch });
        if (isAstray || (vigil.isSlow && this.#fine === undefined && this.#size <= MOST_FINE))
          while (yield* this.#isAtEnd()) yield this.#isDone() ? "converged" : "precision-limit";
      }
      const isOver = said === smoProgress.converged || said === smoProgress.stuck || this.#iterations >= maxIterations;
      if (this.#isDone() || isOver) {
        const isWhole = this.#size === this.#origin.length;
        yield* this.#takeBack();
        yield* this.#prove(!isOver);
        while (this.#isDone()) yield "converged";
        // Float32 rows lead F astray faster than steps bring it on: what was gained since F was last made in float64 is all that can be.
        if (this.#refreshes > before) {
          this.#stale = this.#relativeGap > STALE_PART * exactGap ? this.#stale + 1 : 0;
          exactGap = Math.min(exactGap, this.#relativeGap);
        }
        while (this.#stale >= MOST_STALE && (yield* this.#isAtEnd())) yield this.#isDone() ? "converged" : "precision-limit";
        while (this.#iterations >= maxIterations) yield this.#isDone() ? "converged" : "iteration-limit";
        // Nothing moves, nobody was set aside, and F was as exact as it can be.
        while (isOver && isWhole && this.#refreshes === before && (yield* this.#isAtEnd()))
          yield this.#isDone() ? "converged" : "precision-limit";
        // Going on until the next proof is likely to do; an error too large for that belongs to this one only.
        const { gap, dual } = this.#error;
        this.#error = this.#isSmall(this.#error) ? { gap: ERROR_MARGIN * gap, dual: ERROR_MARGIN * dual } : noError;
      }
      if (passed < SLICE) continue;
      passed = 0;
      yield;
    }
  }

  /** Begins to watch whether steps lead anywhere. */
  #watch(): Vigil {
    const vigil = new Vigil(Math.max(WINDOW, WINDOW_A_ROW * this.#size), this.#dual, this.#count());
    this.#rounds.assign({ bestGap: Infinity, stretch: vigil.stretch, patience: this.#iterations + vigil.stretch });
    return vigil;
  }

  /** Steps until there were `due`, a slice of them at most, with a second thread if there is one and the rows in use are many. */
  #advance(due: number): number {
    const { core } = this.#task;
    const { pointer } = this.#smo;
    if (!this.#problem.isFree && this.#size >= LEAST_FOR_TWO)
      this.#crew?.stand([sharedLoops.steps, pointer], (isOpen) => core.smoGather(pointer, isOpen));
    this.#rounds.set("segments", this.#store.segments);
    return core.smoRounds(this.#rounds.pointer, due, SLICE);
  }

  /** Whether steps can do no more. Those on float32 rows give way to finer ones, in the same memory. All rows are in use. */
  *#isAtEnd(): Generator<undefined, boolean> {
    if (this.#fine !== undefined) return true;
    const { isFree, epsilon, stop } = this.#problem;
    yield* this.#refresh();
    this.#stale = 0;
    this.#rounds.set("canBeQuick", 0);
    this.#measure();
    const own = { columns: this.#columns, f: this.#f, sides: this.#sides, isFree, epsilon, tolerance: stop?.epsilon ?? 0 };
    this.#fine = new FineSteps(this.#exact, own, this.#store.surrender());
    return false;
  }

  /** The same on rows in float64, up to the next look. */
  *#advanceFine(fine: FineSteps, due: number): Generator<undefined, number> {
    const next = this.#rounds.get("looked") + LOOK;
    const count = Math.max(1, Math.min(Math.min(next, due) - this.#iterations, Math.ceil(SLICE / this.#size)));
    const { said, steps, gained } = yield* fine.advance(count);
    this.#smo.set("steps", this.#iterations + steps);
    this.#smo.set("dual", this.#dual + gained);
    if (this.#iterations >= next) {
      this.#rounds.set("looked", this.#iterations);
      this.#task.core.smoMeasure(this.#rounds.pointer);
    }
    return said;
  }

  /** Every so many steps: whether the gap comes down so slowly that variables must hang together. */
  #pace(): void {
    const steps = this.#iterations;
    if (steps < this.#paced.steps + this.#origin.length) return;
    const gap = this.#problem.gapless === undefined ? this.#relativeGap : this.#violation;
    this.#smo.set("beyond", gap > SLOW_PART * this.#paced.gap ? BEYOND : 0);
    this.#paced = { steps, gap };
  }

  /** All that steps say they have gained. */
  #count(): number {
    const gained = this.#rounds.get("gained") + (this.#dual - this.#rounds.get("counted"));
    this.#rounds.assign({ gained, counted: this.#dual });
    return gained;
  }

  /** F without what passes in float32 have done to it. */
  *#cleanse(): Generator<undefined, void> {
    yield* this.#takeBack();
    yield* this.#refresh();
    this.#look();
  }

  /** F and its copies are what they should be. Returns the largest |F|. */
  #fold(): number {
    return this.#problem.isFree ? 0 : this.#task.core.smoFold(this.#smo.pointer);
  }

  #isDone(): boolean {
    const { stop } = this.#problem;
    return stop === undefined ? this.#relativeGap <= this.#tolerance : this.#violation <= stop.epsilon;
  }

  /** As long as most of those that gain most are new: a few of them at a time, solved among themselves. */
  *#blocks(): Generator<undefined, void> {
    const { core } = this.#task;
    const touched = new Uint8Array(this.#size);
    let part = 1;
    while (part >= NEW_PART && this.#size >= LEAST_FOR_BLOCKS && this.#iterations < this.#problem.maxIterations) {
      const members = this.#sides.flatMap(({ state, scores, places, up, low }, side) => {
        const seen = new Set<number>();
        for (const [addends, sign, most] of [
          [up, -1, "mostUp"],
          [low, 1, "mostLow"],
        ] as const) {
          const held = core.sideLargest(
            ...([state.pointer, addends.byteOffset, sign, BLOCK / (2 * this.#sides.length), 0] as const),
            this.#smo.get("drift"),
          );
          for (let k = 0; k < held; k++) seen.add(places[k] as number);
          // All of a look that blocks need: nothing drifts, and no pass is made in float32.
          state.set(most, Math.max(...scores.subarray(0, held)));
        }
        return [...seen].sort((a, b) => a - b).map((place) => ({ side, place }));
      });
      const fresh = members.reduce((count, { place }) => count + (touched[place] === 0 ? 1 : 0), 0);
      part += 0.1 * (fresh / Math.max(1, members.length) - part);
      const places = [...new Set(members.map(({ place }) => place))];
      // Those that are not here together, so that groups are whole.
      const isHere = places.map((place) => this.#store.holds(place));
      const inOrder = [...places.filter((_, k) => !isHere[k]), ...places.filter((_, k) => isHere[k])];
      for (let k = 0; k < inOrder.length; k += LANES)
        yield* this.#store.bring(inOrder.slice(k, k + LANES), this.#size, NONE, this.#iterations + 1);
      const left = Math.min(MOST_BLOCK_STEPS, this.#problem.maxIterations - this.#iterations);
      const moves = this.#block.solve(members, this.#sides, this.#f, this.#store, { tolerance: DEPTH * this.#violation, stepLimit: left });
      this.#smo.set("steps", this.#iterations + moves.steps);
      this.#smo.set("dual", this.#smo.get("dual") + moves.gained);
      if (moves.rows.length === 0) return;
      this.#changed.rows.set(moves.rows);
      this.#changed.deltas.set(moves.deltas);
      this.#add(moves.rows.length, 0, this.#size);
      for (const { place } of members) touched[place] = 1;
      yield;
    }
  }

  /** The row that a step wants, and with it, where company is of use, those of the next in line that are not here. */
  *#bring(): Generator<undefined, void> {
    const place = this.#smo.get("wanted");
    const side = this.#sides[this.#smo.get("wantedSide")] as Placed;
    const isUp = this.#smo.get("wantedUp") === 1;
    const others = this.#store.holds(place) ? [] : this.#company(place, side, isUp);
    yield* this.#store.bring([place], this.#size, isUp ? NONE : side.state.get("upPlace"), this.#iterations, others);
  }

  /**
   * Positions whose rows are not in memory, those that gain most first, to come along with a wanted one, where company is of use. Where each value is a call of somebody's function, only those next in line.
   */
  #company(wanted: number, { state, places, up, low }: Placed, isUp: boolean): number[] {
    const count = this.#store.companions();
    if (count === 0) return [];
    const skip = this.#asked === undefined ? this.#store.rowOf.byteOffset : 0;
    const addends = (isUp ? up : low).byteOffset;
    const held = this.#task.core.sideLargest(state.pointer, addends, isUp ? -1 : 1, IN_LINE, skip, this.#smo.get("drift"));
    const others: number[] = [];
    for (const place of places.subarray(0, held))
      if (others.length < count && place !== wanted && !this.#store.holds(place)) others.push(place);
    return others;
  }

  /** The diagonal; F and D at a start that is not zero. */
  *#start(): Generator<undefined, void> {
    yield* this.#store.diagonal(this.#diagonal);
    const n = this.#size;
    let most = 0;
    let isEven = true;
    for (let t = 0; t < n; t++) {
      if (this.#diagonal[t] === Infinity) this.#diagonal[t] = MOST_FLOAT;
      most = Math.max(most, Math.abs(this.#diagonal[t] as number));
      if (this.#diagonal[t] !== this.#diagonal[0]) isEven = false;
    }
    this.#smo.set("isEven", isEven ? 1 : 0);
    this.#mostDiagonal = most;
    this.#rounds.set("canBeQuick", n >= LEAST_FOR_QUICK && most < QUICK_DIAGONAL ? 1 : 0);
    const total = this.#totals();
    const changed = rowsWhere(n, (t) => total[t] !== 0);
    yield* this.#addProducts(
      changed,
      Float64Array.from(changed, (t) => total[t] as number),
      0,
      n,
    );
    this.#isMaking = false;
    this.#isStarted = true;
    this.#measure();
  }

  /** F_t += sum over `changed` positions s of deltas_s K_st, for t in [from, to). */
  *#addProducts(changed: Uint32Array, deltas: Doubles, from: number, to: number): Generator<undefined, void> {
    if (from === to) return;
    const { mostBeyond } = this.#store;
    for (let first = 0; first < changed.length; first += mostBeyond) {
      const rows = yield* this.#store.beyond(Array.from(changed.subarray(first, first + mostBeyond)), from, to);
      for (let k = 0; k < rows.length; k += LANES) {
        const group = rows.slice(k, k + LANES);
        this.#changed.rows.set(group);
        this.#changed.deltas.set(deltas.subarray(first + k, first + k + LANES));
        this.#add(group.length, from, to);
        yield;
      }
    }
  }

  /** F_t += sum over the first `count` of #changed of their deltas times their rows, for t in [from, to), by whoever helps. */
  #add(count: number, from: number, to: number): void {
    const { core } = this.#task;
    const places = [this.#f, this.#changed.rows, this.#changed.deltas].map(({ byteOffset }) => byteOffset) as [number, number, number];
    const add = (begin: number, end: number): void => core.addRows(...places, count, begin, end);
    if (this.#crew === undefined) add(from, to);
    else this.#crew.lead([sharedLoops.sums, ...places, count], from, to, ADD_SHARE, add);
  }

  /** The largest gains. Passes are made in float32 from here on if that is precise enough; looks come after the same steps always. */
  #look(): void {
    this.#task.core.smoLook(this.#rounds.pointer);
  }

  /** Primal, dual and gap over the rows in use, at the best offsets. */
  #measure(): void {
    const { core } = this.#task;
    this.#look();
    for (const side of this.#sides) {
      side.rho = this.#problem.isFree ? 0 : core.sideOffset(side.state.pointer, this.#steps.byteOffset);
      core.sideGap(side.state.pointer, side.rho);
    }
    this.#sumUp();
  }

  /** From the sides' own parts, with what is known of errors. */
  #sumUp(): void {
    this.#task.core.smoSum(this.#rounds.pointer);
  }

  /**
   * The gap at the best offsets with what float32 may have done to it; F is made anew in float64 where that alone keeps it from being small enough, unless it is
   * little and there are steps to come.
   */
  *#prove(isGoingOn: boolean): Generator<undefined, void> {
    this.#error = noError;
    this.#measure();
    const isEnough = this.#isDone();
    if (!this.#rests) {
      const error = yield* this.#errorOfGap();
      this.#error = error;
      this.#sumUp();
      // At rest D is the whole of the gap, and has to be right itself. Of a model that is stopped far from its optimum D is off by more than a sample shows.
      if ((!isEnough && (isGoingOn || this.#isDear())) || (this.#isDone() && !this.#rests)) return;
      // Some steps more are less work than all of F.
      if (isGoingOn && !this.#rests && this.#problem.stop === undefined && this.#isSmall(this.#error)) return;
      if (!this.#rests && "most" in error && (yield* this.#refreshCounting(error))) return;
    }
    yield* this.#refresh();
    this.#error = noError;
    this.#measure();
    this.#error = this.#rests ? noError : { gap: roundingError(this.#standing()), dual: 0 };
    this.#sumUp();
  }

  /** Whether all of F in float64 takes longer than somebody who said stop should wait. */
  #isDear(): boolean {
    if (this.#asked !== undefined) return true;
    const { valueCount, rowCount } = this.#task.matrix;
    const holding = this.#totals().reduce((count, v) => count + (v === 0 ? 0 : 1), 0);
    return holding * this.#size * (FUNCTION_COST + valueCount / Math.max(1, rowCount)) > MOST_WORK;
  }

  /** Whether an error of the gap is a small part of the gap that is asked for. */
  #isSmall({ gap, dual }: GapError): boolean {
    return gap + dual <= SMALL_ERROR * this.#tolerance * Math.max(Math.abs(this.#primal), Math.abs(this.#dual), this.#problem.floor);
  }

  /** What errors of F may do to the gap: gap-error.ts. */
  *#errorOfGap(): Generator<undefined, GapError | MeasuredError> {
    const standing = this.#standing();
    const bound = this.#asked?.ofGap(standing, this.#totals()) ?? Infinity;
    // Where each value is a call, only what decides is measured.
    if (bound < Infinity && !this.#isTooMuch(bound)) return { gap: bound, dual: 0 };
    const places = samplePlaces(standing);
    const { columns, f } = this.#sample;
    for (let k = 0; k < SAMPLE; k++) {
      const t = places[k] as number;
      columns[k] = this.#columns[t] as number;
      f[k] = -(this.#z[t] as number);
    }
    const [only, ...others] = this.#sides;
    if (this.#exact.sumExact !== undefined && others.length === 0 && only !== undefined)
      this.#exact.sumExact({ ids: this.#columns, values: only.value.subarray(0, this.#size), columns, f, count: SAMPLE });
    else yield* this.#addAll(columns, f, SAMPLE);
    const measured = measuredError(standing, f, this.#elsewhere);
    return { ...measured, gap: Math.min(bound, measured.gap) };
  }

  #standing(): PlacedStanding {
    const { core } = this.#task;
    const units = this.#units;
    const size = this.#size;
    if (this.#problem.kernel.kind === "sigmoid") units.fill(1);
    else core.diagonalRoots(this.#diagonal.byteOffset, size, units.byteOffset);
    const { places, sums } = this.#sample;
    return { core, sides: this.#sides, f: this.#f, size, epsilon: this.#problem.epsilon, units, weights: this.#scratch, sums, places };
  }

  /** Whether this error alone keeps the gap from being small enough. */
  #isTooMuch(error: number): boolean {
    if (!this.#isDone()) return false;
    this.#error = { gap: error, dual: 0 };
    this.#sumUp();
    return !this.#isDone();
  }

  /** The sum of the sides, by position in use. */
  #totals(): Doubles {
    const total = new Float64Array(this.#size);
    for (const { value } of this.#sides) for (let t = 0; t < total.length; t++) total[t] = (total[t] as number) + (value[t] as number);
    return total;
  }

  /** F in float64 from the present variables, all rows in use. */
  *#refresh(): Generator<undefined, void> {
    const n = this.#size;
    this.#isMaking = true;
    if (this.#asked !== undefined) this.#fBefore.set(this.#f);
    for (let t = 0; t < n; t++) this.#f[t] = -(this.#z[t] as number);
    yield* this.#addAll(this.#columns, this.#f, n);
    this.#asked?.isExactAt(this.#totals());
    this.#isMaking = false;
    this.#rounds.set("isDrifted", 0);
    this.#elsewhere = undefined;
    this.#refreshes++;
  }

  /** The same only where it counts for the gap, the error of F being what was measured. False where that is not enough, or would be more than a quarter of F. */
  *#refreshCounting(error: MeasuredError): Generator<undefined, boolean> {
    if (this.#asked !== undefined) return false;
    const places = countingPlaces(this.#standing(), REACH * error.most);
    const count = places.length;
    if (count > COUNTING_PART * this.#size) return false;
    const columns = this.#order.subarray(0, count);
    const f = this.#scratch.subarray(0, count);
    for (let k = 0; k < count; k++) {
      columns[k] = this.#columns[places[k] as number] as number;
      f[k] = -(this.#z[places[k] as number] as number);
    }
    yield* this.#addAll(columns, f, count);
    for (let k = 0; k < count; k++) this.#f[places[k] as number] = f[k] as number;
    this.#refreshes++;
    this.#elsewhere = error;
    this.#error = noError;
    this.#measure();
    this.#error = errorElsewhere(this.#standing(), error, places);
    this.#sumUp();
    return !this.#rests && (this.#isDone() || this.#isSmall(this.#error));
  }

  /** f_k += sum_s v_s K(s, columns_k) in float64. */
  *#addAll(columns: Uint32Array, f: Doubles, count: number): Generator<undefined, void> {
    const n = this.#size;
    const total = this.#totals();
    const holding = rowsWhere(n, (t) => total[t] !== 0);
    for (let begin = 0; begin < holding.length; begin += LANES) {
      const group = Array.from(holding.subarray(begin, begin + LANES));
      const ids = group.map((t) => this.#columns[t] as number);
      yield* this.#exact.addExact(
        ids,
        group.map((t) => total[t] as number),
        columns,
        f,
        0,
        count,
      );
      yield;
    }
  }

  /** Sets variables aside that stand at a bound and gain with nobody, once they have been passed over in vain for as long as setting them aside takes. */
  #setAside(): void {
    this.#look();
    const { core } = this.#task;
    const size = this.#size;
    const order = this.#order.subarray(0, size);
    this.#markGaining();
    const kept = core.markedFirst(this.#marks.byteOffset, size, order.byteOffset);
    if (kept > (1 - SHRINK_PART) * size || kept === 0) return;
    this.#passed += (size - kept) * ASK;
    const holding = this.#sides.reduce((count, { state }) => count + core.countHolding(state.pointer), 0);
    if (this.#passed < SHRINK_PRICE * holding * size) return;
    this.#passed = 0;
    if (size === this.#origin.length) {
      this.#fBefore.set(this.#f);
      for (const { before, value } of this.#sides) before.set(value);
    }
    this.#isReordered = true;
    const scratch = this.#scratch;
    for (const array of this.#arrays()) {
      core.gatherDoubles(array.byteOffset, order.byteOffset, size, scratch.byteOffset);
      array.set(scratch.subarray(0, size));
    }
    const words = new Uint32Array(scratch.buffer, scratch.byteOffset, size);
    for (const list of [this.#columns, this.#origin, this.#diagonal]) {
      core.gatherWords(list.byteOffset, order.byteOffset, size, words.byteOffset);
      new Uint32Array(list.buffer, list.byteOffset, size).set(words);
    }
    this.#store.permute(order, kept);
    this.#resize(kept);
    this.#look();
  }

  /** Marks positions that gain with the partner that gains most; where none is needed, all but those that lose more than anybody gains, or they would soon be back. */
  #markGaining(): void {
    const alone = this.#problem.isFree ? this.#violation : undefined;
    this.#marks.fill(0, 0, this.#size);
    for (const { state } of this.#sides) {
      const [mostUp, mostLow] = [alone ?? state.get("mostUp"), alone ?? state.get("mostLow")];
      this.#task.core.markGaining(state.pointer, mostUp, mostLow, this.#marks.byteOffset);
    }
  }

  /** All arrays by position. */
  #arrays(): Doubles[] {
    const own = this.#sides.flatMap(({ value, lo, hi, up, low, before }) => [value, lo, hi, up, low, before]);
    return [this.#f, this.#z, this.#fBefore, ...own];
  }

  #resize(size: number): void {
    this.#size = size;
    this.#rounds.set("isWhole", size === this.#origin.length ? 1 : 0);
    for (const { state } of this.#sides) state.set("size", size);
  }

  /** Takes all rows back and brings their F up to date. */
  *#takeBack(): Generator<undefined, void> {
    const n = this.#origin.length;
    const from = this.#size;
    this.#fold();
    if (from === n) return;
    const changes = this.#scratch.fill(0);
    for (const { value, before } of this.#sides) {
      for (let t = 0; t < n; t++) changes[t] = (changes[t] as number) + ((value[t] as number) - (before[t] as number));
    }
    const changed = rowsWhere(n, (t) => changes[t] !== 0);
    const deltas = Float64Array.from(changed, (t) => changes[t] as number);
    this.#f.set(this.#fBefore.subarray(from), from);
    yield* this.#addProducts(changed, deltas, from, n);
    this.#resize(n);
    this.#store.reopen();
    this.#look();
  }
}
