import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromium } from "./test/requires.ts";

const source = (path: string): string => new URL(path, import.meta.url).pathname;

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const browserProject = (name: string, isolated: boolean) => ({
  resolve: { alias: { "#platform": source("src/runtime/browser.ts"), hinge: source("src/index.ts") } },
  server: { headers: isolated ? isolation : {} },
  test: {
    name,
    include: ["test/browser/**/*.browser.test.ts"],
    globalSetup: ["test/browser/setup.ts"],
    provide: { isolated },
    sequence: { groupOrder: 1 }, // after the Node suites, which use both cores
    testTimeout: 60_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: "chromium" as const }],
      provider: playwright({
        launchOptions: {
          ...(chromium === undefined ? {} : { executablePath: chromium }),
          args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
        },
      }),
    },
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: { "#platform": source("src/runtime/node.ts"), hinge: source("src/index.ts") } },
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**/*.browser.test.ts"],
          globalSetup: ["test/core/setup.ts"],
          pool: "forks",
          maxWorkers: 2,
          testTimeout: 60_000,
        },
      },
      // Without Chromium these two are left out, and test/browser/presence.test.ts says so.
      ...(chromium === undefined ? [] : [browserProject("isolated browser", true), browserProject("browser", false)]),
    ],
  },
});
