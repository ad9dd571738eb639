// The structs that core/layout.ts declares, read from its text.

import { readFileSync } from "node:fs";

export interface CoreStruct {
  readonly name: string;
  readonly fields: readonly string[];
}

export function coreStructs(): CoreStruct[] {
  const text = readFileSync("core/layout.ts", "utf8");
  return [...text.matchAll(/export class (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name, body]) => ({
    name: String(name),
    fields: [...String(body).matchAll(/^ {2}(\w+): \w+;/gm)].map(([, field]) => String(field)),
  }));
}
