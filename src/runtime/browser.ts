// Browsers: workers from inlined source through a Blob, or from a URL where a content security policy forbids that; no files.

import { HingeError } from "../base/errors.js";
import { workerSource } from "../generated/worker-source.js";
import type { Platform, WorkerEvents, WorkerHandle, WorkerSource } from "./platform.js";
import type { FromWorker } from "./protocol.js";

export const platform: Platform = {
  name: "browser",
  coreCount: globalThis.navigator?.hardwareConcurrency ?? 1,
  canShareMemory: globalThis.crossOriginIsolated === true,
  spawn,
  callerMayWork: false,
  spawnHere: () => undefined,
  fromBase64,
  readBytes: (path) => Promise.reject(noFiles("read", path)),
  openFile: (path) => Promise.reject(noFiles("read", path)),
  writeAtomic: (path) => Promise.reject(noFiles("write", path)),
  checkWritable: (path) => Promise.reject(noFiles("write", path)),
};

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

function spawn(events: WorkerEvents, { workerUrl }: WorkerSource): WorkerHandle {
  const worker = startWorker(workerUrl);
  let gone = false;
  const die = (reason: string): void => {
    if (gone) return;
    gone = true;
    worker.terminate();
    events.died(reason);
  };
  worker.onmessage = (event: MessageEvent<FromWorker>) => events.message(event.data);
  worker.onmessageerror = () => die("a message could not be read");
  worker.onerror = (event) => {
    event.preventDefault();
    // A worker whose source could not be loaded reports an event without a message.
    die(
      event.message ||
        "its source was refused; if a content security policy forbids blob: workers, serve hinge/worker.js and call startPool({ workerUrl })",
    );
  };
  queueMicrotask(() => events.up());
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    hold: () => undefined,
    terminate: () => die("it was stopped"),
  };
}

function startWorker(workerUrl: string | URL | undefined): Worker {
  try {
    if (workerUrl !== undefined) return new Worker(workerUrl, { name: "hinge" });
    const url = URL.createObjectURL(new Blob([workerSource()], { type: "text/javascript" }));
    try {
      return new Worker(url, { name: "hinge" });
    } finally {
      // The worker fetches its source before this runs; Safari is the reason for the delay.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HingeError("worker-failed", `no worker could be started: ${reason}`, undefined, { cause });
  }
}

function noFiles(verb: string, path: string): HingeError {
  return new HingeError("file-system", `cannot ${verb} ${path}: browsers have no files; use bytes instead (a Uint8Array)`);
}
