// TfidfVectorizer against scikit-learn's on the texts of 20 newsgroups: first whether both make the same matrix, then their times.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Matrix, TfidfVectorizer, type TfidfVectorizerOptions } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { PYTHON, scikitLearn } from "./contenders/scikit-learn.ts";
import { alternate, ratioOf } from "./protocol.ts";

const settings: readonly { readonly name: string; readonly ours: TfidfVectorizerOptions; readonly theirs: object }[] = [
  { name: "words", ours: {}, theirs: {} },
  { name: "words and pairs", ours: { ngrams: [1, 2], minDocuments: 2 }, theirs: { ngram_range: [1, 2], min_df: 2 } },
  {
    name: "three characters within words",
    ours: { analyzer: "char-in-words", ngrams: [3, 3] },
    theirs: { analyzer: "char_wb", ngram_range: [3, 3] },
  },
];

/** A folder a class, a file a text, as load_files of scikit-learn takes them. */
export function textsOf(root: string): string[] {
  const names = (folder: string): string[] => readdirSync(folder).sort();
  return names(root).flatMap((label) => names(join(root, label)).map((name) => readFileSync(join(root, label, name), "latin1")));
}

export async function raceVectorizers(root: string, scratch: string, runs: number, most = settings.length): Promise<Row[]> {
  const texts = textsOf(root);
  const peer = scikitLearn.version === undefined ? undefined : await scikitVectorizer(root);
  const rows: Row[] = [];
  for (const { name, ours, theirs } of settings.slice(0, most)) {
    const made = await TfidfVectorizer.fitTransform(texts, ours);
    const shape = { features: made.rows.featureCount, values: made.rows.valueCount };
    const common = {
      data: "20news-raw",
      measure: "fit and transform of the 11,314 training texts in memory, the same matrix",
      setting: name,
    };
    if (peer !== undefined) await peer({ ...theirs, out: scratch });
    const difference = peer === undefined ? undefined : largestDifference(made.fitted.featureNames, made.rows, scratch);
    const times = await alternate<string>(
      {
        hinge: async () => {
          const started = performance.now();
          await TfidfVectorizer.fitTransform(texts, ours);
          return performance.now() - started;
        },
        ...(peer !== undefined && { "scikit-learn": () => peer(theirs) }),
      },
      runs,
    );
    const { hinge, "scikit-learn": other } = times;
    if (hinge === undefined) continue;
    const ratio = other && { timesOurs: ratioOf(other, hinge), largestDifference: difference };
    rows.push({
      ...common,
      contender: `hinge, ${availableParallelism()} threads`,
      version: hingeVersion,
      flags: JSON.stringify(ours),
      ...shape,
      ...hinge,
    });
    if (other)
      rows.push({
        ...common,
        contender: "scikit-learn",
        version: scikitLearn.version,
        flags: JSON.stringify(theirs),
        ...shape,
        ...other,
        ...ratio,
      });
  }
  return rows;
}

/** Of any value from scikit-learn's; throws if the vocabulary or the places of values differ. */
function largestDifference(names: readonly string[], rows: Matrix, folder: string): number {
  const terms = readFileSync(join(folder, "terms.txt"), "utf8").split("\n");
  if (terms.length !== names.length || terms.some((term, k) => term !== names[k])) throw new Error("the vocabularies differ");
  const bytes = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(folder, name))).buffer;
  const [starts, indices] = [new BigInt64Array(bytes("starts")), new BigInt64Array(bytes("indices"))];
  const values = new Float64Array(bytes("values"));
  const isSame = (a: ArrayLike<number>, b: BigInt64Array): boolean =>
    a.length === b.length && b.every((value, k) => Number(value) === a[k]);
  if (!isSame(rows.starts, starts) || !isSame(rows.indices, indices)) throw new Error("values are in other places");
  return values.reduce((most, value, k) => Math.max(most, Math.abs(value - (rows.values[k] as number))), 0);
}

/** Reads the texts once; then one fit_transform a call, of which it returns the milliseconds. */
async function scikitVectorizer(root: string): Promise<(options: object) => Promise<number>> {
  const peer = spawn(PYTHON, ["bench/contenders/scikit_vectorizer.py", root], { stdio: ["pipe", "pipe", "inherit"] });
  peer.unref();
  const lines = createInterface({ input: peer.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error("scikit-learn did not start");
  return async (options) => {
    peer.stdin.write(`${JSON.stringify(options)}\n`);
    return Number((await lines.next()).value);
  };
}
