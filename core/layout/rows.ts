// A matrix as the host lays it out, and the losses by number. Structs that the host writes and the core reads: little-endian,
// pointers are 32-bit byte offsets into the memory. The host's half is src/runtime/layout.ts; test/unit/core/layout.test.ts compares every offset.

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
  Tube = 3,
  SquaredTube = 4,
}
