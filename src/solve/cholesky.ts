// Cholesky factors of dense symmetric matrices, for Newton steps of interior-point methods. Checked in test/unit/solve/cholesky.test.ts.

/** A pivot below this part of its diagonal entry is rounding: twice the spacing of the doubles, times a small sum's growth. */
const EATEN = 1e-15;
const FIXED = 1e64;

/**
 * A = L L' in place: the lower triangle of A becomes L. Row by row, so that every inner loop runs along two rows. A pivot that
 * rounding has eaten is made so large that its variable stays where it is: the usual way out in interior-point methods.
 */
export function cholesky(A: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    const before = A[row + i] as number;
    for (let j = 0; j <= i; j++) {
      const other = j * size;
      let sum = A[row + j] as number;
      for (let q = 0; q < j; q++) sum -= (A[row + q] as number) * (A[other + q] as number);
      if (j < i) A[row + j] = sum / (A[other + j] as number);
      else A[row + j] = sum > EATEN * before ? Math.sqrt(sum) : FIXED;
    }
  }
}

/** b <- (L L')^-1 b. */
export function solveCholesky(L: Float64Array, b: Float64Array): void {
  const size = b.length;
  for (let i = 0; i < size; i++) {
    let sum = b[i] as number;
    for (let q = 0; q < i; q++) sum -= (L[i * size + q] as number) * (b[q] as number);
    b[i] = sum / (L[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    b[i] = (b[i] as number) / (L[i * size + i] as number);
    const value = b[i] as number;
    for (let q = 0; q < i; q++) b[q] = (b[q] as number) - (L[i * size + q] as number) * value;
  }
}
