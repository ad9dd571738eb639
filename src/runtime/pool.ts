// The worker pool: starts workers when they are needed, gives each one task at a time, and never keeps a process alive while
// idle. Where memory cannot be shared there is one worker, which runs all tasks side by side.

import { HingeError } from "../base/errors.js";
import type { Matrix } from "../data/matrix.js";
import { clock } from "./clock.js";
import { type Core, instantiateCore } from "./core.js";
import { died, failAtCaller, failure, type Hand, isUrgent, type Job, leastBusy, release, runCleanups, stopped, takeRegion } from "./job.js";
import type { RegionMemory } from "./memory.js";
import { MemoryShelf, placementOf } from "./placement.js";
import type { Platform, WorkerEvents, WorkerHandle, WorkerSource } from "./platform.js";
import type { FromWorker, MatrixMessage, TaskProgress, TimedProgress } from "./protocol.js";
import { isSmall, SMALL_MS } from "./small-work.js";
import type { TaskTable } from "./task.js";

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TimedProgress) => void) | undefined;
  /** How many tasks the caller means to run at once: the pool grows to this, or to the number of cores. */
  readonly threads: number;
  /** Milliseconds since 1970; Infinity for none. */
  readonly deadline: number;
  /** When the call began that this task serves, for the progress report. */
  readonly startedAt: number;
  /** The pool that it began in, where what it works on belongs to that one; else whichever is there. */
  readonly pool?: Pool | undefined;
}

/** What a worker is to do. */
export interface Work {
  /** A task of src/tasks.ts. */
  readonly task: string;
  /** What it works on; none for tasks that bring all they need in `input`. */
  readonly matrix: Matrix;
  /** Bytes of memory that it needs to work in. */
  readonly regionBytes: number;
  readonly input: unknown;
  /** Whether it leaves the arrays in `input` as they are, and so does everybody else until it is done: they may be large. */
  readonly onlyReads?: boolean;
  /** Multiplications that it takes about, where the matrix does not tell. */
  readonly operations?: number;
  /** Buffers inside `input` that are moved to the worker instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Over in milliseconds: goes to a busy worker rather than wait for an idle one. */
  readonly isBrief?: boolean;
  /** One of many that take some milliseconds each: where the calling thread works, too, workers have the next one before they are done with this. */
  readonly isShort?: boolean;
  /** This task and its like, where the calling thread has their code anyway: it may do what no worker has room for, even in a process that has other things to do. Of short tasks. */
  readonly own?: TaskTable;
  /**
   * Helps another task, and waits for it without turning to its messages: not for the calling thread. One that is told to stop before it has begun is over, with nothing done, so that nobody who has
   * finished waits for a helper that is still on its way.
   */
  readonly isHelp?: boolean;
  /**
   * Answers what the task asks (`Task.ask`), on this thread. What it throws ends the task and is the outcome of the call. `isOver` says whether anybody still wants
   * the answer: work in slices should look between two of them.
   */
  readonly answer?: Answer | undefined;
}

export type Answer = (about: unknown, isOver: () => boolean) => unknown;

export interface PoolSettings extends WorkerSource {
  readonly sharedMemory: boolean;
  /** Of a process that has nothing else to do: the calling thread is one of those that work. */
  readonly callerWorks?: boolean;
  /** All tasks, where the calling thread has their code; else it makes it of the workers' text. */
  readonly tasks?: TaskTable | undefined;
}

export class Pool {
  readonly shelf: MemoryShelf;
  readonly settings: PoolSettings;
  readonly #platform: Platform;
  readonly #compile: () => WebAssembly.Module;
  #compiled: WebAssembly.Module | undefined;
  #workers: Hand[] = [];
  // The calling thread, asked when first needed; null where it cannot work.
  #here: Hand | null | undefined;
  // The same for tasks whose code it has anyway.
  #own: Hand | null | undefined;
  #queue: Job[] = [];
  #nextId = 1;
  #isStopped = false;
  // What a memory is called in the workers of this pool.
  readonly #memoryIds = new WeakMap<RegionMemory, number>();
  // A matrix that the user dropped: the workers' views of its memory must go too, or the memory never does.
  readonly #dropped = new FinalizationRegistry<number>((memoryId) => this.#forget(memoryId));

  constructor(platform: Platform, compile: () => WebAssembly.Module, settings: PoolSettings) {
    this.#platform = platform;
    this.#compile = compile;
    this.settings = settings;
    this.shelf = new MemoryShelf(settings.sharedMemory);
  }

  /** The core, compiled when first asked for. */
  get module(): WebAssembly.Module {
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  get workerCount(): number {
    return this.#workers.length;
  }

  /** Runs a task of src/tasks.ts. */
  run<Result>(work: Work, options: RunOptions): Promise<Result> {
    const {
      task,
      matrix,
      regionBytes,
      input,
      onlyReads = false,
      transfer = [],
      isBrief = false,
      isShort = false,
      own,
      isHelp = false,
      answer,
    } = work;
    if (this.#isStopped) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const job: Job = {
        id,
        task,
        matrix,
        regionBytes,
        input,
        onlyReads,
        transfer,
        isBrief,
        isShort,
        own,
        isHelp,
        answer,
        options,
        resolve: resolve as Job["resolve"],
        reject,
        isSmall: this.settings.callerWorks !== true && isSmall(work),
        cleanups: [],
      };
      this.#enqueue(job);
    });
  }

  #enqueue(job: Job): void {
    this.#queue.push(job);
    this.#dispatch();
    if (this.#queue.includes(job)) this.#wakeWhenUrgent(job);
  }

  /** A job that waits must still end when its signal or its deadline says so. */
  #wakeWhenUrgent(job: Job): void {
    const { signal, deadline } = job.options;
    const wake = (): void => this.#dispatch();
    signal?.addEventListener("abort", wake);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Timers may fire a little early and count in 31 bits: looked at again until the job is gone.
    const arm = (): void => {
      timer = setTimeout(
        () => {
          this.#dispatch();
          if (this.#queue.includes(job)) arm();
        },
        Math.min(Math.max(deadline - clock(), 1), LONGEST_TIMER),
      );
    };
    if (deadline !== Infinity) arm();
    job.cleanups.push(() => {
      signal?.removeEventListener("abort", wake);
      clearTimeout(timer);
    });
  }

  /** The core on a memory, on the calling thread: for what takes microseconds. */
  coreOn({ memory }: RegionMemory): Core {
    return instantiateCore(this.module, memory);
  }

  /** Drops the workers' views of the matrix's memory once the matrix itself is collected. */
  watch(matrix: Matrix): void {
    const placement = placementOf(matrix);
    if (placement === undefined) return;
    this.#dropped.register(matrix, this.#memoryId(placement.home));
    if (this.settings.callerWorks === true) return; // a command is over before anything would pile up
    placement.home.weigh(matrix.values.byteLength + matrix.indices.byteLength + matrix.starts.byteLength);
  }

  /** Drops the workers' views of a memory that will not be used again. */
  forget(home: RegionMemory): void {
    this.#forget(this.#memoryId(home));
  }

  #memoryId(home: RegionMemory): number {
    const id = this.#memoryIds.get(home) ?? this.#nextId++;
    this.#memoryIds.set(home, id);
    return id;
  }

  #forget(memoryId: number): void {
    for (const { worker } of this.#everyone()) worker.post({ type: "forget", memoryId });
  }

  /** Ends all workers; tasks under way fail. */
  stop(): void {
    const queued = this.#queue;
    this.#queue = [];
    this.#isStopped = true;
    for (const job of queued) {
      runCleanups(job);
      job.reject(stopped());
    }
    for (const { worker } of this.#everyone()) worker.terminate();
    this.#here = undefined;
    this.#own = undefined;
  }

  #everyone(): readonly Hand[] {
    const here = [this.#here, this.#own].filter((hand) => hand != null);
    return here.length > 0 ? [...here, ...this.#workers] : this.#workers;
  }

  /** Gives waiting jobs to workers, first come, first served; what is brief or must end need not wait for an idle one. */
  #dispatch(): void {
    for (const job of [...this.#queue]) {
      if (job.isHelp && isUrgent(job)) {
        this.#remove(job);
        job.resolve(undefined);
        continue;
      }
      let hand: Hand | undefined;
      try {
        hand = this.#handFor(job);
      } catch (error) {
        this.#remove(job);
        job.reject(error);
        continue;
      }
      if (hand === undefined) continue;
      this.#remove(job);
      this.#send(hand, job);
    }
    // Workers that have yet to start keep the process alive as long as somebody waits for them.
    for (const { isUp, worker, jobs } of this.#workers) if (!isUp) worker.hold(jobs.size > 0 || this.#queue.length > 0);
  }

  #remove(job: Job): void {
    this.#queue = this.#queue.filter((other) => other !== job);
    runCleanups(job);
  }

  /** A worker that may take the job now, or undefined; a new one is called if the pool may still grow. */
  #handFor(job: Job): Hand | undefined {
    if (job.isSmall) {
      const here = this.#callHere();
      // One after the other: the next has its turn within milliseconds, sooner than a worker would start.
      if (here !== null) return here.jobs.size === 0 ? here : undefined;
    }
    if (!this.settings.sharedMemory) return this.#workers[0] ?? this.#hire();
    const here = this.settings.callerWorks ? this.#callHere() : this.#callOwn(job);
    if (job.isShort && here !== null && !isUrgent(job)) return this.#handForShort(job, here);
    const hands = this.settings.callerWorks && !job.isHelp ? this.#everyone() : this.#workers;
    const idle = hands.find(({ isUp, jobs }) => isUp && jobs.size === 0);
    if (idle !== undefined) return idle;
    // Not for one that has yet to start: whoever is free first takes the job.
    const coming = this.#workers.filter(({ isUp }) => !isUp).length;
    if (coming < this.#queue.length && this.#workers.length < this.#workersFor(Math.max(job.options.threads, this.#platform.coreCount))) {
      this.#hire(job);
    }
    // Workers return to their messages every few milliseconds and can run several tasks side by side.
    return job.isBrief || isUrgent(job) ? leastBusy(hands) : undefined;
  }

  /**
   * Two for each worker, so that none waits for this thread while it is at work itself; none for one that has yet to start. Of what is brief, and comes as long as there is any,
   * this thread takes only what no worker has room for: it is the one who brings it.
   */
  #handForShort({ isBrief }: Job, here: Hand): Hand | undefined {
    const worker = leastBusy(this.#workers.filter(({ isUp, jobs }) => isUp && jobs.size < 2));
    const isFree = here.jobs.size === 0;
    return worker !== undefined && (isBrief || worker.jobs.size === 0 || !isFree) ? worker : isFree ? here : undefined;
  }

  /** Workers of so many threads: the calling thread may be one of these. */
  #workersFor(threads: number): number {
    return threads - (this.settings.callerWorks && this.#callHere() !== null ? 1 : 0);
  }

  /** The calling thread, if it can work. */
  #callHere(): Hand | null {
    if (this.#here === undefined) this.#here = this.#hireHere(this.settings.tasks) ?? null;
    return this.#here;
  }

  /** The calling thread for tasks that it has the code of. */
  #callOwn({ own }: Job): Hand | null {
    if (own === undefined) return null;
    if (this.#own === undefined) this.#own = this.#hireHere(own) ?? null;
    return this.#own;
  }

  /** Starts the workers of so many threads, of which the calling thread is one: they come while that is at work. */
  prepare(threads: number): void {
    const most = Math.min(threads, this.#platform.coreCount);
    const count = this.settings.callerWorks ? this.#workersFor(most) : most - 1;
    while (this.#workers.length < count) this.#hire();
  }

  /** A new worker, for nobody yet or for a job that waits. */
  #hire(calledFor?: Job): Hand {
    const hand = this.#welcome((events) => this.#platform.spawn(events, this.settings)) as Hand;
    hand.calledFor = calledFor;
    this.#workers.push(hand);
    return hand;
  }

  /** The calling thread as one who works, if the platform lets it. */
  #hireHere(own?: TaskTable): Hand | undefined {
    const { sharedMemory, workerUrl } = this.settings;
    if (!sharedMemory || workerUrl !== undefined) return undefined;
    const hand = this.#welcome((events) => this.#platform.spawnHere(events, this.settings, own));
    if (hand !== undefined) hand.isUp = true;
    return hand;
  }

  #welcome(spawn: (events: WorkerEvents) => WorkerHandle | undefined): Hand | undefined {
    const module = this.module; // before there is a worker that would wait for it
    const worker = spawn({
      message: (message) => this.#receive(hand, message),
      died: (reason) => this.#bury(hand, reason),
      up: () => {
        hand.isUp = true;
        hand.calledFor = undefined;
        this.#dispatch();
        worker?.hold(hand.jobs.size > 0);
      },
    });
    if (worker === undefined) return undefined;
    const hand: Hand = { worker, jobs: new Map<number, Job>(), isUp: false };
    worker.post({ type: "hello", module, sharedMemory: this.settings.sharedMemory });
    return hand;
  }

  #send(hand: Hand, job: Job): void {
    const { id, options } = job;
    try {
      const matrix = this.#matrixMessage(job);
      hand.jobs.set(id, job);
      hand.worker.hold(true);
      const abort = (): void => hand.worker.post({ type: "abort", id });
      if (options.signal?.aborted) abort();
      options.signal?.addEventListener("abort", abort);
      job.cleanups.push(() => options.signal?.removeEventListener("abort", abort));
      const { task, input, onlyReads } = job;
      hand.worker.post(
        {
          type: "run",
          id,
          task,
          matrix,
          input,
          onlyReads,
          deadline: options.deadline,
          wantsProgress: options.onProgress !== undefined,
          budget: hand === this.#here && this.settings.callerWorks !== true ? SMALL_MS : Infinity,
          slice: hand === this.#here ? SLICE_HERE_MS : SLICE_MS,
        },
        job.transfer,
      );
    } catch (error) {
      this.#finish(hand, job);
      job.reject(error);
    }
  }

  #matrixMessage(job: Job): MatrixMessage {
    const { kind, rowCount, featureCount, valueCount, values, indices, starts } = job.matrix;
    const placement = placementOf(job.matrix);
    if (placement === undefined || !this.settings.sharedMemory) {
      const arrays = { values, indices, starts };
      return { kind, rowCount, featureCount, valueCount, memory: undefined, arrays, regionBytes: job.regionBytes };
    }
    const region = takeRegion(placement, job);
    const { home } = placement;
    return {
      kind,
      rowCount,
      featureCount,
      valueCount,
      rows: placement.rows,
      values: placement.values,
      indices: placement.indices,
      starts: placement.starts,
      memory: home.memory,
      memoryId: this.#memoryId(home),
      memoryBytes: home.byteLength,
      region,
    };
  }

  #receive(hand: Hand, message: FromWorker): void {
    const job = hand.jobs.get(message.id);
    if (job === undefined) return;
    if (message.type === "progress") {
      this.#report(hand, job, message.progress);
      return;
    }
    if (message.type === "ask") {
      void this.#answer(hand, job, message);
      return;
    }
    this.#finish(hand, job);
    if (message.type === "outgrown") {
      job.isSmall = false;
      if (this.#isStopped) job.reject(stopped());
      else this.#enqueue(job);
      return;
    }
    if (job.thrown !== undefined) job.reject(job.thrown.error);
    else if (message.type === "done") job.resolve(message.result);
    else job.reject(failure(message));
    this.#dispatch();
  }

  /** Tells the caller; if the caller's own function throws, its error is the outcome and the work ends. */
  #report(hand: Hand, job: Job, progress: TaskProgress): void {
    if (job.thrown !== undefined) return;
    try {
      job.options.onProgress?.({ ...progress, seconds: (clock() - job.options.startedAt) / 1000 });
    } catch (error) {
      failAtCaller(hand, job, error);
    }
  }

  async #answer(hand: Hand, job: Job, { question, about }: FromWorker & { type: "ask" }): Promise<void> {
    const isThere = (): boolean => hand.jobs.get(job.id) === job;
    const isOver = (): boolean => !isThere() || job.thrown !== undefined || isUrgent(job);
    try {
      if (job.answer === undefined) throw new HingeError("internal", `a bug in hinge: nobody answers ${job.task}; please report it`);
      const answer = await job.answer(about, isOver);
      if (isThere()) hand.worker.post({ type: "answer", question, answer });
    } catch (error) {
      if (isThere()) failAtCaller(hand, job, error);
    }
  }

  #finish(hand: Hand, job: Job): void {
    release(hand, job);
    if (hand.jobs.size === 0) hand.worker.hold(false);
  }

  #bury(hand: Hand, reason: string): void {
    this.#workers = this.#workers.filter((other) => other !== hand);
    for (const job of [...hand.jobs.values()]) {
      release(hand, job);
      if (this.#isStopped) job.reject(stopped());
      else job.reject(died(reason));
    }
    // The one it was called for, too, or where workers cannot start they would be called again and again.
    const { isUp, calledFor } = hand;
    if (!isUp && calledFor !== undefined && this.#queue.includes(calledFor)) {
      this.#remove(calledFor);
      calledFor.reject(died(reason));
    }
    this.#dispatch();
  }
}

const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds between two looks at the messages of a thread; shorter on the one that others wait for. */
const SLICE_MS = 10;
const SLICE_HERE_MS = 2;
