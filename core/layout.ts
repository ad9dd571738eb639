// The structs that the host writes and the core reads, drawn. Little-endian, pointers are 32-bit byte offsets into the
// memory. The host's half is src/runtime/layout.ts; test/unit/core/layout.test.ts compares every offset of the two.

// What a row of the matrix is made of.
export const enum RowKind {
  Dense = 0,
  Csr = 1,
}

// One matrix: n rows, d features, float32 values.
//
//          0      4          8              12       16        20
//   dense  | kind | rowCount | featureCount | values | 0       | 0      |   values f32[n * d], row i at i * d
//   csr    | kind | rowCount | featureCount | values | indices | starts |   values f32[nnz], indices u32[nnz] (base 0,
//                                                                           rising along a row), starts u32[n + 1]
@unmanaged
export class Rows {
  kind: u32;
  rowCount: u32;
  featureCount: u32;
  values: usize;
  indices: usize;
  starts: usize;
}

// The loss of a problem.
export const enum Loss {
  Hinge = 0,
  SquaredHinge = 1,
  Logistic = 2,
}

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

/** Entry `position` of a table of rows. */
export function tableRow(s: DcdState, position: u32): DcdRow {
  return changetype<DcdRow>(s.table + <usize>position * offsetof<DcdRow>());
}

// The whole state of a dual coordinate descent between two calls of `advance`.
//
//    0  | rows        | table       | order       | w              |
//   16  | random      | breaks      | rowCount    | activeCount    |
//   32  | cursor      | phase       | loss        | iterationLimit |
//   48  | shrinking   | isFree      | isWarm      | checks         |
//   64  | touched     |             | visits                       |
//   80  | biasSquare                | tolerance                    |
//   96  | violation                 | zeroPrimal                   |
//  112  | bias                      | centre                       |
//  128  | bestBias                  | shrinkAbove                  |
//  144  | shrinkBelow               | pgMax                        |
//  160  | pgMin                     | estimate                     |
//  176  | trust                     | dual                         |
//  192  | primal                    | gap                          |
//  208  | recentGap                 | reviveBelow                  |
@unmanaged
export class DcdState {
  rows: usize; // Rows
  table: usize; // DcdRow[rowCount]
  order: usize; // u32[rowCount]: positions in table; the first activeCount are active
  w: usize; // f64[featureCount]
  random: usize; // u32[4]
  breaks: usize; // f64[rowCount] for a free bias, else 0: the b at which a row's loss begins, y_i - w'x_i at the last check
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
  visits: f64; // out: rows visited so far, a whole number
  biasSquare: f64; // s^2, the square of the constant feature; 0 for no bias; chosen by the core for a free one
  tolerance: f64; // on the relative gap
  violation: f64; // above 0: stop by LIBLINEAR's rule instead
  zeroPrimal: f64; // P(0) = sum C_i, the scale of the gap's floor
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
}

// All that a dual coordinate step for the logistic loss knows of one row, together, because rows are visited in random order.
//
//   0       8      16      24     32          40    44
//   | alpha | rest | logit | cost | curvature | row | y |      48 bytes
@unmanaged
export class LogisticRow {
  alpha: f64; // a; 0 until the first visit, then inside (0, C)
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
//   48  | visits                    | biasScale                    |
//   64  | tolerance                 | zeroPrimal                   |
//   80  | estimate                  | trust                        |
//   96  | dual                      | primal                       |
//  112  | gap                       | recentGap                    |
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
}

// All that the interior point method knows of one row; rows are visited in order.
//
//    0  | alpha       | rest        | slack       | excess         |   of 8 bytes each
//   32  | residual    | theta       | product     | restProduct    |
//   64  | change      | kept        | cost        | row, y         |
@unmanaged
export class InteriorRow {
  alpha: f64; // a, above 0
  rest: f64; // r = C - a, above 0, kept by itself so that both ends of the box are precise
  slack: f64; // s, above 0: how far the margin is beyond 1
  excess: f64; // xi, above 0: how far it is short of 1
  residual: f64; // 1 - y z't - xi + s
  theta: f64; // 1 / (s / a + xi / r)
  product: f64; // second-order terms of the predictor: change of a times change of s
  restProduct: f64; // change of r times change of xi
  change: f64; // the step's direction for a; when centred, for the margin
  kept: f64; // a at the smallest gap so far
  cost: f64; // C
  row: u32; // which row of the matrix
  y: f32; // +1 or -1
}

// The whole state of an interior point method between two calls of `advance`.
//
//    0  | rows        | table       | matrix      | panels         |
//   16  | w           | dualW       | right       | centre         |
//   32  | direction   | keptW       | rowCount    | cursor         |
//   48  | panel       | phase       | way         | iterationLimit |
//   64  | iterations  | stalls      | shortSteps  | isCentred      |
//   80  | trials      | (padding)   | biasScale                    |
//   96  | biasPenalty               | tolerance                    |
//  112  | zeroPrimal                | step                         |
//  128  | reach                     | target                       |
//  144  | complementarity           | quadratic                    |
//  160  | alphaSum                  | primal                       |
//  176  | dual                      | recentGap                    |
//  192  | bestGap                   | barrier                      |
//  208  | slope                     | bend                         |
//  224  | firstSlope                | low                          |
//  240  | high                      |
@unmanaged
export class InteriorState {
  rows: usize; // Rows
  table: usize; // InteriorRow[rowCount]
  matrix: usize; // f64[matrixStride^2]: M, then L
  panels: usize; // f64[64 * matrixStride], only for way = 1
  w: usize; // f64[featureCount + 1]: t, the last one belongs to the bias
  dualW: usize; // f64[featureCount + 1]: sum a y z
  right: usize; // f64[featureCount + 1]: right-hand side without the centring term; in Move what balancing takes from dualW
  centre: usize; // f64[featureCount + 1]: what the centring target adds to it, per unit
  direction: usize; // f64[featureCount + 1]
  keptW: usize; // f64[featureCount + 1]: w at the smallest gap so far
  rowCount: u32;
  cursor: u32; // how far the current phase has come
  panel: u32; // how many panels of the present block are in M
  phase: u32;
  way: u32; // how M is summed: 0 row by row, 1 in blocks
  iterationLimit: u32;
  iterations: u32; // out
  stalls: u32; // iterations since the best gap
  shortSteps: u32; // how many there were
  isCentred: u32; // out: 1 once rows follow their margins exactly
  trials: u32; // step lengths tried in this search
  biasScale: f64; // value of the constant feature, 0 for no bias
  biasPenalty: f64; // 0 if the bias is free, 1 if it is regularised like the others or not there
  tolerance: f64; // on the relative gap
  zeroPrimal: f64; // P(0) = sum C_i, the scale of the gap's floor
  step: f64; // how far to go along the direction
  reach: f64; // how far one could go until the first variable is 0
  target: f64; // sigma mu: what all complementarity products are steered to
  complementarity: f64; // sum of a s + r xi
  quadratic: f64; // sum of the predictor's da ds + dr dxi; in Move what balancing takes from alphaSum
  alphaSum: f64;
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
//   48  | stack       | weights     | stackCount  |
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
}

// All that a step on one row of a Crammer-Singer problem knows of it, together, because rows are visited in random order. k = classCount.
//
//   0      8           16    20        24              28         32            32 + 8 k
//   | cost | curvature | row | classId | activeClasses | reserved | shares f64[k] | lists u32[k] | pad      recordBytes
//
//   shares   p_im
//   list     classes, the active ones first; meaningless behind them
@unmanaged
export class CsRow {
  cost: f64; // C_i
  curvature: f64; // A_i = x_i'x_i + biasScale^2, filled by the core
  row: u32; // which row of the matrix
  classId: u32; // y_i
  activeClasses: u32; // how many entries of the list count
  reserved: u32;
}

// The whole state of a Crammer-Singer descent between two calls of `advance`. k = classCount.
//
//    0  | rows          | table         | order         | w             |
//   16  | numbers       | scores        | targets       | kept          |
//   32  | steps         | moved         | random        | rowCount      |
//   48  | classCount    | stride        | recordBytes   | touched       |
//   64  | activeCount   | inactiveFrom  | cursor        | phase         |
//   80  | iterationLimit| shrinking     | checks        | innerSweeps   |
//   96  | visits                        | work                          |
//  112  | biasScale                     | tolerance                     |
//  128  | zeroPrimal                    | scale                         |
//  144  | stageStart                    | estimate                      |
//  160  | reference                     | margin                        |
//  176  | negligible                    | trust                         |
//  192  | dual                          | primal                        |
//  208  | gap                           | recentGap                     |
@unmanaged
export class CsState {
  rows: usize; // Rows
  table: usize; // CsRow[rowCount], each followed by its shares and list
  order: usize; // u32[rowCount]: positions in table; the first activeCount are active
  w: usize; // f64[featureCount + 1][stride / 8], the last feature is the bias's
  numbers: usize; // u32[max(featureCount, k)]: 0, 1, 2, ...: the features of dense rows, and all classes
  scores: usize; // f64[stride / 8], scratch
  targets: usize; // f64[k], scratch
  kept: usize; // f64[k], scratch
  steps: usize; // f64[k], scratch
  moved: usize; // u32[k], scratch
  random: usize; // u32[4]
  rowCount: u32;
  classCount: u32;
  stride: u32; // bytes from one feature's weights to the next
  recordBytes: u32; // bytes from one row of the table to the next
  touched: u32; // sum of values read ahead, means nothing
  activeCount: u32;
  inactiveFrom: u32; // during a check: rows found inactive are order[inactiveFrom...]
  cursor: u32; // how far the current phase has come
  phase: u32;
  iterationLimit: u32; // in passes over all rows; visits to fewer active rows count for their share
  shrinking: u32; // 0 or 1
  checks: u32; // out: exact gap checks made
  innerSweeps: u32; // sweeps over active pairs since all were last seen
  visits: f64; // out: rows visited so far, a whole number
  work: f64; // out: products of a value and a weight made so far, and what visits cost beside
  biasScale: f64; // value of the constant feature, 0 for no bias
  tolerance: f64; // on the relative gap
  zeroPrimal: f64; // P(0) = sum C_i, the scale of the gap's floor
  scale: f64; // the costs of the present stage are scale * C_i
  stageStart: f64; // visits at its beginning
  estimate: f64; // sum of the rows' gap terms, each as met on the way
  reference: f64; // the same of the last phase that saw all rows and classes
  margin: f64; // a class without share this far below the best is shrunk
  negligible: f64; // a row with t_i <= negligible * C_i is not moved
  trust: f64; // a check is made when estimate <= trust * allowed gap
  dual: f64; // running, by adding each step's gain; exact after a check
  primal: f64; // out, at the last check
  gap: f64; // out, at the last check
  recentGap: f64; // out: relative gap as the last sweep or check found it
}

// A block of svmlight text and where its rows go.
//
//    0  | next        | end         | values      | indices        |
//   16  | starts      | labels      | queries     | decimal        |
//   32  | base        | featureLimit | rowCount   | valueCount     |
//   48  | featureCount | lineCount  | queryCount  |
@unmanaged
export class SvmlightBlock {
  next: usize; // in: the first byte. out: the first byte that was not parsed
  end: usize;
  values: usize; // f32[], room for one value every four bytes of text
  indices: usize; // u32[], the same
  starts: usize; // u32[], room for one row every two bytes of text, and one more
  labels: usize; // f64[], room for one row every two bytes of text
  queries: usize; // f64[], the same: the number behind "qid:", NaN where there is none
  decimal: usize; // Decimal, scratch
  base: u32; // number of the first feature in the text: 0 or 1
  featureLimit: u32; // a feature of this number, from 0, or more is not regular
  rowCount: u32; // out
  valueCount: u32; // out
  featureCount: u32; // out: the largest feature, from 0, plus 1
  lineCount: u32; // out: lines parsed, empty ones too
  queryCount: u32; // out: rows with a "qid:"
}

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
  targets: usize; // binary: f32[n], +1 or -1. multinomial: u32[n], the class
  costs: usize; // f64[n]: C_i
  scores: usize; // f64[n * K]: binary: margins y_i (w'x_i + b). multinomial: w_m'x_i + b_m
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
}
