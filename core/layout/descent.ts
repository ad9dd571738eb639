// What dual coordinate descent keeps of a problem. How structs are written and checked: rows.ts.

import { Loss } from "./rows";

// All that a dual coordinate step knows of one row, together, because rows are visited in random order: one cache line.
//
//   0       8       16          24    28
//   | alpha | limit | curvature | row | y |      32 bytes, tables of them start at a multiple of 32
//
//   limit   hinge: U_i = C_i        squared hinge: D_ii = 1 / (2 C_i)
@unmanaged
export class DcdRow {
  alpha: f64;
  limit: f64;
  curvature: f64; // Q_ii + s^2 + D_ii, filled by the core
  row: u32; // which row of the matrix
  y: f32; // +1 or -1
}

/** Entry `position` of the table of rows; of a regression it is the beginning of a TubeRow. */
export function tableRow(s: DcdState, position: u32): DcdRow {
  return changetype<DcdRow>(s.table + <usize>position * s.rowBytes);
}

/** Whether the rows are those of a regression: TubeRow. */
export function isTube(s: DcdState): bool {
  return s.loss == Loss.Tube || s.loss == Loss.SquaredTube;
}

// The whole state of a dual coordinate descent between two calls of `advance`.
//
//    0  | rows        | table       | order       | w              |
//   16  | random      | breaks      | rowCount    | activeCount    |
//   32  | cursor      | phase       | loss        | iterationLimit |
//   48  | shrinking   | isFree      | isWarm      | checks         |
//   64  | touched     | ends        | visits                       |
//   80  | biasSquare                | tolerance                    |
//   96  | violation                 | zeroPrimal                   |
//  112  | bias                      | centre                       |
//  128  | bestBias                  | shrinkAbove                  |
//  144  | shrinkBelow               | pgMax                        |
//  160  | pgMin                     | estimate                     |
//  176  | trust                     | dual                         |
//  192  | primal                    | gap                          |
//  208  | recentGap                 | reviveBelow                  |
//  224  | epsilon                   | violationSum                 |
//  240  | firstViolation            | margin                       |
//  256  | total                     | multiple                     |
//  272  | scale                     | stageStart                   |
//  288  | grows       | rowBytes    |
@unmanaged
export class DcdState {
  rows: usize; // Rows
  table: usize; // DcdRow[rowCount], or TubeRow[rowCount]
  order: usize; // u32[rowCount]: positions in table; the first activeCount are active
  w: usize; // f64[featureCount]
  random: usize; // u32[4]
  breaks: usize; // f64[rowCount] for a free bias, else 0: the b at which a row's loss begins, y_i - w'x_i at the last check; a tube's middle
  rowCount: u32;
  activeCount: u32;
  cursor: u32; // how far the current phase has come
  phase: u32;
  loss: u32;
  iterationLimit: u32; // in passes over all rows; visits to fewer active rows count for their share
  shrinking: u32; // 0 or 1
  isFree: u32; // 1: the bias is not regularised
  isWarm: u32; // 1: alpha holds where to start
  checks: u32; // out: exact gap checks made
  touched: u32; // sum of values read ahead, means nothing
  ends: usize; // u32[2 rowCount] for a plain tube with a free bias, else 0: the two ends of each row's tube, in any order
  visits: f64; // out: rows visited so far, a whole number
  biasSquare: f64; // s^2, the square of the constant feature; 0 for no bias; for a free one the least that the core may choose
  tolerance: f64; // on the relative gap
  violation: f64; // above 0: stop by LIBLINEAR's rule instead
  zeroPrimal: f64; // P(0), for the hinges sum C_i: the scale of the gap's floor
  bias: f64; // b in the sweeps: s^2 y'a, and for a free bias centre + s^2 y'a
  centre: f64;
  bestBias: f64; // out, for a free bias: the minimiser of P over b at the last check's w
  shrinkAbove: f64; // thresholds from the last epoch's projected gradients
  shrinkBelow: f64;
  pgMax: f64; // largest and smallest projected gradient met so far in this epoch
  pgMin: f64;
  estimate: f64; // sum of the rows' gap terms, each as met on the way
  trust: f64; // a check is made when estimate <= trust * allowed gap
  dual: f64; // running, by adding each step's gain; exact after a check
  primal: f64; // out, at the last check
  gap: f64; // out, at the last check
  recentGap: f64; // out: relative gap as the last epoch or check found it
  reviveBelow: f64; // the recentGap at which shrunk rows come back
  epsilon: f64; // half the width of a regression's tube, 0 in a classification
  violationSum: f64; // of a regression: sum of the violations met so far in this epoch
  firstViolation: f64; // what it was at the end of the first epoch
  margin: f64; // from which on a row loses nothing: 1, in a one-class problem 0
  total: f64; // what y'a has to be where the bias is free: 0, in a one-class problem nu times the weights
  multiple: f64; // out, of a one-class problem: the best multiple of w and b
  scale: f64; // of the costs, which grow until it is 1
  stageStart: f64; // visits at its beginning
  grows: u32; // 1: begin with smaller costs
  rowBytes: u32; // of an entry of table
}

// The same for a regression: begins like DcdRow, with beta_i for alpha and no y.
//
//   0       8       16          24    28  32
//   | alpha | limit | curvature | row | y | target |      40 bytes
//
//   limit   plain: U_i = C_i        squared: D_ii = 1 / (2 C_i)
@unmanaged
export class TubeRow {
  alpha: f64; // beta_i
  limit: f64;
  curvature: f64; // Q_ii + s^2 + D_ii, filled by the core
  row: u32; // which row of the matrix
  y: f32; // not used
  target: f64;
}

// All that a dual coordinate step for the logistic loss knows of one row, together, because rows are visited in random order.
//
//   0       8      16      24     32          40    44
//   | alpha | rest | logit | cost | curvature | row | y |      48 bytes
@unmanaged
export class LogisticRow {
  alpha: f64; // a; 0 until the first visit if the host gave none, then inside (0, C)
  rest: f64; // C - a, from the same exponential, so that both ends are precise
  logit: f64; // u = log(a / (C - a)), from the first visit on
  cost: f64; // C
  curvature: f64; // Q_ii, filled by the core
  row: u32; // which row of the matrix
  y: f32; // +1 or -1
}

// The whole state of a dual coordinate descent for the logistic loss between two calls of `advance`.
//
//    0  | rows        | table       | order       | w              |
//   16  | random      | rowCount    | cursor      | phase          |
//   32  | iterationLimit | checks   | touched     | inner          |
//   48  | isWarm      | pad         | visits                       |
//   64  | biasScale                 | tolerance                    |
//   80  | zeroPrimal                | estimate                     |
//   96  | trust                     | dual                         |
//  112  | primal                    | gap                          |
//  128  | recentGap                 | violation                    |
//  144  | worst                     |
@unmanaged
export class LogisticState {
  rows: usize; // Rows
  table: usize; // LogisticRow[rowCount]
  order: usize; // u32[rowCount]: positions in table
  w: usize; // f64[featureCount + 1], the last one belongs to the bias
  random: usize; // u32[4]
  rowCount: u32;
  cursor: u32; // how far the current phase has come
  phase: u32;
  iterationLimit: u32; // in passes over all rows
  checks: u32; // out: exact gap checks made
  touched: u32; // sum of values read ahead, means nothing
  inner: u32; // out: inner Newton steps, modulo 2^32
  isWarm: u32; // 1: the host gave alpha, inside (0, C)
  visits: f64; // out: rows visited so far, a whole number
  biasScale: f64; // value of the constant feature, 0 for no bias
  tolerance: f64; // on the relative gap
  zeroPrimal: f64; // P(0) = log(2) sum C_i, the scale of the gap's floor
  estimate: f64; // sum of the rows' gap terms, each as met on the way
  trust: f64; // a check is made when estimate <= trust * allowed gap
  dual: f64; // running, by adding each step's gain to second order; exact after a check
  primal: f64; // out, at the last check
  gap: f64; // out, at the last check
  recentGap: f64; // out: relative gap as the last epoch or check found it
  violation: f64; // above 0: stop by LIBLINEAR's rule instead, when no |u + m| of a pass is above it
  worst: f64; // the largest |u + m| of this pass
}
