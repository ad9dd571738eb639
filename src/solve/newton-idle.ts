// When a Newton method has nothing left to gain: rounding, not the method, decides where it goes.
//
// A step of it lowers P. Near the optimum P is the first to run out of digits, and the gap, which is a square of the gradient, goes on falling
// without it. A method that works halves the gap in a few steps at the latest: conjugate gradients end only when another of their steps
// would add little to what the quadratic model gives. 53 halvings are all that a float64 can show; a method that in as many steps has
// neither halved the gap once nor lowered P by a unit in its last place is not at work any more.
// Checked in test/unit/solve/newton-idle.test.ts.

const MOST_IDLE = 53;

export class IdleSteps {
  #objective = Infinity;
  #gap = Infinity;
  #count = 0;

  /** Whether the step that led here was one idle step too many. */
  isOver(objective: number, gap: number): boolean {
    this.#count++;
    if (objective < (1 - Number.EPSILON) * this.#objective) {
      this.#objective = objective;
      this.#count = 0;
    }
    if (gap <= 0.5 * this.#gap) {
      this.#gap = gap;
      this.#count = 0;
    }
    return this.#count >= MOST_IDLE;
  }
}
