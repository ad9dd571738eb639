// The worker's questions to the caller's thread that are still open.

import { clock } from "./clock.js";
import type { FromWorker } from "./protocol.js";

/** Timers count in 31 bits. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Open {
  readonly task: number;
  end(answer: unknown): void;
}

export class Questions {
  readonly #post: (message: FromWorker) => void;
  readonly #open = new Map<number, Open>();
  #next = 1;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** Resolves to the answer, or to undefined when the task is told to stop or its deadline comes first. */
  ask(task: number, about: unknown, deadline: number): Promise<unknown> {
    return new Promise((resolve) => {
      const question = this.#next++;
      const end = (answer: unknown): void => {
        this.#open.delete(question);
        clearTimeout(timer);
        resolve(answer);
      };
      const timer =
        deadline === Infinity ? undefined : setTimeout(end, Math.min(Math.max(deadline - clock(), 1), LONGEST_TIMER), undefined);
      this.#open.set(question, { task, end });
      this.#post({ type: "ask", id: task, question, about });
    });
  }

  answer(question: number, answer: unknown): void {
    this.#open.get(question)?.end(answer);
  }

  /** The task waits for nothing any more. */
  drop(task: number): void {
    for (const open of [...this.#open.values()]) if (open.task === task) open.end(undefined);
  }
}
