// What kernel machines keep. How structs are written and checked: rows.ts.

// K(u, v) by number.
export const enum KernelKind {
  Linear = 0, // u'v
  Polynomial = 1, // (gamma u'v + coef0)^degree
  Rbf = 2, // exp(-gamma |u - v|^2)
  Sigmoid = 3, // tanh(gamma u'v + coef0)
  Precomputed = 4, // row u of the matrix at place v
}

// A kernel, and up to eight rows ("lanes") whose values with all others are being computed.
//
//    0  | rows        | kind        | degree      | isWide         |
//   16  | lanes       | laneCount   | laneSquares | squares        |
//   32  | dots        | outs        | tile        | constants      |
//   48  | tileSquares | isLess      | gamma                        |
//   64  | coef0                     | isCounted   | units          |
//   80  | bits        | bitWords    |
@unmanaged
export class Kernel {
  rows: usize; // Rows: the others
  kind: KernelKind;
  degree: u32;
  isWide: u32; // whether dot products are summed in float64, for data whose squares are too large for float32; F below is then f64, else f32
  lanes: usize; // F[featureCount][8]: feature by feature the values of the eight rows; of sparse ones zero between two blocks. Of counted ones u16, or of sixteen rows u8, or bits, and a table behind; of those in units i16, as units.ts draws them
  laneCount: u32; // how many of the eight are in use
  laneSquares: usize; // F[8]: |u|^2 of the lanes
  squares: usize; // F[rowCount]: |v|^2 of the others
  dots: usize; // f64[4][8], scratch
  outs: usize; // u32[8]: where each lane's values go, f32 by position
  tile: usize; // f32[8][512], scratch: dot products, lane by lane or position by position
  constants: usize; // f32[13][4] or f64[19][2], scratch
  tileSquares: usize; // f32[512], scratch: |v|^2 at their positions
  isLess: u32; // 1: values of rbf less 1, which are the same to sums of zero, and keep their digits where they are near 1
  gamma: f64;
  coef0: f64;
  isCounted: u32; // 1: the rows are sparse and all their values 1, and those of the lanes: counted.ts. Not of wide kernels
  units: usize; // Units of the rows and of the lanes, or 0: units.ts. Not of wide kernels, and not of counted ones
  bits: usize; // u64[rowCount][bitWords]: counted rows as bits, lanes too, or 0: bits.ts. Of rbf only
  bitWords: u32; // 2 or 4
}

// Rows whose values are whole multiples of a unit.
//
//    0  | begins      | ends        | records     | (padding)      |
//   16  | perOne                    | tolerance                    |
@unmanaged
export class Units {
  begins: usize; // u32[rowCount]: where the records of a row begin,
  ends: usize; // u32[rowCount]: and end
  records: usize; // of all rows: kernel/units.ts
  padding: u32;
  perOne: f64; // units that make 1, a whole number
  tolerance: f64; // how far a value may be from a multiple, beside what rounding to float32 does to it
}

// What predictions of a model are made from, and the rows they are for.
//
//    0  | kernel      | rows        | rowSquares  | ids            |
//   16  | vectorCount | featureCount | vectors    | isExact        |
//   32  | starts      | places      | coefficients | biases        |
//   48  | outputCount | sums        | out         | plain          |
//   64  | sorted      | beside      | quick       | bySign         |
//   80  | weights     | above       | termCount   | terms          |
//   96  | reach                     |
@unmanaged
export class Decision {
  kernel: usize; // Kernel, whose `rows` are the support vectors
  rows: usize; // Rows: those to predict
  rowSquares: usize; // F[8], scratch; of a kernel in units F[ids]
  ids: usize; // u32[]: the rows of this call
  vectorCount: u32;
  featureCount: u32; // of the model: what rows have beyond is left out
  vectors: usize; // u32[vectorCount]: 0, 1, 2, ...
  isExact: u32; // 1: kernel values in float64, and the kernel is wide
  starts: usize; // u32[vectorCount + 1]: the coefficients of vector v that are not 0 are those in [starts[v], starts[v + 1]):
  places: usize; // u32[]: the decision value that each is part of; 0: there is one, and every vector has a coefficient
  coefficients: usize; // f64[]
  biases: usize; // f64[outputCount]
  outputCount: u32;
  sums: usize; // f64[outputCount][16], scratch
  out: usize; // f64[ids][outputCount]
  plain: usize; // Kernel of rows that are not on the grid of the units that `kernel` is in; 0 where it is in none
  sorted: usize; // u32[ids], scratch of a kernel in units, and of signs
  beside: usize; // Kernel, the same as a kernel in units but for its lanes and scratch: for eight rows more
  quick: usize; // Kernel of the same vectors, narrow, its squares float64's, rounded, where only the sign of the one decision value is wanted and `kernel` is wide: signs.ts
  bySign: usize; // u32[termCount]: the vectors that have a coefficient, those above 0 first
  weights: usize; // f64[termCount]: and their coefficients
  above: u32; // those above 0
  termCount: u32;
  terms: u32; // the most values of any vector
  reach: f64; // the largest |v|
}

// One sum constraint of a problem, and the variables under it: min 1/2 v'Kv - z'v + epsilon |v|_1,  lo <= v <= hi,  sum v given. F = Kv - z.
// What changes with every step is in the second 64 bytes: a second thread reads the first, and what one thread writes another has to fetch, 64 bytes at a time.
//
//    0  | size        | f           | z           | value          |
//   16  | lo          | hi          | up          | low            |
//   32  | scores      | places      | upGain      | lowGain        |
//   48  | epsilon                   | gap                          |
//   64  | mostUp                    | mostLow                      |
//   80  | dual                      | upPlace     |
@unmanaged
export class Side {
  size: u32; // positions in use: rows that are not set aside
  f: usize; // f64[size]: F
  z: usize; // f64[size]
  value: usize; // f64[size]: v
  lo: usize; // f64[size]
  hi: usize; // f64[size]
  up: usize; // f64[size]: what -F lacks to the gain of raising v: -epsilon or epsilon, or -Infinity where v is at hi
  low: usize; // f64[size]: what F lacks to the gain of lowering v: epsilon or -epsilon, or -Infinity where v is at lo
  scores: usize; // f64[], scratch and out: the largest gains, a heap
  places: usize; // u32[], scratch and out: their positions
  upGain: usize; // f32[size]: up - f, and
  lowGain: usize; // f32[size]: low + f, for passes in float32
  epsilon: f64;
  gap: f64; // out
  mostUp: f64; // out: the largest gain of raising
  mostLow: f64; // out: the largest gain of lowering
  dual: f64; // out
  upPlace: u32; // out: where the largest gain of raising is; of a descent, the variable to move
}

// Pair steps over all rows in use, or steps of one variable where there is no sum constraint (descent.ts). What changes with every step is in the second 64 bytes, as in Side.
//
//    0  | first       | other       | rowOf       | stamps         |
//   16  | diagonal    | isEven      | drift       | isQuick        |
//   32  | tolerance                 | noise                        |
//   48  | relay       | own         | others      | theirs         |
//   64  | steps                     | dual                         |
//   80  | violation                 | wanted      | wantedSide     |
//   96  | wantedUp    | alone       | penalty     | inTime         |
//  112  | beyond                    |
@unmanaged
export class Smo {
  first: usize; // Side
  other: usize; // Side, or 0 where there is one only
  rowOf: usize; // u32[size]: where the kernel row of each position is, f32 by position, or 0 where it is not in memory
  stamps: usize; // u32[size]: the step that used the row last
  diagonal: usize; // f32[size]: K_tt
  isEven: u32; // 1: all K_tt are the same
  drift: usize; // f32[size]: what steps did to F since the last fold
  isQuick: u32; // whether passes are made in float32: quick.ts
  tolerance: f64; // on the violation
  noise: f64; // what float32 may do to a sum of two gains
  relay: usize; // Relay
  own: usize; // Part: what came out of a pass, or of the second half of one,
  others: usize; // Part: and of the first
  theirs: usize; // Part: the same, of the second thread while it is at it
  steps: f64; // so far
  dual: f64; // D, raised by what steps gain
  violation: f64; // out: the largest sum of gains of a pair, or the largest gain of one
  wanted: u32; // out: the position whose row is needed,
  wantedSide: u32; // out: of this side,
  wantedUp: u32; // out: to be raised (1) or lowered (0)
  alone: u32; // passes that are not offered to the second thread, because it was late
  penalty: u32; // passes to be made alone when it is late again
  inTime: u32; // passes for which it was in time since that changed
  beyond: f64; // by which part of the way steps go beyond the optimum of their pair
}

// What two threads say to each other about a pass: 64 bytes that go from one to the other and back, and nothing else is near them.
//
//    0  | second      | isClosed    | pass        | side           |
//   16  | place       | middle      | rowI        | rowJ           |
//   32  | amount                    | most                         |
//   48  | low                       | which       | (padding)      |
@unmanaged
export class Relay {
  second: Second; // what the second thread does
  isClosed: u32; // no more passes for now: the second thread is to leave
  pass: HalfPass; // what is to be made of the positions [0, middle):
  side: usize; // Side
  place: u32; // i
  middle: u32;
  rowI: usize;
  rowJ: usize;
  amount: f64; // delta, or what i gains
  most: f64; // what came out of it, as in Part
  low: f64;
  which: u32;
  padding: u32;
}

// The kernel rows of a one-vs-one problem: first all positions of one class, then all of another; and where those that are in memory are (solve/row-store.ts).
//
//    0  | kernel      | rows        | columns     | size           |
//   16  | split       | kept        | room        | memory         |
//   32  | stride      | slotCount   | fresh       | slotOf         |
//   48  | placeOf     | filled      | places      | starts         |
//   64  | ids         | company     | computed                     |
@unmanaged
export class Segments {
  kernel: usize; // Kernel
  rows: usize; // Rows
  columns: usize; // u32[size]: rows of the matrix by position
  size: u32; // positions
  split: u32; // how many of them are of the first class
  kept: usize; // u32[rowCount of rows]: where a row's values with those of its own class are, f32, or 0 where they are not kept
  room: usize; // u32[2]: where there is room to keep more, and where that ends; shared by all problems of a thread
  memory: usize; // f32[slotCount][stride]
  stride: u32;
  slotCount: u32;
  fresh: u32; // slots that were in use so far: those behind have never been
  slotOf: usize; // u32[size]: the slot of a position's row
  placeOf: usize; // u32[slotCount]: the other way round
  filled: usize; // u32[slotCount]: how many values of it are there
  places: usize; // u32[8]: up to eight positions whose rows are wanted,
  starts: usize; // u32[8]: and where these go
  ids: usize; // u32[8], scratch
  company: usize; // Company
  computed: f64; // out: values so far
}

// Rows of a problem that came along with others (company.ts).
//
//    0  | places      | steps       | shared      | met            |
//   16  | isApt       | ringSize    |
@unmanaged
export class Company {
  places: usize; // u32[ringSize]: positions of the last of them,
  steps: usize; // u32[ringSize]: and the step at which each came
  shared: usize; // f64[2]: the share of them that was used, of late, and wanted rows since the last that had company; of all problems of a thread
  met: u32; // how many there were since positions were last put in order
  isApt: u32; // 1: a row by itself costs little more than one of eight
  ringSize: u32;
}

// Steps of a kernel machine, with a look at the gap now and then.
//
//    0  | smo         | segments    | isFree      | canRest        |
//   16  | canBeQuick  | byViolation | isWhole     | isDrifted      |
//   32  | rests       | isGapless   | tolerance                    |
//   48  | floor                     | errorGap                     |
//   64  | errorDual                 | looked                       |
//   80  | primal                    | relativeGap                  |
//   96  | violation                 | gained                       |
//  112  | counted                   | bestGap                      |
//  128  | stretch                   | patience                     |
//  144  | needsCleansing | (padding) |
@unmanaged
export class Rounds {
  smo: usize; // Smo
  segments: usize; // Segments, or 0 where the host brings all rows
  isFree: u32; // 1: no sum constraint
  canRest: u32; // 1: the zero model costs nothing
  canBeQuick: u32; // 1: kernel values allow passes in float32
  byViolation: u32; // 1: `tolerance` is on the violation, not on the relative gap
  isWhole: u32; // 1: no row is set aside
  isDrifted: u32; // whether F holds the rounding of passes in float32
  rests: u32; // out: 1 where the zero model is better than the one of the variables
  isGapless: u32; // 1: what should become smaller is the violation, since there is no gap
  tolerance: f64;
  floor: f64; // of the gap's denominator
  errorGap: f64; // what float32 kernel values may have done to the gap
  errorDual: f64; // and to D
  looked: f64; // the step of the last look
  primal: f64; // out
  relativeGap: f64; // out
  violation: f64; // out: the largest sum of gains of a pair, or the largest gain where none is needed, as of the last look
  gained: f64; // what steps say they have gained,
  counted: f64; // and D as it was when that was last counted
  bestGap: f64; // the smallest gap that counted as smaller than those before it
  stretch: f64; // steps without such a gap after which the host is to ask whether steps lead anywhere (solve/vigil.ts)
  patience: f64; // the step at which that is
  needsCleansing: u32; // out: 1 where F should be made anew, as of the last look
  padding: u32;
}

// A thread that takes halves of passes.
export const enum Second {
  Absent = 0,
  Ready = 1,
  Busy = 2, // with the half that was offered
}

// A pass that two threads can make together.
export const enum HalfPass {
  Partner = 0, // look for j
  Move = 1, // update F and find its extremes
}

// What came out of a part of a pass.
//
//    0  | most                      | low                          |
//   16  | which       | (padding)   |
@unmanaged
export class Part {
  most: f64; // the largest gain of raising, or the largest decrease of a pair
  low: f64; // the largest gain of lowering
  which: u32; // where `most` is
  padding: u32;
}

// A few variables, solved among themselves: those of the first side, then those of the second.
//
//    0  | size        | split       | matrix      | f              |
//   16  | value       | lo          | hi          | up             |
//   32  | low         | stepLimit   | steps       | (padding)      |
//   48  | epsilon                   | tolerance                    |
//   64  | gained                    |
@unmanaged
export class Block {
  size: u32;
  split: u32; // how many are of the first side: pairs are of one side
  matrix: usize; // f32[size][size]: K
  f: usize; // f64[size]: F, kept up to date
  value: usize; // f64[size]
  lo: usize; // f64[size]
  hi: usize; // f64[size]
  up: usize; // f64[size], as in Side
  low: usize; // f64[size]
  stepLimit: u32;
  steps: u32; // out: pair steps made
  padding: u32;
  epsilon: f64;
  tolerance: f64; // on the violation
  gained: f64; // out: by how much D was raised
}
