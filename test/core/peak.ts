// As many float32 multiply-adds as a core can do: eight chains that wait for nobody, 32 products a turn. What bench/cases/micro.ts compares the kernel rows with.

export function peakMultiplyAdds(turns: u32): f32 {
  const factor = f32x4.splat(0.999);
  let s0 = f32x4.splat(1);
  let s1 = f32x4.splat(2);
  let s2 = f32x4.splat(3);
  let s3 = f32x4.splat(4);
  let s4 = f32x4.splat(5);
  let s5 = f32x4.splat(6);
  let s6 = f32x4.splat(7);
  let s7 = f32x4.splat(8);
  for (let k: u32 = 0; k < turns; k++) {
    s0 = f32x4.add(f32x4.mul(s0, factor), factor);
    s1 = f32x4.add(f32x4.mul(s1, factor), factor);
    s2 = f32x4.add(f32x4.mul(s2, factor), factor);
    s3 = f32x4.add(f32x4.mul(s3, factor), factor);
    s4 = f32x4.add(f32x4.mul(s4, factor), factor);
    s5 = f32x4.add(f32x4.mul(s5, factor), factor);
    s6 = f32x4.add(f32x4.mul(s6, factor), factor);
    s7 = f32x4.add(f32x4.mul(s7, factor), factor);
  }
  const sum = f32x4.add(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)), f32x4.add(f32x4.add(s4, s5), f32x4.add(s6, s7)));
  return f32x4.extract_lane(sum, 0);
}
