// Files of what only JSON holds: transformers, and whatever has them inside.

import { HingeError } from "../base/errors.js";
import { modelToBytes } from "../formats/model-json.js";
import { writeAtomic } from "../runtime/runtime.js";

export abstract class StoredAsJson {
  abstract toJSON(): object;

  /** Writes it to a file, whole or not at all; `load` reads it back. The name must end in .json. */
  async save(path: string): Promise<void> {
    if (typeof path !== "string" || !path.endsWith(".json")) {
      throw HingeError.option(
        "the name of the file",
        "a text that ends in .json: no other format holds transformers, pipelines and calibrated classifiers",
        path,
      );
    }
    await writeAtomic(path, this.toBytes());
  }

  /** Returns the bytes that `save` writes; `load` reads them back. */
  toBytes(): Uint8Array {
    return modelToBytes(this.toJSON());
  }
}
