// What the interior point method keeps of a problem. How structs are written and checked: rows.ts.

// All that the interior point method knows of one row, or of one side of a row's tube; rows are visited in order.
//
//    0  | alpha       | rest        | slack       | excess         |   of 8 bytes each
//   32  | residual    | theta       | product     | restProduct    |
//   64  | change      | kept        | cost        | offset         |
//   96  | row, y      | perAlpha    | perRest     | perSlack       |
//  128  | perExcess   |
@unmanaged
export class InteriorRow {
  alpha: f64; // a, above 0
  rest: f64; // r = C - a, above 0, kept by itself so that both ends of the box are precise
  slack: f64; // s, above 0: how far the margin is beyond its offset
  excess: f64; // xi, above 0: how far it is short of it
  residual: f64; // o - y z't - xi + s
  theta: f64; // 1 / (s / a + xi / r)
  product: f64; // second-order terms of the predictor: change of a times change of s
  restProduct: f64; // change of r times change of xi
  change: f64; // the step's direction for a; when centred, for the margin
  kept: f64; // a at the smallest gap so far
  cost: f64; // C
  offset: f64; // o, the margin from which on nothing is lost
  row: u32; // which row of the matrix
  y: f32; // +1 or -1
  perAlpha: f64; // 1 / a, and so on, of this iteration
  perRest: f64;
  perSlack: f64;
  perExcess: f64;
}

// The whole state of an interior point method between two calls of `advance`.
//
//    0  | rows        | table       | matrix      | panels         |
//   16  | columns     | products    | scales      | others         |
//   32  | w           | dualW       | right       | centre         |
//   48  | direction   | keptW       | rowCount    | cursor         |
//   64  | panel       | phase       | way         | iterationLimit |
//   80  | iterations  | stalls      | shortSteps  | isCentred      |
//   96  | trials      | sides       | biasScale                    |
//  112  | biasPenalty               | tolerance                    |
//  128  | zeroPrimal                | total                        |
//  144  | step                      | hindrance                    |
//  160  | target                    | complementarity              |
//  176  | quadratic                 | alphaSum                     |
//  192  | primal                    | dual                         |
//  208  | recentGap                 | bestGap                      |
//  224  | barrier                   | slope                        |
//  240  | bend                      | firstSlope                   |
//  256  | low                       | high                         |
@unmanaged
export class InteriorState {
  rows: usize; // Rows
  table: usize; // InteriorRow[rowCount]
  matrix: usize; // f64[matrixStride^2]: M, then L
  panels: usize; // f64[64 * (matrixStride + 2)]: a packed block of rows, or what columns are multiplied with; not for way = 0
  columns: usize; // f64[64 * matrixStride] for every 64 rows, only for way = 2
  products: usize; // f64[64]: of the present block, as `scales` and `others`
  scales: usize; // f64[64]
  others: usize; // f64[64]
  w: usize; // f64[matrixStride], of which featureCount + 1 count: t, the last one belongs to the bias
  dualW: usize; // the same: sum a y z, less `total` for the bias
  right: usize; // the same: right-hand side without the centring term; in Move what balancing takes from dualW
  centre: usize; // the same: what the centring target adds to it, per unit
  direction: usize; // the same
  keptW: usize; // the same: w at the smallest gap so far
  rowCount: u32; // entries of the table
  cursor: u32; // how far the current phase has come
  panel: u32; // how many panels of the present block are in M
  phase: u32;
  way: u32; // how M is summed: 0 row by row, 1 in blocks, 2 by columns
  iterationLimit: u32;
  iterations: u32; // out
  stalls: u32; // iterations since the best gap
  shortSteps: u32; // how many there were
  isCentred: u32; // out: 1 once rows follow their margins exactly
  trials: u32; // step lengths tried in this search
  sides: u32; // entries of the table that belong to the same row of the matrix, one after the other: 1, or 2 in a regression
  biasScale: f64; // value of the constant feature, 0 for no bias
  biasPenalty: f64; // 0 if the bias is free, 1 if it is regularised like the others or not there
  tolerance: f64; // on the relative gap
  zeroPrimal: f64; // P(0), the scale of the gap's floor
  total: f64; // what y'a must be with a free bias: 0, or N of a one-class problem
  step: f64; // how far to go along the direction
  hindrance: f64; // 1 over how far one could go until the first variable is 0
  target: f64; // sigma mu: what all complementarity products are steered to
  complementarity: f64; // sum of a s + r xi
  quadratic: f64; // sum of the predictor's da ds + dr dxi; in Move what balancing takes from alphaSum
  alphaSum: f64; // sum of o a
  primal: f64; // out
  dual: f64; // out
  recentGap: f64; // out: relative gap at the last look
  bestGap: f64; // smallest P - D so far
  barrier: f64; // mu, when centred
  slope: f64; // derivative of the smoothed objective at the step tried
  bend: f64; // its second derivative
  firstSlope: f64; // its derivative at step 0
  low: f64; // the best step lies between these
  high: f64;
}
