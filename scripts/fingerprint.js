// One hash over files and folders: changes exactly when a name or a byte in them does.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Written by the build itself, so no source. */
const GENERATED = "generated";

export function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesBelow).sort()) hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

export function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== GENERATED)
    .flatMap((name) => filesBelow(join(path, name)));
}
