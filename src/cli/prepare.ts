// Workers for commands that will want them later: while they start, this thread reads.

import { stat } from "node:fs/promises";
import { prepareWorkers } from "../runtime/runtime.js";

/** Bytes of files that give a thread enough to do. */
const ENOUGH = 2 ** 20;

/** Starts workers for work on these files, as many as they are worth; files that are not there are somebody else's complaint. */
export async function prepareFor(paths: readonly string[], threads = Infinity): Promise<void> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes >= ENOUGH) prepareWorkers(Math.min(threads, 1 + Math.floor(bytes / ENOUGH)));
}
