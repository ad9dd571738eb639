import { expect, test } from "vitest";
import {
  auditStruct,
  blockStruct,
  columnsStruct,
  companyStruct,
  csRowStruct,
  csStateStruct,
  dcdRowStruct,
  dcdStateStruct,
  decisionStruct,
  gramStruct,
  interiorRowStruct,
  interiorStateStruct,
  kernelStruct,
  logisticRowStruct,
  logisticStateStruct,
  losses,
  lossRowsStruct,
  newtonStateStruct,
  partStruct,
  relayStruct,
  restJudgedStruct,
  restStruct,
  roundsStruct,
  rowsStruct,
  segmentsStruct,
  sideStruct,
  smoStruct,
  svmlightBlockStruct,
  tubeRowStruct,
  unitsStruct,
} from "../../../src/runtime/layout.ts";
import { type Struct, StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { coreStructs } from "../../core/structs.ts";

const hostStructs: Readonly<Record<string, Struct>> = {
  Rows: rowsStruct,
  DcdRow: dcdRowStruct,
  DcdState: dcdStateStruct,
  TubeRow: tubeRowStruct,
  RestJudged: restJudgedStruct,
  RestState: restStruct,
  LogisticRow: logisticRowStruct,
  LogisticState: logisticStateStruct,
  InteriorRow: interiorRowStruct,
  InteriorState: interiorStateStruct,
  LossRows: lossRowsStruct,
  Gram: gramStruct,
  Columns: columnsStruct,
  CsRow: csRowStruct,
  CsState: csStateStruct,
  SvmlightBlock: svmlightBlockStruct,
  NewtonState: newtonStateStruct,
  Kernel: kernelStruct,
  Decision: decisionStruct,
  Units: unitsStruct,
  Side: sideStruct,
  Part: partStruct,
  Relay: relayStruct,
  Rounds: roundsStruct,
  Segments: segmentsStruct,
  Company: companyStruct,
  Smo: smoStruct,
  Block: blockStruct,
  Audit: auditStruct,
};

test("every struct of the core is known to the host, and none besides", () => {
  expect(
    coreStructs()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(hostStructs).sort());
});

for (const { name, fields } of coreStructs()) {
  test(`${name} has the same fields at the same offsets on both sides`, () => {
    const { call } = coreUnderTest();
    const host = hostStructs[name] as Struct;
    const core = Object.fromEntries(fields.map((field) => [field, call[`offset_${name}_${field}`]?.()]));
    expect(host.offsets).toEqual(core);
    // The host rounds the size up to the widest field, as an array of structs needs; the core gives the end of the last field.
    expect(host.size).toBeGreaterThanOrEqual(call[`size_${name}`]?.() ?? Number.NaN);
    expect(host.size - (call[`size_${name}`]?.() ?? Number.NaN)).toBeLessThan(8);
  });
}

test("a row of the solver's table has exactly the size that the core steps by", () => {
  const { call } = coreUnderTest();
  expect(call.size_DcdRow?.()).toBe(32);
  expect(dcdRowStruct.size).toBe(32);
});

test("entry k of the table is k rows behind its beginning", () => {
  const core = coreUnderTest();
  const state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
  for (const struct of [dcdRowStruct, tubeRowStruct]) {
    state.assign({ table: 4096, rowBytes: struct.size });
    expect(core.call.tableRow?.(state.pointer, 3)).toBe(4096 + 3 * struct.size);
  }
});

test("a table of a regression begins each row as the others do", () => {
  for (const name of ["alpha", "limit", "curvature", "row", "y"] as const)
    expect(tubeRowStruct.offsets[name]).toBe(dcdRowStruct.offsets[name]);
  const core = coreUnderTest();
  const state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
  const tubes = (Object.keys(losses) as (keyof typeof losses)[]).filter((loss) => {
    state.set("loss", losses[loss]);
    return core.call.isTube?.(state.pointer);
  });
  expect(tubes).toEqual(["epsilon_insensitive", "squared_epsilon_insensitive"]);
});
