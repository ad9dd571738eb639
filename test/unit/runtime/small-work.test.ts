import { expect, test, vi } from "vitest";
import { serve } from "../../../src/runtime/serve.ts";
import { startAnew } from "../../../src/runtime/small-work.ts";

vi.mock("../../../src/runtime/serve.ts", () => ({ serve: vi.fn() }));

test("all tasks that may be done on the calling thread are tasks of the worker", async () => {
  await import("../../../src/worker.ts");
  const [tasks = {}] = vi.mocked(serve).mock.calls[0] ?? [];
  expect([...startAnew].filter((name) => !(name in tasks))).toEqual([]);
});
