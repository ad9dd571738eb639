// Writes the reference pages that the option tables determine. Run by npm run docs; test/docs compares.

import { writeFileSync } from "node:fs";
import { linearSvcOptions } from "../src/base/options/linear-svc.ts";
import { type Field, shownDefault, type Table } from "../src/base/options/table.ts";
import { flagOf } from "../src/cli/flags.ts";

/** Path → text of every generated page. */
export const generatedPages: Readonly<Record<string, string>> = {
  "docs/reference/linear-svc.md": optionsPage(linearSvcOptions, "hinge train"),
};

// biome-ignore lint/suspicious/noExplicitAny: any table has a page
function optionsPage({ owner, fields }: Table<any>, command: string): string {
  const rows = Object.entries(fields as Record<string, Field<unknown, unknown>>).map(([name, field]) => {
    const fallback = shownDefault(field as Field<unknown>);
    const cells = [`\`${name}\``, field.allowed, fallback === "" ? "not set" : `\`${fallback}\``, field.help, flagCell(name, field)];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [
    `# Options of ${owner}`,
    "",
    "Generated from the option table by `npm run docs`.",
    "",
    `| option | must be | default | meaning | \`${command}\` |`,
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function flagCell(name: string, field: Field<unknown, unknown>): string {
  if (field.flag === "none") return "";
  return `\`${field.flag === "switch" && field.fallback === true ? flagOf(name).replace("--", "--no-") : flagOf(name)}\``;
}

export function writePages(): void {
  for (const [path, text] of Object.entries(generatedPages)) writeFileSync(path, text);
}
