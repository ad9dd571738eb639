// The host's half of core/layout.ts: field offsets of the core's structs. test/unit/core/layout.test.ts compares them with
// the core's own.

type FieldType = "u32" | "f32" | "f64";
const SIZE: Record<FieldType, number> = { u32: 4, f32: 4, f64: 8 };

/** A struct's fields in order, with natural alignment. */
export interface Struct<Name extends string = string> {
  readonly size: number;
  readonly offsets: Readonly<Record<Name, number>>;
  readonly types: Readonly<Record<Name, FieldType>>;
}

function struct<const F extends Readonly<Record<string, FieldType>>>(types: F): Struct<keyof F & string> {
  const offsets: Record<string, number> = {};
  let end = 0;
  let widest = 4;
  for (const [name, type] of Object.entries(types)) {
    const size = SIZE[type];
    end = Math.ceil(end / size) * size;
    offsets[name] = end;
    end += size;
    widest = Math.max(widest, size);
  }
  return { size: Math.ceil(end / widest) * widest, offsets: offsets as Record<keyof F & string, number>, types };
}

export const rowsStruct = struct({
  kind: "u32",
  rowCount: "u32",
  featureCount: "u32",
  values: "u32",
  indices: "u32",
  starts: "u32",
});

export const dcdRowStruct = struct({ alpha: "f64", limit: "f64", curvature: "f64", row: "u32", y: "f32" });

export const dcdStateStruct = struct({
  rows: "u32",
  table: "u32",
  order: "u32",
  w: "u32",
  random: "u32",
  breaks: "u32",
  rowCount: "u32",
  activeCount: "u32",
  cursor: "u32",
  phase: "u32",
  loss: "u32",
  iterationLimit: "u32",
  shrinking: "u32",
  isFree: "u32",
  isWarm: "u32",
  checks: "u32",
  touched: "u32",
  visits: "f64",
  biasSquare: "f64",
  tolerance: "f64",
  violation: "f64",
  zeroPrimal: "f64",
  bias: "f64",
  centre: "f64",
  bestBias: "f64",
  shrinkAbove: "f64",
  shrinkBelow: "f64",
  pgMax: "f64",
  pgMin: "f64",
  estimate: "f64",
  trust: "f64",
  dual: "f64",
  primal: "f64",
  gap: "f64",
  recentGap: "f64",
  reviveBelow: "f64",
});

export const logisticRowStruct = struct({
  alpha: "f64",
  rest: "f64",
  logit: "f64",
  cost: "f64",
  curvature: "f64",
  row: "u32",
  y: "f32",
});

export const logisticStateStruct = struct({
  rows: "u32",
  table: "u32",
  order: "u32",
  w: "u32",
  random: "u32",
  rowCount: "u32",
  cursor: "u32",
  phase: "u32",
  iterationLimit: "u32",
  checks: "u32",
  touched: "u32",
  inner: "u32",
  visits: "f64",
  biasScale: "f64",
  tolerance: "f64",
  zeroPrimal: "f64",
  estimate: "f64",
  trust: "f64",
  dual: "f64",
  primal: "f64",
  gap: "f64",
  recentGap: "f64",
});

export const interiorRowStruct = struct({
  alpha: "f64",
  rest: "f64",
  slack: "f64",
  excess: "f64",
  residual: "f64",
  theta: "f64",
  product: "f64",
  restProduct: "f64",
  change: "f64",
  kept: "f64",
  cost: "f64",
  row: "u32",
  y: "f32",
});

export const interiorStateStruct = struct({
  rows: "u32",
  table: "u32",
  matrix: "u32",
  panels: "u32",
  w: "u32",
  dualW: "u32",
  right: "u32",
  centre: "u32",
  direction: "u32",
  keptW: "u32",
  rowCount: "u32",
  cursor: "u32",
  panel: "u32",
  phase: "u32",
  way: "u32",
  iterationLimit: "u32",
  iterations: "u32",
  stalls: "u32",
  shortSteps: "u32",
  isCentred: "u32",
  trials: "u32",
  biasScale: "f64",
  biasPenalty: "f64",
  tolerance: "f64",
  zeroPrimal: "f64",
  step: "f64",
  reach: "f64",
  target: "f64",
  complementarity: "f64",
  quadratic: "f64",
  alphaSum: "f64",
  primal: "f64",
  dual: "f64",
  recentGap: "f64",
  bestGap: "f64",
  barrier: "f64",
  slope: "f64",
  bend: "f64",
  firstSlope: "f64",
  low: "f64",
  high: "f64",
});

export const lossRowsStruct = struct({
  rows: "u32",
  rowIds: "u32",
  signs: "u32",
  costs: "u32",
  margins: "u32",
  turns: "u32",
  slopes: "u32",
  curvatures: "u32",
  up: "u32",
  down: "u32",
  loss: "u32",
  rowCount: "u32",
  constant: "f64",
  lossSum: "f64",
  positiveSum: "f64",
  negativeSum: "f64",
  positiveSecond: "f64",
  negativeSecond: "f64",
  curvatureSum: "f64",
  bentCount: "f64",
});

export const gramStruct = struct({
  place: "u32",
  applied: "u32",
  places: "u32",
  values: "u32",
  matrix: "u32",
  factor: "u32",
  point: "u32",
  slope: "u32",
  penalty: "u32",
  chosen: "u32",
  step: "u32",
  size: "u32",
  stack: "u32",
  weights: "u32",
  stackCount: "u32",
});

export const columnsStruct = struct({
  starts: "u32",
  indices: "u32",
  values: "u32",
  pairs: "u32",
  w: "u32",
  gradient: "u32",
  point: "u32",
  diagonal: "u32",
  list: "u32",
  order: "u32",
  random: "u32",
  featureCount: "u32",
  columnCount: "u32",
  listCount: "u32",
  activeCount: "u32",
  cursor: "u32",
  biasPenalty: "f64",
  shrinkBelow: "f64",
  violation: "f64",
  worst: "f64",
  reach: "f64",
  work: "f64",
});

const csRowFields = { cost: "f64", curvature: "f64", row: "u32", classId: "u32", activeClasses: "u32", reserved: "u32" } as const;
export const csRowStruct = struct(csRowFields);

/** A row of a Crammer-Singer problem with what follows it: shares share0, share1, ... and as many words, padded to half a cache line. */
export function csRecordStruct(classCount: number): Struct {
  const shares = Object.fromEntries(Array.from({ length: classCount }, (_, m) => [`share${m}`, "f64"] as const));
  const { size, ...rest } = struct({ ...csRowFields, ...shares });
  return { ...rest, size: Math.ceil((size + 4 * classCount) / 32) * 32 };
}

export const csStateStruct = struct({
  rows: "u32",
  table: "u32",
  order: "u32",
  w: "u32",
  numbers: "u32",
  scores: "u32",
  targets: "u32",
  kept: "u32",
  steps: "u32",
  moved: "u32",
  random: "u32",
  rowCount: "u32",
  classCount: "u32",
  stride: "u32",
  recordBytes: "u32",
  touched: "u32",
  activeCount: "u32",
  inactiveFrom: "u32",
  cursor: "u32",
  phase: "u32",
  iterationLimit: "u32",
  shrinking: "u32",
  checks: "u32",
  innerSweeps: "u32",
  visits: "f64",
  work: "f64",
  biasScale: "f64",
  tolerance: "f64",
  zeroPrimal: "f64",
  scale: "f64",
  stageStart: "f64",
  estimate: "f64",
  reference: "f64",
  margin: "f64",
  negligible: "f64",
  trust: "f64",
  dual: "f64",
  primal: "f64",
  gap: "f64",
  recentGap: "f64",
});

export const svmlightBlockStruct = struct({
  next: "u32",
  end: "u32",
  values: "u32",
  indices: "u32",
  starts: "u32",
  labels: "u32",
  queries: "u32",
  decimal: "u32",
  base: "u32",
  featureLimit: "u32",
  rowCount: "u32",
  valueCount: "u32",
  featureCount: "u32",
  lineCount: "u32",
  queryCount: "u32",
});

export const newtonStateStruct = struct({
  rows: "u32",
  rowIds: "u32",
  targets: "u32",
  costs: "u32",
  scores: "u32",
  steps: "u32",
  bends: "u32",
  active: "u32",
  blockStarts: "u32",
  activeCounts: "u32",
  sheets: "u32",
  w: "u32",
  gradient: "u32",
  direction: "u32",
  residual: "u32",
  scale: "u32",
  solved: "u32",
  factor: "u32",
  column: "u32",
  hasFactor: "u32",
  classCount: "u32",
  width: "u32",
  stride: "u32",
  reach: "u32",
  sheetLength: "u32",
  blockCount: "u32",
  loss: "u32",
  first: "u32",
  biasScale: "f64",
  biasPenalty: "f64",
  gradientSquare: "f64",
  slope: "f64",
  weightSquare: "f64",
  weightGradient: "f64",
  residualSquare: "f64",
  inSquare: "f64",
  weightDirection: "f64",
  directionSquare: "f64",
});

/** Integers that mean something to the core; the names are those of core/layout.ts and of the solver. */
export const rowKinds = { dense: 0, csr: 1 } as const;
export const losses = { hinge: 0, squared_hinge: 1, logistic: 2 } as const;

/** How the interior point method sums its matrix. */
export const normalMatrixWays = { rows: 0, blocks: 1 } as const;
export const coreProgress = { running: 0, converged: 1, iterationLimit: 2 } as const;

/** Bytes behind the arrays of a matrix that the core may read (touchRowValues), so that reading ahead stays inside. */
export const ROW_PADDING = 128;

/** Where a struct is, with its fields readable and writable by name. */
export class StructView<Name extends string> {
  readonly pointer: number;
  readonly #struct: Struct<Name>;
  readonly #view: DataView;

  constructor(struct: Struct<Name>, buffer: ArrayBufferLike, pointer: number) {
    this.#struct = struct;
    this.#view = new DataView(buffer, pointer, struct.size);
    this.pointer = pointer;
  }

  get(name: Name): number {
    const at = this.#struct.offsets[name];
    const type = this.#struct.types[name];
    if (type === "u32") return this.#view.getUint32(at, true);
    return type === "f32" ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  set(name: Name, value: number): void {
    const at = this.#struct.offsets[name];
    const type = this.#struct.types[name];
    if (type === "u32") this.#view.setUint32(at, value, true);
    else if (type === "f32") this.#view.setFloat32(at, value, true);
    else this.#view.setFloat64(at, value, true);
  }

  assign(values: Partial<Record<Name, number>>): void {
    for (const name in values) this.set(name, values[name] as number);
  }
}

type Numbers = Float64Array | Float32Array | Uint32Array;

/** One field of many structs in a row, by position. */
export class Column {
  readonly #array: Numbers;
  readonly #stride: number;

  constructor(struct: Struct, name: string, buffer: ArrayBufferLike, pointer: number, count: number) {
    const type = struct.types[name] as FieldType;
    this.#stride = struct.size / SIZE[type];
    const first = pointer + (struct.offsets[name] as number);
    const length = count === 0 ? 0 : (count - 1) * this.#stride + 1;
    if (type === "f64") this.#array = new Float64Array(buffer, first, length);
    else if (type === "f32") this.#array = new Float32Array(buffer, first, length);
    else this.#array = new Uint32Array(buffer, first, length);
  }

  /** Sets the field of all structs. */
  fill(values: ArrayLike<number>): void {
    const array = this.#array;
    const stride = this.#stride;
    for (let k = 0; k < values.length; k++) array[k * stride] = values[k] as number;
  }

  /** The field of the first `count` structs. */
  copy(count: number): Float64Array {
    const array = this.#array;
    const stride = this.#stride;
    const values = new Float64Array(count);
    for (let k = 0; k < count; k++) values[k] = array[k * stride] as number;
    return values;
  }
}
