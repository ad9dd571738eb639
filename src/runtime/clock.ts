// The one place that reads the time.

// As it is when the library is loaded: a clock that a test puts in its place later, and that stands still, must not keep limits from being seen.
const { timeOrigin } = performance;
const now = performance.now.bind(performance);

/** Milliseconds since 1970 on a clock that never runs backwards, the same in every thread. */
export function clock(): number {
  return timeOrigin + now();
}
