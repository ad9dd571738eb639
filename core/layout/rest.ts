// What dual coordinate descent of many classes at once keeps (core/linear/rest-descent.ts). How structs are written and checked: rows.ts.
//
// A lane is a class; lanes come in fours, of which the last may hold some that are nobody's.
//
//    0  | rows        | rowIds      | classIds    | order          |
//   16  | limits      | curvatures  | alpha       | w              |
//   32  | bias        | scores      | used        | features       |
//   48  | estimates   | rewards     | gaps        | losses         |
//   64  | random      | rowCount    | vectors     | loss           |
//   80  | cursor      | biasSquare  |
@unmanaged
export class RestState {
  rows: usize; // Rows
  rowIds: usize; // u32[rowCount]: which rows of the matrix
  classIds: usize; // u32[rowCount]: the lane of a row's own class; any other number where it has none here
  order: usize; // u32[rowCount]
  limits: usize; // f32[rowCount]: U_i of the hinge, C_i of the logistic loss, D_ii = 1 / (2 C_i) of the squared hinge
  curvatures: usize; // f32[rowCount]: Q_ii + s^2, filled by the core
  alpha: usize; // f32[rowCount][lanes]; of the logistic loss log(a / (C - a))
  w: usize; // f32[featureCount][lanes]
  bias: usize; // f32[lanes]
  scores: usize; // f32[lanes]: of the row at hand, then its steps
  used: usize; // u32[lanes]: all bits set where a lane is a class, else 0
  features: usize; // u32[featureCount]: 0, 1, 2, ... for dense rows; 0 for sparse ones
  estimates: usize; // f32[lanes]: the rows' gap terms as a sweep met them
  rewards: usize; // f32[lanes]: what D has grown by in a sweep
  gaps: usize; // f64[lanes]: the gap, by the last check
  losses: usize; // f64[lanes]: what P has beside 1/2 |w|^2, by the last check
  random: usize; // u32[4]
  rowCount: u32;
  vectors: u32; // lanes / 4
  loss: u32; // Loss
  cursor: u32; // how far the current pass has come
  biasSquare: f32; // s^2; 0 for no bias
}
