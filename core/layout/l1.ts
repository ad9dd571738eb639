// What the proximal Newton method for l1 keeps of a problem. How structs are written and checked: rows.ts.

// Rows of a problem with a smooth loss, their margins, and what a pass over them leaves behind.
//
//    0  | rows        | rowIds      | signs       | costs          |
//   16  | margins     | turns       | slopes      | curvatures     |
//   32  | up          | down        | loss        | rowCount       |
//   48  | constant                  | lossSum                      |
//   64  | positiveSum               | negativeSum                  |
//   80  | positiveSecond            | negativeSecond               |
//   96  | curvatureSum              | bentCount                    |
@unmanaged
export class LossRows {
  rows: usize; // Rows
  rowIds: usize; // u32[rowCount]: which rows of the matrix
  signs: usize; // f32[rowCount]: y_i
  costs: usize; // f64[rowCount]: C_i
  margins: usize; // f64[rowCount]: m_i
  turns: usize; // f64[rowCount]: z_i, change of m_i along a direction
  slopes: usize; // f64[rowCount]: a_i = -C_i loss'(m_i)
  curvatures: usize; // f64[rowCount]: C_i loss''(m_i)
  up: usize; // f64[featureCount]: sum of a_i x_i over y_i = +1, or 0 where it is not wanted
  down: usize; // f64[featureCount]: the same over y_i = -1
  loss: u32;
  rowCount: u32;
  constant: f64; // value of the feature whose weight is the bias: 1, or 0 for no bias
  lossSum: f64; // out
  positiveSum: f64; // out: sum of a_i over y_i = +1
  negativeSum: f64;
  positiveSecond: f64; // out: sum over y_i = +1 of a_i^2 / (4 C_i), squared hinge, or of a_i m_i, logistic
  negativeSecond: f64;
  curvatureSum: f64; // out: sum of the curvatures
  bentCount: f64; // out: how many of them are not zero
}

// H over the working set, and a quadratic model with it.
//
//    0  | place       | applied     | places      | values         |
//   16  | matrix      | factor      | point       | slope          |
//   32  | penalty     | chosen      | step        | size           |
//   48  | stack       | weights     | stackCount  | squares        |
@unmanaged
export class Gram {
  place: usize; // u32[featureCount + 1]: where each feature, the bias last, stands in the working set, or 2^32 - 1
  applied: usize; // f64[rowCount]: the weights of the rows in H
  places: usize; // u32[size + 1], scratch: a row's features in the working set
  values: usize; // f64[size + 1], scratch: their values
  matrix: usize; // f64[size * size]: H
  factor: usize; // f64[size * size]: its Cholesky factor over some features
  point: usize; // f64[size]: u
  slope: usize; // f64[size]: q = g + H (u - v)
  penalty: usize; // f64[size]: p_k, 1, or 0 for a free bias
  chosen: usize; // u32[size]: the features that the factor is about
  step: usize; // f64[size]: right-hand side, then solution, of an equation with the factor
  size: u32; // features in the working set
  stack: usize; // f64[4 * size], scratch: long rows in full
  weights: usize; // f64[4], scratch: their weights
  stackCount: u32; // how many there are, 0 between two calls
  squares: usize; // f64[size], of an H made from a sample: its diagonal as all rows make it
}

// The columns of a problem's rows, and a quadratic model over some of them. The bias, where there is one, is the last column.
//
//    0  | starts      | indices     | values      | pairs          |
//   16  | w           | gradient    | point       | diagonal       |
//   32  | list        | order       | random      | featureCount   |
//   48  | columnCount | listCount   | activeCount | cursor         |
//   64  | biasPenalty               | shrinkBelow                  |
//   80  | violation                 | worst                        |
//   96  | reach                     | work                         |
//  112  | price                     | prices      |
@unmanaged
export class Columns {
  starts: usize; // u32[columnCount + 1]: where each column begins; the next one's start is its end
  indices: usize; // u32[]: positions of rows, rising along a column
  values: usize; // f32[]: y_i x_ij
  pairs: usize; // f64[2 rowCount]: two numbers of each row that a pass over columns looks up
  w: usize; // f64[featureCount + 1]
  gradient: usize; // f64[featureCount + 1]: g
  point: usize; // f64[featureCount + 1]: u, of the features in list
  diagonal: usize; // f64[featureCount + 1]: h, of the features in list; below 0 until it is needed
  list: usize; // u32[columnCount]: the working set, listCount features in rising order
  order: usize; // u32[columnCount]: the same in random order; the first activeCount are active
  random: usize; // u32[4]
  featureCount: u32;
  columnCount: u32; // featureCount, and one more if there is a bias
  listCount: u32;
  activeCount: u32;
  cursor: u32; // how far the current pass has come
  biasPenalty: f64; // p of the bias; 0 if it is free. All others have 1
  shrinkBelow: f64; // a zero feature whose |q| is below its penalty by more than this leaves the active set
  violation: f64; // out: sum of the violations met in this pass
  worst: f64; // out: the largest of them
  reach: f64; // out: how far outside the dual's constraints the slopes are; 1 is their border
  work: f64; // out: values touched by sweeps so far
  price: f64; // of descent on the loss itself: 2 C_i where it is the same for all rows, else 1
  prices: usize; // f64[rowCount]: 2 C_i, or 0 where it is the same for all
}
