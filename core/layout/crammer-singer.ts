// What the sequential dual method keeps of Crammer and Singer's problem. How structs are written and checked: rows.ts.

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
//   96  | isWarm        | pad           | visits                        |
//  112  | work                          | biasScale                     |
//  128  | tolerance                     | zeroPrimal                    |
//  144  | scale                         | stageStart                    |
//  160  | estimate                      | reference                     |
//  176  | margin                        | negligible                    |
//  192  | trust                         | dual                          |
//  208  | primal                        | gap                           |
//  224  | recentGap                     | violation                     |
//  240  | worst                         |
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
  isWarm: u32; // 1: the host gave shares, each from 0 to C_i
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
  violation: f64; // above 0: stop by LIBLINEAR's rule instead, when no row's violation in a sweep over everything is above it
  worst: f64; // the largest violation of this sweep
}
