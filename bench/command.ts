// Whole commands: wall time and peak resident memory of a process.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface CommandRun {
  readonly milliseconds: number;
  readonly stdout: string;
  /** Peak resident size, in bytes. */
  readonly peakBytes: number;
}

/**
 * What every contender's process is given: this one's environment without what makes Node read certificates before it does anything else. hinge makes no connections; where the variable is set, as on
 * machines behind a proxy, it costs each Node process tens of milliseconds, and programs in C nothing.
 */
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Runs a command to its end; throws if it fails. The peak is what the kernel says of the process (VmHWM), looked at until it ends. */
export function runCommand(program: string, args: readonly string[]): Promise<CommandRun> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: environment });
    let stdout = "";
    let stderr = "";
    let peakBytes = 0;
    const look = (): void => {
      try {
        const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
        peakBytes = Math.max(peakBytes, 1024 * Number(kilobytes ?? 0));
      } catch {
        // it has ended
      }
    };
    const timer = setInterval(look, 5);
    child.stdout.on("data", (text: Buffer) => {
      stdout += text.toString();
    });
    child.stderr.on("data", (text: Buffer) => {
      stderr += text.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ milliseconds: performance.now() - started, stdout, peakBytes });
      else reject(new Error(`${program} ${args.join(" ")} exited with ${code}: ${stderr.slice(-500)}`));
    });
  });
}

export function hasProgram(name: string): boolean {
  return spawnSync(name, [], { stdio: "ignore" }).error === undefined;
}

/** Version of a Debian package, or undefined. */
export function debianVersion(name: string): string | undefined {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f=$" + "{Version}", name], { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}
