// Problems small enough to be solved with a pencil; the answers stand beside them.

export interface HandSolved {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly weights?: readonly number[];
  readonly C: number;
  readonly loss: "hinge" | "squared_hinge";
  readonly bias: "augmented" | false;
  readonly optimum: { readonly w: readonly number[]; readonly bias: number; readonly alpha: readonly number[]; readonly objective: number };
}

const opposite = { x: [[1], [-1]], y: [1, -1], bias: false } as const;
const contradiction = { x: [[1], [1]], y: [1, -1], bias: false } as const;

export const handSolved: readonly HandSolved[] = [
  {
    // 1/2 w^2 + 2 max(0, 1 - w): falls until w = 1.
    ...{ name: "two opposite points", ...opposite, C: 1, loss: "hinge" },
    optimum: { w: [1], bias: 0, alpha: [0.5, 0.5], objective: 0.5 },
  },
  {
    // 1/2 w^2 + 1/2 (1 - w): w = 1/2, both rows at their bound.
    ...{ name: "two opposite points, small C", ...opposite, C: 0.25, loss: "hinge" },
    optimum: { w: [0.5], bias: 0, alpha: [0.25, 0.25], objective: 0.375 },
  },
  {
    // 1/2 w^2 + 2 (1 - w)^2: w = 4 (1 - w), a = 2 C (1 - w).
    ...{ name: "two opposite points, squared", ...opposite, C: 1, loss: "squared_hinge" },
    optimum: { w: [0.8], bias: 0, alpha: [0.4, 0.4], objective: 0.4 },
  },
  {
    // |w| <= 1: 1/2 w^2 + (1 - w) + (1 + w).
    ...{ name: "the same point with both labels", ...contradiction, C: 1, loss: "hinge" },
    optimum: { w: [0], bias: 0, alpha: [1, 1], objective: 2 },
  },
  {
    // 1/2 w^2 + (1 - w)^2 + (1 + w)^2.
    ...{ name: "the same point with both labels, squared", ...contradiction, C: 1, loss: "squared_hinge" },
    optimum: { w: [0], bias: 0, alpha: [2, 2], objective: 2 },
  },
  {
    // |w| <= 1: 1/2 w^2 + 2 (1 - w) + (1 + w), falls until w = 1; then a_1 - a_2 = 1 with a_2 = 1.
    ...{ name: "the same point with both labels, one of them twice as heavy", ...contradiction, weights: [2, 1], C: 1, loss: "hinge" },
    optimum: { w: [1], bias: 0, alpha: [2, 1], objective: 2.5 },
  },
  {
    // min 1/2 (w^2 + b^2) with 2 w + b >= 1 and -b >= 1: b = -1, w = 1; w = 2 a_2, b = a_2 - a_1.
    ...{ name: "a bias that costs", x: [[0], [2]], y: [-1, 1], C: 10, loss: "hinge", bias: "augmented" },
    optimum: { w: [1], bias: -1, alpha: [1.5, 0.5], objective: 1 },
  },
  {
    // The second and third feature never help; the empty row pays 1 whatever w is.
    ...{
      name: "an empty row and useless features",
      x: [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 0, 0],
      ],
      y: [1, -1, 1],
      C: 1,
      loss: "hinge",
      bias: false,
    },
    optimum: { w: [1, 0, 0], bias: 0, alpha: [0.5, 0.5, 1], objective: 1.5 },
  },
];
