// Where a model goes: whether it can be saved there is asked before the work, which may take long.

import { HingeError } from "../base/errors.js";
import { LinearClassifier } from "../index.js";
import { checkWritable } from "../runtime/runtime.js";
import type { Trainable } from "./estimators.js";
import type { Input, InputFlags } from "./input.js";

/** Before the data is read. */
export async function checkTarget(target: string, { format }: InputFlags, options: { readonly keepState?: unknown }): Promise<void> {
  const isJson = target.endsWith(".json");
  if (format !== "svmlight" && !isJson)
    throw new HingeError("bad-option", `a model of a table is saved with its columns, which only JSON holds: ${target} must end in .json`);
  if (options.keepState === true && !isJson)
    throw new HingeError("bad-option", `--keep-state writes what only JSON holds: ${target} must end in .json`);
  LinearClassifier.checkSave(target, []);
  await checkWritable(target);
}

/** Once the labels are known, which not every format can hold. */
export function checkLabelsFor(
  target: string,
  estimator: Trainable,
  input: Input,
  settings: ReturnType<Trainable["options"]["check"]>,
): void {
  if (input.kind === "rows") estimator.checkSave?.(target, input.y, settings.multiClass);
}
