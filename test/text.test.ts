// Texts as rows: equal to scikit-learn's (test/parity/scikit-learn), sensible where that is not, saved with the model.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import {
  columns,
  crossValidate,
  explain,
  HashingVectorizer,
  LinearSVC,
  load,
  type Matrix,
  Pipeline,
  pipeline,
  readCsv,
  search,
  TfidfVectorizer,
} from "../src/index.ts";
import { Terms } from "../src/text/terms.ts";
import { type TermList, Vocabulary } from "../src/text/vocabulary.ts";
import { rejected } from "./thrown.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Setting {
  readonly lowercase?: boolean;
  readonly ngram_range?: [number, number];
  readonly min_df?: number;
  readonly max_df?: number;
  readonly sublinear_tf?: boolean;
  readonly binary?: boolean;
  readonly use_idf?: boolean;
  readonly norm?: "l1" | "l2" | null;
  readonly stop_words?: string[];
  readonly analyzer?: "word" | "char" | "char_wb";
  readonly n_features?: number;
  readonly alternate_sign?: boolean;
}

type Rows = readonly (readonly [indices: number[], values: number[]])[];

interface Recorded {
  readonly texts: string[];
  readonly tfidf: readonly { readonly setting: Setting; readonly terms: string[]; readonly idf: number[] | null; readonly rows: Rows }[];
  readonly hashing: readonly { readonly setting: Setting; readonly rows: Rows }[];
}

const recorded = JSON.parse(readFileSync("test/parity/scikit-learn/text.json", "utf8")) as Recorded;

function ours({ lowercase, ngram_range: ngrams, binary, norm, stop_words: stopWords, analyzer }: Setting) {
  return {
    ...{ lowercase, ngrams, binary, stopWords },
    norm: norm === null ? "none" : norm,
    analyzer: analyzer === "char_wb" ? "char-in-words" : analyzer,
  } as const;
}

function same(matrix: Matrix, rows: Rows): void {
  expect(matrix.rowCount).toBe(rows.length);
  rows.forEach(([indices, values], i) => {
    const [from, to] = [matrix.starts[i] as number, matrix.starts[i + 1] as number];
    expect(Array.from(matrix.indices.subarray(from, to)), `row ${i}`).toEqual(indices);
    values.forEach((value, k) => {
      expect(Math.abs((matrix.values[from + k] as number) - value)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(value)));
    });
  });
}

describe("as scikit-learn", () => {
  test.each(recorded.tfidf.map((one) => [JSON.stringify(one.setting), one] as const))(
    "TfidfVectorizer %s",
    async (_, { setting, terms, idf, rows }) => {
      const options = {
        ...ours(setting),
        ...{ minDocuments: setting.min_df, maxDocuments: setting.max_df, sublinear: setting.sublinear_tf, idf: setting.use_idf },
      };
      const vectorizer = await TfidfVectorizer.fit(recorded.texts, options);
      expect(vectorizer.featureNames).toEqual(terms);
      idf?.forEach((value, j) => {
        expect(vectorizer.idf[j]).toBeCloseTo(value, 12);
      });
      same(await vectorizer.transform(recorded.texts), rows);
      const both = await TfidfVectorizer.fitTransform(recorded.texts, options);
      same(both.rows, rows);
      expect(JSON.stringify(both.fitted)).toBe(JSON.stringify(vectorizer));
      const again = TfidfVectorizer.fromJSON(JSON.parse(JSON.stringify(vectorizer)));
      expect(again.featureNames).toEqual(terms);
      same(await again.transform(recorded.texts), rows);
    },
  );

  test.each(recorded.hashing.map((one) => [JSON.stringify(one.setting), one] as const))(
    "HashingVectorizer %s",
    async (_, { setting, rows }) => {
      const options = { ...ours(setting), featureCount: setting.n_features, signed: setting.alternate_sign };
      const vectorizer = await HashingVectorizer.fit(recorded.texts, options);
      // scikit-learn keeps zeros that signs have left.
      const plain = rows.map(([indices, values]): [number[], number[]] => [
        indices.filter((_, k) => values[k] !== 0),
        values.filter((value) => value !== 0),
      ]);
      same(await vectorizer.transform(recorded.texts), plain);
      same(await HashingVectorizer.fromJSON(JSON.parse(JSON.stringify(vectorizer))).transform(recorded.texts), plain);
    },
  );
});

test("the most frequent terms, of equally frequent ones the first in their order", async () => {
  const { featureNames } = await TfidfVectorizer.fit(["bb aa cc cc", "cc bb dd"], { maxFeatures: 2 });
  expect(featureNames).toEqual(["bb", "cc"]);
});

describe("many texts, which are counted on other threads", () => {
  // Beyond 2^18 characters. Words of a few letters, some of them in two bytes and more, so that many have a beginning in common.
  const random = new Random(5);
  const letters = ["a", "b", "c", "é", "ß", "я", "日", "\u{1F600}", "\u{20000}", "\u00a0", "_", "7"];
  const word = (): string => Array.from({ length: 1 + random.below(9) }, () => letters[random.below(letters.length)]).join("");
  const texts = Array.from({ length: 400 }, () => Array.from({ length: 60 + random.below(200) }, word).join(" "));

  test.each([
    {},
    { ngrams: [1, 2] as const, minDocuments: 2, sublinear: true },
    { analyzer: "char" as const, ngrams: [2, 3] as const, maxFeatures: 1000 },
    { analyzer: "char-in-words" as const, ngrams: [1, 4] as const, maxDocuments: 0.5 },
  ])("any number of threads, and any cut, gives the same: %j", async (options) => {
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeGreaterThan(2 ** 18);
    const one = await TfidfVectorizer.fitTransform(texts, { ...options, threads: 1 });
    const terms = [...one.fitted.featureNames];
    expect(terms).toEqual([...terms].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(new Set(terms).size).toBe(terms.length);
    for (const threads of [2, 3, 7]) {
      const many = await TfidfVectorizer.fitTransform(texts, { ...options, threads });
      expect(Buffer.compare(many.fitted.toBytes(), one.fitted.toBytes())).toBe(0);
      expect(bits(many.rows)).toEqual(bits(one.rows));
      expect(bits(await one.fitted.transform(texts, { threads }))).toEqual(bits(one.rows));
    }
    // Text by text, on the calling thread.
    const few = await Promise.all(texts.slice(0, 20).map((text) => one.fitted.transform([text])));
    for (const [i, row] of few.entries()) {
      const [from, to] = [one.rows.starts[i], one.rows.starts[i + 1]];
      expect(row.indices).toEqual(one.rows.indices.slice(from, to));
      expect(row.values).toEqual(one.rows.values.slice(from, to));
    }
  });

  test("hashed ones too", async () => {
    const hashing = await HashingVectorizer.fit(texts, { featureCount: 500 });
    const one = await hashing.transform(texts, { threads: 1 });
    expect(bits(await hashing.transform(texts, { threads: 3 }))).toEqual(bits(one));
    const [first] = await Promise.all(texts.slice(0, 1).map((text) => hashing.transform([text])));
    expect(first?.indices).toEqual(one.indices.slice(0, one.starts[1]));
  });
});

/** A number for all bits of a matrix. */
function bits({ values, indices, starts }: Matrix): string {
  const sum = createHash("sha256");
  for (const list of [values, indices, starts]) sum.update(list.slice());
  return sum.digest("hex");
}

describe("terms by bytes", () => {
  const encoder = new TextEncoder();
  const listOf = (terms: readonly string[]) => {
    const all = new Terms();
    for (const term of terms) {
      const bytes = encoder.encode(`(${term})`);
      all.add(bytes, 1, bytes.length - 1);
    }
    return all.sorted();
  };

  test("sorted, with ranks by the order of adding; what is longer comes behind what it begins with", () => {
    const terms = ["b", "", "ab", "a", "abcd", "abc", "abcdefg", "\0", "a\0", "abd", "ÿ", "\u{10000}", "\uffff", "abcdefh"];
    const { list, ranks } = listOf([...terms, "ab", ""]);
    const sorted = [...terms].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(new Vocabulary(list).texts()).toEqual(sorted);
    expect([...ranks]).toEqual(terms.map((term) => sorted.indexOf(term)));
  });

  test("long terms that agree for long", () => {
    const long = "x".repeat(100_000);
    expect(new Vocabulary(listOf([`${long}b`, `${long}a`, long]).list).texts()).toEqual([long, `${long}a`, `${long}b`]);
  });

  test("merged, found, and some of them kept", () => {
    const [one, two, three] = [["a", "c", "e"], [], ["b", "c", "é", "z"]].map((terms) => listOf(terms).list);
    const { vocabulary, numbers } = Vocabulary.merged([one as TermList, two as TermList, three as TermList]);
    expect(vocabulary.texts()).toEqual(["a", "b", "c", "e", "z", "é"]);
    expect(numbers.map((list) => [...list])).toEqual([[0, 2, 3], [], [1, 2, 4, 5]]);
    expect([...vocabulary.numbersOf(listOf(["zz", "z", "", "c", "bb", "é", "ê"]).list)]).toEqual([-1, -1, 2, 4, -1, 5, -1]);
    expect(vocabulary.only([1, 5]).texts()).toEqual(["b", "é"]);
    expect(vocabulary.isInOrder).toBe(true);
    expect(Vocabulary.of(["b", "a"]).isInOrder).toBe(false);
    expect(Vocabulary.of(["a", "a"]).isInOrder).toBe(false);
    expect(Vocabulary.merged([]).vocabulary.count).toBe(0);
  });
});

test("marks belong to the character before them", async () => {
  const names = async (text: string, options = {}) => (await TfidfVectorizer.fit([text], options)).featureNames;
  expect(await names("हिन्दी में लिखी बात")).toEqual(["बात", "में", "लिखी", "हिन्दी"].sort());
  // Thai: consonants with their vowels and tones, and pairs of these.
  expect(await names("ที่นี่")).toEqual(["ที่", "ที่นี่", "นี่"]);
  expect(await names("cafe\u0301 nai\u0308ve")).toEqual(["cafe\u0301", "nai\u0308ve"]);
  expect(await names("İstanbul")).toEqual(["i\u0307stanbul"]);
  // Half-width kana have voice marks of their own.
  expect(await names("ﾃﾞｰﾀ")).toEqual(["ｰ", "ｰﾀ", "ﾀ", "ﾃﾞ", "ﾃﾞｰ"]);
  expect((await rejected(TfidfVectorizer.fit(["\u0301 \u0308"]))).message).toContain("no text has a term");
});

test("stop words: of scripts without spaces too; kept as they were; the same from a file", async () => {
  expect((await TfidfVectorizer.fit(["我的猫 的"], { stopWords: ["的", "我的"] })).featureNames).toEqual(["我", "猫", "的猫"].sort());
  const stopWords = ["the", "Ünder"];
  const fitted = await TfidfVectorizer.fit(["the ship under the Ünder sea"], { stopWords, lowercase: false });
  const before = await fitted.transform(["the sea under"]);
  stopWords.push("sea");
  expect(bits(await fitted.transform(["the sea under"]))).toBe(bits(before));
  expect(bits(await TfidfVectorizer.fromJSON(JSON.parse(JSON.stringify(fitted))).transform(["the sea under"]))).toBe(bits(before));
  for (const words of [["new york"], [""], ["a\tb"]]) {
    expect((await rejected(TfidfVectorizer.fit(["a b"], { stopWords: words }))).message).toContain(
      "none of them empty or with a blank inside",
    );
  }
});

test("a file whose counts of texts cannot be is refused", async () => {
  const json = (await TfidfVectorizer.fit(["sea ship", "ship"])).toJSON();
  for (const documents of [
    [5, 5],
    [0, 1],
    [2 ** 33, 1],
  ]) {
    expect(() => TfidfVectorizer.fromJSON({ ...json, documents })).toThrow("documents");
  }
  expect(() => TfidfVectorizer.fromJSON({ ...json, terms: "ship sea" })).toThrow("in the order of their code points");
});

test("options of transform are checked however few the texts are", async () => {
  const fitted = await TfidfVectorizer.fit(["sea ship", "ship"]);
  for (const options of [{ threads: 0 }, { thread: 1 }, null, "x"])
    expect((await rejected(fitted.transform(["sea"], options as never))).code).toBe("bad-option");
});

test("scripts without spaces: characters and pairs, words beside them as ever", async () => {
  const { featureNames } = await TfidfVectorizer.fit(["支持向量机 SVM とは、サポート"]);
  expect(featureNames).toEqual(
    ["svm", ..."支持向量机", "支持", "持向", "向量", "量机", "と", "は", "とは", ..."サポート", "サポ", "ポー", "ート"].sort(),
  );
  // What lies between two words parts them.
  const pairs = await TfidfVectorizer.fit(["big cat 猫 small dog"], { ngrams: [2, 2] });
  expect(pairs.featureNames).toEqual(["big cat", "small dog", "猫"]);
});

test("code points are counted and sorted, not code units; half a pair is a character", async () => {
  const { featureNames } = await TfidfVectorizer.fit(["😀😀 ﬀ \uD83D"], { analyzer: "char", ngrams: [1, 1] });
  expect(featureNames).toEqual([" ", "ﬀ", "\uFFFD", "😀"]);
  const hashing = await HashingVectorizer.fit([], { analyzer: "char", featureCount: 16, norm: "none" });
  expect((await hashing.transform(["\uD83D", "\uFFFD"])).values).toHaveLength(2);
});

const sentences = Array.from({ length: 60 }, (_, i) =>
  i % 3 === 0
    ? `the ship sails the ${["blue", "wide", "cold"][i % 9 === 0 ? 0 : 1]} sea ${i}`
    : i % 3 === 1
      ? `a goal in the last minute of match ${i}`
      : `interest rates and the market ${i}`,
);
const topics = sentences.map((_, i) => ["sea", "sport", "money"][i % 3] as string);

describe("pipeline(TfidfVectorizer, LinearSVC)", () => {
  test("fits, predicts, explains, is saved and loaded, searched and cross-validated", async () => {
    const model = await pipeline(TfidfVectorizer, LinearSVC).fit(sentences, topics);
    expect(await model.predict(["the sea is cold", "the market and rates", "what a goal"])).toEqual(["sea", "money", "sport"]);
    expect(await model.predictOne("a goal")).toBe("sport");
    expect(await model.score(sentences, topics as never)).toBe(1);
    const [money] = await explain(model, { count: 3 });
    expect(money?.positive).toBe("money");
    expect(money?.up.map(({ name }) => name)).toEqual(expect.arrayContaining(["and"]));
    const told = await explain(model, "rates rise");
    const own = told.find(({ positive }) => positive === "money");
    expect(own?.parts[0]).toMatchObject({ name: "rates" });
    const path = join(folder, "topics.json");
    await model.save(path);
    const again = await load(path, Pipeline);
    expect(await again.predict(["the sea is cold"] as never)).toEqual(["sea"]);
    expect(JSON.stringify(again)).toBe(JSON.stringify(model));
    const found = await search(pipeline([TfidfVectorizer, { ngrams: [1, 2] }], LinearSVC), sentences, topics, {
      grid: { C: [0.1, 1] },
      folds: 3,
    });
    expect(found.best?.score).toBeGreaterThan(0.9);
    expect((await crossValidate(pipeline(TfidfVectorizer, LinearSVC), sentences, topics, { folds: 3 })).score).toBeGreaterThan(0.9);
  });

  test("a fold's vocabulary is that of its training texts", async () => {
    const seen: number[] = [];
    const original = TfidfVectorizer.fitTransform;
    const texts = sentences.map((text, i) => `${text} only${i}`);
    try {
      TfidfVectorizer.fitTransform = async (own, options) => {
        const both = await original.call(TfidfVectorizer, own, options);
        seen.push(both.fitted.featureNames.filter((name) => name.startsWith("only")).length);
        return both;
      };
      await crossValidate(pipeline(TfidfVectorizer, LinearSVC), texts, topics, { folds: 3 });
    } finally {
      TfidfVectorizer.fitTransform = original;
    }
    expect(seen).toEqual([40, 40, 40]);
  });

  test("text columns of tables, beside others", async () => {
    const csv = `body,price,label\n${sentences.map((text, i) => `"${text}",${i % 3},${topics[i]}`).join("\n")}\n`;
    const { table } = await readCsv(new TextEncoder().encode(csv), { kinds: { body: "text" } });
    const y = topics;
    const model = await pipeline(columns({ body: [TfidfVectorizer, { minDocuments: 2 }], label: "drop" }), LinearSVC).fit(table, y);
    expect(await model.predictOne({ body: "the wide sea", price: 0 })).toBe("sea");
    const { featureNames } = model.stages[0] as { featureNames: readonly string[] };
    expect(featureNames).toContain("body: sea");
    const again = Pipeline.fromJSON(JSON.parse(JSON.stringify(model)));
    expect(await again.predict(table as never)).toEqual(await model.predict(table));
    const hashed = await pipeline(columns({ body: [HashingVectorizer, { featureCount: 256 }], label: "drop" }), LinearSVC).fit(table, y);
    expect(await hashed.score(table, y as never)).toBe(1);
  });
});

test("the vocabulary of a file is one text: large ones are read back, odd characters too", async () => {
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}`);
  const large = await TfidfVectorizer.fit([words.join(" "), "w1 w2"]);
  const bytes = large.toBytes();
  expect(bytes.length).toBeLessThan(8 * 30_000);
  expect((await load(bytes, TfidfVectorizer)).featureNames).toEqual(large.featureNames);
  const odd = await TfidfVectorizer.fit([' |~^`$#%&*+=@\n"\\'], { analyzer: "char" });
  expect((await load(odd.toBytes(), TfidfVectorizer)).featureNames).toEqual(odd.featureNames);
});

test("wrong input", async () => {
  for (const [call, message] of [
    [() => TfidfVectorizer.fit("text" as never), 'texts must be an array of strings, got "text"'],
    [() => TfidfVectorizer.fit(["a", 3] as never), "text 1 must be a string, got 3"],
    [() => TfidfVectorizer.fit([]), "there must be at least one text to learn terms from"],
    [() => TfidfVectorizer.fit(["a b", "!"]), "no text has a term; words have two letters or more, and stop words are left out"],
    [
      () => TfidfVectorizer.fit(["aa", "bb"], { minDocuments: 2 }),
      "none of 2 terms is in 2 to 2 texts; change minDocuments or maxDocuments",
    ],
    [() => TfidfVectorizer.fit(["aa"], { ngrams: [2, 1] }), "ngrams must be [least, most], two whole numbers from 1 to 100"],
    [() => TfidfVectorizer.fit(["aa"], { analyzer: "char", stopWords: ["aa"] }), 'stopWords are for analyzer "word", not for "char"'],
    [
      () => TfidfVectorizer.fit(["aa", "aa"], { minDocuments: 3, maxDocuments: 2 }),
      "maxDocuments means 2 texts here, fewer than the 3 of minDocuments",
    ],
    [() => TfidfVectorizer.fit(["aa"], { minDf: 2 } as never), "TfidfVectorizer has no option"],
    [
      () =>
        pipeline(columns({ n: TfidfVectorizer }), LinearSVC).fit(
          { rowCount: 2, columns: [{ name: "n", kind: "numeric", values: Float64Array.of(1, 2), missingCount: 0 }] },
          ["a", "b"],
        ),
      "is numeric; a vectoriser is for texts",
    ],
  ] as const) {
    expect((await rejected(call() as Promise<unknown>)).message).toContain(message);
  }
});
