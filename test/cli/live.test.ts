// Progress: one line that is written over on a terminal, few plain lines elsewhere.

import { join } from "node:path";
import { expect, test } from "vitest";
import { type Console, live } from "../../src/cli/console.ts";
import { cvCommand } from "../../src/cli/cv.ts";
import { reportCommand } from "../../src/cli/report.ts";
import { searchCommand } from "../../src/cli/search.ts";
import { folder } from "./command.ts";

function collecting(isTerminal: boolean): { console: Console; text(): string } {
  let all = "";
  const err = (text: string): void => {
    all += text;
  };
  return { console: { out: () => undefined, err, isTerminal, exit: () => undefined }, text: () => all };
}

test("a terminal has one line, which is gone in the end", () => {
  const { console, text } = collecting(true);
  const shown = live(console, (value: number) => `at ${value}`);
  shown.update(1);
  shown.update(2);
  shown.end();
  expect(text()).toBe("\r\u001b[Kat 1\r\u001b[Kat 2\r\u001b[K");
});

test("a line longer than the terminal is cut: only one row of it could be cleared", () => {
  const { console, text } = collecting(true);
  live({ ...console, columns: 8 }, (value: number) => `a long line ${value}`).update(1);
  expect(text()).toBe("\r\u001b[Ka long ");
});

test("elsewhere lines stay, and there are few", () => {
  const often = collecting(false);
  const shown = live(often.console, (value: number) => `at ${value}`, 0);
  shown.update(1);
  shown.update(2);
  shown.end();
  expect(often.text()).toBe("at 1\nat 2\n");
  const seldom = collecting(false);
  const other = live(seldom.console, (value: number) => `at ${value}`);
  for (let k = 0; k < 100; k++) other.update(k);
  expect(seldom.text()).toBe("");
});

test("cv, search and report have it", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 2} 1:${(i % 7) + (i % 2)} 2:${i % 5}\n`).join("");
  const cwd = folder({ "rows.svm": rows });
  const [data, out] = ["rows.svm", "out.json"].map((name) => join(cwd, name)) as [string, string];
  const told = async (command: typeof cvCommand, args: readonly string[]): Promise<string> => {
    const { console, text } = collecting(true);
    await command(console).parseAsync(args, { from: "user" });
    return text();
  };
  expect(await told(cvCommand, [data, "--folds", "3"])).toContain("cv        3 of 3 folds, the last one ");
  expect(await told(searchCommand, [data, out, "--c-grid", "1,2"])).toContain("search    10 of 10 fits, ");
  expect(await told(reportCommand, [data, out, "--search", "--c-grid", "1,2"])).toContain("search    10 of 10 fits, ");
  expect(await told(searchCommand, [data, out, "--c-grid", "1,2", "--quiet"])).not.toContain("fits");
});
