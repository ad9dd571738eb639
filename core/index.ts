// What the host may call. Pointers are byte offsets into the imported memory; src/runtime/core.ts is the other side.

export { advance as dcdAdvance, start as dcdStart } from "./linear/dcd-svc";
export { countByte } from "./parse/count";
export { parseBlock } from "./parse/svmlight";
export { decisionRows, decisionRowsWide } from "./predict";
