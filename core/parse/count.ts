// How often two bytes occur in a text: gives rows and values their place before they are parsed.
// Checked in test/unit/core/count.test.ts.

import { put } from "../memory";

/**
 * Occurrences of `first` and `second` in [at, end), into out: u32[2]. Sixteen bytes at a time; equal lanes are -1, so that
 * subtracting them counts, in bytes that hold up to 255 rounds before they are summed.
 */
export function countBytes(out: usize, at: usize, end: usize, first: u32, second: u32): void {
  const wantedFirst = i8x16.splat(<i8>first);
  const wantedSecond = i8x16.splat(<i8>second);
  let firstCount: u32 = 0;
  let secondCount: u32 = 0;
  while (at + 16 <= end) {
    const stop = at + min((end - at) & ~15, 255 * 16);
    let firstLanes = i8x16.splat(0);
    let secondLanes = i8x16.splat(0);
    for (; at < stop; at += 16) {
      const bytes = v128.load(at);
      firstLanes = i8x16.sub(firstLanes, i8x16.eq(bytes, wantedFirst));
      secondLanes = i8x16.sub(secondLanes, i8x16.eq(bytes, wantedSecond));
    }
    firstCount += sumOfBytes(firstLanes);
    secondCount += sumOfBytes(secondLanes);
  }
  for (; at < end; at++) {
    firstCount += <u32>(load<u8>(at) == first);
    secondCount += <u32>(load<u8>(at) == second);
  }
  put<u32>(out, 0, firstCount);
  put<u32>(out, 1, secondCount);
}

function sumOfBytes(lanes: v128): u32 {
  const fours = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(lanes));
  return i32x4.extract_lane(fours, 0) + i32x4.extract_lane(fours, 1) + i32x4.extract_lane(fours, 2) + i32x4.extract_lane(fours, 3);
}
