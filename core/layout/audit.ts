// What the judge of kernel machines keeps. How structs are written and checked: rows.ts.

import { KernelKind } from "./kernel";

// A kernel, the support vectors, and eight rows ("lanes") whose sums over them are being made.
//
//    0  | rows        | kind        | degree      | columns        |
//   16  | vectors     | vectorCount | squares     | coefficients   |
//   32  | lanes       | laneSquares | sums        | tile           |
//   48  | constants   | (padding)   | gamma                        |
//   64  | coef0                     |
@unmanaged
export class Audit {
  rows: usize; // Rows
  kind: KernelKind; // not Linear and not Precomputed: those need no kernel values
  degree: u32;
  columns: u32; // sums of a row: 1, or 2 where the dual point is not the model's own
  vectors: usize; // u32[vectorCount]: which rows are support vectors
  vectorCount: u32;
  squares: usize; // f64[vectorCount]: |v|^2
  coefficients: usize; // f64[vectorCount][columns]
  lanes: usize; // f64[featureCount][8]: feature by feature the values of the eight rows; zero between two calls
  laneSquares: usize; // f64[8]: |u|^2 of the lanes
  sums: usize; // f64[columns][8]
  tile: usize; // f64[64][8], scratch: support vectors by rows
  constants: usize; // f64[19][2], scratch
  padding: u32;
  gamma: f64;
  coef0: f64;
}
