// Regressions small enough to be solved with a pencil; the answers stand beside them.

export interface HandRegression {
  readonly name: string;
  readonly x: readonly (readonly number[])[];
  readonly targets: readonly number[];
  readonly costs: readonly number[];
  readonly loss: "epsilon_insensitive" | "squared_epsilon_insensitive";
  readonly epsilon: number;
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
  readonly optimum: { readonly w: readonly number[]; readonly bias: number; readonly beta: readonly number[]; readonly objective: number };
}

const one = { x: [[1]], targets: [2], epsilon: 0.5, bias: false, biasScale: 1 } as const;

export const handRegressions: readonly HandRegression[] = [
  {
    // 1/2 w^2 + max(0, 1.5 - w): falls until w = 1.
    ...{ name: "one row", ...one, costs: [1], loss: "epsilon_insensitive" },
    optimum: { w: [1], bias: 0, beta: [1], objective: 1 },
  },
  {
    // The price is high enough to get to the edge of the tube.
    ...{ name: "one row, large C", ...one, costs: [10], loss: "epsilon_insensitive" },
    optimum: { w: [1.5], bias: 0, beta: [1.5], objective: 1.125 },
  },
  {
    // 1/2 w^2 + (1.5 - w)^2: w = 2 (1.5 - w).
    ...{ name: "one row, squared", ...one, costs: [1], loss: "squared_epsilon_insensitive" },
    optimum: { w: [1], bias: 0, beta: [1], objective: 0.75 },
  },
  {
    // Within the tubes of 0 -> 10 and 2 -> 13 the flattest line rises by 1 a unit: from 10.5 to 12.5.
    ...{ name: "the flattest line through two tubes", x: [[0], [2]], targets: [10, 13], costs: [10, 10], loss: "epsilon_insensitive" },
    ...{ epsilon: 0.5, bias: "unregularised", biasScale: 1 },
    optimum: { w: [1], bias: 10.5, beta: [-0.5, 0.5], objective: 0.5 },
  },
  {
    // b = 2 v with |b - 3| <= 1: v = 1, and v = 2 beta.
    ...{ name: "a bias that costs", x: [[0]], targets: [3], costs: [10], loss: "epsilon_insensitive" },
    ...{ epsilon: 1, bias: "augmented", biasScale: 2 },
    optimum: { w: [0], bias: 2, beta: [0.5], objective: 0.5 },
  },
  {
    // 1/2 w^2 + 2 (1 - w) + (w + 1) for -1 < w < 1: falls until w = 1.
    ...{ name: "one row, two targets, one of them heavier", x: [[1], [1]], targets: [1, -1], costs: [2, 1], loss: "epsilon_insensitive" },
    ...{ epsilon: 0, bias: false, biasScale: 1 },
    optimum: { w: [1], bias: 0, beta: [2, -1], objective: 2.5 },
  },
  {
    // The line 5 + x costs 1/2; w = 1 - h saves h and costs (h/2)^2 twice: 1/2 (1 - h)^2 + h^2 / 2 is least at h = 1/2.
    ...{ name: "squared, with a free bias", x: [[-0.5], [0.5]], targets: [4.5, 5.5], costs: [1, 1], loss: "squared_epsilon_insensitive" },
    ...{ epsilon: 0, bias: "unregularised", biasScale: 1 },
    optimum: { w: [0.5], bias: 5, beta: [-0.5, 0.5], objective: 0.25 },
  },
];
