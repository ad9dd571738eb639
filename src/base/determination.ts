// How well numbers are predicted.

/** R^2: 1 less the squared errors over those of the mean. Where all targets are equal: 1 if they are predicted exactly, else 0. */
export function coefficientOfDetermination(targets: Float64Array, predicted: ArrayLike<number>): number {
  // Counted from the first target, so that a large offset takes no digits away.
  const first = targets[0] ?? 0;
  const mean = first + targets.reduce((sum, target) => sum + (target - first), 0) / Math.max(1, targets.length);
  let left = 0;
  let all = 0;
  targets.forEach((target, i) => {
    left += (target - (predicted[i] as number)) ** 2;
    all += (target - mean) ** 2;
  });
  return all > 0 ? 1 - left / all : left === 0 ? 1 : 0;
}
