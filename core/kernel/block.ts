// Sequential minimal optimisation over the few variables of a block, their kernel matrix at hand: the steps of smo.ts, each over the block alone. For the
// beginning of a fit, when no row is in memory and many are needed: what is computed together is used together.
// Checked in test/unit/core/kernel-block.test.ts.

import { Block } from "../layout/kernel";
import { at, put } from "../memory";
import { pairGain, pairStep, TINY } from "./pair";
import { setGains } from "./side";

const NONE: u32 = 0xffffffff;

/** Makes pair steps until the largest sum of gains is at most the tolerance, or until their limit. */
export function solveBlock(b: Block): void {
  for (let k: u32 = 0; k < b.size; k++) setGains(b.up, b.low, k, at<f64>(b.value, k), at<f64>(b.lo, k), at<f64>(b.hi, k), b.epsilon);
  b.steps = 0;
  b.gained = 0;
  while (b.steps < b.stepLimit) {
    let best: f64 = 0;
    let bestI = NONE;
    let bestJ = NONE;
    let violation: f64 = 0;
    for (let side: u32 = 0; side < 2; side++) {
      const from: u32 = side == 0 ? 0 : b.split;
      const to = side == 0 ? b.split : b.size;
      const i = mostRaised(b, from, to);
      if (i == NONE) continue;
      const gain = at<f64>(b.up, i) - at<f64>(b.f, i);
      for (let t = from; t < to; t++) {
        const sum = gain + (at<f64>(b.low, t) + at<f64>(b.f, t));
        if (!(sum > 0)) continue;
        violation = max(violation, sum);
        const decrease = (sum * sum) / max(etaOf(b, i, t), TINY);
        if (decrease <= best) continue;
        best = decrease;
        bestI = i;
        bestJ = t;
      }
    }
    if (violation <= b.tolerance || bestJ == NONE || !step(b, bestI, bestJ)) return;
    b.steps++;
  }
}

function mostRaised(b: Block, from: u32, to: u32): u32 {
  let most: f64 = -Infinity;
  let which = NONE;
  for (let t = from; t < to; t++) {
    const gain = at<f64>(b.up, t) - at<f64>(b.f, t);
    if (gain > most) {
      most = gain;
      which = t;
    }
  }
  return which;
}

function etaOf(b: Block, i: u32, j: u32): f64 {
  const line = matrixLine(b, i);
  return <f64>at<f32>(line, i) + <f64>at<f32>(matrixLine(b, j), j) - 2 * <f64>at<f32>(line, j);
}

function matrixLine(b: Block, i: u32): usize {
  return b.matrix + ((<usize>i * b.size) << 2);
}

/** The pair step; false if rounding leaves nothing of it. */
function step(b: Block, i: u32, j: u32): bool {
  const sum = at<f64>(b.up, i) - at<f64>(b.f, i) + (at<f64>(b.low, j) + at<f64>(b.f, j));
  const eta = etaOf(b, i, j);
  const delta = pairStep(b.value, b.lo, b.hi, b.up, b.low, b.epsilon, i, j, sum, eta, 0);
  if (delta == 0) return false;
  const lineI = matrixLine(b, i);
  const lineJ = matrixLine(b, j);
  for (let t: u32 = 0; t < b.size; t++) {
    const change = delta * (<f64>at<f32>(lineI, t) - <f64>at<f32>(lineJ, t));
    put<f64>(b.f, t, at<f64>(b.f, t) + change);
  }
  b.gained += pairGain(delta, sum, eta);
  return true;
}
