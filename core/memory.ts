// Typed access to linear memory. `at(p, k)` is p[k] and `put(p, k, v)` is p[k] = v, for a pointer p to elements of type T.
// Both are a single load or store after optimisation; no bounds are checked, the host lays memory out (src/runtime).

export function at<T>(base: usize, k: u32): T {
  return load<T>(base + ((<usize>k) << alignof<T>()));
}

export function put<T>(base: usize, k: u32, value: T): void {
  store<T>(base + ((<usize>k) << alignof<T>()), value);
}
