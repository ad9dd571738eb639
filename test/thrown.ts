// What a call throws, so that a test can compare its code and its whole message.

import { HingeError } from "../src/base/errors.ts";

/** The HingeError that `call` throws; fails if it throws something else or nothing. */
export function thrown(call: () => unknown): HingeError {
  try {
    call();
  } catch (error) {
    if (error instanceof HingeError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The HingeError that `promise` is rejected with; fails if it is another error or none. */
export async function rejected(promise: Promise<unknown>): Promise<HingeError> {
  const ending = await promise.then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
  if (ending instanceof HingeError) return ending;
  throw ending;
}
