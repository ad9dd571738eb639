import { expect, test } from "vitest";
import { kernelSummary } from "../../../bench/kernel-summary.ts";
import { spreadOf } from "../../../bench/protocol.ts";

const row = (data: string, contender: string, milliseconds: number, ratio: number, more: object = {}) => ({
  ...{ data, contender, measure: "m", peerOverOurs: spreadOf([ratio]), reached: true },
  ...spreadOf([milliseconds]),
  ...more,
});

test("a ratio a set beside what is asked, and their geometric mean without sets on which the peer needs less than 0.5 s", () => {
  const rows = kernelSummary([
    row("a9a.train", "hinge train, 2 threads", 1000, 32),
    row("w8a.train", "hinge train, 2 threads", 1000, 2),
    row("usps.train", "hinge train, 2 threads", 10, 49),
    row("kin40k.train-first-10000", "hinge train, 2 threads", 1000, 99, { reached: false }),
    { data: "a9a.train", contender: "svm-train", measure: "m", ...spreadOf([32_000]) },
  ]);
  expect(rows.map(({ set, ratio, asked, met, counted }) => [set, ratio, asked, met, counted])).toEqual([
    ["a9a.train", 32, 15, true, true],
    ["w8a.train", 2, 12, false, true],
    ["usps.train", 49, 10, true, false],
    ["geometric mean of 2, where the peer needs 0.5 s", expect.closeTo(8, 12), undefined, undefined, undefined],
  ]);
});
