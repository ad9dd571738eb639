// Workers for commands that will want them later: while they start, this thread reads.

import { stat } from "node:fs/promises";
import { prepareWorkers } from "../runtime/runtime.js";

/** Bytes of files from which on there is enough to do with a kernel machine. */
const LARGE = 2 ** 20;

/** Starts workers for work with a kernel machine on these files, unless they are small; files that are not there are somebody else's complaint. */
export async function prepareFor(paths: readonly string[], threads?: number): Promise<void> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) >= LARGE) prepareWorkers(threads);
}
