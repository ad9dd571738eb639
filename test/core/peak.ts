// What the machine can do at most: float32 multiplications and additions in registers, for bench/cases/micro.ts. Sums and factors are chains of their own, so that an addition does not wait for its multiplication.

/** 24 multiply-adds a turn. */
export function peakMultiplyAdds(turns: u32): f32 {
  const sign = f32x4.splat(-1);
  let a0 = f32x4.splat(1);
  let a1 = f32x4.splat(2);
  let a2 = f32x4.splat(3);
  let a3 = f32x4.splat(4);
  let a4 = f32x4.splat(5);
  let a5 = f32x4.splat(6);
  let s0 = a0;
  let s1 = a1;
  let s2 = a2;
  let s3 = a3;
  let s4 = a4;
  let s5 = a5;
  for (let k: u32 = 0; k < turns; k++) {
    a0 = f32x4.mul(a0, sign);
    a1 = f32x4.mul(a1, sign);
    a2 = f32x4.mul(a2, sign);
    a3 = f32x4.mul(a3, sign);
    a4 = f32x4.mul(a4, sign);
    a5 = f32x4.mul(a5, sign);
    s0 = f32x4.add(s0, a0);
    s1 = f32x4.add(s1, a1);
    s2 = f32x4.add(s2, a2);
    s3 = f32x4.add(s3, a3);
    s4 = f32x4.add(s4, a4);
    s5 = f32x4.add(s5, a5);
  }
  return f32x4.extract_lane(f32x4.add(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)), f32x4.add(s4, s5)), 0);
}
