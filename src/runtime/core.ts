// The numeric core as the host sees it: the exports of core/index.ts, instantiated on a memory.

export interface Core {
  kernelSquares(kernel: number, rows: number, out: number, ids: number, count: number): void;
  loadLanes(kernel: number, rows: number, squares: number, ids: number, count: number, featureCount: number): void;
  clearLanes(kernel: number, rows: number, ids: number, featureCount: number): void;
  shareLanes(own: number, other: number): void;
  areOnes(rows: number): number;
  misfit(rows: number, ids: number, count: number, perOne: number, tolerance: number): number;
  unitRows(units: number, rows: number, ids: number, count: number): void;
  lowerFeatures(features: number, count: number): number;
  turnSigns(values: number, count: number, sign: number): void;
  gatherCoefficients(
    dense: number,
    from: number,
    to: number,
    columns: number,
    places: number,
    starts: number,
    outPlaces: number,
    outValues: number,
    next: number,
  ): number;
  largestSquare(rows: number, ids: number, count: number, base: number, per: number): number;
  companions(company: number): number;
  cameAlong(company: number, stamps: number, place: number, step: number): void;
  countedTable(kernel: number, size: number): void;
  writeBits(kernel: number, ids: number, count: number): void;
  kernelRows(kernel: number, columns: number, from: number, to: number): void;
  sideGains(side: number, from: number): void;
  sideExtremes(side: number): void;
  sideLargest(side: number, addends: number, sign: number, count: number, skip: number, drift: number): number;
  sideGap(side: number, rho: number): void;
  sideOffset(side: number, steps: number): number;
  sideSizes(side: number, units: number, out: number): void;
  sideReach(side: number, rho: number, units: number, reach: number, weights: number): number;
  sideErrors(side: number, rho: number, units: number, usual: number, most: number): number;
  diagonalRoots(diagonal: number, size: number, out: number): void;
  drawEvenly(weights: number, size: number, total: number, places: number, count: number): void;
  addRows(f: number, rows: number, deltas: number, count: number, from: number, to: number): void;
  addRough(rows: number, coefficients: number, count: number, from: number, to: number, sums: number, stride: number): void;
  gatherWords(from: number, order: number, count: number, out: number): void;
  markGaining(side: number, mostUp: number, mostLow: number, isKept: number): void;
  markedFirst(marks: number, size: number, order: number): number;
  countHolding(side: number): number;
  gatherFloats(row: number, places: number, count: number, out: number): void;
  copyRuns(row: number, runs: number, runCount: number, out: number): void;
  gatherDoubles(from: number, order: number, count: number, out: number): void;
  keepFloats(row: number, kept: number, count: number): void;
  reorderFloats(row: number, order: number, kept: number, count: number, scratch: number): void;
  solveBlock(block: number): void;
  smoAdvance(smo: number, count: number): number;
  smoLook(rounds: number): void;
  smoMeasure(rounds: number): void;
  smoRounds(rounds: number, until: number, budget: number): number;
  smoSum(rounds: number): void;
  fillSegments(segments: number, count: number): void;
  sumExact(
    kernel: number,
    ids: number,
    values: number,
    size: number,
    columns: number,
    f: number,
    count: number,
    lanes: number,
    deltas: number,
  ): void;
  smoFold(smo: number): number;
  smoGather(smo: number, isOpen: boolean): void;
  smoHelp(smo: number): void;
  addExact(kernel: number, columns: number, f: number, deltas: number, from: number, to: number): void;
  decideRows(decision: number, count: number): void;
  decideSigns(decision: number, count: number): void;
  mostVotes(out: number, decision: number, rowCount: number, classCount: number, tally: number): void;
  equalRows(rows: number, firstOf: number, hashes: number, table: number, mask: number, from: number, to: number): number;
  gatherRows(rows: number, ids: number, count: number, out: number): void;
  auditStart(audit: number): void;
  auditRows(audit: number, ids: number, count: number, out: number, first: number, stride: number): void;
  judgeTimes(rows: number, ids: number, count: number, w: number, out: number): void;
  judgeSum(rows: number, ids: number, coefficients: number, count: number, u: number): void;
  judgeRestBounds(state: number, from: number, count: number, sums: number): void;
  judgeRestBalance(state: number, from: number, count: number, scales: number): void;
  judgeRestSum(state: number, from: number, count: number): void;
  judgeRestRows(state: number, from: number, count: number): void;
  judgeRestSquares(state: number, out: number): void;
  judgeRestLane(from: number, count: number, lanes: number, lane: number, out: number): void;
  restCurvatures(state: number): void;
  restSweep(state: number, budget: number): boolean;
  restCheck(state: number, budget: number): boolean;
  restRebuild(state: number, budget: number): boolean;
  restDecide(state: number, ids: number, count: number, out: number): void;
  restNorms(state: number, out: number): void;
  restDuals(state: number, costs: number, out: number): void;
  csStart(state: number): void;
  csAdvance(state: number, budget: number): number;
  dcdStart(state: number): void;
  dcdAdvance(state: number, budget: number): number;
  lossRows(state: number, block: number, from: number, to: number, t: number, fresh: number): void;
  lineRows(state: number, block: number, from: number, to: number, t: number): void;
  curveRows(state: number, block: number, from: number, to: number): void;
  diagonalRows(state: number, block: number, from: number, to: number): void;
  sampleRows(state: number, block: number, from: number, to: number, share: number): void;
  multinomialLossRows(state: number, block: number, from: number, to: number, t: number, fresh: number): void;
  multinomialLineRows(state: number, block: number, from: number, to: number, t: number): void;
  multinomialCurveRows(state: number, block: number, from: number, to: number): void;
  multinomialDiagonalRows(state: number, block: number, from: number, to: number): void;
  multinomialSampleRows(state: number, block: number, from: number, to: number, share: number): void;
  factorStart(state: number): void;
  factorRows(state: number, from: number, to: number): void;
  spreadSheets(state: number): void;
  gatherSheets(state: number): void;
  takeVector(state: number, vector: number): void;
  gradientStep(state: number, t: number): void;
  scaleStep(state: number, share: number): void;
  cgStart(state: number): number;
  cgStep(state: number, alpha: number): number;
  cgDirection(state: number, beta: number): void;
  acceptStep(state: number, t: number): void;
  logisticStart(state: number): void;
  logisticAdvance(state: number, budget: number): number;
  interiorStart(state: number): void;
  interiorAdvance(state: number, budget: number): number;
  dcdSettle(state: number): void;
  clearSums(lossRows: number): void;
  slopePass(lossRows: number, from: number, to: number): void;
  turnPass(lossRows: number, v: number, from: number, to: number): void;
  sumLoss(lossRows: number, t: number, from: number, to: number): void;
  moveMargins(lossRows: number, t: number, from: number, to: number): void;
  dualPass(lossRows: number, a: number, positiveScale: number, negativeScale: number, from: number, to: number): void;
  gramSample(gram: number, lossRows: number, stride: number, from: number, to: number): void;
  raiseDiagonal(gram: number): void;
  gramRows(gram: number, lossRows: number, slack: number, floor: number, from: number, to: number): void;
  mirror(gram: number): void;
  gramSweep(gram: number): number;
  factorLines(gram: number, count: number, ridge: number, from: number, to: number): void;
  solveFactor(gram: number, count: number): void;
  movePoint(gram: number, k: number, next: number): void;
  countColumns(columns: number, lossRows: number, from: number, to: number): void;
  startColumns(columns: number): void;
  scatterColumns(columns: number, lossRows: number, from: number, to: number): void;
  startSlopes(columns: number, lossRows: number, point: number, positiveScale: number, negativeScale: number): void;
  columnReach(columns: number, budget: number): number;
  columnSlopes(columns: number, near: number, budget: number): number;
  startModel(columns: number, lossRows: number): void;
  endModel(columns: number, lossRows: number): void;
  startSweep(columns: number): void;
  columnSweep(columns: number, budget: number): number;
  startDescent(columns: number, lossRows: number): void;
  endDescent(columns: number, lossRows: number): void;
  descentSweep(columns: number, budget: number): number;
  startPolish(columns: number): void;
  polishSweep(columns: number, budget: number): number;
  endPolish(columns: number, lossRows: number, isBounded: number): void;
  parseBlock(block: number): number;
  parseVectors(block: number, columns: number, rowLimit: number): number;
  writeNumbers(values: number, count: number, columns: number, column: number, tables: number, out: number, written: number): number;
  writeVectors(
    coefficients: number,
    columns: number,
    starts: number,
    indices: number,
    values: number,
    from: number,
    to: number,
    tables: number,
    out: number,
    written: number,
  ): number;
  countBytes(out: number, from: number, to: number, first: number, second: number): void;
  decisionRows(out: number, rows: number, from: number, to: number, w: number, b: number): void;
  decisionRowsWide(out: number, rows: number, from: number, to: number, w: number, b: number, outputs: number): void;
}

export function instantiateCore(module: WebAssembly.Module, memory: WebAssembly.Memory): Core {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Core;
}
