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

// The loss whose dual is being solved.
export const enum Loss {
  Hinge = 0,
  SquaredHinge = 1,
}

// All that a dual coordinate step knows of one row, together, because rows are visited in random order: one cache line.
//
//   0       8       16          24    28
//   | alpha | limit | curvature | row | y |      32 bytes, rows of them start at a multiple of 32
//
//   limit   hinge: U_i = C_i        squared hinge: D_ii = 1 / (2 C_i)
@unmanaged
export class DcdRow {
  alpha: f64;
  limit: f64;
  curvature: f64; // Q_ii + D_ii, filled by the core
  row: u32; // which row of the matrix
  y: f32; // +1 or -1
}

// The whole state of a dual coordinate descent between two calls of `advance`.
//
//    0  | rows        | table       | order       | w              |
//   16  | random      | rowCount    | activeCount | cursor         |
//   32  | phase       | loss        | iterationLimit | shrinking   |
//   48  | checks      | touched     | visits                       |
//   64  | biasScale                 | tolerance                    |
//   80  | zeroPrimal                | shrinkAbove                  |
//   96  | shrinkBelow               | pgMax                        |
//  112  | pgMin                     | estimate                     |
//  128  | trust                     | dual                         |
//  144  | primal                    | gap                          |
//  160  | recentGap                 |
@unmanaged
export class DcdState {
  rows: usize; // Rows
  table: usize; // DcdRow[rowCount]
  order: usize; // u32[rowCount]: positions in table; the first activeCount are active
  w: usize; // f64[featureCount + 1], the last one belongs to the bias
  random: usize; // u32[4]
  rowCount: u32;
  activeCount: u32;
  cursor: u32; // how far the current phase has come
  phase: u32;
  loss: u32;
  iterationLimit: u32; // in passes over all rows; visits to fewer active rows count for their share
  shrinking: u32; // 0 or 1
  checks: u32; // out: exact gap checks made
  touched: u32; // sum of values read ahead, means nothing
  visits: f64; // out: rows visited so far, a whole number
  biasScale: f64; // value of the constant feature, 0 for no bias
  tolerance: f64; // on the relative gap
  zeroPrimal: f64; // P(0) = sum C_i, the scale of the gap's floor
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
