// Crammer-Singer that ends: coordinate steps, and where they stall and features times classes are few, the interior point from there.

import type { Interruption } from "../base/status.js";
import type { Task } from "../runtime/task.js";
import { CrammerSinger } from "./crammer-singer.js";
import { CrammerSingerInterior, INTERIOR_LIMIT, interiorWork } from "./crammer-singer-interior.js";
import type { MultiClassProblem, MultiClassSolution } from "./problem.js";

/** Coordinate steps may take as long as this many iterations of the interior point: about what it needs in all. */
const PATIENCE = 40;
/** No interior point that is going to end at all needs more. */
const MOST_ITERATIONS = 200;

export class CrammerSingerAuto {
  readonly #task: Task;
  readonly #problem: MultiClassProblem;
  readonly #descent: CrammerSinger;
  #interior: CrammerSingerInterior | undefined;
  #tolerance: number;

  constructor(task: Task, problem: MultiClassProblem) {
    this.#task = task;
    this.#problem = problem;
    this.#tolerance = problem.tolerance;
    this.#descent = new CrammerSinger(task, problem);
  }

  /** Which method has the present solution. */
  get method(): "sequential dual" | "interior point" {
    return this.#interior === undefined ? "sequential dual" : "interior point";
  }

  async solve(): Promise<"converged" | "iteration-limit" | Interruption> {
    const problem = this.#problem;
    if (this.#interior === undefined) {
      const fits = (this.#task.matrix.featureCount + 1) * problem.classCount <= INTERIOR_LIMIT;
      const ending = await this.#descent.solveWithin(fits ? PATIENCE * interiorWork(this.#task.matrix, problem) : Infinity);
      if (ending !== "work-limit") return ending;
      const limits = { tolerance: this.#tolerance, maxIterations: Math.min(problem.maxIterations, MOST_ITERATIONS) };
      this.#interior = new CrammerSingerInterior(this.#task, { ...problem, ...limits }, this.#descent.solution());
    }
    return this.#interior.solve();
  }

  tighten(): void {
    this.#tolerance /= 2;
    if (this.#interior === undefined) this.#descent.tighten();
    else this.#interior.tighten();
  }

  solution(): MultiClassSolution {
    return (this.#interior ?? this.#descent).solution();
  }
}
