// The numeric core as machine code, optimised when the package was built. An engine begins with quick code for WebAssembly and makes better code of what runs often, beside the work and on its
// cores: a tenth of a short command (docs/performance.md). What it made before, it can write down and take back, as a browser's cache does, but in Node only under a flag, by functions meant for tests.
// So this is for the command line alone, and for the very executable that wrote the file (bin/load.js). The engine itself looks whether its flags and the processor are the same; whether the code
// is that of this core, and no block of it is missing, is looked at here. Where anything is amiss, the core is compiled as everywhere else.
//
//   u32 length of the core's bytes | u32 length of the code | u32 a sum over the code | the core's bytes | the code

import { canSetFlags, setFlags } from "./engine-flags.js";

const HEAD = 12;
/** Bytes of which one word is summed: disks lose blocks, not bits, and every command would wait for the sum of all. */
const STRIDE = 256;

/** Flags under which everything is compiled at once, by the optimising compiler, and those that take them back: the code is taken only under the flags that were there when it was written. */
const COMPILE_FLAGS = ["--no-liftoff", "--no-wasm-lazy-compilation"];
const USUAL_FLAGS = ["--liftoff", "--wasm-dynamic-tiering", "--wasm-lazy-compilation"];

/** The file's bytes for this core; it ends the process where the engine cannot write its code down, so it is for a process of its own (scripts/code-cache.js). */
export function keepCore(core: Uint8Array<ArrayBuffer>): Uint8Array {
  setFlags(COMPILE_FLAGS);
  const module = new WebAssembly.Module(core);
  setFlags(USUAL_FLAGS);
  const code = new Uint8Array(engine<ArrayBuffer>("SerializeWasmModule", 1)(module));
  const file = new Uint8Array(HEAD + core.length + code.length);
  new Uint32Array(file.buffer, 0, 3).set([core.length, code.length, sumOf(code)]);
  file.set(core, HEAD);
  file.set(code, HEAD + core.length);
  return file;
}

/** The compiled core from such a file; undefined if it is another core's or not whole, or the engine does not take it. */
export function coreFrom(file: Uint8Array | undefined, core: Uint8Array): WebAssembly.Module | undefined {
  if (file === undefined || file.length < HEAD || !canSetFlags()) return undefined;
  const view = new DataView(file.buffer, file.byteOffset);
  const [coreLength, codeLength] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (coreLength !== core.length || file.length !== HEAD + coreLength + codeLength) return undefined;
  if (Buffer.compare(file.subarray(HEAD, HEAD + coreLength), core) !== 0) return undefined;
  try {
    // A copy, because the engine wants a buffer of its own; not by slice, which a Buffer has another of.
    const code = new Uint8Array(file.subarray(HEAD + coreLength));
    if (sumOf(code) !== view.getUint32(8, true)) return undefined;
    return engine<WebAssembly.Module | undefined>("DeserializeWasmModule", 2)(code.buffer, core);
  } catch {
    return undefined; // an engine that has no such function, or one of other parameters
  }
}

function sumOf(code: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(code.buffer);
  let sum = code.length;
  for (let at = 0; at + 4 <= code.length; at += STRIDE) sum = (Math.imul(sum, 31) + view.getUint32(at, true)) >>> 0;
  return sum;
}

/** A function of the engine that its tests have; throws where there is none of this name and number of parameters. */
function engine<Result>(name: string, parameters: number): (...parts: readonly unknown[]) => Result {
  const { Script } = process.getBuiltinModule("node:vm");
  const list = ["a", "b"].slice(0, parameters).join(", ");
  setFlags(["--allow-natives-syntax"]);
  try {
    // A function in brackets is compiled now, not when it is first called.
    return new Script(`(function (${list}) { return %${name}(${list}); })`).runInThisContext();
  } finally {
    setFlags(["--no-allow-natives-syntax"]);
  }
}
