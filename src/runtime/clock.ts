// The one place that reads the time.

/** Milliseconds since 1970 on a clock that never runs backwards, the same in every thread. */
export function clock(): number {
  return performance.timeOrigin + performance.now();
}
