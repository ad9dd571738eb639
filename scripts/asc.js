// Compiles a part of the numeric core to WebAssembly. Strict SIMD, no runtime, no state of its own; memory comes from outside.

import asc from "assemblyscript/asc";

const FLAGS = [
  ...["--runtime", "stub", "-O3", "--noAssert", "--uncheckedBehavior", "always"],
  ...["--enable", "simd", "--enable", "threads", "--importMemory", "--noExportMemory"],
  ...["--initialMemory", "1", "--maximumMemory", "65536"],
];

/** Compiles `entries` into `outFile`, for a memory that is shared between threads or for one that is not. */
export async function compileCore(entries, outFile, { shared }) {
  const { error, stderr } = await asc.main([...entries, ...FLAGS, ...(shared ? ["--sharedMemory"] : []), "-o", outFile]);
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
}
