// Any bytes give a table or a HingeError: never another error, never a hang, never memory out of proportion. The count of runs is
// HINGE_FUZZ_RUNS (2,000); the seed is fixed, or HINGE_FUZZ_SEED.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type CsvOptions, columnKinds, HingeError, readCsv, type Table, type TableAndLabels, writeCsv } from "../../src/index.ts";

const RUNS = Number(process.env.HINGE_FUZZ_RUNS ?? 2000);
const SEED = Number(process.env.HINGE_FUZZ_SEED ?? 1);

const CORPUS = resolve("test/fuzz/corpus/csv");
const corpus = readdirSync(CORPUS).map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(CORPUS, name))) }));

/** What reading ended in: a table, or the message of its HingeError. Anything else that is thrown fails the test. */
async function ending(source: Parameters<typeof readCsv>[0], options?: CsvOptions): Promise<TableAndLabels | string> {
  try {
    return await readCsv(source, options);
  } catch (error) {
    if (error instanceof HingeError && ["bad-file", "bad-option"].includes(error.code)) return error.message;
    throw error;
  }
}

function checkTable({ rowCount, columns }: Table, byteCount: number): void {
  expect(rowCount * columns.length).toBeLessThanOrEqual(byteCount + 1); // a byte behind every field but the last
  for (const column of columns) {
    if (column.kind === "numeric") expect(column.values.length).toBe(rowCount);
    if (column.kind === "numeric") expect(column.values.filter(Number.isNaN).length).toBe(column.missingCount);
    if (column.kind === "categorical") expect(column.levels).toEqual([...new Set(column.levels)].sort());
    if (column.kind === "text") expect(column.values.filter((value) => value === undefined).length).toBe(column.missingCount);
  }
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}

const PIECES = [
  "a",
  "b",
  "1",
  "-2.5e3",
  ",",
  ";",
  "\t",
  '"',
  '""',
  "\n",
  "\r\n",
  "\r",
  " ",
  "NA",
  "é",
  "\u{1f600}",
  "\ufeff",
  "\0",
  "1e999",
];
const encoder = new TextEncoder();

/** A text of pieces that mean something, more or less a table. */
function generated(random: Random): Uint8Array {
  const width = 1 + random.below(4);
  const rows = Array.from({ length: 1 + random.below(6) }, () =>
    Array.from({ length: width }, () => Array.from({ length: random.below(3) }, () => PIECES[random.below(PIECES.length)]).join("")).join(
      ",",
    ),
  );
  return encoder.encode(rows.join("\n"));
}

/** Some bytes replaced, removed, repeated or cut off. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const list = [...bytes];
  for (let change = 1 + random.below(4); change > 0; change--) {
    const at = random.below(list.length + 1);
    const piece = encoder.encode(PIECES[random.below(PIECES.length)]);
    const way = random.below(6);
    if (way === 0) list.splice(at, 1);
    else if (way === 1) list.splice(at, 0, ...piece);
    else if (way === 2) list.splice(at, 1, random.below(256));
    else if (way === 3) list.splice(at, 0, ...list.slice(at, at + random.below(20)));
    else if (way === 4) list.splice(at, random.below(20));
    else list.length = at;
  }
  return Uint8Array.from(list);
}

const OPTIONS: readonly CsvOptions[] = [
  {},
  { header: false },
  { label: 0 },
  { label: -1, header: false },
  { delimiter: ";", missing: [] },
  { header: false, kinds: { column0: "numeric" } },
  { header: false, kinds: { column0: "text" } },
];

describe("readCsv", () => {
  test(
    `takes ${RUNS} generated and mutated texts, and any cut of them, to a table or a HingeError`,
    async () => {
      const random = new Random(SEED);
      for (let run = 0; run < RUNS; run++) {
        const base = run % 2 === 0 ? generated(random) : (corpus[random.below(corpus.length)]?.bytes as Uint8Array);
        const bytes = random.below(4) === 0 ? base : mutated(base, random);
        const options = OPTIONS[random.below(OPTIONS.length)] as CsvOptions;
        const whole = await ending(bytes, options);
        expect(await ending(inPieces(bytes, 1 + random.below(7)), options)).toEqual(whole);
        if (typeof whole === "string") continue;
        checkTable(whole.table, bytes.length);
        if (whole.table.columns.length === 0) continue;
        const again = await readCsv(writeCsv(whole.table), { kinds: columnKinds(whole.table) });
        expect(again.table).toEqual(whole.table);
      }
    },
    Math.max(600_000, 10 * RUNS),
  );

  for (const { name, bytes } of corpus) {
    test(`${name}: ${name.startsWith("bad-") ? "is refused with its place" : "is read"}`, async () => {
      const found = await ending(bytes, { name });
      if (name.startsWith("bad-")) expect(found).toMatch(new RegExp(`^${name}:\\d+:\\d+: .*\\n.* \\| .*\\n *\\^$`));
      else checkTable((found as TableAndLabels).table, bytes.length);
    });
  }
});

// Eight bytes a number at worst, the text itself, and what the engine and its collector take besides.
describe("reading takes at most ten times the memory of the text, and time in proportion", () => {
  const megabytes = 8;
  const cases: Readonly<Record<string, string>> = {
    "empty fields and few numbers": '"a,b,c,d\\n1,2,3,4\\n" + ",,,\\n".repeat(size / 4)',
    "short numbers": '"1,2\\n".repeat(size / 4)',
    "blank lines below a wide header": 'Array.from({ length: 1000 }, (_, j) => "c" + j).join() + "\\n".repeat(size)',
    "one long field": '"a\\n\\"" + "x".repeat(size) + "\\""',
    "one long number": '"a\\n" + "1".repeat(size)',
    "a long name": '"x".repeat(size) + "\\n1"',
    "doubled quotes": '"a\\n\\"" + "\\"\\"".repeat(size / 2) + "\\""',
    "a quote that is never closed": '"a\\n" + "\\"\\"\\n".repeat(size / 3) + "\\""',
    "the widest row": '"1,".repeat(99999) + "1\\n" + ",".repeat(99999)',
    "different words": 'Array.from({ length: size / 8 }, (_, k) => "w" + (1e6 + k)).join("\\n")',
    "one line of no delimiter": '"x".repeat(size)',
  };
  for (const [name, text] of Object.entries(cases)) {
    test(name, () => {
      // A process of its own, so that nothing else counts; the first read brings in the code.
      const program = `
        import { readCsv } from ${JSON.stringify(resolve("dist/index.js"))};
        const size = ${megabytes} * 2 ** 20;
        const bytes = new TextEncoder().encode(${text});
        await readCsv(new TextEncoder().encode("a,b\\n1,x\\n"), {});
        const before = process.resourceUsage().maxRSS;
        await readCsv(bytes, { label: ${name === "a long name" ? '"another of some letters"' : undefined}, header: ${!["the widest row", "short numbers"].includes(name)} })
          .catch((error) => { if (error.name !== "HingeError") throw error; });
        console.log(((process.resourceUsage().maxRSS - before) * 1024) / Math.max(bytes.length, size));`;
      const args = ["--max-semi-space-size=1", "--input-type=module", "-e", program];
      const timesTheText = Number(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 }));
      expect(timesTheText).toBeLessThanOrEqual(10);
    });
  }
});
