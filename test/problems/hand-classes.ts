// Crammer-Singer problems small enough to be solved with a pencil; the answers stand beside them.

export interface HandSolvedClasses {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly classCount: number;
  readonly costs: readonly number[];
  readonly bias: "augmented" | false;
  readonly optimum: {
    /** Class by class. */
    readonly w: readonly number[];
    readonly bias: readonly number[];
    /** Row by row. */
    readonly alpha: readonly number[];
    readonly objective: number;
  };
}

export const handSolvedClasses: readonly HandSolvedClasses[] = [
  {
    // w_1 = -w_0 = -v: v^2 + 2 max(0, 1 - 2 v) falls until v = 1/2.
    ...{ name: "two opposite points", x: [[1], [-1]], y: [0, 1], classCount: 2, costs: [1, 1], bias: false },
    optimum: { w: [0.5, -0.5], bias: [0, 0], alpha: [0.25, -0.25, -0.25, 0.25], objective: 0.25 },
  },
  {
    // v^2 + 1/4 (1 - 2 v): v = 1/4, both rows at their bound.
    ...{ name: "two opposite points, small C", x: [[1], [-1]], y: [0, 1], classCount: 2, costs: [0.125, 0.125], bias: false },
    optimum: { w: [0.25, -0.25], bias: [0, 0], alpha: [0.125, -0.125, -0.125, 0.125], objective: 0.1875 },
  },
  {
    // W = c (3 I - 1 1') by symmetry, |W|^2 = 18 c^2: 9 c^2 + 3 max(0, 1 - 3 c) has slope 18 c - 9 < 0 until c = 1/3, where the loss ends.
    // w_m = sum_i a_im e_i: a is W.
    ...{
      name: "three corners",
      x: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      y: [0, 1, 2],
      classCount: 3,
      costs: [1, 1, 1],
      bias: false,
    },
    optimum: {
      w: [2 / 3, -1 / 3, -1 / 3, -1 / 3, 2 / 3, -1 / 3, -1 / 3, -1 / 3, 2 / 3],
      bias: [0, 0, 0],
      alpha: [2 / 3, -1 / 3, -1 / 3, -1 / 3, 2 / 3, -1 / 3, -1 / 3, -1 / 3, 2 / 3],
      objective: 1,
    },
  },
  {
    // Every score is 0 for the empty row: it pays C whatever W is. The other row: v^2 + max(0, 1 - 2 v), v = 1/2.
    ...{ name: "an empty row", x: [[1], [0]], y: [0, 1], classCount: 2, costs: [1, 3], bias: false },
    optimum: { w: [0.5, -0.5], bias: [0, 0], alpha: [0.5, -0.5, -3, 3], objective: 3.25 },
  },
  {
    // Only a bias: +-v with v^2 + 2 max(0, 1 - 2 v) + max(0, 1 + 2 v), rows of no value; slope 2 v - 4 + 2 < 0 up to 1/2, then 2 v + 2 > 0.
    ...{ name: "only empty rows, and a bias", x: [[0], [0]], y: [0, 1], classCount: 2, costs: [2, 1], bias: "augmented" },
    optimum: { w: [0, 0], bias: [0.5, -0.5], alpha: [1.5, -1.5, -1, 1], objective: 2.25 },
  },
  {
    // The same point with two labels: |v| small: v^2 + (1 - 2 v) + (1 + 2 v).
    ...{ name: "the same point with both labels", x: [[1], [1]], y: [0, 1], classCount: 2, costs: [1, 1], bias: false },
    optimum: { w: [0, 0], bias: [0, 0], alpha: [1, -1, -1, 1], objective: 2 },
  },
];
