// kill -9 at any moment of a training over an existing model: the file is the old one or the new one, whole.

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { folder, hinge } from "./command.ts";

const TIMES = 100;
const AT_ONCE = 2;

test(`a model file survives ${TIMES} trainings that are killed`, { timeout: 240_000 }, async () => {
  const random = new Random(17);
  const features = (): string => Array.from({ length: 30 }, (_, j) => `${j + 1}:${random.unit().toFixed(4)}`).join(" ");
  const rows = Array.from({ length: 2000 }, (_, i) => `${i % 2 ? 1 : -1} ${features()}\n`).join("");
  const cwd = folder({ "data.svm": rows });
  const train = (model: string, C: string, killAt?: number) =>
    hinge(cwd, ["train", "data.svm", model, "--estimator", "svc", "--c", C, "--max-iterations", "200", "--quiet"], {
      atStart: (child) => killAt !== undefined && setTimeout(() => child.kill("SIGKILL"), killAt),
    });
  const started = performance.now();
  await train("old.json", "1");
  const whole = performance.now() - started;
  await train("new.json", "2");
  const [old, fresh] = [readFileSync(join(cwd, "old.json")), readFileSync(join(cwd, "new.json"))];
  expect(old.equals(fresh)).toBe(false);
  const ends = { old: 0, new: 0 };
  const lane = async (k: number): Promise<void> => {
    const model = `m${k}.json`;
    let moment = whole;
    for (let run = k; run < TIMES; run += AT_ONCE) {
      copyFileSync(join(cwd, "old.json"), join(cwd, model));
      await train(model, "2", moment * (0.8 + 0.4 * random.unit()));
      const left = readFileSync(join(cwd, model));
      expect(left.equals(old) || left.equals(fresh)).toBe(true);
      ends[left.equals(old) ? "old" : "new"]++;
      // Later where the old file is still there, earlier where the new one is: around the writing, which is what it is about, however busy the machine.
      moment *= left.equals(old) ? 1.05 : 0.95;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => lane(k)));
  // Both happened, so moments around the writing were among them.
  expect(ends.old).toBeGreaterThan(5);
  expect(ends.new).toBeGreaterThan(5);
});
