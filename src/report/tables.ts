// Tables and lists of facts. Cells are HTML already: who makes them has escaped what is not his own.

import { escaped } from "./text.js";

export interface TableColumn {
  readonly head: string;
  /** Numbers stand at the right, below each other. */
  readonly isNumber?: boolean;
  /** Long text, which wraps. */
  readonly isText?: boolean;
}

/** A table in a box of its own, in which it scrolls where the page is narrow. The first column names the row. */
export function table(label: string, columns: readonly TableColumn[], rows: readonly (readonly string[])[], marked = -1): string {
  const kind = ({ isNumber, isText }: TableColumn): string => (isNumber ? ' class="number"' : isText ? ' class="long"' : "");
  const head = columns.map((column) => `<th scope="col"${kind(column)}>${escaped(column.head)}</th>`).join("");
  const body = rows.map((cells, row) => {
    const inner = cells.map((cell, k) => {
      const own = kind(columns[k] as TableColumn);
      return k === 0 ? `<th scope="row"${own}>${cell}</th>` : `<td${own}>${cell}</td>`;
    });
    return `<tr${row === marked ? ' class="marked"' : ""}>${inner.join("")}</tr>`;
  });
  return scrolling(label, `<table><thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table>`);
}

/** A box that scrolls by itself, by keyboard too. */
export function scrolling(label: string, content: string): string {
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escaped(label)}">${content}</div>`;
}

/** Names and what they stand for; those without are left out. Values are HTML already. */
export function facts(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  const entries = pairs.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`<div><dt>${escaped(name)}</dt><dd>${value}</dd></div>`],
  );
  return entries.length === 0 ? "" : `<dl class="facts">\n${entries.join("\n")}\n</dl>`;
}

/** Large numbers in a row, each with its name below. */
export function figures(pairs: readonly (readonly [value: string, name: string])[]): string {
  const entries = pairs.map(([value, name]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`);
  return entries.length === 0 ? "" : `<dl class="tiles">\n${entries.join("\n")}\n</dl>`;
}
