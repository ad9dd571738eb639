// A small table on which scalers can go wrong: a large offset, a constant column, zeros; and weights for its rows.

export const scalerRows = [
  [1e6, 2, 0, 4],
  [1e6 + 0.25, -2, 0, 4],
  [1e6 + 1, 7, 3, 4],
];
export const scalerWeights = [1, 2, 0.5];
