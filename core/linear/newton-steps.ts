// The vector steps of the primal Newton method between two passes over the rows: gradients, preconditioned conjugate gradients, the
// line search's end. Each walks the variables from feature s.first on once; in and out are those of sheet 0, where gatherSheets has
// added up what the blocks of rows contributed. Regularised variables add the identity to the losses' Hessian; a free bias does not.
// Checked against plain loops in test/unit/core/newton-steps.test.ts.

import { NewtonState } from "../layout/newton";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { factorSolve } from "./factor";
import { sheetAt, sheetOf, tailOf } from "./sheet";

/** Makes the sheets ready for a pass: every input that of sheet 0, outputs and tails zero. */
export function spreadSheets(s: NewtonState): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const reach = (<usize>s.reach) << 3;
  for (let block: u32 = 0; block < s.blockCount; block++) {
    const sheet = sheetOf(s, block);
    for (let j = s.first; j <= d; j++) {
      const source = sheetAt(s, s.sheets, j);
      const cell = sheetAt(s, sheet, j);
      for (let m: u32 = 0; m < K; m++) {
        put<f64>(cell, m, at<f64>(source, m));
        put<f64>(cell + reach, m, 0);
      }
    }
    memory.fill(tailOf(s, sheet), 0, 32);
  }
}

/** Adds the outputs and tails of all sheets to those of sheet 0, block after block. */
export function gatherSheets(s: NewtonState): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const reach = (<usize>s.reach) << 3;
  const tail = tailOf(s, s.sheets);
  for (let block: u32 = 1; block < s.blockCount; block++) {
    const sheet = sheetOf(s, block);
    for (let j = s.first; j <= d; j++) {
      const target = sheetAt(s, s.sheets, j) + reach;
      const cell = sheetAt(s, sheet, j) + reach;
      for (let m: u32 = 0; m < K; m++) put<f64>(target, m, at<f64>(target, m) + at<f64>(cell, m));
    }
    for (let k: u32 = 0; k < 4; k++) put<f64>(tail, k, at<f64>(tail, k) + at<f64>(tailOf(s, sheet), k));
  }
}

/** in = a vector of all variables. */
export function takeVector(s: NewtonState, vector: usize): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  let v = s.first * K;
  for (let j = s.first; j <= d; j++) {
    const cell = sheetAt(s, s.sheets, j);
    for (let m: u32 = 0; m < K; m++) put<f64>(cell, m, at<f64>(vector, v++));
  }
}

/** gradient = out + w at w + t direction, with |w|^2, |g|^2, w'g, g'direction, w'direction, |direction|^2, and |u|^2 and w'u of u = -out. */
export function gradientStep(s: NewtonState, t: f64): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const reach = (<usize>s.reach) << 3;
  let ww: f64 = 0;
  let gg: f64 = 0;
  let wg: f64 = 0;
  let uu: f64 = 0;
  let wu: f64 = 0;
  let wd: f64 = 0;
  let dd: f64 = 0;
  let slope: f64 = 0;
  let v = s.first * K;
  for (let j = s.first; j <= d; j++) {
    const penalty = j == d ? s.biasPenalty : 1;
    const cell = sheetAt(s, s.sheets, j) + reach;
    for (let m: u32 = 0; m < K; m++, v++) {
      const direction = at<f64>(s.direction, v);
      const w = penalty * (at<f64>(s.w, v) + t * direction);
      const u = -at<f64>(cell, m);
      const g = w - u;
      put<f64>(s.gradient, v, g);
      slope += g * direction;
      ww += w * w;
      wg += w * g;
      wd += w * direction;
      dd += penalty * direction * direction;
      gg += penalty * g * g;
      uu += penalty * u * u;
      wu += w * u;
    }
  }
  s.slope = slope;
  s.weightSquare = ww;
  s.weightGradient = wg;
  s.weightDirection = wd;
  s.directionSquare = dd;
  s.gradientSquare = gg;
  s.dualSquare = uu;
  s.weightDual = wu;
}

/** scale = 1 / (share diag + 1 - share), diag = out + identity: the Hessian's diagonal mixed with the identity. */
export function scaleStep(s: NewtonState, share: f64): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const reach = (<usize>s.reach) << 3;
  let v: u32 = 0;
  for (let j: u32 = 0; j <= d; j++) {
    const cell = sheetAt(s, s.sheets, j) + reach;
    for (let m: u32 = 0; m < K; m++) put<f64>(s.scale, v++, 1 / (1 + share * at<f64>(cell, m)));
  }
}

/** Begins conjugate gradients on H direction = -gradient: direction = 0, residual = -gradient, in = the first step. Returns r'M^-1 r. */
export function cgStart(s: NewtonState): f64 {
  const K = s.width;
  const variableCount = (changetype<Rows>(s.rows).featureCount + 1) * K;
  const first = s.first * K;
  let rho: f64 = 0;
  for (let v: u32 = 0; v < variableCount; v++) {
    put<f64>(s.direction, v, 0);
    const r = v < first ? 0 : -at<f64>(s.gradient, v);
    put<f64>(s.residual, v, r);
    rho += r * r * at<f64>(s.scale, v);
  }
  if (usesFactor(s)) rho = factorSolve(s);
  cgDirection(s, 0);
  return rho;
}

/** direction += alpha in, residual -= alpha H in, where H in = out + in. Returns the new r'M^-1 r; residualSquare is |r|^2. */
export function cgStep(s: NewtonState, alpha: f64): f64 {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const reach = (<usize>s.reach) << 3;
  let rho: f64 = 0;
  let square: f64 = 0;
  let v = s.first * K;
  for (let j = s.first; j <= d; j++) {
    const penalty = j == d ? s.biasPenalty : 1;
    const cell = sheetAt(s, s.sheets, j);
    for (let m: u32 = 0; m < K; m++, v++) {
      const p = at<f64>(cell, m);
      put<f64>(s.direction, v, at<f64>(s.direction, v) + alpha * p);
      const r = at<f64>(s.residual, v) - alpha * (at<f64>(cell + reach, m) + penalty * p);
      put<f64>(s.residual, v, r);
      rho += r * r * at<f64>(s.scale, v);
      square += penalty * r * r;
    }
  }
  s.residualSquare = square;
  return usesFactor(s) ? factorSolve(s) : rho;
}

/** in = M^-1 residual + beta in: the next step of conjugate gradients. */
export function cgDirection(s: NewtonState, beta: f64): void {
  const d = changetype<Rows>(s.rows).featureCount;
  const K = s.width;
  const factored = usesFactor(s);
  let inSquare: f64 = 0;
  let v = s.first * K;
  for (let j = s.first; j <= d; j++) {
    const penalty = j == d ? s.biasPenalty : 1;
    const cell = sheetAt(s, s.sheets, j);
    for (let m: u32 = 0; m < K; m++, v++) {
      const z = factored ? at<f64>(s.solved, v) : at<f64>(s.residual, v) * at<f64>(s.scale, v);
      const p = beta == 0 ? z : z + beta * at<f64>(cell, m);
      put<f64>(cell, m, p);
      inSquare += penalty * p * p;
    }
  }
  s.inSquare = inSquare;
}

/** Where the bias moves alone the diagonal is as good. */
function usesFactor(s: NewtonState): bool {
  return s.hasFactor != 0 && s.first == 0;
}

/** w += t direction and scores += t steps: the line search has decided. */
export function acceptStep(s: NewtonState, t: f64): void {
  const variableCount = (changetype<Rows>(s.rows).featureCount + 1) * s.width;
  for (let v: u32 = 0; v < variableCount; v++) put<f64>(s.w, v, at<f64>(s.w, v) + t * at<f64>(s.direction, v));
  const scoreCount = at<u32>(s.blockStarts, s.blockCount) * s.width;
  for (let k: u32 = 0; k < scoreCount; k++) put<f64>(s.scores, k, at<f64>(s.scores, k) + t * at<f64>(s.steps, k));
}
