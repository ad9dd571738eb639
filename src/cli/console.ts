// The terminal as the commands see it: two streams, an exit code, Ctrl-C, and one live line.

/** Where a command writes. */
export interface Console {
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /** Sets the exit code; the process ends when its work is done. */
  exit(code: number): void;
}

export const processConsole: Console = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  exit: (code) => {
    process.exitCode = code;
  },
};

/** A reader that went away (`| head`) is no reason to complain, nor to leave a model unwritten: the rest of the text is dropped. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
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

const CLEAR_LINE = "\r\x1b[K";

/** Between two lines where nothing can be written over, in milliseconds: a log wants few. */
const PLAIN_EVERY = 10_000;

/** One line on stderr that is written over and over; if stderr is not a terminal, a line every ten seconds. */
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
  return {
    update: (value) => console.err(CLEAR_LINE + text(value)),
    end: () => console.err(CLEAR_LINE),
  };
}
