// Which class the decision values of one-vs-one problems mean: every pair (a, b) with a < b, in the order (0, 1), (0, 2), ..., (1, 2), ..., votes for b above 0 and for a otherwise; of classes with
// as many votes the one whose decision values sum to more, and of those the first. The sums run in the order of the pairs, so that src/model/schemes.ts, which does the same for
// one row, comes to the same class. Checked in test/unit/core/kernel-votes.test.ts.

import { at, put } from "../memory";

/** out[i] = the class of row i of [0, rowCount). decision: f64[rowCount][classCount (classCount - 1) / 2]; out: u32[rowCount]; tally: f64[2][classCount], scratch. */
export function mostVotes(out: usize, decision: usize, rowCount: u32, classCount: u32, tally: usize): void {
  const sums = tally + ((<usize>classCount) << 3);
  for (let i: u32 = 0; i < rowCount; i++) {
    memory.fill(tally, 0, (<usize>classCount) << 4);
    for (let a: u32 = 0; a < classCount; a++) {
      let own = at<f64>(sums, a);
      let won: f64 = 0;
      for (let b = a + 1; b < classCount; b++, decision += 8) {
        const value = load<f64>(decision);
        const isOther: f64 = value > 0 ? 1 : 0;
        put<f64>(tally, b, at<f64>(tally, b) + isOther);
        won += 1 - isOther;
        put<f64>(sums, b, at<f64>(sums, b) + value);
        own -= value;
      }
      put<f64>(tally, a, at<f64>(tally, a) + won);
      put<f64>(sums, a, own);
    }
    put<u32>(out, i, mostOf(tally, sums, classCount));
  }
}

function mostOf(votes: usize, sums: usize, classCount: u32): u32 {
  let best: u32 = 0;
  for (let m: u32 = 1; m < classCount; m++) {
    const ahead = at<f64>(votes, m) - at<f64>(votes, best);
    if (ahead > 0 || (ahead == 0 && at<f64>(sums, m) > at<f64>(sums, best))) best = m;
  }
  return best;
}
