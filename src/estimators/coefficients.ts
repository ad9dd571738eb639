// The coefficients of a kernel model that are not 0, and the decision values that they are part of. One-vs-one, a support vector of one class has a coefficient for each of the others, and mostly it is 0.

import type { KernelModelData } from "../model/kernel-model.js";
import { columnCount } from "../model/kernel-model.js";
import { withCore } from "../runtime/runtime.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import type { Coefficients } from "../solve/kernel-decision.js";
import { groupsOf } from "./vector-groups.js";

/** Coefficients from which on they are for the core. */
const MANY = 2 ** 13;

export function coefficientsOf(data: KernelModelData): Coefficients {
  return (data.coefficients.length >= MANY ? gatheredByCore(data) : undefined) ?? gathered(data);
}

/** By a plain loop. */
export function gathered(data: KernelModelData): Coefficients {
  const { coefficients, vectors, scheme, classes } = data;
  const columns = columnCount(scheme, classes.length);
  let count = 0;
  for (let k = 0; k < coefficients.length; k++) if (coefficients[k] !== 0) count++;
  const starts = new Uint32Array(vectors.count + 1);
  const places = new Uint32Array(count);
  const values = new Float64Array(count);
  let next = 0;
  for (const { from, to, places: placeOf } of groupsOf(data)) {
    for (let i = from; i < to; i++) {
      for (let m = 0; m < columns; m++) {
        const value = coefficients[i * columns + m] as number;
        if (value === 0) continue;
        places[next] = placeOf[m] as number;
        values[next++] = value;
      }
      starts[i + 1] = next;
    }
  }
  return { starts, places, values };
}

/** By the core; undefined where it has no memory. */
export function gatheredByCore(data: KernelModelData): Coefficients | undefined {
  const { coefficients, vectors, scheme, classes } = data;
  const columns = columnCount(scheme, classes.length);
  const most = coefficients.length;
  return withCore((core, home) => {
    const region = home.take(spaceFor(8 * most, 4 * (vectors.count + 1), 4 * most, 8 * most, 4 * columns));
    const space = new WorkSpace(home.memory.buffer, region); // the buffer is another where the memory had to grow
    const dense = space.rawDoubles(most);
    dense.set(coefficients);
    const starts = space.words(vectors.count + 1);
    const [places, values, placeOf] = [space.rawWords(most), space.rawDoubles(most), space.rawWords(columns)];
    let next = 0;
    for (const group of groupsOf(data)) {
      placeOf.set(group.places);
      const at = [placeOf.byteOffset, starts.byteOffset, places.byteOffset, values.byteOffset] as const;
      next = core.gatherCoefficients(dense.byteOffset, group.from, group.to, columns, ...at, next);
    }
    return { starts: starts.slice(), places: places.slice(0, next), values: values.slice(0, next) };
  });
}
