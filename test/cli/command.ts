// The built command, run in a folder of its own. Tests compare what it prints, what it leaves behind and how it ends.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const bin = fileURLToPath(new URL("../../bin/hinge.js", import.meta.url));

/** Removed after the tests of the file that imports this. */
export const root = mkdtempSync(join(tmpdir(), "hinge-cli-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

export interface Ending {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What to do with the command while it runs: at once, and at each piece of its stdout. */
export interface Meddling {
  readonly atStart?: (child: ChildProcess) => void;
  readonly atOutput?: (child: ChildProcess) => void;
}

export function hinge(cwd: string, args: readonly string[], { atStart, atOutput }: Meddling = {}): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      stdout += piece;
      atOutput?.(child);
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    atStart?.(child);
  });
}

export const tiny = "+1 1:1 2:0.5\n-1 1:-1\n+1 2:1\n-1 1:-0.5 2:-1\n";

/** A new folder with these files in it. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = { "tiny.svm": tiny }): string {
  const path = mkdtempSync(join(root, "case-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}
