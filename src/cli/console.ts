// The terminal as the commands see it: two streams, an exit code, Ctrl-C, and one live line.

export type KeptCode = (name: string) => Uint8Array | undefined;

/** Where a command writes. */
export interface Console {
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /** How wide the terminal is now; undefined where that is not known. */
  readonly columns?: number | undefined;
  /** Sets the exit code; the process ends when its work is done. */
  exit(code: number): void;
  /** What this executable made of a text when the package was built (bin/load.js). */
  readonly keptCode?: KeptCode | undefined;
}

export const processConsole: Console = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  get columns() {
    return process.stderr.columns;
  },
  exit: (code) => {
    process.exitCode = code;
  },
};

/**
 * A reader that went away (`| head`) is no reason to complain, nor to leave a model unwritten: the rest of the text is dropped. Text that cannot be written for another reason,
 * such as a full disk, is missed: that is said once, and the process ends with `code`, whatever the command itself makes of its work.
 */
export function watchStreams(code: number): void {
  let isTold = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || isTold) return;
      isTold = true;
      const reason = error.code === "ENOSPC" ? "the disk is full" : error.message;
      if (stream === process.stdout) process.stderr.write(`cannot write to stdout: ${reason}\n`);
      process.once("exit", () => {
        process.exitCode = code;
      });
    });
  }
}

/** Until all text has been handed over, or could not be. */
export async function flushed(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))));
}

/** Runs `work` with a signal that the first Ctrl-C aborts; the second one ends the process at once, as usual. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  process.once("SIGINT", interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}

/** How a command ends that Ctrl-C has stopped, whatever it could save. */
export const INTERRUPTED = 130;

const CLEAR_LINE = "\r\x1b[K";

/** Between two lines where nothing can be written over, in milliseconds: a log wants few. */
const PLAIN_EVERY = 10_000;

/** One line on stderr that is written over and over, cut to one row of the terminal, as no more than a row can be cleared; if stderr is not a terminal, a line every ten seconds. */
export function live<T>(console: Console, text: (value: T) => string, every = PLAIN_EVERY): { update: (value: T) => void; end(): void } {
  if (!console.isTerminal) {
    let last = performance.now();
    return {
      update: (value) => {
        if (performance.now() - last < every) return;
        last = performance.now();
        console.err(`${text(value)}\n`);
      },
      end: () => undefined,
    };
  }
  let isThere = false;
  return {
    update: (value) => {
      isThere = true;
      console.err(CLEAR_LINE + text(value).slice(0, (console.columns ?? Infinity) - 1));
    },
    end: () => {
      if (isThere) console.err(CLEAR_LINE);
      isThere = false;
    },
  };
}
