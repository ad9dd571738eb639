// Many pieces of asynchronous work, a few of them under way at a time.

/** The results of all, once all of them have ended; then the first failure is thrown. Nobody is left at work in memory that the caller gives back. */
export async function allEnded<Result>(running: readonly Promise<Result>[]): Promise<Result[]> {
  const endings = await Promise.allSettled(running);
  return endings.map((ending) => {
    if (ending.status === "rejected") throw ending.reason;
    return ending.value;
  });
}

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
  await allEnded(Array.from({ length: Math.min(lanes, count) }, lane));
  return results;
}
