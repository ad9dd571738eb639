// The structs that core/layout/ declares, read from its text.

import { readFileSync } from "node:fs";
import { filesBelow } from "../../scripts/fingerprint.js";

export interface CoreStruct {
  readonly name: string;
  /** Where it is declared, from the project's root, without the extension. */
  readonly file: string;
  readonly fields: readonly string[];
}

export function coreStructs(): CoreStruct[] {
  return filesBelow("core/layout").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/export class (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name, body]) => ({
      name: String(name),
      file: path.replace(/\.ts$/, ""),
      fields: [...String(body).matchAll(/^ {2}(\w+): \w+;/gm)].map(([, field]) => String(field)),
    })),
  );
}
