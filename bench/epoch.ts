// One full epoch of dual coordinate descent, ours against LIBLINEAR's, on the same values, one thread each, alternating.
//
//   npm run bench -- <file.svm> [--runs 11] [--loss hinge|squared_hinge] [--c 1] [--json]
//
// Ours: laying the state out and one epoch of the core, on a matrix in memory. Theirs: train() of Debian's liblinear library with a
// tolerance so large that it stops after one epoch, on a problem in memory, called through python3's ctypes. Both begin at zero.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { Matrix } from "../src/data/matrix.ts";
import { coreShared } from "../src/generated/core-wasm.ts";
import { type LabelledRows, readSvmlight } from "../src/index.ts";
import { instantiateCore } from "../src/runtime/core.ts";
import { RegionMemory } from "../src/runtime/memory.ts";
import { copyArrays, placeIn } from "../src/runtime/placement.ts";
import { WorkSpace } from "../src/runtime/task.ts";
import { LinearSvcSolver, linearSvcBytes } from "../src/solve/linear-svc.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "11" },
    loss: { type: "string", default: "hinge" },
    c: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [path] = positionals;
if (path === undefined) throw new Error("which file? npm run bench -- <file.svm>");
const loss = values.loss === "hinge" ? "hinge" : "squared_hinge";
const C = Number(values.c);

const data = await readSvmlight(path);
await quiet();
const ours = ownContender(data);
const theirs = await liblinear(data);
const times = { ours: [] as number[], theirs: [] as number[] };
for (let k = -2; k < Number(values.runs); k++) {
  const pair = [await ours(), await theirs.run()] as const;
  if (k < 0) continue; // warm-up: the first runs of ours are compiled on the way
  times.ours.push(pair[0]);
  times.theirs.push(pair[1]);
}
theirs.end();
report();

/** Runs one epoch on this thread and returns its milliseconds. */
function ownContender({ x, y }: LabelledRows): () => Promise<number> {
  const home = new RegionMemory(true);
  const { arrays, placement } = placeIn(home, x);
  copyArrays(arrays, x);
  const region = home.take(linearSvcBytes(x.rowCount, x.featureCount));
  const core = instantiateCore(new WebAssembly.Module(Buffer.from(coreShared, "base64")), home.memory);
  const problem = {
    rowIds: Uint32Array.from({ length: x.rowCount }, (_, i) => i),
    signs: Float32Array.from(y, (label) => (label > 0 ? 1 : -1)),
    costs: new Float64Array(x.rowCount).fill(C),
    loss,
    biasScale: 0,
    tolerance: 1e-300,
    maxIterations: 1,
    shrinking: true,
    seed: 0,
  } as const;
  return async () => {
    const started = performance.now();
    const space = new WorkSpace(home.memory.buffer, region);
    const solver = new LinearSvcSolver({ core, matrix: x, rows: placement.rows, space, checkpoint: async () => undefined }, problem);
    await solver.solve();
    return performance.now() - started;
  };
}

async function liblinear({ x, y }: LabelledRows): Promise<{ run(): Promise<number>; end(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
  writeNodes(folder, x, y);
  const solver = loss === "hinge" ? "3" : "1";
  const peer = spawn("/usr/bin/python3", ["bench/peers/liblinear_epoch.py", folder, solver, String(C)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  await lines.next();
  rmSync(folder, { recursive: true });
  return {
    async run() {
      peer.stdin.write("\n");
      return Number((await lines.next()).value);
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

/** Waits until the machine has little else to do. */
async function quiet(): Promise<void> {
  for (let k = 0; k < 60 && (loadavg()[0] ?? 0) > 1.2; k++) await new Promise((resolve) => setTimeout(resolve, 2000));
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

function report(): void {
  const { rowCount, featureCount, valueCount } = data.x;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const machine = { cpu: cpus()[0]?.model, node: process.version, load: loadavg()[0] };
  const version = readFileSync("/var/lib/dpkg/status", "utf8").match(/Package: liblinear4\n[\s\S]*?Version: (.*)/)?.[1];
  const ratio = median(times.theirs) / median(times.ours);
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ path, loss, C, rowCount, featureCount, valueCount, commit, machine, liblinear: version, times, ratio })}\n`,
    );
    return;
  }
  const row = (name: string, list: readonly number[]): string =>
    `${name.padEnd(12)} median ${median(list).toFixed(1)} ms   least ${Math.min(...list).toFixed(1)}   most ${Math.max(...list).toFixed(1)}   runs ${list.length}\n`;
  process.stdout.write(
    `${path}: ${rowCount} rows, ${featureCount} features, ${valueCount} values, ${loss}, C ${C}\n` +
      row("hinge", times.ours) +
      row("liblinear", times.theirs) +
      `ratio ${ratio.toFixed(2)} (above 1: ours is faster)   commit ${commit}, ${machine.cpu}, Node ${machine.node}, liblinear ${version}\n`,
  );
}
