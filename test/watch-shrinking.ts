// How often kernel machines on this thread set rows aside: what shrinking did, where its outcome is to be what it would be without.

import { vi } from "vitest";
import { RowStore } from "../src/solve/row-store.ts";

/** What it gives, and how many rows were in use and how many stayed so each time some were set aside meanwhile. */
export async function watchShrinking<T>(
  solve: () => Promise<T>,
): Promise<{ answer: T; shrinkings: (readonly [size: number, kept: number])[] }> {
  const permute = vi.spyOn(RowStore.prototype, "permute");
  try {
    const answer = await solve();
    return { answer, shrinkings: permute.mock.calls.map(([order, kept]) => [order.length, kept] as const) };
  } finally {
    permute.mockRestore();
  }
}
