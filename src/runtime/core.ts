// The numeric core as the host sees it: the exports of core/index.ts, instantiated on a memory.

export interface Core {
  dcdStart(state: number): void;
  dcdAdvance(state: number, budget: number): number;
  parseBlock(block: number): number;
  countByte(from: number, to: number, byte: number): number;
  decisionRows(out: number, rows: number, from: number, to: number, w: number, b: number): void;
  decisionRowsWide(out: number, rows: number, from: number, to: number, w: number, b: number, outputs: number): void;
}

export function instantiateCore(module: WebAssembly.Module, memory: WebAssembly.Memory): Core {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Core;
}
