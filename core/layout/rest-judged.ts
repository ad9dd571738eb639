// What the judge of many classes at once keeps (core/certify/rest-sums.ts). How structs are written and checked: rows.ts.
//
// A lane is a class; lanes come in fours, of which the last may hold some that are nobody's.
//
//    0  | rows        | rowIds      | classIds    | costs          |
//   16  | alpha       | w           | bias        | scores         |
//   32  | primal      | dual        | lanes       | loss           |
@unmanaged
export class RestJudged {
  rows: usize; // Rows
  rowIds: usize; // u32[rowCount]: which rows of the matrix
  classIds: usize; // u32[rowCount]: the lane of a row's own class; any other number where it has none here
  costs: usize; // f64[rowCount]
  alpha: usize; // f64[rowCount][lanes]
  w: usize; // f64[featureCount][lanes]
  bias: usize; // f64[lanes]
  scores: usize; // f64[lanes]: of the row at hand
  primal: usize; // f64[lanes]
  dual: usize; // f64[lanes]
  lanes: u32;
  loss: u32; // Loss
}
