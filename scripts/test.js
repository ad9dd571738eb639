// npm test: types, lint, then all suites. Ends with what was skipped and why, and one line that counts.
// HINGE_REQUIRE_ALL=1 (set by .ci/run where everything should be there) makes a skipped suite a failure.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

const RESULTS = "build/test-results.json";

mkdirSync("build", { recursive: true });
rmSync(RESULTS, { force: true });
const [check, suites] = [
  "scripts/check.js",
  "node_modules/vitest/vitest.mjs run --reporter=default --reporter=json --outputFile.json=build/test-results.json",
]
  .map((command) =>
    spawnSync(process.execPath, [...command.split(" "), ...(command.startsWith("node_modules") ? process.argv.slice(2) : [])], {
      stdio: "inherit",
    }),
  )
  .map(({ status }) => status === 0);

const results = JSON.parse(readFileSync(RESULTS, "utf8"));
const tests = results.testResults.flatMap((file) => file.assertionResults);
const skipped = tests.filter(({ status }) => status === "pending" || status === "skipped" || status === "todo");
const names = new Set(skipped.map(({ ancestorTitles, title }) => ancestorTitles[0] ?? title));
if (names.size > 0) {
  process.stdout.write(`\nNot checked here:\n${[...names].map((name) => `  ${name}\n`).join("")}`);
}
if (!check) process.stdout.write("\nTypes or lint failed: see the top of this output, or run node scripts/check.js.\n");
process.stdout.write(`\n${results.numPassedTests} passed, ${results.numFailedTests} failed, ${skipped.length} skipped\n`);
const refused = process.env.HINGE_REQUIRE_ALL === "1" && skipped.length > 0;
if (refused) process.stdout.write("Skipped suites are failures here: everything they need should be installed.\n");
process.exit(!check || !suites || refused || tests.length === 0 ? 1 : 0);
