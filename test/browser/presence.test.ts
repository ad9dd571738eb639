// Says so where there is no browser to run the browser suites in.

import { expect, test } from "vitest";
import { chromium, describeWith } from "../requires.ts";

describeWith("Chromium at /usr/bin/chromium or $HINGE_CHROMIUM", chromium !== undefined, "the library in Chromium", () => {
  test("there is a browser, so its suites are part of this run", () => {
    expect(chromium).toBeTypeOf("string");
  });
});
