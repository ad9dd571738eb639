// Many pieces of asynchronous work, a few of them under way at a time.

/** The results of `run(index)` for all indices below `count`, at most `lanes` at once, begun in their order. All that began end before the first failure is thrown. */
export async function inLanes<Result>(count: number, lanes: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      const index = next++;
      try {
        results[index] = await run(index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: Math.min(lanes, count) }, lane));
  for (const ending of endings) if (ending.status === "rejected") throw ending.reason;
  return results;
}
