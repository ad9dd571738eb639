// What goes wrong while a text is read: counts of each kind, the first places, and what is said about it.

import { MOST_FEATURES } from "../base/options/data.js";
import { counted } from "../base/words.js";
import { type Finding, type FindingKind, MOST_PLACES, type Place } from "./doctor-finding.js";

/** What is said of each kind of trouble: how many there are of it, and what to do. */
const said: Readonly<Partial<Record<FindingKind, (count: number, first: string) => readonly [message: string, remedy: string]>>> = {
  "no-rows": () => ["there are no rows", 'a row is a line such as "1 3:0.5 7:1"'],
  "damaged-file": () => ["the packed data is damaged or cut off", "get the file again; what follows is about what came before"],
  "bad-label": (n, first) => [`the label of ${counted(n, "row")} is no number`, labelRemedy(first)],
  "bad-feature": (n) => [
    `${counted(n, "entry is", "entries are")} not written index:value; left out here`,
    "write index:value, with blanks between",
  ],
  "bad-value": (n) => [
    `${counted(n, "value is no number", "values are no numbers")}; left out here`,
    "write decimal numbers with a point, such as 0.5 or 1e-3",
  ],
  "not-finite": (n) => [
    `${counted(n, "value is", "values are")} NaN or infinite; left out here`,
    "remove the rows, or fill in what is missing: Imputer, for tables",
  ],
  "too-large": (n) => [
    `${counted(n, "value is", "values are")} too large for float32; left out here`,
    "scale the feature down: float32 ends at 3.4e38",
  ],
  "index-zero": (n) => [
    `feature 0 in ${counted(n, "place")}, and features begin at 1`,
    "say --index-base 0 (indexBase: 0) if they begin at 0; read so here",
  ],
  "index-too-large": (n) => [`${counted(n, "index is", "indices are")} too large; left out here`, `number features below ${MOST_FEATURES}`],
  "unsorted-indices": (n) => [`the indices of ${counted(n, "row")} do not rise`, "sort each line by index; sorted here"],
  "repeated-indices": (n) => [
    `${counted(n, "feature comes", "features come")} twice in a row`,
    "add the two values up, or remove one; added up here",
  ],
  "mixed-queries": (n) => [`${counted(n, "row has no", "rows have no")} "qid:" while others have one`, "give it to all rows or to none"],
};

/** How files begin that are no svmlight, with what to do. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^(\u00b77zXZ|BZh|\(\u00b7\/\u00b7)/, "this is packed, by xz, bzip2 or zstd: unpack it for hinge check; hinge train reads it as it is"],
  [/^(solver_type|svm_type|\{)/, "this looks like a model: hinge check <data> <model>"],
  [/,/, "this looks like CSV: hinge train and readCsv take it (--format csv --label <column>); hinge check is for svmlight"],
];

function labelRemedy(first: string): string {
  return others.find(([beginning]) => beginning.test(first))?.[1] ?? "number the classes: the label must be a decimal number";
}

/** Counts of what went wrong, with the first places of each kind. */
export class Troubles {
  readonly #found = new Map<FindingKind, { count: number; readonly places: Place[] }>();

  add(kind: FindingKind, place: Place, count = 1): void {
    const entry = this.#found.get(kind) ?? { count: 0, places: [] };
    this.#found.set(kind, entry);
    entry.count += count;
    if (entry.places.length < MOST_PLACES && Object.keys(place).length > 0) entry.places.push(place);
  }

  has(kind: FindingKind): boolean {
    return this.#found.has(kind);
  }

  findings(): Finding[] {
    return [...this.#found].map(([kind, { count, places }]) => {
      const [message, remedy] = said[kind]?.(count, places[0]?.text ?? "") ?? ["", ""];
      return { kind, severity: "problem", message, remedy, count, places };
    });
  }
}
