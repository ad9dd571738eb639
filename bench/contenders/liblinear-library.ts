// train() of Debian's liblinear library on a problem in memory, called through python3's ctypes: "solve only" of LIBLINEAR.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Matrix } from "../../src/data/matrix.ts";
import type { LabelledRows } from "../../src/index.ts";
import { debianVersion } from "../command.ts";

export const liblinearLibraryVersion = debianVersion("liblinear4");

/** Seconds after which a run is given up. */
export const PATIENCE = 60;

export interface InMemoryPeer {
  /** Milliseconds of one call of train(): its -s, -c and -e, and where its model is to go. Infinity if it was not done after PATIENCE. */
  train(solver: number, C: number, tolerance: number, file?: string): Promise<number>;
  end(): void;
}

/** Hands the data over once. */
export async function liblinearLibrary({ x, y }: LabelledRows): Promise<InMemoryPeer> {
  const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
  writeNodes(folder, x, y);
  const peer = spawn("/usr/bin/python3", ["bench/contenders/liblinear_library.py", folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  await lines.next();
  rmSync(folder, { recursive: true });
  return {
    async train(solver, C, tolerance, file = "") {
      peer.stdin.write(`${solver} ${C} ${tolerance} ${PATIENCE} ${file}\n`);
      const said: string = (await lines.next()).value;
      return said === "inf" ? Infinity : Number(said);
    },
    end: () => peer.stdin.end(),
  };
}

/** The matrix in LIBLINEAR's own layout: nodes of 16 bytes, features from 1, a node with index -1 behind every row. */
function writeNodes(folder: string, x: Matrix, y: Float64Array): void {
  const nodes = new DataView(new ArrayBuffer(16 * (x.valueCount + x.rowCount)));
  const offsets = new BigUint64Array(x.rowCount);
  let at = 0;
  for (let i = 0; i < x.rowCount; i++) {
    offsets[i] = BigInt(at / 16);
    x.forEachInRow(i, (feature, value) => {
      nodes.setInt32(at, feature + 1, true);
      nodes.setFloat64(at + 8, value, true);
      at += 16;
    });
    nodes.setInt32(at, -1, true);
    at += 16;
  }
  writeFileSync(join(folder, "nodes.bin"), new Uint8Array(nodes.buffer));
  writeFileSync(join(folder, "offsets.bin"), new Uint8Array(offsets.buffer));
  writeFileSync(join(folder, "labels.bin"), new Uint8Array(y.slice().buffer));
}
