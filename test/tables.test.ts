// From tables to rows: what is missing, categories, columns by name; saved with the model.

import { describe, expect, test } from "vitest";
import {
  Columns,
  columns,
  crossValidate,
  Imputer,
  LinearSVC,
  load,
  type Matrix,
  MinMaxScaler,
  OneHotEncoder,
  Pipeline,
  pipeline,
  readCsv,
  StandardScaler,
  SVC,
  type Table,
} from "../src/index.ts";
import { rejected, thrown } from "./thrown.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const people = `age,city,income,id,bought
25,Paris,1000,a1,no
47,Rome,5200,a2,yes
,Paris,4100,a3,yes
33,,2500,a4,no
51,Oslo,6100,a5,yes
29,Rome,,a6,no
62,Paris,7000,a7,yes
38,Oslo,3000,a8,no
`;

async function read(text = people): Promise<{ table: Table; y: string[] }> {
  const { table, y } = await readCsv(bytes(text), {
    label: "bought",
    kinds: text === people ? { city: "categorical", id: "text" } : { city: "categorical" },
  });
  return { table, y: y as string[] };
}

/** A table without labels. */
async function tableOf(text: string, kinds: Readonly<Record<string, "categorical">> = {}): Promise<Table> {
  return (await readCsv(bytes(text), { kinds })).table;
}

function rowsOf(x: Matrix): number[][] {
  return Array.from({ length: x.rowCount }, (_, i) => {
    const row = new Array<number>(x.featureCount).fill(0);
    x.forEachInRow(i, (feature, value) => {
      row[feature] = value;
    });
    return row;
  });
}

const only = (table: Table, ...names: string[]): Table => ({ ...table, columns: table.columns.filter(({ name }) => names.includes(name)) });

describe("Imputer", () => {
  test("mean, median, most frequent, constant; numbers and categories", async () => {
    const { table } = await read();
    const ages = [25, 47, 33, 51, 29, 62, 38];
    const fill = async (options: object, name: string) => (await Imputer.fit(only(table, name), options)).fills.get(name);
    expect(await fill({}, "age")).toBeCloseTo(ages.reduce((sum, age) => sum + age, 0) / 7, 12);
    expect(await fill({ strategy: "median" }, "age")).toBe(38);
    expect(await fill({ strategy: "constant", value: -1 }, "age")).toBe(-1);
    expect(await fill({}, "city")).toBe("Paris");
    expect(await fill({ strategy: "constant", value: "nowhere" }, "city")).toBe("nowhere");
    const weights = [0, 5, 1, 1, 1, 1, 1, 1];
    expect(await fill({ sampleWeight: weights }, "city")).toBe("Rome");
    expect(await fill({ strategy: "most-frequent", sampleWeight: weights }, "age")).toBe(47);
    expect(await fill({ strategy: "median", sampleWeight: weights }, "age")).toBe(47);
  });

  test("fills what is missing and nothing else; an indicator says where", async () => {
    const { table } = await read();
    const imputer = await Imputer.fit(only(table, "age", "city"), { indicator: true });
    const filled = await imputer.transform(only(table, "age", "city"));
    expect(filled.columns.map(({ name }) => name)).toEqual(["age", "age missing", "city", "city missing"]);
    const [age, ageMissing, city, cityMissing] = filled.columns as never as [
      { values: Float64Array },
      { values: Float64Array },
      { levels: string[]; codes: Uint32Array; missingCount: number },
      { values: Float64Array },
    ];
    expect(Array.from(age.values).filter((_, i) => i !== 2)).toEqual([25, 47, 33, 51, 29, 62, 38]);
    expect(Array.from(ageMissing.values)).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
    expect(city.levels[city.codes[3] as number]).toBe("Paris");
    expect(city.missingCount).toBe(0);
    expect(Array.from(cityMissing.values)).toEqual([0, 0, 0, 1, 0, 0, 0, 0]);
    // A level that the new table does not have.
    const later = {
      rowCount: 2,
      columns: [{ name: "city", kind: "categorical", levels: ["Bonn"], codes: Uint32Array.of(0, 0xffffffff), missingCount: 1 }],
    } as Table;
    const [bonn] = (await (await Imputer.fit(only(table, "city"))).transform(later)).columns as never as [
      { levels: string[]; codes: Uint32Array },
    ];
    expect(Array.from(bonn.codes, (code) => bonn.levels[code])).toEqual(["Bonn", "Paris"]);
  });
});

describe("OneHotEncoder", () => {
  test("one feature a category; what is unknown or missing is nothing, a category, or an error", async () => {
    const { table } = await read();
    const cities = only(table, "city");
    const encoder = await OneHotEncoder.fit(cities);
    expect(encoder.featureNames).toEqual(["city = Oslo", "city = Paris", "city = Rome"]);
    const rows = rowsOf(await encoder.transform(cities));
    expect(rows.slice(0, 5)).toEqual([
      [0, 1, 0],
      [0, 0, 1],
      [0, 1, 0],
      [0, 0, 0],
      [1, 0, 0],
    ]);
    const own = await OneHotEncoder.fit(cities, { missing: "category" });
    expect(own.featureNames.at(-1)).toBe("city missing");
    expect(rowsOf(await own.transform(cities))[3]).toEqual([0, 0, 0, 1]);
    expect((await rejected(OneHotEncoder.fit(cities, { missing: "error" }))).message).toBe(
      'column "city" at row 3 is missing; put an Imputer before, or use missing: "ignore" or "category"',
    );
    const later = {
      rowCount: 1,
      columns: [{ name: "city", kind: "categorical", levels: ["Bonn"], codes: Uint32Array.of(0), missingCount: 0 }],
    } as Table;
    expect(rowsOf(await encoder.transform(later))).toEqual([[0, 0, 0]]);
    expect((await rejected((await OneHotEncoder.fit(cities, { unknown: "error" })).transform(later))).message).toBe(
      'column "city" at row 0 has the category "Bonn", which was not there when the encoder was fitted',
    );
    expect((await rejected(OneHotEncoder.fit(only(table, "age")))).message).toContain(
      'column "age" is numeric; a OneHotEncoder is for categories',
    );
  });
});

describe("columns", () => {
  test("each by its name, the others by their kind", async () => {
    const { table } = await read();
    const fitted = await columns({ id: "drop", income: [Imputer, MinMaxScaler] }).fit(table);
    expect(fitted.featureNames).toEqual(["income", "age", "city = Oslo", "city = Paris", "city = Rome"]);
    const rows = rowsOf(await fitted.transform(table));
    expect([rows[0]?.[0], rows[6]?.[0]]).toEqual([0, 1]);
    const ages = rows.map((row) => row[1] as number);
    expect(Math.abs(ages.reduce((sum, age) => sum + age, 0))).toBeLessThan(1e-5);
    expect(ages[2]).toBeCloseTo(0, 6);
    expect(rows[4]?.slice(2)).toEqual([1, 0, 0]);
    const kept = await columns(
      { age: [[Imputer, { strategy: "constant", value: 0, indicator: true }]], city: [OneHotEncoder, { missing: "category" }] },
      { others: "drop" },
    ).fit(table);
    expect(kept.featureNames).toEqual(["age", "age missing", "city = Oslo", "city = Paris", "city = Rome", "city missing"]);
    expect(rowsOf(await kept.transform(table))[2]).toEqual([0, 1, 0, 1, 0, 0]);
    expect(kept.kinds).toEqual({ age: "numeric", city: "categorical" });
  });

  test("a model of a table is one file; predicting needs no encoding, whatever the other file holds", async () => {
    const { table, y } = await read();
    const model = await pipeline(columns({ id: "drop" }), SVC).fit(table, y, { C: 10 });
    const back = (await load(model.toBytes(), Pipeline)) as Pipeline;
    expect(await back.predict(table)).toEqual(await model.predict(table));
    expect(await back.decision(table)).toEqual(await model.decision(table));
    // Columns in another order, one more, a city that nobody knew, nothing but missing ages.
    const other = await tableOf("extra,income,city,age\n1,6500,Bonn,\n2,900,Paris,\n", { city: "categorical" });
    const said = await back.predict(other);
    expect(said).toEqual(["yes", "no"]);
    expect((back.stages[0] as Columns).kinds).toEqual({ age: "numeric", income: "numeric", city: "categorical" });
    const wrong = await tableOf("income,city,age\n1,Bonn,old\n", { city: "categorical", age: "categorical" });
    expect((await rejected(back.predict(wrong))).message).toBe(
      'column "age" is categorical, it was numeric when the transformer was fitted; read the file with the same kinds: readCsv(file, { kinds })',
    );
    const less = await tableOf("income,age\n1,2\n");
    expect((await rejected(back.predict(less))).message).toBe('the table has no column "city", which the model was fitted with');
  });

  test("weights: the row absent is not there", async () => {
    const { table } = await read();
    const all = await columns({ id: "drop" }).fit(table, { sampleWeight: [1, 1, 1, 1, 1, 1, 0, 1] });
    const seven = {
      ...table,
      rowCount: 7,
      columns: table.columns.map((column) => ({
        ...column,
        ...("values" in column && { values: column.values.filter((_, i) => i !== 6) }),
        ...("codes" in column && { codes: column.codes.filter((_, i) => i !== 6) }),
      })),
    } as Table;
    const without = await columns({ id: "drop" }).fit(seven);
    const [a, b] = [rowsOf(await all.transform(table)), rowsOf(await without.transform(table))];
    for (const [i, row] of a.entries()) for (const [j, value] of row.entries()) expect(value).toBeCloseTo(b[i]?.[j] as number, 5);
  });

  test("no encoder sees a row that is held out", async () => {
    const text = `city,size,bought\n${Array.from({ length: 40 }, (_, i) => `c${i % 20 === 3 ? `rare${i}` : i % 3},${i},${i % 2 ? "yes" : "no"}`).join("\n")}\n`;
    const { table, y: labels } = await read(text);
    const seen: string[][] = [];
    const real = OneHotEncoder.fit;
    try {
      OneHotEncoder.fit = async (rows, options) => {
        const encoder = await real.call(OneHotEncoder, rows, options);
        seen.push([...(encoder.levels.get("city") ?? [])]);
        return encoder;
      };
      const result = await crossValidate(pipeline(columns(), LinearSVC), table, labels, { folds: 4, threads: 1 });
      for (const [k, { fold }] of result.folds.entries()) {
        const rare = [3, 23]
          .filter((i) => fold.train.includes(i))
          .map((i) => `crare${i}`)
          .sort();
        expect(seen[k]).toEqual(["c0", "c1", "c2", ...rare]);
      }
    } finally {
      OneHotEncoder.fit = real;
    }
  });

  test("wrong input is told what must be", async () => {
    const { table } = await read();
    for (const [call, message] of [
      [() => columns({ agee: StandardScaler }).fit(table), 'the table has no column "agee"; did you mean "age"?'],
      [() => columns({}).fit(table), 'column "id" is text; say what becomes of it, such as { "id": TfidfVectorizer } or "drop"'],
      [
        () => columns({ age: "keep", id: "drop" }, { others: "error" }).fit(table),
        'column "city" is not named; say what becomes of it, or others: "auto" or "drop"',
      ],
      [() => columns({}, { others: "drop" }).fit(table), "no column of the table is left to learn from; name one that is not dropped"],
      [() => columns({ age: [StandardScaler, Imputer], id: "drop" }).fit(table), 'column "age" at row 2 is missing'],
      [() => columns({ city: StandardScaler, id: "drop" }).fit(table), "the table has no numeric columns"],
    ] as const) {
      expect((await rejected(call())).message).toContain(message);
    }
    expect(thrown(() => columns({ age: 3 as never })).message).toContain(
      'what column "age" goes through must be "keep", "drop", one of the classes Imputer',
    );
    expect(thrown(() => Columns.fromJSON({ estimator: "Columns" })).message).toContain("not a Columns of hinge: ");
  });
});
