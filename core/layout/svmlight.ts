// A block of svmlight text on its way into rows. How structs are written and checked: rows.ts.

// A block of svmlight text and where its rows go.
//
//    0  | next        | end         | values      | indices        |
//   16  | starts      | labels      | queries     | decimal        |
//   32  | base        | featureLimit | rowCount   | valueCount     |
//   48  | featureCount | lineCount  | queryCount  | least          |
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
  least: u32; // scratch: what the next index of a line must be at least
}
