// What the host may call. Pointers are byte offsets into the imported memory; src/runtime/core.ts is the other side.

export { auditRows, auditStart } from "./certify/kernel-sums";
export { judgeSum, judgeTimes } from "./certify/linear-sums";
export { judgeRestBalance, judgeRestBounds, judgeRestLane, judgeRestRows, judgeRestSquares, judgeRestSum } from "./certify/rest-sums";
export { equalRows, gatherRows } from "./equal-rows";
export { writeBits } from "./kernel/bits";
export { solveBlock } from "./kernel/block";
export { diagonalRoots, drawEvenly, sideErrors, sideOffset, sideReach, sideSizes } from "./kernel/choice";
export { cameAlong, companions } from "./kernel/company";
export { areOnes, countedTable } from "./kernel/counted";
export { decideRows } from "./kernel/decide";
export { addExact, sumExact } from "./kernel/exact";
export { gatherCoefficients, largestSquare, lowerFeatures, turnSigns } from "./kernel/loaded";
export { smoFold } from "./kernel/quick";
export { smoLook, smoMeasure, smoRounds, smoSum } from "./kernel/rounds";
export { clearLanes, kernelRows, kernelSquares, loadLanes, shareLanes } from "./kernel/rows";
export { fillSegments } from "./kernel/segments";
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
  sideExtremes,
  sideGains,
  sideGap,
  sideLargest,
} from "./kernel/side";
export { decideSigns } from "./kernel/signs";
export { smoAdvance, smoGather, smoHelp } from "./kernel/smo";
export { misfit, unitRows } from "./kernel/units";
export { mostVotes } from "./kernel/votes";
export {
  columnReach,
  columnSlopes,
  columnSweep,
  countColumns,
  endModel,
  scatterColumns,
  startColumns,
  startModel,
  startSlopes,
  startSweep,
} from "./linear/columns";
export { descentSweep, endDescent, startDescent } from "./linear/columns-descent";
export { endPolish, polishSweep, startPolish } from "./linear/columns-polish";
export { advance as csAdvance, start as csStart } from "./linear/crammer-singer";
export { advance as logisticAdvance, start as logisticStart } from "./linear/dcd-logistic";
export { advance as dcdAdvance, settle as dcdSettle, start as dcdStart } from "./linear/descent";
export { factorRows, factorStart } from "./linear/factor";
export { gramRows, gramSample, mirror, raiseDiagonal } from "./linear/gram";
export { factorLines, gramSweep, movePoint, solveFactor } from "./linear/gram-descent";
export { advance as interiorAdvance, start as interiorStart } from "./linear/interior-point";
export { clearSums, dualPass, moveMargins, slopePass, sumLoss, turnPass } from "./linear/loss-rows";
export {
  multinomialCurveRows,
  multinomialDiagonalRows,
  multinomialLineRows,
  multinomialLossRows,
  multinomialSampleRows,
} from "./linear/multinomial-rows";
export { curveRows, diagonalRows, lineRows, lossRows, sampleRows } from "./linear/newton-rows";
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
} from "./linear/newton-steps";
export { restCheck, restCurvatures, restDecide, restDuals, restNorms, restRebuild, restSweep } from "./linear/rest-descent";
export { countBytes } from "./parse/count";
export { parseBlock, parseVectors } from "./parse/svmlight";
export { decisionRows, decisionRowsWide } from "./predict";
export { writeNumbers, writeVectors } from "./write/numbers";
