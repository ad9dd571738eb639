// Everything in core/ that a test wants to call, and the offsets of every struct. Compiled like the release, only with more
// exports.

import { DcdRow, DcdState, Rows } from "../../core/layout";

export { advance as dcdAdvance, start as dcdStart } from "../../core/linear/dcd-svc";
export { exp, log } from "../../core/math";
export { decisionRows } from "../../core/predict";
export { nextBelow, nextBits, shuffle } from "../../core/random";
export { denseRow, rowAxpy, rowDot, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../../core/rows";
export { axpy, denseAxpy, denseDot, dot, sparseAxpy, sparseDot, squaredNorm } from "../../core/vector";

/** Writes what the compiler made of each struct: its fields' offsets in order, then its size. */
export function layoutOffsets(out: usize): u32 {
  let k: u32 = 0;
  store<u32>(out + 4 * k++, offsetof<Rows>("kind"));
  store<u32>(out + 4 * k++, offsetof<Rows>("rowCount"));
  store<u32>(out + 4 * k++, offsetof<Rows>("featureCount"));
  store<u32>(out + 4 * k++, offsetof<Rows>("values"));
  store<u32>(out + 4 * k++, offsetof<Rows>("indices"));
  store<u32>(out + 4 * k++, offsetof<Rows>("starts"));
  store<u32>(out + 4 * k++, offsetof<Rows>());

  store<u32>(out + 4 * k++, offsetof<DcdRow>("alpha"));
  store<u32>(out + 4 * k++, offsetof<DcdRow>("limit"));
  store<u32>(out + 4 * k++, offsetof<DcdRow>("curvature"));
  store<u32>(out + 4 * k++, offsetof<DcdRow>("row"));
  store<u32>(out + 4 * k++, offsetof<DcdRow>("y"));
  store<u32>(out + 4 * k++, offsetof<DcdRow>());

  store<u32>(out + 4 * k++, offsetof<DcdState>("rows"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("table"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("order"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("w"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("random"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("rowCount"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("activeCount"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("cursor"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("phase"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("loss"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("iterationLimit"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("shrinking"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("checks"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("touched"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("visits"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("biasScale"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("tolerance"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("zeroPrimal"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("shrinkAbove"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("shrinkBelow"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("pgMax"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("pgMin"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("estimate"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("trust"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("dual"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("primal"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("gap"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("violation"));
  store<u32>(out + 4 * k++, offsetof<DcdState>("recentGap"));
  store<u32>(out + 4 * k++, offsetof<DcdState>());
  return k;
}
