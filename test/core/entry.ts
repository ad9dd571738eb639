// Everything in core/ that a test wants to call; compiled like the release, only with more exports. test/core/setup.ts adds
// the offsets of every struct.

export { auditRows, auditStart } from "../../core/certify/kernel-sums";
export { judgeSum, judgeTimes } from "../../core/certify/linear-sums";
export {
  judgeRestBalance,
  judgeRestBounds,
  judgeRestLane,
  judgeRestRows,
  judgeRestSquares,
  judgeRestSum,
} from "../../core/certify/rest-sums";
export { productError } from "../../core/double-double";
export { equalRows, gatherRows } from "../../core/equal-rows";
export { exponentials, putExponentials } from "../../core/exponentials";
export { bitRows, setLaneBit, writeBits } from "../../core/kernel/bits";
export { solveBlock } from "../../core/kernel/block";
export { diagonalRoots, drawEvenly, sideErrors, sideOffset, sideReach, sideSizes } from "../../core/kernel/choice";
export { cameAlong, companions } from "../../core/kernel/company";
export { areOnes, countedRows, countedTable, tableOf } from "../../core/kernel/counted";
export { sumCounted } from "../../core/kernel/counted-sums";
export { decideExact, decideList, decideOnly, decideRows, decideTile } from "../../core/kernel/decide";
export { descentAdvance, descentLook } from "../../core/kernel/descent";
export { addExact, finishExact, sumExact } from "../../core/kernel/exact";
export { expLane, finishAll, finishLane, lessLane, powerLane, tanhLane } from "../../core/kernel/functions";
export { gatherCoefficients, largestSquare, lowerFeatures, turnSigns } from "../../core/kernel/loaded";
export { pairGain, pairStep } from "../../core/kernel/pair";
export { copyGain, driftedF, quickMove, quickPartner, smoFold } from "../../core/kernel/quick";
export { smoLook, smoMeasure, smoRounds, smoSum } from "../../core/kernel/rounds";
export {
  clearLanes,
  kernelRows,
  kernelSquares,
  loadLanes,
  shareLanes,
  valuesByPosition,
  valuesOfTwo,
  wideDots,
} from "../../core/kernel/rows";
export { bringWanted, fillSegments } from "../../core/kernel/segments";
export {
  addRough,
  addRows,
  copyRuns,
  countHolding,
  gatherDoubles,
  gatherFloats,
  gatherWords,
  keepFloats,
  markedFirst,
  markGaining,
  reorderFloats,
  setGains,
  sideExtremes,
  sideGains,
  sideGap,
  sideLargest,
} from "../../core/kernel/side";
export { decideSigns } from "../../core/kernel/signs";
export { smoAdvance, smoGather, smoHelp } from "../../core/kernel/smo";
export { isOnGrid, misfit, putUnit, unitDots, unitDotsOfTwo, unitNorm, unitRows } from "../../core/kernel/units";
export { mostVotes } from "../../core/kernel/votes";
export { isTube, tableRow } from "../../core/layout/descent";
export { factorRow, matrixRow, solveFactored } from "../../core/linear/cholesky";
export { gapTerm, keepNear, rebuildRow, recordAt, scoreRow, sharesOf, visitRow } from "../../core/linear/class-step";
export { addSome, scoreAll, scoreSome } from "../../core/linear/class-weights";
export {
  addColumnSums,
  addColumnTiles,
  blockAt,
  centreColumn,
  columnProducts,
  endEvenly,
  putInColumns,
  rightColumn,
  scaleColumns,
} from "../../core/linear/column-blocks";
export {
  columnReach,
  columnSlopes,
  columnSweep,
  countColumns,
  curvatureOf,
  endModel,
  moveColumn,
  penaltyOf,
  product,
  scatterColumns,
  startColumns,
  startModel,
  startSlopes,
  startSweep,
} from "../../core/linear/columns";
export { descentSweep, endDescent, moveSlack, startDescent } from "../../core/linear/columns-descent";
export { endPolish, polishSweep, startPolish } from "../../core/linear/columns-polish";
export { advance as csAdvance, start as csStart } from "../../core/linear/crammer-singer";
export { advance as logisticAdvance, fastExp, start as logisticStart } from "../../core/linear/dcd-logistic";
export { hingeGap, hingeVisit } from "../../core/linear/dcd-svc";
export { relaxed, tubeGap, tubeVisit } from "../../core/linear/dcd-svr";
export { advance as dcdAdvance, settle as dcdSettle, start as dcdStart } from "../../core/linear/descent";
export { factorAdd, factorRows, factorSolve, factorStart, sampleWeight } from "../../core/linear/factor";
export { balance, freeBiasWeight, leastLossBias, meanSquare, moveCentre } from "../../core/linear/free-bias";
export { gramLine, gramRows, gramSample, mirror, raiseDiagonal } from "../../core/linear/gram";
export { factorLines, gramSweep, movePoint, solveFactor } from "../../core/linear/gram-descent";
export { grow, isStageDone, startGrowing } from "../../core/linear/growing-costs";
export {
  addRows as addInteriorRows,
  blockRows,
  blockValues,
  columnsHere,
  fillColumns,
  multiply,
  rowAt,
  strideOf,
  unknowns,
} from "../../core/linear/interior-block";
export { advance as interiorAdvance, start as interiorStart } from "../../core/linear/interior-point";
export { centreRow, nextRow, tableRow as interiorRow } from "../../core/linear/interior-row";
export { clearSums, dualPass, moveMargins, slopePass, sumLoss, turnPass } from "../../core/linear/loss-rows";
export {
  multinomialCurveRows,
  multinomialDiagonalRows,
  multinomialLineRows,
  multinomialLossRows,
  multinomialSampleRows,
} from "../../core/linear/multinomial-rows";
export { curveRows, diagonalRows, lineRows, lossRows, sampleRows } from "../../core/linear/newton-rows";
export {
  acceptStep,
  cgDirection,
  cgStart,
  cgStep,
  gatherSheets,
  gradientStep,
  scaleStep,
  spreadSheets,
  takeVector,
} from "../../core/linear/newton-steps";
export { addOuter, addTiles, matrixStride, packRow } from "../../core/linear/normal-matrix";
export { estimatedGap, scaledGap, startOneClass, takeBestMultiple } from "../../core/linear/one-class";
export { breakAt } from "../../core/linear/quantile";
export { restCheck, restCurvatures, restDecide, restDuals, restNorms, restRebuild, restSweep } from "../../core/linear/rest-descent";
export { checkLogistic, visitLogistic } from "../../core/linear/rest-logistic";
export {
  addSteps as addRestSteps,
  alphaAt,
  scoreRow as scoreRestRow,
  touchAhead as touchRestAhead,
  vectorAt,
} from "../../core/linear/rest-rows";
export { sheetAt, sheetAxpy, sheetDot, sheetOf, sheetSquares, tailOf } from "../../core/linear/sheet";
export { activateAll, endsByViolation, setShrinking } from "../../core/linear/shrinking";
export { simplexLevel } from "../../core/linear/simplex";
export { softStep, violationAt } from "../../core/linear/soft-step";
export { relativeGap } from "../../core/linear/stopping";
export { startScale } from "../../core/linear/warm-start";
export { exp, log, log1p } from "../../core/math";
export { countBytes } from "../../core/parse/count";
export {
  areDigits,
  digitCount,
  digitsValue,
  eightDigits,
  fillPowers,
  isDigit,
  isSureFloat,
  powerOfTen,
  readDecimal,
} from "../../core/parse/decimal";
export { parseBlock, parseVectors } from "../../core/parse/svmlight";
export { decisionRows, decisionRowsWide } from "../../core/predict";
export { nextBelow, nextBits, shuffle } from "../../core/random";
export { denseRow, rowAxpy, rowDot, rowLength, rowSquaredNorm, rowValues, touchRowStart, touchRowValues } from "../../core/rows";
export { axpy, denseAxpy, denseDot, dot, sparseAxpy, sparseDot, squaredNorm } from "../../core/vector";
export { writeNumbers, writeVectors } from "../../core/write/numbers";
export { peakMultiplyAdds } from "./peak";

// What is given or gives two or four numbers at once: from memory, into memory.
import { InteriorRow } from "../../core/layout/interior-point";
import { RestState } from "../../core/layout/rest";
import * as interior from "../../core/linear/interior-row";
import * as quick from "../../core/linear/quick-math";
import * as logistic from "../../core/linear/rest-logistic";
import * as rest from "../../core/linear/rest-rows";
import * as vector from "../../core/vector";

export function exp4(four: usize): void {
  v128.store(four, quick.exp4(v128.load(four)));
}

export function sigmoid(four: usize): void {
  v128.store(four, quick.sigmoid(v128.load(four)));
}

export function softplus(four: usize): void {
  v128.store(four, quick.softplus(v128.load(four)));
}

export function signs(v: u32, own: u32, four: usize): void {
  v128.store(four, rest.signs(v, own));
}

export function addWide(sums: usize, v: u32, four: usize): void {
  rest.addWide(sums, v, v128.load(four));
}

export function logisticDuals(s: RestState, k: u32, v: u32, four: usize): void {
  v128.store(four, logistic.logisticDuals(s, k, v));
}

export function foldLanes(two: usize): f64 {
  return vector.foldLanes(v128.load(two));
}

export function pair(r: InteriorRow, offset: usize, two: usize): void {
  v128.store(two, interior.pair(r, offset));
}

export function setPair(r: InteriorRow, offset: usize, two: usize): void {
  interior.setPair(r, offset, v128.load(two));
}

export function opposite(change: f64, two: usize): void {
  v128.store(two, interior.opposite(change));
}

export function difference(two: usize): f64 {
  return interior.difference(v128.load(two));
}

export function larger(two: usize): f64 {
  return interior.larger(v128.load(two));
}

export function alphaChange(r: InteriorRow, target: f64, turn: f64): f64 {
  return interior.alphaChange(r, f64x2.splat(target), turn);
}

export function slackChanges(r: InteriorRow, target: f64, two: usize): void {
  v128.store(two, interior.slackChanges(r, f64x2.splat(target), v128.load(two)));
}

export function hindrance(most: usize, r: InteriorRow, changes: usize, ways: usize): void {
  v128.store(most, interior.hindrance(v128.load(most), r, v128.load(changes), v128.load(ways)));
}
