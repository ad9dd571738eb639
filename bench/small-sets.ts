// Small dense sets of two classes, in memory: one embedded, and two generated in the shape of well-known ones. Values are rounded to
// float32 for all contenders, so that those who compute in float64 solve the very problem that ours solves.

import { createHash } from "node:crypto";
import { flowers, species } from "../data/iris.ts";
import { Random } from "../src/base/random.ts";

export interface SmallSet {
  readonly name: string;
  readonly rows: readonly (readonly number[])[];
  /** +1 or -1 a row. */
  readonly y: readonly number[];
  readonly bytes: number;
  readonly sha256: string;
}

export function smallSets(): SmallSet[] {
  return [irisPair(), wineLike(), heartLike()];
}

/** The two species that no line separates. */
function irisPair(): SmallSet {
  const chosen = species.flatMap((name, i) => (name === "setosa" ? [] : [i]));
  return setOf(
    "iris, versicolor and virginica",
    chosen.map((i) => [...(flowers[i] as readonly number[])]),
    chosen.map((i) => (species[i] === "virginica" ? 1 : -1)),
  );
}

/** 178 x 13 like wine, one cultivar against two: standardised measurements, classes well apart. */
function wineLike(): SmallSet {
  const random = new Random(178);
  const y = Array.from({ length: 178 }, (_, i) => (i < 59 ? 1 : -1));
  const rows = y.map((sign) => Array.from({ length: 13 }, (_, j) => normal(random) + (sign * 0.8) / (1 + j / 4)));
  return setOf("generated like wine", rows, y);
}

/** 270 x 13 like heart: scaled to [-1, 1], seven features of two values, classes that overlap. */
function heartLike(): SmallSet {
  const random = new Random(270);
  const y = Array.from({ length: 270 }, (_, i) => (i % 9 < 4 ? 1 : -1));
  const rows = y.map((sign) =>
    Array.from({ length: 13 }, (_, j) => {
      const value = normal(random) / 3 + (sign * 0.2) / (1 + (j % 5));
      return j < 7 ? Math.sign(value) || 1 : Math.max(-1, Math.min(1, value));
    }),
  );
  return setOf("generated like heart", rows, y);
}

function setOf(name: string, raw: readonly (readonly number[])[], y: readonly number[]): SmallSet {
  const rows = raw.map((row) => row.map(Math.fround));
  const bytes = Buffer.from(Float64Array.from([...rows.flat(), ...y]).buffer);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name: `${name}, ${rows.length} x ${rows[0]?.length}`, rows, y, bytes: bytes.length, sha256 };
}

/** About normal: twelve uniform numbers, less six. */
export function normal(random: Random): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += random.unit();
  return sum;
}
