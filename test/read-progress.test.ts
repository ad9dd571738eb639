// readSvmlight says how far it is, and not too often.

import { expect, test } from "vitest";
import type { ReadProgress } from "../src/base/options/data.ts";
import { readSvmlight } from "../src/index.ts";

const ROW = "1 1:0.5 2:0.25 3:0.125 4:1\n";
/** More than a block of text. */
const ROWS = Math.ceil((2.5 * 2 ** 20) / ROW.length);

/** Three pieces, one every 150 milliseconds. */
function slowText(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(ROW.repeat(ROWS));
  let left = 3;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      controller.enqueue(piece.slice());
      if (--left === 0) controller.close();
    },
  });
}

test("rows so far rise, at most ten words a second, and never beyond what is there", async () => {
  const heard: ReadProgress[] = [];
  const { x } = await readSvmlight(slowText(), { onProgress: (progress) => heard.push(progress) });
  expect(x.rowCount).toBe(3 * ROWS);
  expect(heard.length).toBeGreaterThan(0);
  heard.forEach(({ rowCount, seconds }, k) => {
    expect(rowCount).toBeGreaterThan(heard[k - 1]?.rowCount ?? 0);
    expect(rowCount).toBeLessThanOrEqual(3 * ROWS);
    expect(seconds - (heard[k - 1]?.seconds ?? 0)).toBeGreaterThanOrEqual(0.1);
  });
});
