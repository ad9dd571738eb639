// What the primal Newton method keeps of a problem. How structs are written and checked: rows.ts.

// The whole state of a primal Newton method, binary (K = 1) or multinomial (K = classes, made even): what the passes over
// blocks of rows and the vector steps between them share. Variables are f64[(d + 1) K], feature by feature, the constant
// feature of the bias last.
//
//    0  | rows        | rowIds      | targets     | costs          |
//   16  | scores      | steps       | bends       | active         |
//   32  | blockStarts | activeCounts | sheets     | w              |
//   48  | gradient    | direction   | residual    | scale          |
//   64  | solved      | factor      | column      | hasFactor      |
//   80  | classCount  | width       | stride      | reach          |
//   96  | sheetLength | blockCount  | loss        | first          |
//  112  | biasScale                 | biasPenalty                  |
//  128  | gradientSquare            | slope                        |
//  144  | weightSquare              | weightGradient               |
//  160  | residualSquare            | inSquare                     |
//  176  | weightDirection           | directionSquare              |
//  192  | epsilon                   | dualSquare                   |
//  208  | weightDual                |
//
// A sheet is what one block of rows reads and writes; one per block, f64[sheetLength] each:
//
//   csr, K = 1     | in_0 out_0 | in_1 out_1 | ... | in_d out_d | tail |     stride 2, reach 1: both in one cache line
//   dense, K = 1   | in_0 in_1 ... in_d | out_0 out_1 ... out_d | tail |     stride 1, reach d + 1
//   K > 1          | in_0 (K) out_0 (K) | in_1 (K) out_1 (K) | ... | tail |  stride 2 K, reach K
//   tail           f64[4]: sums of numbers; which ones, each pass says; f64[4] not used; f64[K]: scratch
@unmanaged
export class NewtonState {
  rows: usize; // Rows
  rowIds: usize; // u32[n]: which rows of the matrix
  targets: usize; // binary: f32[n], +1 or -1. multinomial: u32[n], the class. regression: not read, the scores begin at -t_i
  costs: usize; // f64[n]: C_i
  scores: usize; // f64[n * K]: binary: margins y_i (w'x_i + b). regression: residuals w'x_i + b - t_i. multinomial: w_m'x_i + b_m
  steps: usize; // f64[n * K]: by how much a full step along the direction changes the scores
  bends: usize; // f64[n * K]: binary: C_i loss''. multinomial: probabilities
  active: usize; // u32[n]: positions of the rows that bend, those of block b from blockStarts[b] on
  blockStarts: usize; // u32[blockCount + 1]
  activeCounts: usize; // u32[blockCount]
  sheets: usize; // f64[blockCount * sheetLength]
  w: usize;
  gradient: usize;
  direction: usize; // what conjugate gradients have found so far, then the direction of the line search
  residual: usize;
  scale: usize; // inverse of the diagonal preconditioner
  solved: usize; // the factor's inverse times the residual
  factor: usize; // f64[(d + 1)^2], its lower triangle: Cholesky factor of the other preconditioner, where there is room for one
  column: usize; // f64[d + 1], scratch
  hasFactor: u32; // whether the factor is the preconditioner
  classCount: u32;
  width: u32; // K
  stride: u32;
  reach: u32;
  sheetLength: u32;
  blockCount: u32;
  loss: u32;
  first: u32; // the first feature that moves: 0, or d where the bias moves alone and no row is read
  biasScale: f64; // value of the constant feature
  biasPenalty: f64; // 1 where the bias is regularised, 0 where it is free
  gradientSquare: f64; // out: |g|^2, a free bias not counted
  slope: f64; // out: g'direction
  weightSquare: f64; // out: |w|^2, a free bias not counted
  weightGradient: f64; // out: w'g, a free bias not counted
  residualSquare: f64; // out: |r|^2, a free bias not counted
  inSquare: f64; // out: |in|^2, a free bias not counted
  weightDirection: f64; // out: w'direction, a free bias not counted
  directionSquare: f64; // out: |direction|^2, a free bias not counted
  epsilon: f64; // half the width of a regression's tube
  dualSquare: f64; // out: |u|^2, u = w - g, a free bias not counted
  weightDual: f64; // out: w'u, a free bias not counted
}
