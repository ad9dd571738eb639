// How often a byte occurs in a text: gives rows and values their place before they are parsed.
// Checked in test/unit/core/count.test.ts.

/**
 * Occurrences of `byte` in [at, end). Sixteen bytes at a time; equal lanes are -1, so that subtracting them counts, in bytes that
 * hold up to 255 rounds before they are summed.
 */
export function countByte(at: usize, end: usize, byte: u32): u32 {
  const wanted = i8x16.splat(<i8>byte);
  let total: u32 = 0;
  while (at + 16 <= end) {
    const stop = at + min((end - at) & ~15, 255 * 16);
    let lanes = i8x16.splat(0);
    for (; at < stop; at += 16) lanes = i8x16.sub(lanes, i8x16.eq(v128.load(at), wanted));
    const pairs = i16x8.extadd_pairwise_i8x16_u(lanes);
    const fours = i32x4.extadd_pairwise_i16x8_u(pairs);
    total += i32x4.extract_lane(fours, 0) + i32x4.extract_lane(fours, 1) + i32x4.extract_lane(fours, 2) + i32x4.extract_lane(fours, 3);
  }
  for (; at < end; at++) total += <u32>(load<u8>(at) == byte);
  return total;
}
