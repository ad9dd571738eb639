// Progress: one line that is written over on a terminal, few plain lines elsewhere.

import { expect, test } from "vitest";
import { type Console, live } from "../../src/cli/console.ts";

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
